"""A store as one question reads it: through its filter, with what is read counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, cast

from logical_retriever.errors import StoreError
from logical_retriever.results import Cost, DocumentId, Strategy
from logical_retriever.search.filters import Narrowing
from logical_retriever.stores.background_word_index import BackgroundWordIndex
from logical_retriever.stores.base import (
    Batch,
    Capabilities,
    EngineRanking,
    ScoreExpression,
    ScoringStore,
    Store,
    StoredDocument,
    VectorBatch,
    WordQuery,
    WordStore,
    checked_ids,
)
from logical_retriever.vectors import Vectors

Fetched = dict[DocumentId, tuple[StoredDocument, Vectors]]
"""Documents with their vectors, shape (d,), by id."""


class StoreReader:
    """Reads one store for one question.

    Args:
        store: The documents.
        beside: An index of their words beside the store.
        narrowing: The filter, and what is left to be decided on metadata.
        capabilities: Of the store; some must ask their engine for them.
        count: Documents in the store, filters aside; None where it cannot tell.

    Attributes:
        finds_words: How documents are found by their words; None where they are not.
        filter: In the store's own language.
        requests: Requests made so far.
        vectors: Document vectors that came back so far.
        missing: Documents that the store named, and did not bring back when they were read.
    """

    def __init__(
        self,
        store: Store,
        beside: BackgroundWordIndex | None,
        narrowing: Narrowing,
        capabilities: Capabilities,
        count: int | None,
    ) -> None:
        self.store, self.narrowing, self.capabilities, self.count = store, narrowing, capabilities, count
        self.beside, self.finds_words = beside, capabilities.word_search if beside is None else "an index of its words"
        self.filter = narrowing.filter
        self.requests = self.vectors = 0
        self.missing: list[DocumentId] = []

    def nearest(self, vectors: Vectors, n: int) -> Fetched:
        """The n nearest documents of each vector.

        Args:
            vectors: Shape (T, d).
            n: At least 1.
        """
        self.requests += 1
        lists, batch = self.store.search(vectors, min(n, self.capabilities.max_results or n), self.filter)
        if len(lists) != len(vectors):
            raise StoreError(
                f"{self.capabilities.name} gave {len(lists)} lists for {len(vectors)} vectors.",
                hint="A store's search returns one list for each vector; check its adapter.",
            )
        return self._read(batch, chain.from_iterable(lists))

    def words(self, queries: Sequence[WordQuery], n: int) -> list[DocumentId]:
        """Ids of the n best documents by the words of each query; none where the store cannot find words."""
        if not queries or self.finds_words is None:
            return []
        self.requests += 1
        length, store = min(n, self.capabilities.max_results or n), cast("WordStore", self.store)
        if self.beside is None:
            lists = store.search_words(queries, length, self.filter)
        else:
            lists = self.beside.search_words(queries, length, self.filter, self.count)
        return list(dict.fromkeys(chain.from_iterable(lists)))

    def fetch(self, ids: Iterable[DocumentId]) -> Fetched:
        """Documents by id."""
        wanted = dict.fromkeys(checked_ids(ids))
        if not wanted:
            return {}
        self.requests += 1
        return self._read(self.store.fetch(list(wanted)), wanted)

    def scan(self) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter."""
        self.requests += 1
        for batch in self.store.scan(self.filter):
            self.vectors += len(batch.ids)
            yield batch

    def rank(self, program: ScoreExpression, n: int) -> EngineRanking:
        """The n best documents by an engine's own scores."""
        self.requests += 1
        return cast("ScoringStore", self.store).search_by_score(program, n, self.filter)

    def _read(self, batch: Batch, ids: Iterable[DocumentId]) -> Fetched:
        """The documents of a batch, which are to be those of the ids."""
        self.vectors += len(batch.documents)
        documents = {document.id: (document, row) for document, row in zip(batch.documents, batch.vectors, strict=True)}
        if len(documents) < len(batch.documents):
            raise StoreError(
                f"{self.capabilities.name} brought back a document twice.",
                hint="Ids are distinct; check the store's adapter.",
            )
        wanted = dict.fromkeys(checked_ids(ids))
        if unknown := [id for id in documents if id not in wanted]:
            raise StoreError(
                f"{self.capabilities.name} brought back the document {unknown[0]!r} without being asked for it.",
                hint="A store brings the documents of its lists, or of the ids that it is given; check its adapter.",
            )
        self.missing += [id for id in wanted if id not in documents]
        return documents

    def cost(self, strategy: Strategy, scored: int, **others: Any) -> Cost:
        """The cost of the question so far."""
        return Cost(
            strategy,
            count=self.count,
            scored=scored,
            requests=self.requests,
            vectors=self.vectors,
            **others,
        )
