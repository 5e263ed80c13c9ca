"""One search's access to a store: what it costs is counted, what it gives is checked, and nothing is read twice."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from logical_retriever.errors import StoreCapabilityError, StoreError
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.search.problem import Array, Lexical, Problem, WordEvidence
from logical_retriever.search.reading import Candidates
from logical_retriever.stores.base import (
    Batch,
    Filter,
    IndexedStore,
    IndexedWords,
    NearestStore,
    PushdownAnswer,
    PushdownStore,
    Store,
    StoredDocument,
    VectorBatch,
    WordQuery,
    WordStore,
    checked_ids,
)
from logical_retriever.vectors import Vectors, check_dimensions, precise_cosines
from logical_retriever.vectors.approximate import KeptCosines


@dataclass(frozen=True)
class Foreseen:
    """A search for a term alone that the same question may come to.

    Attributes:
        problem: Its vector encoded.
        k: Documents that it will look for.
        least: Evidence that one of the question's best documents has for the term where it comes to it.
    """

    problem: Problem
    k: int
    least: float


@dataclass
class Known:
    """All that one question has read of a store, through however many searches.

    Attributes:
        foreseen: Searches that may follow; lists and documents that they will ask for are asked for beside others.
        lists: For the bytes of a vector, how many of its nearest documents were asked for, and those.
        documents: Each with its vector.
        words: An index of words, and what is known of all its documents by it.
        cosines: Of all documents, with the texts of the searches that may follow; None where there are none.
        contenders: For a query, k and a length of lists, what words may bring among the best.
    """

    foreseen: Sequence[Foreseen] = ()
    lists: dict[bytes, tuple[int, list[DocumentId]]] = field(default_factory=dict)
    documents: dict[DocumentId, tuple[StoredDocument, Vectors]] = field(default_factory=dict)
    words: tuple[IndexedWords | None, WordEvidence] = field(default_factory=lambda: (None, WordEvidence()))
    contenders: dict[tuple[LogicalQuery, int, int], list[DocumentId]] = field(default_factory=dict)
    cosines: KeptCosines | None = None


class Reader:
    """A store during one search, with its filter.

    Args:
        store: The documents.
        filter: In the store's own language.
        known: Of the same store and filter, what other searches for the same question have read.

    Attributes:
        calls: Requests made so far.
        milliseconds: Time that the store took to answer them.
        vectors: Document vectors that came back so far.
        missing: Documents that a list, a scan or a statement named, and that a read did not bring back: deleted since,
            or known to the store by another key than the one it gave.
    """

    def __init__(self, store: Store, filter: Filter = None, known: Known | None = None) -> None:
        self.capabilities = store.capabilities
        self.filter = filter
        self.calls = 0
        self.milliseconds = 0.0
        self.vectors = 0
        self.missing: list[DocumentId] = []
        self._store = store
        self._known = Known() if known is None else known

    def nearest(self, vectors: Vectors, n: int) -> list[list[DocumentId]]:
        """As :meth:`search`, what is known already aside; the documents come along where the store can do that.

        Args:
            vectors: Shape (T, d).
            n: At least 1; a list that is known to a greater length is cut.
        """
        known, length = self._known, self.capped(n)
        new = [row for row in vectors if known.lists.get(row.tobytes(), (0,))[0] < length]
        if new:
            expected = [row for one in known.foreseen for row in one.problem.vectors]
            also = [row for row in expected if row.tobytes() not in known.lists]
            asked = {row.tobytes(): row for row in (*new, *also)}
            for key, ids in zip(asked, self._listed(np.stack(list(asked.values())), length), strict=True):
                known.lists[key] = length, ids
        return [known.lists[row.tobytes()][1][:length] for row in vectors]

    def _listed(self, vectors: Vectors, n: int) -> list[list[DocumentId]]:
        if not self.capabilities.reads_nearest:
            return self.search(vectors, n)
        with self._request():
            lists, batch = cast("NearestStore", self._store).read_nearest(vectors, n, self.filter)
        if len(lists) != len(vectors):
            raise self._faulty(f"gave {len(lists)} lists for {len(vectors)} vectors", "there is a list for each")
        self._keep(batch)
        self.vectors += len(batch.documents)
        return [list(checked_ids(ids)) for ids in lists]

    def documents(self, ids: Iterable[DocumentId]) -> Batch:
        """As :meth:`fetch`, but what is known is not asked for again; each once."""
        wanted, known = dict.fromkeys(ids), self._known.documents
        if new := [id for id in wanted if id not in known]:
            self._keep(self.fetch(new))
        there = [known[id] for id in wanted if id in known]
        vectors = np.stack([row for _, row in there]) if there else np.empty((0, 0), np.float32)
        return Batch(tuple(document for document, _ in there), vectors)

    def foreseen(self) -> list[Foreseen]:
        """The searches that may follow whose lists are there already."""
        there = self._known.lists
        return [one for one in self._known.foreseen if all(row.tobytes() in there for row in one.problem.vectors)]

    @property
    def cosines(self) -> KeptCosines | None:
        """Of all documents, where another search for the same question may scan them."""
        return self._known.cosines if self.filter is None else None

    @property
    def contenders(self) -> dict[tuple[LogicalQuery, int, int], list[DocumentId]]:
        """Documents that words may bring among the best, by what was looked for; this question's."""
        return self._known.contenders

    def _keep(self, batch: Batch) -> None:
        pairs = zip(batch.documents, batch.vectors, strict=True)
        self._known.documents.update((document.id, (document, row)) for document, row in pairs)

    def search(self, vectors: Vectors, n: int) -> list[list[DocumentId]]:
        """The n nearest documents of each vector, or as many as the store gives; see :meth:`Store.search`.

        Raises:
            StoreError: Not one list per vector.
            InvalidArgumentError: A list holds what cannot be an identity.
        """
        with self._request():
            lists = self._store.search(vectors, self.capped(n), self.filter)
        if len(lists) != len(vectors):
            raise self._faulty(f"gave {len(lists)} lists for {len(vectors)} vectors", "search returns a list for each")
        return [list(checked_ids(ids)) for ids in lists]

    def search_words(self, queries: Sequence[WordQuery], n: int) -> list[list[DocumentId]]:
        """The n documents with words of each query; see :meth:`WordStore.search_words`.

        Raises:
            StoreError: Not one list per query.
            InvalidArgumentError: A list holds what cannot be an identity.
        """
        with self._request():
            lists = cast("WordStore", self._store).search_words(queries, self.capped(n), self.filter)
        if len(lists) != len(queries):
            raise self._faulty(f"gave {len(lists)} lists for {len(queries)} queries", "search_words gives one for each")
        return [list(checked_ids(ids)) for ids in lists]

    def indexed_words(self, language: str) -> IndexedWords | None:
        """The words of all documents, where the store has an index of them that is made; see :class:`IndexedStore`."""
        return self._store.indexed_words(language) if isinstance(self._store, IndexedStore) else None

    def lexical(self, problem: Problem, indexed: IndexedWords) -> Lexical:
        """Evidence of the words of all documents, what is known of this question aside."""
        if self._known.words[0] is not indexed:
            self._known.words = indexed, WordEvidence()
        return problem.lexical(indexed.index, self._known.words[1])

    def passing(self, ids: Sequence[DocumentId]) -> list[DocumentId]:
        """Those of some documents of a store with an index of words that pass the filter, and a check beside it."""
        if not ids or (self.filter is None and not getattr(self._store, "checks", False)):
            return list(ids)
        return cast("IndexedStore", self._store).passing(ids, self.filter)

    def count(self) -> int | None:
        """Documents in the store, whatever the filter; see :meth:`Store.count`."""
        return self._store.count()

    @property
    def cost(self) -> str | None:
        """The cost so far of a store that has to encode texts again, in words; None where it keeps vectors."""
        cost = getattr(self._store, "cost", None)
        return cost if isinstance(cost, str) else None

    @property
    def said(self) -> str | None:
        """The state of an index of words that is kept in a file, in words; None where there is none."""
        said = getattr(self._store, "said", None)
        return said if isinstance(said, str) else None

    def capped(self, n: int) -> int:
        """How many of n documents the store gives in one list."""
        limit = self.capabilities.max_results
        return n if limit is None else min(n, limit)

    def fetch(self, ids: Iterable[DocumentId]) -> Batch:
        """Documents and vectors by id; those that do not come back are noted as missing. See :meth:`Store.fetch`.

        Raises:
            StoreError: The store gave a document twice, or one that was not asked for.
        """
        asked = list(ids)
        with self._request():
            batch = self._store.fetch(asked)
        self.vectors += len(batch.documents)
        left = dict.fromkeys(asked)
        for document in batch.documents:
            if document.id not in left:
                what = "twice" if document.id in asked else "without being asked for it"
                raise self._faulty(f"gave the document {document.id!r} {what}", "fetch returns what is asked for, once")
            del left[document.id]
        self.missing.extend(left)
        return batch

    def read(self, candidates: Candidates) -> Candidates:
        """The same with their documents; one that does not come back is no candidate any more."""
        if candidates.documents is not None or not candidates.ids:
            return candidates
        documents = {document.id: document for document in self.fetch(candidates.ids).documents}
        kept = candidates.subset([i for i, id in enumerate(candidates.ids) if id in documents])
        return Candidates(kept.ids, kept.cosines, documents)

    def execute(self, statement: Any, parameters: Mapping[str, Any]) -> PushdownAnswer:
        """Have the engine compute scores; see :meth:`PushdownStore.execute`."""
        engine = as_engine(self._store)
        with self._request():
            return engine.execute(statement, parameters, self.filter)

    def check_dimension(self, vectors: Vectors) -> None:
        """Compare with a stored vector, if one can be had.

        Raises:
            VectorMismatchError: The two have different dimensions.
        """
        try:
            stored = self._store.sample(1, 0).vectors
        except StoreError:
            return
        if len(stored):
            check_dimensions(vectors, stored)

    def scan(self) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter; see :meth:`Store.scan`."""
        batches = iter(self._store.scan(self.filter))
        self.calls += 1
        while True:
            with self._request(calls=0):
                batch = next(batches, None)
            if batch is None:
                return
            self.vectors += len(batch.ids)
            yield batch

    @contextmanager
    def _request(self, calls: int = 1) -> Iterator[None]:
        self.calls += calls
        started = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds += 1000.0 * (time.perf_counter() - started)

    def _faulty(self, what: str, rule: str) -> StoreError:
        return StoreError(
            f"{self.capabilities.name} {what}.", hint=f"{rule}; check the adapter with logical_retriever.testing."
        )


def as_engine(store: Store) -> PushdownStore:
    """A store as one whose engine computes scores.

    Raises:
        StoreCapabilityError: Its engine does not.
    """
    if not isinstance(store, PushdownStore):
        raise StoreCapabilityError(
            f"{store.capabilities.name} cannot compute the scores of a query itself.",
            hint="Search with pushdown='auto': candidates are scored here.",
        )
    return store


class Pool:
    """Documents read so far, with their cosines.

    Args:
        reader: Where they are read from.
        vectors: Shape (T, d), what they are compared with.

    Attributes:
        asked: Ids asked for; those that the store no longer has are among them.
        columns: Position of each document that came back.
        documents: The documents by id.
        shortest: Least length of a vector, those of zeros and non-finite ones aside; infinite before any.
        longest: Greatest length.
    """

    def __init__(self, reader: Reader, vectors: Vectors) -> None:
        self.asked: set[DocumentId] = set()
        self.columns: dict[DocumentId, int] = {}
        self.documents: dict[DocumentId, StoredDocument] = {}
        self.shortest = np.inf
        self.longest = 0.0
        self._reader = reader
        self._vectors = vectors
        self._cosines = np.empty((len(vectors), 0))

    def read(self, ids: Iterable[DocumentId]) -> None:
        """Read documents that have not been asked for yet, in one request; none where there is nothing new."""
        new = [id for id in dict.fromkeys(ids) if id not in self.asked]
        if not new:
            return
        self.asked.update(new)
        batch = self._reader.documents(new)
        if not batch.documents:  # an empty answer has no dimension to compare with
            return
        # In float64, one document at a time: copies of one vector get one cosine, whichever request they came with.
        fresh = precise_cosines(self._vectors, batch.vectors)
        for document in batch.documents:
            self.columns[document.id] = len(self.columns)
            self.documents[document.id] = document
        self._cosines = np.concatenate([self._cosines, fresh], axis=1)
        lengths = np.linalg.norm(batch.vectors.astype(np.float64), axis=1)
        usable = lengths[np.isfinite(lengths) & (lengths > 0)]
        if len(usable):
            self.shortest = min(self.shortest, float(usable.min()))
            self.longest = max(self.longest, float(usable.max()))

    def candidates(self) -> Candidates:
        """Everything read, in the order it was read."""
        return Candidates(tuple(self.columns), self._cosines, self.documents)

    def cosines_along(self, weights: Array, ids: Iterable[DocumentId]) -> Array:
        """Sums, by weights of shape (T,), of the cosines of documents that came back and have a usable vector."""
        found = self._cosines[:, [self.columns[id] for id in ids if id in self.columns]]
        # All zeros: a vector of zeros, whose place in a list is the engine's choice, or one orthogonal to all texts.
        kept: Array = weights @ found[:, found.any(axis=0)]
        return kept
