"""The tagger: a small network that labels the words of a question as wanted, excluded or neither."""

from logical_retriever.reading.questions.tagger.tagger import (
    CERTAIN_FROM as CERTAIN_FROM,
    Reading as Reading,
    Tagger as Tagger,
    default_tagger as default_tagger,
)
from logical_retriever.reading.questions.tagger.words import MAX_WORDS as MAX_WORDS, split_words as split_words
