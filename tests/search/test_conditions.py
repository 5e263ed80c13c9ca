"""Conditions of a query, told to the store or decided on metadata: the answer is that of plain Python either way."""

import random

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st
from random_queries import LETTERS, possible

from logical_retriever import (
    And,
    Condition,
    InMemoryStore,
    LogicalRetriever,
    Not,
    Or,
    StoredDocument,
    Term,
    parse,
)
from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.options import SearchOptions
from logical_retriever.query import decider, holds, literals, negative_terms, positive_terms, to_nnf
from logical_retriever.scoring import SEMANTICS, Evidence, get_semantics
from logical_retriever.search.filters import fulfils, store_filter, with_outcomes
from logical_retriever.search.question import Question
from logical_retriever.testing import HashingEmbedder

RNG = random.Random(5)
EMBEDDER = HashingEmbedder()
GENRES = ("western", "drama", "noir")
DOCUMENTS = [
    StoredDocument(
        f"d{i:02}",
        " ".join(RNG.sample([*LETTERS, "tea", "war", "grief"], 3)),
        {
            name: value
            for name, value in (
                ("year", RNG.choice((1980, 1990, 1998, 1998.5, 2001, "1990", None))),
                ("genres", RNG.sample(GENRES, RNG.randint(0, 2))),
                ("seen", RNG.choice((True, False))),
            )
            if RNG.random() < 0.85
        },
    )
    for i in range(40)
]
VECTORS = EMBEDDER.embed_documents([document.text for document in DOCUMENTS])


class Untold:
    """A store whose filter says no condition, so that each is decided on metadata; it lists and scans as another."""

    def __init__(self, store, **capabilities):
        self._store = store
        self.capabilities = store.capabilities.__class__(**{**store.capabilities.__dict__, **capabilities})

    def __getattr__(self, name):
        if name in ("with_condition", "_store"):
            raise AttributeError(name)
        return getattr(self._store, name)


def told():
    return InMemoryStore(DOCUMENTS, VECTORS)


def untold(**capabilities):
    return Untold(told(), **capabilities)


CONDITIONS = st.sampled_from(
    [
        Condition("year", ">=", 1990),
        Condition("year", "<", 2000),
        Condition("year", "=", "1990"),
        Condition("year", "!=", 1998),
        Condition("year", "exists"),
        Condition("genres", "contains", "western"),
        Condition("genres", "=", "western"),
        Condition("seen", "=", True),
        Condition("nothing", "=", 1),
        Condition("year", "in", [1980, 2001]),
        Condition("year", "not in", [1980, 2001]),
    ]
)
LEAVES = CONDITIONS | st.sampled_from([Term(text) for text in LETTERS[:3]])
QUERIES = st.recursive(
    LEAVES,
    lambda inner: (
        inner.map(Not) | st.lists(inner, min_size=2, max_size=3).flatmap(lambda p: st.sampled_from([And(p), Or(p)]))
    ),
    max_leaves=7,
).filter(possible)


FUZZY = [name for name in SEMANTICS if name != "itlr"]
"""Semantics in which what is true for certain changes no AND, and what is false no OR."""


def left_of(query, metadata):
    """What a query leaves of one document: a query without conditions, or whether the document fulfils it."""
    if isinstance(query, Term):
        return query
    if isinstance(query, Condition):
        return holds(query, metadata)
    if isinstance(query, Not):
        left = left_of(query.operand, metadata)
        return not left if isinstance(left, bool) else Not(left)
    parts = [left_of(part, metadata) for part in query.operands]
    decides = isinstance(query, Or)
    if decides in [part for part in parts if isinstance(part, bool)]:
        return decides
    parts = [part for part in parts if not isinstance(part, bool)]
    return (not decides) if not parts else parts[0] if len(parts) == 1 else type(query)(tuple(parts))


@settings(max_examples=400, deadline=None)
@given(query=QUERIES)
def test_metadata_tells_which_documents_may_be_answers_and_which_are(query):
    question = Question.of(query, SearchOptions())
    passes = None if question.condition is None else decider(question.condition)
    rows, outcomes = with_outcomes(question.scored, passes, DOCUMENTS)
    left = [left_of(query, document.metadata) for document in DOCUMENTS]
    assert rows.tolist() == [row for row, rest in enumerate(left) if rest is not False]
    if outcomes:
        assert fulfils(question.scored, outcomes, terms=False).tolist() == [left[row] is True for row in rows]


@settings(max_examples=200, deadline=None)
@given(query=QUERIES, name=st.sampled_from(FUZZY), store=st.sampled_from([told, untold]), k=st.integers(1, 45))
@example(query=~~(Condition("year", ">=", 1990) | Term("a")), name="calibrated", store=told, k=23)
def test_answers_are_those_of_plain_python(query, name, store, k):
    texts = [literal.text for literal in literals(query)]
    assume(name != "calibrated" or len(set(texts)) == len(texts))  # which counts equal operands once, not equal terms
    retriever = LogicalRetriever(store(), EMBEDDER, semantics=name, k=k, exclusion="rank")
    result = retriever.search(query)
    assert result.exact
    scored, fulfilled = {}, set()
    for document in DOCUMENTS:
        left = left_of(query, document.metadata)
        if left is True:
            fulfilled.add(document.id)
        elif left is not False:
            scored[document.id] = left
    found = [document.id for document in result.documents]
    assert set(found) <= fulfilled | set(scored)
    assert len(found) == min(k, len(fulfilled) + len(scored))
    first = found[: len(fulfilled)]
    assert set(first) <= fulfilled
    assert query.terms() or found == sorted(found)
    everything = LogicalRetriever(told(), EMBEDDER, semantics=name, k=len(DOCUMENTS), exclusion="rank")
    several = Question.of(query, SearchOptions(semantics=name)).conditional
    for document in result.documents[len(first) :]:
        alone = scored[document.id]
        if name == "calibrated" and negative_terms(alone) and positive_terms(alone) != positive_terms(query):
            continue  # an exclusion is decided beside the wish of the whole query
        if (
            several and name == "calibrated" and isinstance(to_nnf(alone), Term)
        ):  # beside others a term is scored as an operand
            alone = And((alone, alone))
        assume(possible(alone))
        expected = {d.id: d.score for d in everything.search(alone).documents}
        assert document.score == pytest.approx(expected[document.id], abs=1e-4)
    scores = [document.score for document in result.documents[len(first) :]]
    assert scores == sorted(scores, reverse=True)


def test_an_explanation_shows_conditions_and_escapes_them():
    story = LogicalRetriever(told(), EMBEDDER).explain(Term("tea") & Condition("<script>", ">=", "<b>"))
    assert "[&quot;&lt;script&gt;&quot; &gt;= &quot;&lt;b&gt;&quot;]" in story._repr_html_()
    assert "<script>" not in story._repr_html_()


def test_a_list_that_is_cut_short_makes_the_answer_not_exact():
    short = untold(max_results=5, scan=False, in_process=False, word_search=None)
    result = LogicalRetriever(short, EMBEDDER, k=5).search(Term("tea") & Condition("year", "=", 2001))
    assert not result.exact
    assert all(d.metadata["year"] == 2001 for d in result.documents)


def test_a_longer_list_is_read_where_too_few_fulfil_the_condition():
    wanted = {d.id for d in DOCUMENTS if d.metadata.get("year") == 2001}
    listed = untold(scan=False, in_process=False, word_search=None)
    result = LogicalRetriever(listed, EMBEDDER, k=4, fetch_k=5).search(Term("tea") & Condition("year", "=", 2001))
    assert len(result.documents) == min(4, len(wanted))
    assert {d.id for d in result.documents} <= wanted


def test_what_a_store_cannot_say_is_decided_here():
    class Half(InMemoryStore):
        def with_condition(self, filter, condition):
            return None if "genres" in str(condition) else super().with_condition(filter, condition)

    condition = parse('[year >= 1990] AND [genres contains "noir"]')
    filter, passes = store_filter(Half(DOCUMENTS, VECTORS), None, condition)
    assert str(filter.condition) == "[year >= 1990]"
    assert passes({"year": 1980, "genres": ["noir"]})
    assert not passes({"year": 1990, "genres": ["war"]})


def test_many_conditions_under_or_are_decided_document_by_document():
    many = Or([Term(f"t{year}") & Condition("year", "=", year) for year in range(1975, 2005)])
    result = LogicalRetriever(told(), EMBEDDER, k=50).search(many)
    assert {d.id for d in result.documents} == {d.id for d in DOCUMENTS if d.metadata.get("year") in range(1975, 2005)}


@pytest.mark.parametrize("name", sorted(SEMANTICS))
def test_no_part_that_knows_terms_alone_ignores_a_condition(name):
    query, semantics = Term("a") & Condition("b", "=", 1), get_semantics(name)
    evidence = Evidence(("a",), np.zeros((1, 2)))
    with pytest.raises((InvalidArgumentError, SemanticsError)):
        semantics.compose(query, evidence)


def test_a_negated_condition_under_or_needs_no_scan():
    listed = untold(scan=False, in_process=False, word_search=None)
    result = LogicalRetriever(listed, EMBEDDER, k=50).search(Term("tea") | ~Condition("year", "=", 2001))
    assert any("tea" in document.text for document in result.documents)


def test_a_store_that_can_neither_be_scanned_nor_told_still_lists():
    listed = LogicalRetriever(untold(scan=False), EMBEDDER, k=50).search(Condition("year", "=", 2001))
    assert {d.id for d in listed.documents} == {d.id for d in DOCUMENTS if d.metadata.get("year") == 2001}
    assert not listed.exact


def test_an_answer_says_which_conditions_no_document_fulfils():
    embedder = HashingEmbedder()
    documents = [StoredDocument("a", "war at sea", {"year": 1980})]
    retriever = LogicalRetriever(InMemoryStore(documents, embedder.embed_documents(["war at sea"])), embedder)
    result = retriever.search('"war" AND [year > 2000]')
    assert not result.documents
    assert result.note == "no document fulfils [year > 2000]"
    assert retriever.search('"war" AND [year > 1970]').note == ""


@pytest.mark.parametrize(
    "query", ['"tea" OR [year = 2001]', '("tea" AND "war") OR [seen = true]', '"grief" OR [year < 1995]']
)
@pytest.mark.parametrize("excluded", ["war", "a", "drama"])
def test_relevance_never_rises_down_the_list_and_an_exclusion_never_raises_it(query, excluded):
    retriever = LogicalRetriever(told(), EMBEDDER, k=50, exclusion="rank")
    whole, less = (retriever.search(text).documents for text in (query, f'({query}) AND NOT "{excluded}"'))
    before = {document.id: document.relevance for document in whole}
    for documents in (whole, less):
        assert [one.relevance for one in documents] == sorted((one.relevance for one in documents), reverse=True)
    assert all(one.relevance <= before[one.id] + 1e-9 for one in less)
