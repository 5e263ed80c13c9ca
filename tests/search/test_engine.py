"""When an engine computes scores, and what is said of it; rankings are in the suites of the stores."""

from dataclasses import replace

import duckdb
import numpy as np
import pytest
from random_stores import random_vectors
from remote_store import RemoteStore

from logical_retriever.compile.duckdb import DuckDBCompiler
from logical_retriever.compile.sql import Table
from logical_retriever.errors import (
    InvalidArgumentError,
    StoreCapabilityError,
    StoreError,
    UnsupportedByEngineError,
)
from logical_retriever.query import parse
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search import engine as module
from logical_retriever.stores import DuckDBStore, InMemoryStore, PushdownTarget, StoredDocument
from logical_retriever.testing.embedders import GivenEmbedder
from logical_retriever.testing.hashing import HashingEmbedder
from logical_retriever.testing.pushdown_suite import letters
from logical_retriever.testing.ranking_suite import DIMENSION
from logical_retriever.testing.searching import find

QUERY = parse('"a" AND NOT "b"')
COUNT = 1500


@pytest.fixture(scope="module")
def documents():
    vectors = random_vectors(np.random.default_rng(0), COUNT, DIMENSION)
    return [StoredDocument(f"d{i:04}", f"text {i}") for i in range(COUNT)], vectors


@pytest.fixture(scope="module")
def store(documents):
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[{DIMENSION}])")
        rows = [(d.id, d.text, v) for d, v in zip(documents[0], documents[1].tolist(), strict=True)]
        values = ", ".join(f"('{id}', '{text}', {vector})" for id, text, vector in rows)
        connection.execute(f"INSERT INTO docs VALUES {values}")
        yield DuckDBStore.from_table(connection, "docs")


def planned(store, query=QUERY, semantics="product", **options):
    return find(query, store, letters(), semantics, **{"pushdown": "auto", **options}).plan


def test_a_large_store_is_pushed_down_by_itself(store, documents):
    found = find(QUERY, store, letters(), pushdown="auto")
    assert (found.plan.strategy, found.plan.reason) == ("pushdown", "DuckDB itself scores every document")
    assert found.plan.fetch_k is None
    assert found.exact
    assert found.completeness == "exact: DuckDB scored every document"
    assert found.candidates == COUNT
    assert found.store_calls == 2
    assert found.vectors_read == 5 + module.MARGIN
    expected = find(QUERY, InMemoryStore(*documents), letters())
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]
    assert find(QUERY, store, letters(), pushdown="never").plan.strategy == "threshold"
    assert find(QUERY, store, letters()).plan.strategy == "threshold"


def test_near_copies_are_not_called_exact():
    """Their cosines differ by less than the engine's float32 arithmetic can tell."""
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=DIMENSION) + 1e-5 * rng.normal(size=(COUNT, DIMENSION))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[{DIMENSION}])")
        values = ", ".join(f"('d{i:04}', 'text {i}', {vector})" for i, vector in enumerate(vectors.tolist()))
        connection.execute(f"INSERT INTO docs VALUES {values}")
        found = find(QUERY, DuckDBStore.from_table(connection, "docs"), letters(), pushdown="always")
    assert not found.exact
    assert found.completeness == (
        "approximate: DuckDB scored every document, with roundings that may have exchanged the last of the best 5 and "
        "what comes after them"
    )


def test_an_open_query_is_pushed_down_instead_of_scanned(store):
    assert planned(store, parse("NOT a")).strategy == "pushdown"
    assert planned(store, parse("NOT a"), pushdown="never").strategy == "scan"


def test_what_is_not_pushed_down_by_itself(store, documents):
    assert planned(store, parse("a")).strategy == "dense"
    assert planned(store, parse("a"), pushdown="always").strategy == "pushdown"
    assert planned(store, fetch_k=COUNT).strategy == "scan"
    assert planned(InMemoryStore(*documents)).strategy == "scan"
    assert planned(RemoteStore(*documents)).strategy == "threshold"
    assert planned(store, mode="sqo").strategy == "sqo"


def test_before_a_search_there_is_no_statement_and_afterwards_there_is(store):
    given = {**letters(), str(QUERY): letters()["a"]}
    retriever = LogicalRetriever(store, GivenEmbedder(given), semantics="product", k=3)
    result = retriever.search(QUERY)
    assert result.plan.statement is not None
    assert result.plan.statement.startswith("WITH lr_passing AS NOT MATERIALIZED")
    shown = str(result.plan).splitlines()
    assert shown[0] == "pushdown: DuckDB itself scores every document"
    assert "  | WITH lr_passing AS NOT MATERIALIZED (" in shown
    assert not any(line.startswith(("  lists", "  budget")) for line in shown)
    told = retriever.explain(QUERY)
    assert "| WITH lr_passing AS NOT MATERIALIZED (" in str(told)
    assert told.to_dict()["plan"]["statement"] == result.plan.statement
    assert told.to_dict()["plan"]["strategy"] == "pushdown"


async def test_the_asynchronous_way_is_the_same(store):
    retriever = LogicalRetriever(store, GivenEmbedder(letters()), semantics="product", k=3)
    assert await retriever.asearch(QUERY) == retriever.search(QUERY)


def test_words_are_said_to_be_those_of_the_best_and_of_what_they_found(store):
    embedder = HashingEmbedder(DIMENSION)
    retriever = LogicalRetriever(store, embedder, k=3, fetch_k=50, pushdown="auto", words_index=False)
    result = retriever.search(retriever.transformer.transform("text 14, excluding text 7"))
    assert result.plan.strategy == "pushdown"
    assert result.plan.lexical_k == 50
    assert not result.exact
    assert (
        result.reason
        == "words were read of the best 50 documents by vectors and 1 that only their words found; by these: "
        "DuckDB scored every document"
    )
    assert result.vectors_read == 50 + module.MARGIN + 1


def test_by_default_an_index_in_memory_has_the_words_of_all(store):
    retriever = LogicalRetriever(store, HashingEmbedder(DIMENSION), k=3)
    result = retriever.search(retriever.transformer.transform("text 14, excluding text 7"))
    assert result.plan.words == "of every document, by an index of words in memory (made now)"
    assert result.exact
    assert result.reason == "DuckDB scored every document, and the index of words has those of all"
    story = retriever.explain('"text 14" AND NOT "text 7"')
    first = story.result.documents[0]
    assert first.text == "text 14"
    assert story.to_dict()["documents"][0]["sources"]["text 14"]["matched"] == ["text", "14"]
    assert any("by its words text, 14" in line for line in story.reasons(first))


def test_a_filter_that_fewer_pass_than_are_wanted(store):
    found = find(QUERY, store, letters(), k=5, filter={"id": "d0007"}, pushdown="auto")
    assert [d.id for d in found.documents] == ["d0007"]
    assert found.exact
    assert found.candidates == 1


def test_always_over_a_store_that_cannot_is_an_error(documents):
    for store in (InMemoryStore(*documents), RemoteStore(*documents)):
        with pytest.raises(StoreCapabilityError, match="cannot compute the scores"):
            planned(store, pushdown="always")


def test_other_words_are_refused(store):
    with pytest.raises(InvalidArgumentError, match="no pushdown 'sometimes'"):
        planned(store, pushdown="sometimes")
    with pytest.raises(InvalidArgumentError, match="no pushdown 'sometimes'"):
        LogicalRetriever(store, GivenEmbedder({}), pushdown="sometimes")
    with pytest.raises(InvalidArgumentError, match="'sqo' asks for one list"):
        LogicalRetriever(store, GivenEmbedder({}), mode="sqo", pushdown="always")


class Target(DuckDBStore):
    """The same table, for another compiler."""

    def pushdown_target(self, filter=None):
        return self.target


def retargeted(store, target):
    other = Target(store.connection, store.columns)
    other.target = target
    return other


def test_a_compiler_of_ones_own(store):
    made = DuckDBCompiler(Table("lr_passing", id="lr_id", vector="lr_vector", unit=True))
    found = find(QUERY, retargeted(store, PushdownTarget(made)), letters(), pushdown="always")
    assert "array_inner_product" in found.plan.statement
    assert [d.id for d in found.documents] == [d.id for d in find(QUERY, store, letters()).documents]


def test_an_engine_that_has_no_compiler(store):
    other = retargeted(store, PushdownTarget("Excel"))
    with pytest.raises(StoreCapabilityError, match="no compiler for the engine 'Excel'"):
        planned(other, pushdown="always")
    assert planned(other).strategy == "threshold"


class Late(DuckDBCompiler):
    """Finds out only when it has the vectors."""

    def request(self, request):
        raise UnsupportedByEngineError("Not with these.", hint="None.")


async def test_what_cannot_be_said_after_all_is_computed_here(store):
    other = retargeted(store, PushdownTarget(Late(Table("lr_passing"))))
    given = GivenEmbedder(letters())
    retriever = LogicalRetriever(other, given, semantics="product", k=3)
    assert retriever.search(QUERY).plan.strategy == "threshold"
    assert (await retriever.asearch(QUERY)).plan.strategy == "threshold"
    always = LogicalRetriever(other, given, semantics="product", k=3, pushdown="always")
    with pytest.raises(UnsupportedByEngineError, match="Not with these"):
        always.search(QUERY)
    with pytest.raises(UnsupportedByEngineError, match="Not with these"):
        await always.asearch(QUERY)


class Failing(DuckDBStore):
    def execute(self, statement, parameters, filter=None):
        return super().execute("SELECT 1/'x' FROM nowhere", {}, filter)


def test_an_engine_that_fails_is_a_store_error_and_no_other_answer(store):
    failing = Failing(store.connection, store.columns)
    with pytest.raises(StoreError, match="nowhere"):
        planned(failing)
    assert planned(store).strategy == "pushdown"


class Unsure(DuckDBStore):
    """As if it had an approximate index."""

    capabilities = replace(DuckDBStore.capabilities, exact_search=False)


def test_over_an_index_more_documents_are_left_to_lists(store, monkeypatch):
    unsure = Unsure(store.connection, store.columns)
    assert planned(unsure).strategy == "pushdown"
    monkeypatch.setattr(module, "FULL_PASS", COUNT - 1)
    assert planned(unsure).strategy == "threshold"  # DuckDB has no request over an index
    assert planned(unsure, pushdown="always").strategy == "pushdown"
    assert planned(store).strategy == "pushdown"


def test_a_dominant_component_that_float32_sums_lose_the_others_beside_is_told():
    # DuckDB adds one product after another: beside 1, each of 2^-25.2 is rounded away, and every cosine is 1.
    vectors = np.full((300, 1024), 2.0**-12.6, np.float32)
    vectors[:, 0] = 1.0
    vectors[:10, -50:] *= -1.0
    vectors[10:20, 1:] *= -1.0
    documents = [StoredDocument(f"d{i:03}", f"text {i}") for i in range(len(vectors))]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[1024])")
        rows = [(d.id, d.text, v) for d, v in zip(documents, vectors.tolist(), strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
        store, text = DuckDBStore.from_table(connection, "docs"), {"a": vectors[-1]}
        found = find(parse('"a"'), store, text, k=10, pushdown="always")
    true = find(parse('"a"'), InMemoryStore(documents, vectors), text, k=10)
    assert not {d.id for d in found.documents} & {d.id for d in true.documents}
    assert not found.exact
    assert "roundings that may have exchanged" in found.reason
