"""One question's access to a store: filtered, checked and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from logical_retriever.errors import StoreError
from logical_retriever.results import Cost, DocumentId, Strategy
from logical_retriever.search.filters import store_filter
from logical_retriever.search.question import Question
from logical_retriever.search.statistics import StoreStatistics
from logical_retriever.stores.base import (
    Batch,
    EngineRanking,
    ScoreExpression,
    Store,
    StoredDocument,
    VectorBatch,
    WordQuery,
    checked_ids,
)
from logical_retriever.stores.gate import Gate
from logical_retriever.stores.separate_word_index import SeparateWordIndex
from logical_retriever.vectors import Vectors

Fetched = dict[DocumentId, tuple[StoredDocument, Vectors]]
"""Documents with their vectors, shape (d,), by id."""


SHOWN = 5
"""Most missing documents named in a reason."""


class StoreSession:
    """Access to one store for one question.

    Args:
        question: The question; its filter and condition narrow every read.
        store: The documents.
        statistics: Statistics of the store.
        word_index: Index of the documents' words beside the store; None for what the store itself can do.

    Attributes:
        gate: The store behind the checks of what it gives.
        capabilities: The store's.
        count: Documents in the store, filters aside; None if the store cannot tell.
        filter: In the store's own language, joined with the question's condition.
        filtered: Whether the caller's filter is the only one.
        passes: Tests metadata for the conditions that the store's filter cannot express; None if there are none.
        finds_words: How documents are found by their words, in short; None if they cannot be.
        requests: Number of requests so far.
        vectors_read: Number of document vectors returned so far.
        missing: Ids of documents named by the store, but not returned when they were read.
    """

    def __init__(
        self, question: Question, store: Store, statistics: StoreStatistics, word_index: SeparateWordIndex | None
    ) -> None:
        self.store, self.gate, self.store_statistics = store, Gate(store), statistics
        self.capabilities = can = self.gate.capabilities
        self.count = self.gate.count() if can.in_process else statistics.count()
        self.filter, self.passes = store_filter(store, question.filter, question.condition)
        self.filtered = question.filter is not None and question.condition is None
        self.word_index = word_index if word_index is not None and word_index.covers(self.count) else None
        self._unindexed = word_index is not None and self.word_index is None
        self.finds_words = can.word_search if self.word_index is None else "an index of its words"
        self.requests = self.vectors_read = 0
        self.missing: list[DocumentId] = []

    def nearest(self, vectors: Vectors, n: int) -> Fetched:
        """Return the n nearest documents of each vector.

        Args:
            vectors: Shape (T, d).
            n: At least 1.
        """
        self.requests += 1
        lists, batch = self.gate.search(vectors, min(n, self.capabilities.max_results or n), self.filter)
        return self._read(batch, dict.fromkeys(checked_ids(chain.from_iterable(lists))))

    def with_words(self, queries: Sequence[WordQuery], n: int) -> list[DocumentId]:
        """Return ids of the n best documents by the words of each query; none if the store cannot find words."""
        if not queries or self.finds_words is None:
            return []
        self.requests += 1
        length = min(n, self.capabilities.max_results or n)
        if self.word_index is None:
            lists = self.gate.search_words(queries, length, self.filter)
        else:
            lists = self.word_index.search_words(queries, length, self.filter, self.count)
        return list(dict.fromkeys(chain.from_iterable(lists)))

    def fetch(self, ids: Iterable[DocumentId]) -> Fetched:
        """Return documents by id."""
        wanted = dict.fromkeys(checked_ids(ids))
        if not wanted:
            return {}
        self.requests += 1
        return self._read(self.gate.fetch(list(wanted)), wanted)

    def scan(self) -> Iterator[VectorBatch]:
        """Yield the vectors of all documents that pass the filter."""
        self.requests += 1
        for batch in self.gate.scan(self.filter):
            self.vectors_read += len(batch.ids)
            yield batch

    def score_in_engine(self, expression: ScoreExpression, n: int) -> EngineRanking:
        """Return the n best documents by the engine's own scores."""
        self.requests += 1
        return self.gate.search_by_score(expression, n, self.filter)

    def _read(self, batch: Batch, wanted: Mapping[DocumentId, object]) -> Fetched:
        """Return the documents of a batch after a check that each was asked for; note the missing ones."""
        self.vectors_read += len(batch.documents)
        documents = {document.id: (document, row) for document, row in zip(batch.documents, batch.vectors, strict=True)}
        if len(documents) < len(batch.documents):
            raise StoreError(
                f"{self.capabilities.name} brought back a document twice.",
                hint="Ids are distinct; check the store's adapter.",
            )
        if unknown := [id for id in documents if id not in wanted]:
            raise StoreError(
                f"{self.capabilities.name} brought back the document {unknown[0]!r} without being asked for it.",
                hint="A store brings the documents of its lists, or of the ids that it is given; check its adapter.",
            )
        self.missing += [id for id in wanted if id not in documents]
        return documents

    def remarks(self, found: int, words: bool) -> tuple[str, ...]:
        """Return what to tell of the store in the answer's note.

        The remark that the filter lets nothing pass is made every time, the advice to index words only once.

        Args:
            found: Number of documents found.
            words: Whether words are evidence.
        """
        remarks = []
        if self.filtered and not found and self.count:
            remarks.append(f"the filter lets none of {self.count:,} documents pass")
        unindexed = words and self._unindexed and self.finds_words is None and self.count is not None
        if unindexed and not self.store_statistics.advised:
            self.store_statistics.advised = True
            more = f"words_index=True indexes those of all {self.count:,} documents"
            remarks.append(f"words count among the candidates alone; {more}")
        return tuple(remarks)

    def cost(
        self,
        strategy: Strategy,
        scored: int,
        words: str | None = None,
        language: str = "en",
        statement: str | None = None,
    ) -> Cost:
        """Return what the question has cost so far."""
        return Cost(strategy, self.count, scored, self.requests, self.vectors_read, words, language, statement)


def missing_documents(session: StoreSession) -> str:
    """Return which documents were named and not brought back, in words; "" for none."""
    if not session.missing:
        return ""
    named = ", ".join(map(repr, session.missing[:SHOWN])) + (", ..." if len(session.missing) > SHOWN else "")
    count, name = len(session.missing), session.capabilities.name
    return f"{name} named {count} documents and did not bring them back ({named})"
