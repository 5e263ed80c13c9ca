"""Plans, budgets and what is said about them."""

from dataclasses import replace

import numpy as np
import pytest
from random_stores import filled, random_terms, random_vectors
from remote_store import RemoteStore

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError
from logical_retriever.query import Term, parse
from logical_retriever.search import MAX_CANDIDATES, Problem, SearchOptions, make_plan
from logical_retriever.semantics import get_semantics
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.stores import Capabilities, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.searching import find

REMOTE = Capabilities(name="Remote", exact_search=False, stored_vectors=True, scan=True)
AND_NOT = parse('"a" AND NOT "b"')


@pytest.fixture
def rng():
    return np.random.default_rng(8)


def plan(query=AND_NOT, semantics="product", capabilities=REMOTE, count=5000, k=10, fetch_k=50, **options):
    problem = Problem.of(query, get_semantics(semantics), options.pop("question", None))
    return make_plan(problem, capabilities, SearchOptions(k=k, fetch_k=fetch_k, **options), count=count)


@pytest.mark.parametrize(
    ("strategy", "changes"),
    [
        ("threshold", {}),
        ("threshold", {"semantics": "itlr"}),
        ("dense", {"query": Term("a")}),
        ("union", {"semantics": NsflSemantics()}),
        ("scan", {"count": 1000}),
        ("scan", {"count": 3000, "fetch_k": 3000}),
        ("scan", {"query": parse('NOT "a"')}),
        ("scan", {"capabilities": replace(REMOTE, in_process=True)}),
        ("threshold", {"capabilities": replace(REMOTE, in_process=True, scan=False)}),
        ("threshold", {"count": 10, "capabilities": replace(REMOTE, scan=False)}),
        (
            "threshold",
            {
                "query": parse('NOT "a"'),
                "capabilities": replace(REMOTE, scan=False, exact_search=True, cosine_order=True),
            },
        ),
    ],
)
def test_the_strategy_follows_from_query_semantics_and_store(strategy, changes):
    assert plan(**changes).strategy == strategy


@pytest.mark.parametrize("changes", [{}, {"exact_search": True}, {"cosine_order": True}])
def test_open_queries_need_a_scan_or_exact_lists_of_the_least_similar(changes):
    with pytest.raises(StoreCapabilityError, match="cannot be scanned"):
        plan(parse('NOT "a"'), capabilities=replace(REMOTE, scan=False, **changes))


def test_a_plan_can_be_read():
    assert str(plan(parse('("a" OR "b") AND NOT "c"'), max_rounds=3)) == (
        "threshold: nearest documents are read until no other can be among the best 10\n"
        "  store     5000 documents\n"
        "  lists     'a', 'b'; the nearest 50 of each first\n"
        "  budget    at most 10000 documents, at most 3 rounds\n"
        "  scored    'a', 'b', 'c'\n"
        "  evidence  vectors"
    )
    assert str(plan(count=10)) == (
        "scan: the store has 10 documents\n  store     10 documents\n  scored    'a', 'b'\n  evidence  vectors"
    )


def test_limits_are_raised_to_k():
    made = plan(k=30, fetch_k=5, max_candidates=7)
    assert (made.fetch_k, made.max_candidates) == (30, 30)
    assert plan().max_candidates == MAX_CANDIDATES
    assert plan(max_candidates=None).max_candidates is None


@pytest.mark.parametrize("name", ["max_candidates", "max_rounds"])
@pytest.mark.parametrize("value", [0, -1, True, 2.0, "3"])
def test_limits_must_be_positive_integers(rng, name, value):
    with pytest.raises(InvalidArgumentError, match=f"{name} must be an integer"):
        find(AND_NOT, filled(RemoteStore, random_vectors(rng, 5)), random_terms(rng), **{name: value})
    with pytest.raises(InvalidArgumentError, match=f"{name} must be an integer"):
        LogicalRetriever(RemoteStore(), HashingEmbedder(), **{name: value})


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"max_candidates": 37}, "stopped at max_candidates=37"), ({"max_rounds": 1}, "stopped at max_rounds=1")],
)
def test_a_budget_ends_a_search_and_says_how_far_the_bound_is_off(rng, options, reason):
    store, terms = filled(RemoteStore, random_vectors(rng, 3000, 64)), random_terms(rng, 64)
    query = parse('"a" AND "b" AND "c"')
    result = find(query, store, terms, k=10, fetch_k=20, **options)
    assert not result.exact
    assert reason in result.completeness
    assert result.gap > 0
    assert result.bound == pytest.approx(result.documents[-1].score + result.gap)
    assert f"{result.gap:.4g} above the last of the best 10" in result.completeness
    if "max_candidates" in options:
        assert result.candidates == 37
    else:
        assert result.rounds == 1
        assert result.depths == {"a": 20, "b": 20, "c": 20}
    assert find(query, store, terms, k=10, fetch_k=20).exact


def test_lexical_evidence_makes_a_ranking_approximate_unless_every_text_was_read():
    words = ["tea", "milk", "sugar", "water", "bread", "honey", "lemon", "salt"]
    texts = [f"{words[i % 8]} {words[i // 8 % 8]} {words[i // 64]}" for i in range(512)]
    embedder = HashingEmbedder()
    store = RemoteStore(
        [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)], embedder.embed_documents(texts)
    )
    part = LogicalRetriever(store, embedder, semantics="calibrated", k=3, fetch_k=20).search('"tea" AND NOT "milk"')
    assert part.plan.evidence.startswith("vectors, and words")
    assert not part.exact
    assert part.reason.startswith("words were read of the best 20 documents by vectors")
    whole = LogicalRetriever(store, embedder, semantics="calibrated", k=3, fetch_k=512).search('"tea" AND NOT "milk"')
    assert whole.exact
    assert whole.candidates == 512


def test_explanations_say_exact_or_approximate_and_why():
    texts = [f"tea number {i}" for i in range(300)]
    embedder = HashingEmbedder()
    documents = [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)]
    store = RemoteStore(documents, embedder.embed_documents(texts))
    proved = LogicalRetriever(store, embedder, semantics="product", k=2).explain(parse('"tea" AND NOT "number 7"'))
    assert f"Search         exact: {proved.result.reason}" in str(proved)
    stopped = LogicalRetriever(store, embedder, semantics="product", k=2, fetch_k=2, max_rounds=1)
    told = stopped.explain(parse('"tea" AND "number 3" AND NOT "number 7"'))
    assert "Search         approximate: stopped at max_rounds=1; a document that was not read may score" in str(told)
    data = told.to_dict()
    assert data["completeness"] == told.result.completeness
    assert (data["exact"], data["proved"], data["rounds"]) == (False, False, 1)
    assert data["gap"] > 0
    assert data["plan"]["max_rounds"] == 1
