"""What the threshold algorithm returns is what scoring every document returns."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, LETTERS, queries
from random_stores import as_mapping, filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever.query import Term, parse
from logical_retriever.search import open_ended
from logical_retriever.search.lists.threshold import MAX_DIRECTIONS
from logical_retriever.semantics import ItlrSemantics
from logical_retriever.stores import InMemoryStore
from logical_retriever.testing import oracle
from logical_retriever.testing.searching import find


class Approximate(RemoteStore):
    """States that its index may miss documents, though it misses none."""

    capabilities = replace(RemoteStore.capabilities, name="Approximate", exact_search=False)


class Distances(RemoteStore):
    """Ranks by Euclidean distance, in float32."""

    capabilities = replace(RemoteStore.capabilities, name="Distances", cosine_order=False)

    def search(self, vectors, n, filter=None):
        self.searched.append((len(vectors), n))
        ids, rows = list(as_mapping(self)), np.stack(list(as_mapping(self).values()))
        return [[ids[i] for i in np.argsort(self.far(vector, rows), kind="stable")[:n]] for vector in vectors]

    def far(self, vector, rows):
        return ((rows - vector) ** 2).sum(axis=1)


class Products(Distances):
    """Ranks by inner product, in float32."""

    def far(self, vector, rows):
        return -(rows @ vector)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@st.composite
def worlds(draw):
    """Vectors of a small corpus, and of four terms."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(1, 120))
    copies, zeros = draw(st.sampled_from([0, 0, 5, 60])), draw(st.sampled_from([0, 0, 3]))
    return random_vectors(
        rng, count, copies=min(copies, count), unusable=min(zeros, count), unit=draw(st.booleans())
    ), random_terms(rng)


@st.composite
def clustered_worlds(draw, most=1500):
    """Vectors of a larger corpus in more dimensions, in clusters or nearly copies of a few, and of four terms."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    dimension, count = draw(st.sampled_from([16, 48, 128])), draw(st.integers(200, most))
    centres = random_vectors(rng, draw(st.sampled_from([1, 5, 30])), dimension)
    noise = draw(st.sampled_from([1e-3, 0.5, 1.5]))  # 1e-3: nearly copies
    vectors = (
        centres[rng.integers(len(centres), size=count)] + noise * rng.normal(size=(count, dimension)) * dimension**-0.5
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = centres[rng.integers(len(centres), size=len(LETTERS))]
    rows = chosen + draw(st.sampled_from([0.1, 1.0])) * random_vectors(rng, len(LETTERS), dimension)
    return vectors.astype(np.float32), dict(zip(LETTERS, rows.astype(np.float32), strict=True))


def directions(result):
    """Names of the lists that are of no one text."""
    return [name for name in result.depths if ' "' in name]


def assert_same(result, expected, everything):
    """The same scores at every place, and each document with the score that it truly has."""
    np.testing.assert_allclose([d.score for d in result.documents], [s for _, s in expected], rtol=1e-4, atol=1e-5)
    for document in result.documents:
        assert document.score == pytest.approx(everything[document.id], rel=1e-4, abs=1e-5)


@settings(max_examples=250, deadline=None)
@given(
    world=worlds(),
    query=queries(),
    name=st.sampled_from(sorted(oracle.OPERATORS)),
    k=st.integers(1, 130),
    fetch_k=st.sampled_from([1, 3, 20]),
)
def test_proved_rankings_equal_the_oracle(world, query, name, k, fetch_k):
    vectors, terms = world
    store = filled(RemoteStore, vectors)
    result = find(query, store, terms, name, k=k, fetch_k=fetch_k)
    assert result.plan.strategy in ("threshold", "dense")
    assert result.exact
    assert result.proved
    everything = dict(oracle.ranking(query, terms, as_mapping(store), name, len(vectors)))
    assert_same(result, list(everything.items())[:k], everything)


@settings(max_examples=250, deadline=None)
@given(world=worlds(), query=queries(), semantics=st.sampled_from(BOUNDED), k=st.integers(1, 40))
def test_proved_rankings_equal_those_of_a_scan_in_ids_as_well(world, query, semantics, k):
    vectors, terms = world
    result = find(query, filled(RemoteStore, vectors), terms, semantics, k=k, fetch_k=2)
    scan = find(query, filled(InMemoryStore, vectors), terms, semantics, k=len(vectors))
    assert result.exact
    assert scan.plan.strategy == "scan"
    everything = {document.id: document.score for document in scan.documents}
    assert_same(result, list(everything.items())[:k], everything)
    # Copies of a document tie to the last bit: which of them are returned is decided by id.
    vector_of = as_mapping(filled(RemoteStore, vectors))
    returned = [document.id for document in result.documents]
    for id in returned:
        copies = sorted(other for other in vector_of if vector_of[other].tobytes() == vector_of[id].tobytes())
        among = [other for other in returned if other in copies]
        assert among == copies[: len(among)]


@settings(max_examples=120, deadline=None)
@given(
    world=clustered_worlds(),
    query=queries(max_leaves=5),
    semantics=st.sampled_from(BOUNDED),
    k=st.sampled_from([1, 5, 20]),
    exact=st.booleans(),
)
def test_proved_rankings_of_clusters_and_near_copies_equal_those_of_a_scan(world, query, semantics, k, exact):
    vectors, terms = world
    # Without exact search there are no lists of least similar documents, as over HNSW; these lists happen to be right.
    kind = RemoteStore if exact or open_ended(query) else Approximate
    result = find(query, filled(kind, vectors), terms, semantics, k=k, fetch_k=30)
    scan = find(query, filled(InMemoryStore, vectors), terms, semantics, k=len(vectors))
    if kind is RemoteStore:
        assert result.exact
    if result.proved:
        everything = {document.id: document.score for document in scan.documents}
        assert_same(result, list(everything.items())[:k], everything)


@settings(max_examples=60, deadline=None)
@given(
    world=clustered_worlds(800),
    query=queries(max_leaves=5),
    semantics=st.sampled_from(BOUNDED),
    spread=st.sampled_from([0.0, 0.002, 0.3]),
    products=st.booleans(),
)
def test_lists_by_distance_or_product_of_unequal_vectors_prove_nothing_wrong(world, query, semantics, spread, products):
    vectors, terms = world
    vectors = vectors * np.random.default_rng(0).uniform(1.0, 1.0 + spread, (len(vectors), 1)).astype(np.float32)
    if open_ended(query):
        return
    store = filled(Products if products else Distances, vectors)
    result = find(query, store, terms, semantics, k=5, fetch_k=30)
    scan = find(query, filled(InMemoryStore, vectors), terms, semantics, k=len(vectors))
    everything = {document.id: document.score for document in scan.documents}
    read = {id for batch in store.fetched for id in batch}
    # What is proved is proved for vectors as long as those that were read; here others may be longer.
    lengths = {id: float(np.linalg.norm(row.astype(np.float64))) for id, row in as_mapping(store).items()}
    known = [lengths[id] for id in read]
    alike = all(min(known) <= length <= max(known) for length in lengths.values())
    if result.proved and alike:
        assert_same(result, list(everything.items())[:5], everything)


@settings(max_examples=200, deadline=None)
@given(
    world=st.one_of(worlds(), clustered_worlds(400)),
    query=queries(),
    semantics=st.sampled_from(BOUNDED),
    k=st.integers(1, 20),
    limit=st.integers(1, 60),
    rounds=st.sampled_from([None, 1, 2]),
)
def test_whatever_stops_it_no_unread_document_beats_the_bound(world, query, semantics, k, limit, rounds):
    vectors, terms = world
    store = filled(RemoteStore, vectors)
    result = find(query, store, terms, semantics, k=k, fetch_k=4, max_candidates=limit, max_rounds=rounds)
    assert result.candidates <= max(k, limit)
    assert result.exact == result.proved
    scan = find(query, filled(InMemoryStore, vectors), terms, semantics, k=len(vectors))
    read = {id for batch in store.fetched for id in batch}
    unread = [document.score for document in scan.documents if document.id not in read]
    if result.bound is None:
        assert not unread or not result.exact
    else:
        assert max(unread, default=-np.inf) <= result.bound
    if not result.proved and len(result.documents) == k and result.bound is not None:
        assert result.gap == pytest.approx(result.bound - result.documents[-1].score)
    if result.exact:
        everything = {document.id: document.score for document in scan.documents}
        assert_same(result, list(everything.items())[:k], everything)


@settings(max_examples=100, deadline=None)
@given(world=worlds(), query=queries(), k=st.integers(1, 10), kept=st.integers(1, 4))
def test_filters_bind_lists_and_the_end_of_the_store(world, query, k, kept):
    vectors, terms = world

    def passes(document):
        return int(document.id[1:]) % kept == 0

    result = find(query, filled(RemoteStore, vectors), terms, k=k, fetch_k=2, filter=passes)
    scan = find(query, filled(InMemoryStore, vectors), terms, k=k, filter=passes)
    assert result.exact
    assert all(int(document.id[1:]) % kept == 0 for document in result.documents)
    np.testing.assert_allclose(
        [d.score for d in result.documents], [d.score for d in scan.documents], rtol=1e-4, atol=1e-5
    )


def test_nothing_is_read_twice_and_every_call_is_counted(rng):
    store, terms = filled(RemoteStore, random_vectors(rng, 800)), random_terms(rng)
    result = find(parse('("a" OR "b") AND "c" AND NOT "d"'), store, terms, k=10, fetch_k=12)
    fetched = [id for batch in store.fetched for id in batch]
    assert len(fetched) == len(set(fetched)) == result.candidates == result.vectors_read
    assert result.store_calls == len(store.fetched) + len(store.searched)
    assert result.rounds == len(store.searched) > 1
    # The first request asks for the texts; then come directions.
    assert store.searched[0] == (3, 12)
    assert list(result.depths)[:3] == ["a", "b", "c"]
    assert 1 <= len(directions(result)) <= MAX_DIRECTIONS
    assert result.candidates < 150


def test_what_is_least_like_a_text_is_asked_for_at_once_where_it_can_be_the_answer(rng):
    store, terms = filled(RemoteStore, random_vectors(rng, 800)), random_terms(rng)
    result = find(parse('"a" OR NOT "b"'), store, terms, k=10)
    assert result.exact
    assert store.searched[0][0] == 2
    assert list(result.depths)[:2] == ["a", "NOT b"]


@pytest.mark.parametrize("name", ["itlr", "product", "godel", "lukasiewicz", "hamacher"])
@pytest.mark.parametrize("text", ['"a" AND NOT "b"', '"a" AND "b"', '("a" OR "b") AND NOT "c"'])
def test_directions_of_the_score_are_asked_for_and_prove_the_best(rng, name, text):
    vectors, terms = random_vectors(rng, 4000, 24), random_terms(rng, 24)
    query, store = parse(text), filled(RemoteStore, vectors)
    result = find(query, store, terms, name, k=10)
    assert result.exact
    scan = find(query, filled(InMemoryStore, vectors), terms, name, k=10)
    assert [document.id for document in result.documents] == [document.id for document in scan.documents]
    if result.rounds > 1:
        assert directions(result)
    assert result.candidates < 800


def test_a_direction_takes_the_place_of_what_an_approximate_index_cannot_tell(rng):
    """How unlike the negated text documents are is not known over HNSW; a list across both texts needs it not."""
    vectors, terms = random_vectors(rng, 4000, 24), random_terms(rng, 24)
    store = filled(Approximate, vectors)
    result = find(parse('"a" AND NOT "b"'), store, terms, "itlr", k=10)
    assert result.proved
    assert not result.exact
    (direction,) = directions(result)
    assert direction.endswith('"b"')
    assert " - " in direction
    assert set(result.depths) == {"a", direction}
    assert result.candidates < 80


def test_a_semantics_without_gradients_finds_its_directions_by_differences(rng):
    class Opaque(ItlrSemantics):
        """Declares nothing, and would raise if it were differentiated."""

        differentiable = False

        def gradients(self, query, evidence):
            raise AssertionError

    vectors, terms = random_vectors(rng, 4000, 24), random_terms(rng, 24)
    query = parse('"a" AND NOT "b"')
    told, asked = (find(query, filled(RemoteStore, vectors), terms, s, k=10) for s in (ItlrSemantics(), Opaque()))
    assert directions(asked) == directions(told) != []
    assert asked.candidates == told.candidates


def test_without_any_slope_lists_of_the_texts_are_read_alone(rng):
    class Steps(ItlrSemantics):
        """Flat wherever it is not a jump."""

        differentiable = False

        def compose(self, query, evidence):
            composition = super().compose(query, evidence)
            return replace(composition, scores=np.floor(20 * composition.scores) / 20)

        def upper_bounds(self, query, low, high):
            return np.floor(20 * super().upper_bounds(query, low, high)) / 20

    vectors, terms = random_vectors(rng, 2000, 16), random_terms(rng, 16)
    query = parse('"a" AND NOT "b"')
    result = find(query, filled(RemoteStore, vectors), terms, Steps(), k=10)
    scan = find(query, filled(InMemoryStore, vectors), terms, Steps(), k=10)
    assert result.exact
    assert not directions(result)
    assert [document.id for document in result.documents] == [document.id for document in scan.documents]


def test_no_direction_is_asked_for_where_the_first_reading_proves_the_best(rng):
    vectors = np.eye(40, dtype=np.float32)
    terms = {"a": vectors[:12].T @ np.linspace(2.0, 1.0, 12, dtype=np.float32), "b": vectors[30]}
    store = filled(RemoteStore, vectors)
    result = find(parse('"a" AND NOT "b"'), store, terms, k=3, fetch_k=10)
    assert result.exact
    assert result.rounds == 1
    assert not directions(result)


def test_directions_keep_to_the_number_of_rounds(rng):
    store, terms = filled(RemoteStore, random_vectors(rng, 4000, 24)), random_terms(rng, 24)
    query = parse('"a" AND "b" AND NOT "c"')
    for rounds in (1, 2, 3):
        store.searched.clear()
        result = find(query, store, terms, k=10, fetch_k=12, max_rounds=rounds)
        assert result.rounds == len(store.searched) <= rounds
        assert len(directions(result)) < rounds or result.exact


def test_one_term_needs_hardly_more_than_k(rng):
    store, terms = filled(RemoteStore, random_vectors(rng, 2000, 32)), random_terms(rng, 32)
    result = find(Term("a"), store, terms, k=10)
    assert result.plan.strategy == "dense"
    assert result.exact
    assert result.candidates == 12
    assert result.store_calls == 2


def test_ties_are_settled_by_id_even_where_lists_hold_others_first(rng):
    vectors = np.repeat(random_vectors(rng, 5), 40, axis=0)
    store, terms = filled(RemoteStore, vectors), random_terms(rng)
    result = find(parse('"a" AND NOT "b"'), store, terms, k=3, fetch_k=1)
    expected = oracle.ranking(parse('"a" AND NOT "b"'), terms, as_mapping(store), "product", 3)
    assert result.exact
    assert [document.id for document in result.documents] == [id for id, _ in expected]


def test_a_store_of_copies_is_read_to_its_end(rng):
    vectors = np.repeat(random_vectors(rng, 1), 300, axis=0)
    terms = {"a": vectors[0], "b": vectors[0] + 1}
    result = find(parse('"a" AND "b"'), filled(RemoteStore, vectors), terms, k=3, fetch_k=3)
    assert (result.exact, result.candidates, result.bound) == (True, 300, None)
    assert result.reason == "every document was read"
    assert [document.id for document in result.documents] == ["d00000", "d00001", "d00002"]


def test_documents_deleted_during_a_search_are_left_out_and_named(rng):
    class Shrinking(RemoteStore):
        def search(self, vectors, n, filter=None):
            found = super().search(vectors, n, filter)
            self.delete([found[0][0]])
            return found

    store, terms = filled(Shrinking, random_vectors(rng, 400)), random_terms(rng)
    before = as_mapping(store)
    query = parse('"a" AND "b" AND NOT "c"')
    result = find(query, store, terms, k=10, fetch_k=10)
    left = as_mapping(store)
    gone = set(before) - set(left)
    assert not result.exact
    assert set(result.missing) <= gone
    assert result.reason.startswith(f"Remote named {len(result.missing)} documents and did not bring them back (")
    assert result.rounds == len(gone) > 1
    expected = oracle.ranking(query, terms, {id: before[id] for id in left}, "product", 10)
    returned = [document.id for document in result.documents]
    # One that was read before it was deleted may be returned; no other is missing because of it.
    assert [id for id in returned if id not in gone] == [id for id, _ in expected][: 10 - len(gone & set(returned))]
