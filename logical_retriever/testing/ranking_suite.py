"""The rankings of a store: the part of the conformance suite to run for each metric, and the base of the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest

from logical_retriever.query import parse
from logical_retriever.results import DocumentId
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search.statistics import sentences
from logical_retriever.stores import Capabilities, Filter, Store, StoredDocument
from logical_retriever.stores.wrapped import WrappedStore
from logical_retriever.testing.fakes import GivenEmbedder, HashingEmbedder
from logical_retriever.testing.samples import DIMENSION, KEYS, corpus, terms
from logical_retriever.vectors import Vectors

MakeStore = Callable[[Sequence[StoredDocument], Vectors], Store]
"""Makes a store of documents and their vectors, shape (N, 8)."""
QUERIES: tuple[tuple[str, Callable[..., Any]], ...] = (
    ('"A"', lambda a, *_: a),
    ('"A" AND "B"', lambda a, b, _: a * b),
    ('"A" AND NOT "B"', lambda a, b, _: a * (1 - b)),
    ('("A" OR "B") AND NOT "C"', lambda a, b, c: (1 - (1 - a) * (1 - b)) * (1 - c)),
    ('"A" AND ("B" OR NOT "C")', lambda a, b, c: a * (1 - (1 - b) * c)),
)
"""Queries, with their scores by the product t-norm from a document's cosines, clipped to [0, 1], with A, B and C."""
RECALL = 0.9
"""Share of the true nearest documents that an approximate index must find in a store of sixty."""
WAYS = pytest.mark.parametrize("scans", [True, False], ids=["by scan", "by lists"])


class WithoutScan(WrappedStore):
    """A store without its scan, so that searches use its lists."""

    @property
    def capabilities(self) -> Capabilities:
        """Those of the store, without the scan."""
        return replace(self.store.capabilities, scan=False, in_process=False)


class Suite:
    """Tests of stores that the fixture ``make_store`` makes. Tests with an ``id_type`` run for each type of keys.

    Attributes:
        ids: Keys that the store takes, by the store's name of their type: at least three, or a name of ``KEYS``.
        id_type: The type that the running test uses.
    """

    ids: ClassVar[Mapping[str, str | Sequence[DocumentId]]] = {"text": "text"}
    id_type: str = "text"

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run tests of keys for each type of keys."""
        if "id_type" in metafunc.fixturenames:
            metafunc.parametrize("id_type", list(self.ids))

    def make_id(self, i: int) -> DocumentId:
        """Return a key. Override where keys are numbers, UUIDs, or texts of one form."""
        return f"d{i:03}"

    def equals(self, key: str, value: str) -> Filter:  # noqa: ARG002  for subclasses
        """Override: return a filter, in the store's own language, for documents with this value."""
        pytest.skip("filters are not tested: override equals(key, value)")

    def filled(self, make_store: MakeStore, count: int, **contents: Any) -> tuple[list[StoredDocument], Vectors, Any]:
        """Make documents and their vectors, as :func:`corpus` does, and a store of them."""
        documents, vectors = corpus(self.make_id, count, **contents)
        store = make_store(documents, vectors)
        if not store.capabilities.stored_vectors:  # such a store may know only documents that were in a list
            store.search(np.eye(DIMENSION, dtype=np.float32), 1000)
        return documents, vectors, store

    def keyed(self, id_type: str) -> tuple[list[StoredDocument], Vectors]:
        """Make documents with all keys of a type, in random order, and their vectors of length 1."""
        self.id_type, kind = id_type, self.ids[id_type]
        keys = KEYS[kind] if isinstance(kind, str) else kind
        order = np.random.default_rng(len(keys)).permutation(len(keys)).tolist()
        return corpus(lambda i: keys[order[i]], len(keys), unit=True)


class RankingSuite(Suite):
    """Rankings are true, whatever the store's metric. Run it for each metric of a store."""

    @pytest.mark.parametrize("lengths", ["one", "any", "any and zero"])
    def test_lists_and_answers_are_of_the_nearest_documents(self, make_store: MakeStore, lengths: str) -> None:
        documents, vectors = corpus(self.make_id, 60, unit=lengths == "one")
        vectors[4] *= lengths != "any and zero"
        store = make_store(documents, vectors)
        probes = np.array([vectors[0], *terms(vectors).values()])
        for row, ids in zip(cosines(probes, vectors), store.search(probes, 10)[0], strict=True):
            true = [documents[i].id for i in np.argsort(-row)]
            assert len(set(ids) & set(true)) == len(ids) == 10
            if store.capabilities.cosine_order or lengths == "one":
                assert len(set(ids) & set(true[:10])) >= RECALL * 10
                # The engine decides whether, and where, a vector without direction is in a list.
                placed, expected = ([id for id in some if id != documents[4].id] for some in (ids, true))
                assert placed == expected[: len(placed)] or not store.capabilities.exact_search
        self.assert_true_answers(store, documents, vectors)

    def assert_true_answers(
        self, store: Store, documents: Sequence[StoredDocument], vectors: Vectors, filter: Filter = None
    ) -> None:
        """Compare answers, by scan and by lists, with the true scores of all documents.

        Every score is compared, and in exact answers every place.
        """
        by_term = terms(vectors)
        values = np.clip(cosines(list(by_term.values()), vectors), 0, 1)
        for retriever in (over(way, by_term, k=6) for way in (store, WithoutScan(store))):
            for query, score_of in QUERIES:
                true = dict(zip((document.id for document in documents), score_of(*values), strict=True))
                result = retriever.search(parse(query), filter=filter)
                scores = [document.score for document in result.documents]
                assert scores == pytest.approx([true[document.id] for document in result.documents], abs=1e-4), query
                best = sorted(true.values(), reverse=True)[:6]
                if result.exact:
                    # Scores, not ids: rounding may swap neighbours.
                    assert scores == pytest.approx(best, abs=1e-4), query
                elif store.capabilities.cosine_order:
                    assert sum(score >= best[-1] - 1e-4 for score in scores) >= int(RECALL * len(best)), query


def over(store: Store, by_term: Mapping[str, npt.ArrayLike], *, k: int) -> LogicalRetriever:
    """Make a retriever that scores by the product t-norm, from given vectors of terms."""
    # Statistics of a small store need vectors of the background sentences. These scores do not depend on them.
    background = dict(zip(sentences(), HashingEmbedder(DIMENSION).embed_documents(sentences()), strict=True))
    return LogicalRetriever(store, GivenEmbedder({**background, **by_term}), k=k, semantics="product", exclusion="rank")


def cosines(some: npt.ArrayLike, others: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Compute cosines, shape (N, M); 0 for vectors of zeros. It shares no code with the code under test."""
    first, other = np.asarray(some, np.float64), np.asarray(others, np.float64)
    lengths = np.linalg.norm(first, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return np.asarray(first @ other.T / np.maximum(lengths, 1e-30))
