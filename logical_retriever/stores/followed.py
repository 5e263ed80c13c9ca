"""An index of the words of documents that others add, change and delete."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Sequence

from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import WordQuery


class FollowedWords:
    """Made of all texts when it is first asked for, then of those that are new. Safe to use from several threads."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[Sequence[DocumentId], Sequence[object], WordIndex]] = {}
        self._lock = threading.Lock()

    def index(
        self,
        ids: Sequence[DocumentId],
        marks: Sequence[object],
        text: Callable[[DocumentId], str],
        language: str = "en",
    ) -> WordIndex:
        """The index of these documents' words, in their order.

        Args:
            ids: N identities.
            marks: For each, an object that is another one when the document is.
            text: Of a document.
            language: Of the words.
        """
        with self._lock:
            before, their, index = self._latest.get(language, ((), (), WordIndex.of((), language)))
            same = ids is before or (len(ids) == len(before) and list(ids) == list(before))
            if same and (marks is their or all(map(operator.is_, marks, their))):
                return index
            now = dict(zip(ids, marks, strict=True))
            kept = [row for row, id in enumerate(before) if now.get(id) is their[row]]
            if [before[row] for row in kept] != list(ids[: len(kept)]):  # some changed in between
                kept = []
            if len(kept) < len(before):
                index = index.kept(kept) if kept else WordIndex.of((), language)
            if len(kept) < len(ids):
                index = index.added(map(text, ids[len(kept) :]))
            self._latest[language] = ids, marks, index
            return index


def found_by_words(
    ids: Sequence[DocumentId], words: Callable[[str], WordIndex], queries: Sequence[WordQuery], n: int
) -> list[list[DocumentId]]:
    """The n documents of greatest BM25 for each query, ties in order.

    Args:
        ids: Of the documents.
        words: The index of their words in a language.
        queries: Whose words count by their stems.
        n: At least 1.
    """
    found = []
    for query in queries:
        stems = [stem for word in query.words for stem in tokenize(word, query.language)]
        rows, _ = ranked(words(query.language), stems)
        found.append([ids[row] for row in rows[:n].tolist()])
    return found
