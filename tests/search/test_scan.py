"""A scan in blocks, on threads, with or without the compiled kernel, ranks as scoring everything at once does."""

import importlib
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, queries
from random_stores import as_mapping, filled, random_terms, random_vectors

from logical_retriever.errors import SemanticsError
from logical_retriever.query import And, Term, parse
from logical_retriever.search import Problem, best_scanned, compiled_kernel, top_k
from logical_retriever.search.scan import blocks, first_pass, kernel
from logical_retriever.search.scan.first_pass import FirstPass
from logical_retriever.search.scan.kernel import half_kernel
from logical_retriever.semantics import Composition, ItlrSemantics, NullModel, Semantics, get_semantics
from logical_retriever.stores import InMemoryStore, StoredDocument, VectorBatch
from logical_retriever.testing.searching import find
from logical_retriever.vectors import cosine_error, cosines, nearest, precise_cosines, prepare, rough_cosines, unit

numba_installed = importlib.util.find_spec("numba") is not None
WAYS = [False, pytest.param(True, marks=pytest.mark.skipif(not numba_installed, reason="numba is not installed"))]


@pytest.fixture
def rng():
    return np.random.default_rng(17)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Dozens of blocks on three threads, in a store of a hundred documents."""
    monkeypatch.setattr(blocks, "BLOCK", 9)
    monkeypatch.setattr(blocks, "WORKERS", 3)
    monkeypatch.setattr(blocks, "PIECE", 4)
    monkeypatch.setattr(blocks, "_processors", lambda: 3)


def problem_of(query, semantics, vectors, terms):
    problem = Problem.of(query, semantics)
    rows = np.array([terms[text] for text in problem.texts], dtype=np.float32)
    nulls = NullModel.fit(unit(vectors)).of(unit(rows)) if semantics.calibrated else None
    return replace(problem.encoded(problem.texts, rows), nulls=nulls)


def best_of(store, problem, k, **options):
    candidates, count = best_scanned(store.scan(), problem, k, **options)
    scores = problem.scores(candidates.cosines)
    return [(candidates.ids[i], scores[i]) for i in top_k(scores, candidates.ids, k)], count


@pytest.mark.parametrize("compiled", WAYS)
@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 130),
    dimension=st.sampled_from([7, 96]),
    spread=st.sampled_from([None, 1e-2, 1e-3, 1e-5]),
    copies=st.sampled_from([0, 5, 60]),
    unusable=st.sampled_from([0, 3]),
    query=queries(),
    semantics=st.sampled_from(BOUNDED),
    k=st.integers(1, 140),
)
def test_the_ranking_is_that_of_all_documents_at_once(
    compiled, seed, count, dimension, spread, copies, unusable, query, semantics, k
):
    rng = np.random.default_rng(seed)
    copies, unusable = min(copies, count), min(unusable, count)
    vectors = random_vectors(rng, count, dimension, copies=copies, unusable=unusable, unit=False)
    if spread is not None:  # near copies of one document
        vectors = np.where(vectors.any(axis=1, keepdims=True), rng.normal(size=dimension) + spread * vectors, vectors)
    store, terms = filled(InMemoryStore, vectors), random_terms(rng, dimension)
    store.codes_memory = 60 * (dimension + 8)  # codes of some documents, none of others
    problem = problem_of(query, semantics, vectors, terms)
    found, scored = best_of(store, problem, k, compiled=compiled)
    (everything,) = store.scan()
    scores = problem.scores(precise_cosines(problem.vectors, everything.vectors))
    expected = [(everything.ids[i], scores[i]) for i in top_k(scores, everything.ids, k)]
    assert scored == count
    assert [id for id, _ in found] == [id for id, _ in expected]  # to the last tie
    np.testing.assert_allclose([s for _, s in found], [s for _, s in expected], rtol=1e-12)


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("spread", [1e-3, 1e-2, 1.0])
@pytest.mark.parametrize(
    "semantics", [get_semantics("calibrated"), ItlrSemantics(negation="reciprocal")], ids=["calibrated", "itlr"]
)
def test_near_copies_keep_the_order_of_float64(rng, compiled, spread, semantics):
    """All cosines with a text lie within a few millionths of each other: float32 cannot tell which is greater."""
    vectors = (rng.normal(size=384) + spread * rng.normal(size=(3000, 384))).astype(np.float32)
    store, terms = filled(InMemoryStore, vectors), random_terms(rng, 384)
    problem = problem_of(parse('"a" AND NOT "b"'), semantics, vectors, terms)
    found, _ = best_of(store, problem, 10, compiled=compiled)
    (everything,) = store.scan()
    lengths = np.linalg.norm(everything.vectors.astype(float), axis=1)
    rows = problem.vectors
    true = (rows.astype(float) / np.linalg.norm(rows.astype(float), axis=1, keepdims=True)) @ everything.vectors.T
    scores = problem.scores(true / lengths)
    assert [id for id, _ in found] == [everything.ids[i] for i in top_k(scores, everything.ids, 10)]


@pytest.mark.parametrize("terms", [4, 32])
def test_products_of_many_terms_are_as_seldom_scored_twice(rng, monkeypatch, terms):
    """Their scores lie far below 1, and even further below what rounding does to numbers near 1."""
    monkeypatch.setattr(blocks, "BLOCK", 4096)
    compared = []
    monkeypatch.setattr(blocks, "precise_cosines", lambda *a: compared.append(len(a[1])) or precise_cosines(*a))
    vectors, names = random_vectors(rng, 20_000, 64), [f"t{i}" for i in range(terms)]
    rows = dict(zip(names, random_vectors(rng, terms, 64), strict=True))
    pairs = [Term(one) | Term(other) for one, other in zip(names[::2], names[1::2], strict=True)]
    result = find(And(tuple(pairs)), filled(InMemoryStore, vectors), rows, "product", k=10)
    assert result.exact
    assert sum(compared) < 1000


@pytest.mark.parametrize("name", ["product", "calibrated"])
def test_both_ways_of_computing_give_one_ranking(rng, name):
    vectors, terms = random_vectors(rng, 700, 33), random_terms(rng, 33)
    store, query = filled(InMemoryStore, vectors), parse('("a" OR "b") AND "c" AND NOT "d"')
    problem = problem_of(query, get_semantics(name), vectors, terms)
    ways = [best_of(store, problem, 40, compiled=way)[0] for way in (False, True)]
    assert ways[0] == ways[1]


def test_thousands_of_ties_are_settled_by_id_in_little_memory(rng):
    vectors = -np.abs(random_vectors(rng, 5000))
    store = filled(InMemoryStore, vectors)
    result = find(parse('"a" AND "b"'), store, {"a": np.ones(6), "b": np.ones(6)}, k=3)
    assert [document.id for document in result.documents] == ["d00000", "d00001", "d00002"]
    assert {document.score for document in result.documents} == {0.0}
    assert result.candidates == 5000


def test_memory_does_not_grow_with_the_store(rng, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 4096)
    vectors = random_vectors(rng, 200_000, 16)
    store, terms = InMemoryStore([StoredDocument(str(i), "") for i in range(200_000)], vectors), random_terms(rng, 16)
    query = parse('("a" OR "b") AND "c" AND NOT "d"')
    find(query, store, terms)
    tracemalloc.start()
    find(query, store, terms)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6_000_000  # the cosines of all documents alone have 6.4 MB


def test_a_score_that_is_no_number_is_refused_in_any_block(rng):
    class Broken(Semantics):
        name = "broken"
        monotone = True

        def compose(self, query, evidence):
            return Composition(np.where(evidence.cosines[0] > 0.99, np.nan, evidence.cosines[0]))

    vectors = random_vectors(rng, 100)
    vectors[57] = np.ones(6)
    with pytest.raises(SemanticsError, match="not a number"):
        find(Term("a"), filled(InMemoryStore, vectors), {"a": np.ones(6)}, Broken())


def test_a_semantics_that_compares_documents_with_each_other_sees_them_all(rng):
    class Relative(Semantics):
        name = "relative"
        monotone = False

        def compose(self, query, evidence):
            return Composition(evidence.cosines[0] - evidence.cosines[0].max(), {Term("a"): evidence.cosines[0]})

    result = find(Term("a"), filled(InMemoryStore, random_vectors(rng, 100)), random_terms(rng), Relative(), k=7)
    assert result.exact
    assert result.documents[0].score == 0.0
    assert [d.score for d in result.documents] == sorted((d.score for d in result.documents), reverse=True)


def test_filtered_documents_come_in_batches_of_bounded_size(rng, monkeypatch):
    monkeypatch.setattr("logical_retriever.stores.in_memory.BATCH", 10)
    store = filled(InMemoryStore, random_vectors(rng, 100))
    batches = list(store.scan(lambda document: int(document.id[1:]) % 3 == 0))
    assert all(0 < len(batch.ids) <= 10 for batch in batches)
    assert sorted(id for batch in batches for id in batch.ids) == [f"d{i:05}" for i in range(0, 100, 3)]
    vectors = as_mapping(store)
    for batch in batches:
        np.testing.assert_array_equal(batch.vectors, [vectors[id] for id in batch.ids])
        np.testing.assert_array_equal(batch.scales, prepare(batch.vectors))
    (found,) = store.search(np.ones((1, 6), np.float32), 100, lambda document: document.id in ("d00003", "d00050"))
    assert sorted(found) == ["d00003", "d00050"]


@pytest.mark.skipif(not numba_installed, reason="numba is not installed")
@pytest.mark.parametrize("texts", range(1, 10))
@pytest.mark.parametrize("dimension", [1, 7, 384])
def test_the_kernel_computes_cosines(rng, texts, dimension):
    documents = random_vectors(rng, 50, dimension, unusable=6, unit=False)
    queries, known = unit(random_vectors(rng, texts, dimension)), prepare(documents)
    found = compiled_kernel()(queries, documents, known)
    assert found.shape == (texts, 50)
    np.testing.assert_allclose(found, cosines(queries, documents, known), atol=2e-6)
    assert np.abs(found).max() <= 1.0 + cosine_error(dimension)


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("dimension", [3, 384, 4096])
@pytest.mark.parametrize("shift", [0.0, 5.0])  # all components positive: partial sums grow and grow
def test_float32_is_no_further_off_than_it_says(rng, compiled, dimension, shift):
    documents = (rng.normal(size=(500, dimension)) + shift).astype(np.float32)
    queries, known = unit(rng.normal(size=(6, dimension)) + shift), prepare(documents)
    found = (compiled_kernel() if compiled else rough_cosines)(queries, documents, known)
    off = np.abs(found - precise_cosines(queries, documents))
    assert 0.0 < off.max() < cosine_error(dimension)


@pytest.mark.skipif(not numba_installed, reason="numba is not installed")
def test_the_kernel_reads_every_half_as_numpy_does():
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(-1, 1)
    documents = np.concatenate([every, np.full_like(every, 0.5)], axis=1)
    queries = unit([[1, 0], [0, 1], [-3, 1], [1e-4, 1], [1, 1]])
    with np.errstate(invalid="ignore"):
        expected = precise_cosines(queries, documents)
    np.testing.assert_allclose(half_kernel()(queries, documents, None), expected, atol=5e-7)
    alone = half_kernel()(unit([[1]]), every, None)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(alone[0], np.sign(precise_cosines(unit([[1]]), every)[0]), atol=5e-7)
    assert np.count_nonzero(alone) == 2 * 31 * 1024 - 2  # all but zeros, infinities and what is not a number


@pytest.mark.parametrize("compiled", WAYS)
def test_halves_are_ranked_as_the_same_numbers_in_float32(rng, compiled, tmp_path):
    vectors = random_vectors(rng, 200, 96, copies=30, unusable=9, unit=False).astype(np.float16)
    vectors.tofile(tmp_path / "vectors")
    mapped = np.memmap(tmp_path / "vectors", np.float16, "r", shape=vectors.shape)
    terms = random_terms(rng, 96)
    for semantics in BOUNDED:
        problem = problem_of(parse("(a OR b) AND NOT c"), semantics, vectors.astype(np.float32), terms)
        found = [
            best_scanned([VectorBatch(range(200), stored)], problem, 12, compiled=compiled)[0]
            for stored in (mapped, vectors.astype(np.float32))
        ]
        best = [top_k(problem.scores(one.cosines), one.ids, 12) for one in found]
        ids = [[one.ids[i] for i in rows] for one, rows in zip(found, best, strict=True)]
        assert ids[0] == ids[1]
        assert np.array_equal(found[0].cosines[:, best[0]], found[1].cosines[:, best[1]])


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_halves_are_compared_no_further_off_than_said(rng, compiled, shift):
    documents = (rng.normal(size=(500, 384)) + shift).astype(np.float16)
    queries = unit(rng.normal(size=(6, 384)) + shift)
    compared = FirstPass(VectorBatch(range(500), documents), queries, compiled=compiled).over(slice(0, 500), range(6))
    off = np.abs(compared.cosines - precise_cosines(queries, documents))
    assert 0.0 < off.max() < compared.errors.min()


def test_without_numba_numpy_does_it(rng, monkeypatch):
    def refuse(name):
        raise ImportError(name)

    compiled_kernel.cache_clear()
    monkeypatch.setattr(kernel.importlib, "import_module", refuse)
    try:
        assert compiled_kernel() is None
        monkeypatch.setattr(first_pass, "KERNEL_FROM", 1)
        assert find(Term("a"), filled(InMemoryStore, random_vectors(rng, 50)), random_terms(rng)).exact
    finally:
        monkeypatch.undo()
        compiled_kernel.cache_clear()


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 80), n=st.integers(1, 90), texts=st.integers(1, 6))
def test_nearest_is_the_head_of_a_stable_sort(seed, count, n, texts):
    rng = np.random.default_rng(seed)
    documents = random_vectors(rng, count, copies=count // 3) if count else np.empty((0, 6), np.float32)
    queries = random_vectors(rng, texts)
    found = nearest(queries, documents, n)
    assert len(found) == texts
    for (positions, values), row in zip(found, cosines(queries, documents), strict=True):
        order = np.argsort(-row, kind="stable")[:n]
        np.testing.assert_array_equal(positions, order)
        np.testing.assert_array_equal(values, row[order])


@pytest.mark.parametrize("texts", [1, 2, 3, 4, 7])
def test_large_products_are_right_in_every_place(rng, texts):
    documents, queries = random_vectors(rng, 5003, 96, unit=False), random_vectors(rng, texts, 96)
    expected = unit(queries).astype(float) @ unit(documents).astype(float).T
    np.testing.assert_allclose(cosines(queries, documents, prepare(documents)), expected, atol=1e-6)
    np.testing.assert_allclose(precise_cosines(queries, documents), expected, atol=1e-7)


@pytest.mark.parametrize("dimension", [5, 384])
def test_copies_have_one_cosine_to_the_last_bit(rng, dimension):
    documents = np.repeat(random_vectors(rng, 1, dimension, unit=False), 1001, axis=0)
    found = precise_cosines(random_vectors(rng, 5, dimension), documents)
    assert all(len(set(row)) == 1 for row in found.tolist())
