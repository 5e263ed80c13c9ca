"""The part of the stores' conformance suite that a metric can change: cosines and rankings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.query import parse
from logical_retriever.results import DocumentId, id_order
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Capabilities, Filter, Store, StoredDocument
from logical_retriever.testing import oracle
from logical_retriever.testing.embedders import GivenEmbedder
from logical_retriever.testing.known_gaps import apply_gaps
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.vectors import Vectors

DIMENSION = 8
TERMS = ("A", "B", "C")
QUERIES = (
    '"A"',
    '"A" AND "B"',
    '"A" AND NOT "B"',
    '"A" OR "B"',
    '("A" OR "B") AND NOT "C"',
    '"A" AND ("B" OR NOT "C")',
)
OPEN_QUERIES = ('NOT "A"', '"A" OR NOT "B"')
RECALL = 0.9
"""Part of the true nearest documents that an approximate index must find in a store of sixty."""

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]


class RankingSuite:
    """Rankings are true, whatever the store's metric. Run it once for each metric a store has.

    Attributes:
        gaps: Tests the store cannot pass, by name, each with ``known_gap``.
    """

    gaps: ClassVar[Mapping[str, pytest.MarkDecorator]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        apply_gaps(cls, cls.gaps)

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Override: a function of documents and vectors, shape (N, 8), that makes a store of them and nothing else."""
        raise NotImplementedError("Override the fixture make_store.")

    def make_id(self, i: int) -> DocumentId:
        """Override where the store's keys are no texts, or texts of one form: numbers, UUIDs."""
        return f"d{i:03}"

    def equals(self, key: str, value: str) -> Filter:  # noqa: ARG002  for subclasses
        """Override: a filter, in the store's own language, for documents whose metadata has this value."""
        pytest.skip("filters are not tested: override equals(key, value)")

    def test_capabilities_are_stated(self, make_store: MakeStore) -> None:
        store = make_store(*corpus(self.make_id, 2))
        assert isinstance(store, Store)
        assert isinstance(store.capabilities, Capabilities)
        assert store.capabilities.name.strip()

    def test_unit_vectors_are_ranked_by_cosine(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 60, lengths=np.ones(60))
        store = make_store(documents, vectors)
        probes = np.array(list(terms(vectors).values()))
        for probe, found in zip(probes, store.search(probes, 10), strict=True):
            true = nearest(probe, documents, vectors)
            assert len(found) == len(set(found)) == 10
            if store.capabilities.exact_search:
                assert found == true[:10]
            else:
                assert len(set(found) & set(true[:10])) >= RECALL * 10

    def test_vectors_of_any_length_are_ranked_as_the_capabilities_say(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 60)
        store = make_store(documents, vectors)
        [found] = store.search(vectors[:1], 60)
        assert found
        assert len(set(found)) == len(found)
        assert set(found) <= set(ids_of(documents))
        if store.capabilities.exact_search:  # the graph of an approximate index may not lead to every document
            assert len(found) == 60
        if store.capabilities.exact_search and store.capabilities.cosine_order:
            assert found == nearest(vectors[0], documents, vectors)

    def test_answers_by_scan_are_the_oracles(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 60)
        store = make_store(documents, vectors)
        self.assert_true_answers(store, documents, vectors)
        for text in OPEN_QUERIES:
            if store.capabilities.scan:
                self.assert_true_answer(text, store, documents, vectors)
            else:
                with pytest.raises(StoreCapabilityError):
                    over(store, terms(vectors), k=5).search(parse(text))

    def test_answers_by_index_are_the_oracles(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 60)
        self.assert_true_answers(WithoutScan(make_store(documents, vectors)), documents, vectors)

    def test_a_zero_vector_has_cosine_zero(self, make_store: MakeStore) -> None:
        documents, vectors = corpus(self.make_id, 12)
        vectors[4] = 0.0
        store = make_store(documents, vectors)
        self.assert_true_answers(store, documents, vectors)
        self.assert_true_answers(WithoutScan(store), documents, vectors)
        if store.capabilities.exact_search and store.capabilities.cosine_order:
            [found] = store.search(vectors[:1], 12)
            others = [id for id in nearest(vectors[0], documents, vectors) if id != documents[4].id]
            assert [id for id in found if id != documents[4].id] == others

    def assert_true_answers(
        self, store: Store, documents: Sequence[StoredDocument], vectors: Vectors, filter: Filter = None
    ) -> None:
        """Compare every query's answer with the oracle's."""
        for text in QUERIES:
            self.assert_true_answer(text, store, documents, vectors, filter)

    def assert_true_answer(
        self,
        text: str,
        store: Store,
        documents: Sequence[StoredDocument],
        vectors: Vectors,
        filter: Filter = None,
        k: int = 6,
    ) -> None:
        """Compare a query's answer with the oracle's: every score; and every place, but for an index's misses."""
        query, given = parse(text), terms(vectors)
        stored = {d.id: vector.tolist() for d, vector in zip(documents, vectors, strict=True)}
        rows = {name: row.tolist() for name, row in given.items()}
        true = dict(oracle.ranking(query, rows, stored, "product", len(stored)))
        result = over(store, given, k=k).search(query, filter=filter)
        found = [(d.id, d.score) for d in result.documents]
        texts = {document.id: document.text for document in documents}
        assert [d.text for d in result.documents] == [texts[id] for id, _ in found]
        assert all(math.isfinite(score) for _, score in found)
        for id, score in found:
            assert score == pytest.approx(true[id], abs=1e-4), text
        best = sorted(true.values(), reverse=True)[:k]
        if result.exact:
            # Scores rather than ids: rounding may exchange neighbours.
            assert [score for _, score in found] == pytest.approx(best, abs=1e-4), text
        elif store.capabilities.cosine_order:
            threshold = best[-1] - 1e-4
            assert sum(score >= threshold for _, score in found) >= int(RECALL * len(best)), text

    def assert_same_directions(self, found: Vectors, stored: Vectors) -> None:
        """Vectors may come back scaled, never turned."""
        for a, b in zip(found.tolist(), stored.tolist(), strict=True):
            assert oracle.cosine(a, b) == pytest.approx(1.0, abs=1e-5)

    def searched(self, store: Store) -> Store:
        """The store, after every document was found once: some know only what they have met."""
        if not store.capabilities.stored_vectors:
            store.search(np.eye(DIMENSION, dtype=np.float32), 1000)
        return store


def corpus(
    make_id: Callable[[int], DocumentId], count: int, lengths: npt.NDArray[np.float64] | None = None
) -> tuple[list[StoredDocument], Vectors]:
    """Documents with random vectors, shape (N, 8); their lengths, if not given, differ by orders of magnitude."""
    rng = np.random.default_rng(count)
    rows = rng.normal(size=(count, DIMENSION))
    chosen = 10.0 ** rng.uniform(-1, 1, size=count) if lengths is None else lengths
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True) * chosen[:, None]
    documents = [
        StoredDocument(make_id(i), f"text {i}", {"kind": "odd" if i % 2 else "even", "rank": i}) for i in range(count)
    ]
    return documents, vectors.astype(np.float32)


def terms(vectors: Vectors) -> dict[str, Vectors]:
    """Vectors of the terms A, B and C: near some of the documents, and not of length 1."""
    rng = np.random.default_rng(0)
    near = vectors[: len(TERMS)] / np.maximum(np.linalg.norm(vectors[: len(TERMS)], axis=1, keepdims=True), 1e-9)
    noise = 0.3 * rng.normal(size=near.shape)
    return dict(zip(TERMS, ((near + noise) * [[2.0]]).astype(np.float32), strict=True))


def over(store: Store, given: Mapping[str, npt.ArrayLike], *, k: int, **options: Any) -> LogicalRetriever:
    """A retriever with one truth-functional semantics, the vectors of its terms given."""
    options = {"semantics": "product", "exclusion": "rank", **options}
    return LogicalRetriever(store, GivenEmbedder(given), k=k, **options)


def nearest(probe: Vectors, documents: Sequence[StoredDocument], vectors: Vectors) -> list[DocumentId]:
    """All ids by falling cosine."""
    cosines = {
        d.id: oracle.cosine(probe.tolist(), vector.tolist()) for d, vector in zip(documents, vectors, strict=True)
    }
    return sorted(cosines, key=lambda id: (-cosines[id], id_order(id)))


def ids_of(documents: Sequence[StoredDocument]) -> list[DocumentId]:
    """Sorted ids."""
    return in_id_order(document.id for document in documents)


def scanned_ids(store: Store, filter: Filter = None) -> list[DocumentId]:
    """Sorted ids of a scan."""
    return in_id_order(id for batch in store.scan(filter) for id in batch.ids)


def in_id_order(ids: Iterable[DocumentId]) -> list[DocumentId]:
    """Sorted ids, of whatever types."""
    return sorted(ids, key=id_order)
