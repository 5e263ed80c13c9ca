"""Search in an index of documents' words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logical_retriever.lexical import WordIndex, ranked, tokenize
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import WordQuery


@dataclass(frozen=True)
class IndexedDocuments:
    """Documents with an index of their words.

    Attributes:
        ids: N ids.
        index: The words of the N texts, in the order of ``ids``.
    """

    ids: Sequence[DocumentId]
    index: WordIndex

    def search(self, query: WordQuery, n: int) -> list[DocumentId]:
        """Find the n documents of greatest BM25, ties in the order of ``ids``. Words match by their stems."""
        stems = [stem for word in query.words for stem in tokenize(word, query.language)]
        return [self.ids[row] for row in ranked(self.index, stems)[0].tolist()[:n]]
