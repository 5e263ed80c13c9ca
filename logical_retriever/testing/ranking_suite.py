"""The part of the stores' conformance suite that a metric can change, and what its other parts share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError
from logical_retriever.query import parse
from logical_retriever.results import DocumentId, id_order
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import Batch, Capabilities, Filter, Store, StoredDocument, VectorBatch
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing import oracle
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.testing.samples import DIMENSION, KEYS, corpus, ids_of, in_id_order, terms
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]
"""Makes a store of documents and their vectors, shape (N, 8)."""
QUERIES = ('"A"', '"A" AND "B"', '"A" AND NOT "B"', '("A" OR "B") AND NOT "C"', '"A" AND ("B" OR NOT "C")')
OPEN_QUERIES = ('NOT "A"', '"A" OR NOT "B"')
RECALL = 0.9
"""Part of the true nearest documents that an approximate index must find in a store of sixty."""
WAYS = pytest.mark.parametrize("scans", [True, False], ids=["by scan", "by lists"])


def known_gap(reason: str, raises: type[BaseException] | None = None) -> pytest.MarkDecorator:
    """A test that the store does not pass, and why; the build fails when it passes after all."""
    return pytest.mark.xfail(reason=reason, raises=raises, strict=True)


class WithoutScan(WrappedStore):
    """A store that cannot be walked through, so that searches go by its lists."""

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store, without the scan."""
        return replace(self.store.capabilities, scan=False, in_process=False)

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:  # noqa: ARG002  the protocol's
        """Refuse.

        Raises:
            StoreCapabilityError: Always.
        """
        raise StoreCapabilityError("This store cannot be scanned.", hint="Wrap it in WithoutScan in tests only.")


class Meddling(WrappedStore):
    """A store whose documents are read in a request of their own, with which something happens.

    Args:
        store: The store.
        meddle: Gives the batch of each request; its argument is a function that makes the request.
    """

    def __init__(self, store: Store, meddle: Callable[[Callable[[], Batch]], Batch]) -> None:
        super().__init__(store)
        self._meddle = meddle

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store, without lists that bring documents."""
        return replace(self.store.capabilities, reads_nearest=False)

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """The store's answer, meddled with."""
        return self._meddle(partial(super().fetch, ids, filter))


class Suite:
    """A store to be tried. Tests that have a parameter ``id_type`` run for each type of keys.

    Attributes:
        gaps: Tests the store cannot pass, by name, each with ``known_gap``.
        ids: Keys that the store takes, by the store's name of their type: three or more, or a name of ``KEYS``.
        id_type: The one of them that a test tries.
    """

    gaps: ClassVar[Mapping[str, pytest.MarkDecorator]] = {}
    ids: ClassVar[Mapping[str, str | Sequence[DocumentId]]] = {"text": "text"}
    id_type: str = "text"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        tests = [name for name in dir(cls) if name.startswith("test_")]
        if unknown := sorted(set(cls.gaps) - set(tests)):
            raise InvalidArgumentError(
                f"{cls.__name__} has no test {unknown[0]!r}.", hint=f"Its tests: {', '.join(tests)}."
            )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run what looks at keys for each type of them."""
        if "id_type" in metafunc.fixturenames:
            metafunc.parametrize("id_type", list(self.ids))

    @pytest.fixture(autouse=True)
    def _known_gap(self, request: pytest.FixtureRequest) -> None:
        if (gap := self.gaps.get(request.function.__name__)) is not None:
            request.applymarker(gap)

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

    def filled(
        self, make_store: MakeStore, count: int, *, unit: bool = False, texts: Sequence[str] = ()
    ) -> tuple[list[StoredDocument], Vectors, Any]:
        """Documents, their vectors, and a store of them."""
        documents, vectors = corpus(self.make_id, count, unit=unit, texts=texts)
        return documents, vectors, self.met(make_store(documents, vectors))

    def met(self, store: Store) -> Store:
        """The store, after each of its documents was in a list: some know only those."""
        if not store.capabilities.stored_vectors:
            store.search(np.eye(DIMENSION, dtype=np.float32), 1000)
        return store

    def keyed(self, id_type: str) -> tuple[list[StoredDocument], Vectors]:
        """Documents with all keys of a type, not in their order, and their vectors of length 1."""
        self.id_type, kind = id_type, self.ids[id_type]
        keys = KEYS[kind] if isinstance(kind, str) else kind
        order = np.random.default_rng(len(keys)).permutation(len(keys)).tolist()
        return corpus(lambda i: keys[order[i]], len(keys), unit=True)


class RankingSuite(Suite):
    """Rankings are true, whatever the store's metric. Run it once for each metric a store has."""

    @pytest.mark.parametrize("lengths", ["one", "any", "any and zero"])
    def test_lists_are_of_the_nearest_documents(self, make_store: MakeStore, lengths: str) -> None:
        documents, vectors = corpus(self.make_id, 60, unit=lengths == "one")
        vectors[4] *= lengths != "any and zero"
        # Where a vector without direction stands in an engine's list, and whether it does, is the engine's choice.
        anywhere = {documents[4].id} if lengths == "any and zero" else set()
        store = make_store(documents, vectors)
        assert isinstance(store, Store)
        assert store.capabilities.name.strip()
        probes = np.array([vectors[0], *terms(vectors).values()])
        for probe, ids in zip(probes, store.search(probes, 10), strict=True):
            assert len(ids) == len(set(ids)) == 10
            true = nearest(probe, documents, vectors)
            assert set(ids) <= set(true)
            if store.capabilities.cosine_order or lengths == "one":
                assert len(set(ids) & set(true[:10])) >= RECALL * 10
                placed = [id for id in ids if id not in anywhere]
                expected = [id for id in true if id not in anywhere]
                assert placed == expected[: len(placed)] or not store.capabilities.exact_search
        if store.capabilities.exact_search:
            [ids] = store.search(probes[:1], 60)
            assert len(ids) == len(set(ids))
            assert in_id_order({*ids, *anywhere}) == ids_of(documents)

    @WAYS
    @pytest.mark.parametrize("zero", [False, True], ids=["any lengths", "one of zeros"])
    def test_answers_are_the_oracles(self, make_store: MakeStore, scans: bool, zero: bool) -> None:
        documents, vectors = corpus(self.make_id, 60)
        vectors[4] *= not zero
        store = make_store(documents, vectors)
        self.assert_true_answers(store if scans else WithoutScan(store), documents, vectors)

    def test_open_queries_are_answered_by_a_scan_alone(self, make_store: MakeStore) -> None:
        documents, vectors, store = self.filled(make_store, 60)
        if store.capabilities.scan:
            self.assert_true_answers(store, documents, vectors, queries=OPEN_QUERIES)
        for text in OPEN_QUERIES:
            with pytest.raises(StoreCapabilityError):
                over(WithoutScan(store), terms(vectors), k=5).search(parse(text))

    def assert_true_answers(
        self,
        store: Store,
        documents: Sequence[StoredDocument],
        vectors: Vectors,
        filter: Filter = None,
        queries: Sequence[str] = QUERIES,
        k: int = 6,
    ) -> None:
        """Compare answers with the oracle's: every score; and every place, but for an index's misses."""
        given = terms(vectors)
        for text in queries:
            true = dict(oracle.ranking(parse(text), given, stored(documents, vectors), "product", len(documents)))
            result = over(store, given, k=k).search(parse(text), filter=filter)
            scores = [document.score for document in result.documents]
            assert scores == pytest.approx([true[document.id] for document in result.documents], abs=1e-4), text
            texts = {document.id: document.text for document in documents}
            assert [document.text for document in result.documents] == [texts[d.id] for d in result.documents]
            best = list(true.values())[:k]
            if result.exact:
                # Scores rather than ids: rounding may exchange neighbours.
                assert scores == pytest.approx(best, abs=1e-4), text
            elif store.capabilities.cosine_order:
                assert sum(score >= best[-1] - 1e-4 for score in scores) >= int(RECALL * len(best)), text

    def assert_same_directions(self, some: Vectors, others: Vectors) -> None:
        """Vectors may come back scaled, never turned."""
        assert some.shape == others.shape
        for one, other in zip(some.tolist(), others.tolist(), strict=True):
            assert oracle.cosine(one, other) == pytest.approx(1.0, abs=1e-5)


def over(store: Store, given: Mapping[str, npt.ArrayLike], *, k: int, **settings: Any) -> LogicalRetriever:
    """A retriever with one truth-functional semantics, the vectors of its terms given."""
    settings = {"semantics": "product", "exclusion": "rank", **settings}
    return LogicalRetriever(store, GivenEmbedder(given), k=k, **settings)


def stored(documents: Sequence[StoredDocument], vectors: Vectors) -> dict[DocumentId, list[float]]:
    """Vector of each document by id."""
    return {document.id: vector.tolist() for document, vector in zip(documents, vectors, strict=True)}


def nearest(probe: Vectors, documents: Sequence[StoredDocument], vectors: Vectors) -> list[DocumentId]:
    """All ids by falling cosine."""
    cosines = {id: oracle.cosine(probe.tolist(), row) for id, row in stored(documents, vectors).items()}
    return sorted(cosines, key=lambda id: (-cosines[id], id_order(id)))
