"""Indexes of the words of documents that others add, change and delete."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import WordQuery


class FollowedWords:
    """Made of all texts when it is first asked for, then of those that are new. Safe to use from several threads."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[Sequence[object], list[Any], WordIndex]] = {}
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
            # The marks are held, so that no other object comes to lie where one was.
            latest, before, index = self._latest.get(language, ((), [], WordIndex.of((), language)))
            if latest is marks:
                return index
            now = list(zip(ids, map(id, marks), strict=True))
            if now != before:
                present = set(now)
                stay = [row for row, pair in enumerate(before) if pair in present]
                if [before[row] for row in stay] != now[: len(stay)]:  # some changed in between
                    stay = []
                index = index.kept(stay).added(map(text, ids[len(stay) :]))
            self._latest[language] = marks, now, index
            return index


def documents_with_words(
    ids: Sequence[DocumentId], words: Callable[[str], WordIndex] | None, query: WordQuery, n: int
) -> list[DocumentId]:
    """The n documents of greatest BM25 for a query, ties in order.

    Args:
        ids: Of the documents.
        words: The index of their words in a language; None for none.
        query: Whose words count by their stems.
        n: At least 1.
    """
    if words is None:
        return []
    stems = [stem for word in query.words for stem in tokenize(word, query.language)]
    return [ids[row] for row in ranked(words(query.language), stems)[0].tolist()[:n]]
