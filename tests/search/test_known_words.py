"""Words of every document, from an index beside an engine: proved answers, and what a search reads for them."""

from dataclasses import replace

import duckdb
import numpy as np
import pytest

from logical_retriever.compile.expression import evaluate
from logical_retriever.compile.lower import lower
from logical_retriever.errors import UnsupportedByEngineError
from logical_retriever.query import parse
from logical_retriever.search import Problem, SearchOptions, StatisticsCache, plan_search, run_search
from logical_retriever.search.access import Reader
from logical_retriever.search.known_words import KnownWords
from logical_retriever.semantics import (
    BagOfWords,
    CalibratedConstants,
    CalibratedSemantics,
    NullDistributions,
    ProductSemantics,
)
from logical_retriever.stores import DuckDBStore, InMemoryStore, StoredDocument, with_words_index
from logical_retriever.stores.wrapped import WrappedEngine

COUNT = 1100
VOCABULARY = ("plum", "jam", "bread", "tea", "common", "common", "common")
TERMS = ("plum common", "jam", "bread tea bread")
QUESTION = "a question with plum"
QUERIES = (
    '"plum common"',
    '"plum common" AND NOT "jam"',
    '"plum common" AND "jam" AND NOT "bread tea bread"',
    '("plum common" OR "jam") AND NOT "bread tea bread"',
    '"plum common" AND NOT ("jam" AND "plum common")',
    'NOT "jam"',
)
STRONG = CalibratedSemantics(CalibratedConstants(lexical=8.0, exclusion_lexical=1.0, question_lexical=1.0))
NULLS = NullDistributions(np.array([0.1, 0.0, -0.1, 0.05]), np.array([0.1, 0.2, 0.15, 0.1]))


def find(text, store, given, *, question=None, semantics=STRONG, filter=None, **options):
    problem = Problem.of(parse(text), semantics, question)
    plan = plan_search(problem, store, SearchOptions(**options), filter=filter)
    problem = problem.encoded(plan.texts, np.array([given[text] for text in plan.texts], dtype=np.float32))
    return run_search(problem, plan, store, StatisticsCache(), filter)


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """The same documents in a table of DuckDB, with an index of words, and in memory."""
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(VOCABULARY, size=rng.integers(0, 6))) for _ in range(COUNT)]
    documents = [StoredDocument(i, text, {"odd": bool(i % 2)}) for i, text in enumerate(texts)]
    vectors = rng.normal(size=(COUNT, 6)).astype(np.float32)
    documents[7] = StoredDocument(7, "ophicleide", {"odd": True})
    vectors[7] = -vectors[8]
    given = {text: rng.normal(size=6) for text in (*TERMS, QUESTION, "ophicleide")}
    given["ophicleide"] = vectors[8]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs (id INTEGER, text VARCHAR, odd BOOLEAN, vector FLOAT[6])")
        rows = [[d.id, d.text, d.metadata["odd"], v] for d, v in zip(documents, vectors.tolist(), strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?)", rows)
        table = with_words_index(DuckDBStore.from_table(connection, "docs"), tmp_path_factory.mktemp("index") / "words")
        yield table, InMemoryStore(documents, vectors), given


@pytest.mark.parametrize("semantics", [CalibratedSemantics(), STRONG, CalibratedSemantics(words=0.8)])
@pytest.mark.parametrize("question", [None, QUESTION])
@pytest.mark.parametrize("query", QUERIES)
def test_the_engine_ranks_as_memory_does_and_proves_it(stores, query, question, semantics):
    table, memory, given = stores
    found = find(query, table, given, question=question, semantics=semantics, k=5)
    expected = find(query, memory, given, question=question, semantics=semantics, k=5)
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]
    assert [d.score for d in found.documents] == pytest.approx([d.score for d in expected.documents])
    for one, other in zip(found.documents, expected.documents, strict=True):
        assert {t: s.words for t, s in one.sources.items()} == pytest.approx(
            {t: s.words for t, s in other.sources.items()}
        )
    assert found.plan.strategy == "pushdown"
    assert found.plan.evidence == "vectors, and words of every text"
    assert found.plan.words.startswith("of every document, by the index of words in words")
    assert found.exact
    assert found.reason == "DuckDB scored every document, and the index of words has those of all"
    assert found.candidates == COUNT


def test_documents_that_do_not_pass_the_filter_are_not_found_by_their_words(stores):
    table, memory, given = stores
    for query in ('"plum common" AND NOT "jam"', '"ophicleide"'):
        found = find(query, table, given, k=5, filter={"odd": False})
        expected = find(query, memory, given, k=5, filter=lambda document: not document.metadata["odd"])
        assert [d.id for d in found.documents] == [d.id for d in expected.documents]
        assert found.exact


def test_a_document_that_only_its_words_find_comes_first(stores):
    table, _, given = stores
    found = find('"ophicleide" AND NOT "jam"', table, given, k=1)
    assert [d.id for d in found.documents] == [7]
    assert found.exact
    assert found.documents[0].sources["ophicleide"].vectors < 0 < found.documents[0].sources["ophicleide"].words
    assert found.vectors_read < 300


def test_a_budget_that_ends_before_the_proof_is_said(stores):
    table, _, given = stores
    # Nearly all documents have the one word, and none stands out.
    found = find('"common"', table, {"common": given["jam"]}, semantics=STRONG, k=60, max_candidates=60)
    assert not found.exact
    assert "stopped at max_candidates=60" in found.reason


def test_an_index_of_fewer_documents_than_there_are_proves_nothing(stores):
    table, _, given = stores

    class Older(type(table)):
        def count(self):
            return COUNT + 1

    older = Older(table.store, table.path)
    found = find('"ophicleide"', older, given, k=1)
    assert not found.exact
    assert found.reason.endswith("but documents have come or gone since the index of words was looked at")


def test_a_store_that_says_so_and_gives_no_index_is_not_called_exact(stores):
    table, _, given = stores

    class Silent(WrappedEngine):
        """As shards with an index each: none of them knows the words of all."""

        @property
        def capabilities(self):
            return replace(self.store.capabilities, indexes_words=True)

    found = find('"plum common" AND NOT "jam"', Silent(table.store), given, k=5)
    assert found.plan.strategy == "pushdown"
    assert not found.exact


def test_an_index_that_is_not_ready_after_all_is_said(stores):
    table, _, given = stores

    class Late(type(table)):
        def indexed_words(self, language):
            return None

    found = find('"plum common" AND NOT "jam"', Late(table.store, table.path), given, k=5)
    assert len(found.documents) == 5
    assert not found.exact
    assert found.reason.endswith("and words were read of the best 70 alone: their index is not ready")


def test_without_words_nothing_of_the_index_is_read(stores):
    table, _, given = stores
    found = find('"jam" AND NOT "plum common"', table, given, evidence="dense", k=5)
    assert (found.exact, found.plan.words) == (True, None)
    assert found.reason == "DuckDB scored every document"


@pytest.mark.parametrize("question", [None, QUESTION])
@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("words", [0.5, 0.3, 1.0])
def test_the_engine_is_told_the_most_that_so_many_words_can_give(query, question, words):
    semantics, query = CalibratedSemantics(words=words), parse(query)
    problem = Problem.of(query, semantics, question)
    texts = semantics.texts(query, question)
    nulls = NullDistributions(NULLS.means[: len(texts)], NULLS.deviations[: len(texts)])
    most = {bag.text: 0.7 + i for i, bag in enumerate(problem.wanted_bags)}
    cosines = np.random.default_rng(0).uniform(-1.0, 1.0, (len(texts), 50))
    known = KnownWords((), {}, dict.fromkeys(problem.bags, np.empty(0)), problem.wanted_bags)
    problem = Problem(query, semantics, question, texts, np.empty((0, 0), np.float32), nulls)
    expected = problem.upper_bounds(cosines, cosines, *known.limits(most, 50))
    lowered = lower(query, semantics, nulls, question=question, words=most)
    assert evaluate(lowered.expression, cosines) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_semantics_without_arithmetic_for_words_is_refused():
    with pytest.raises(UnsupportedByEngineError, match="no arithmetic for words"):
        lower(parse("a AND NOT b"), ProductSemantics(), words={"a": 1.0})


def test_the_best_by_words_and_the_most_that_others_have():
    bag = BagOfWords("a")
    known = KnownWords("pqrs", {id: row for row, id in enumerate("pqrs")}, {bag: np.array([1.0, 0, 3, 2])}, (bag,))
    reader = Reader(InMemoryStore())
    assert known.best(reader, 1) == (["r"], {"a": 2.0})
    ids, most = known.best(reader, 3)
    assert (sorted(ids), most) == (["p", "r", "s"], {"a": 0.0})
    assert known.of(["s", "unknown"])[bag].tolist() == [2.0, 0.0]
