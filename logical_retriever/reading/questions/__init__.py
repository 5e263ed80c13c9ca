"""The readers of questions."""

from logical_retriever.reading.questions.answer import Comparison as Comparison
from logical_retriever.reading.questions.llm import LogicalQueryTransformer as LogicalQueryTransformer
from logical_retriever.reading.questions.prompt import PROMPT_NAMES as PROMPT_NAMES, load_prompt as load_prompt
from logical_retriever.reading.questions.reader import QuestionReader as QuestionReader
from logical_retriever.reading.questions.tagger import (
    Tagger as Tagger,
    default_tagger as default_tagger,
)
from logical_retriever.reading.questions.typed import read_query as read_query
