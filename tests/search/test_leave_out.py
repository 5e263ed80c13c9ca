"""What is clearly about an excluded term is left out, exactly, whatever the tree, the store and the way to search."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from remote_store import RemoteStore

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import SearchOptions
from logical_retriever.query import parse, to_nnf
from logical_retriever.scoring import SEMANTICS, get_semantics
from logical_retriever.search.selection import blocking_terms
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

WORDS = ("tea", "milk", "sugar", "health", "trade", "water")
TEXTS = [f"{a} {b} {c}" for a in WORDS for b in WORDS for c in WORDS if a < b < c] + [
    *(f"{word} {word} number{i}" for word in WORDS for i in range(4)),
    *(f"nothing of number{i} at all" for i in range(8)),
]
DOCUMENTS = [StoredDocument(i, text) for i, text in enumerate(TEXTS)]


def goes_for(document):
    return [term for term, decision in document.decisions.items() if decision.leave_out]


def over(kind=InMemoryStore, **settings):
    embedder = HashingEmbedder(256)
    return LogicalRetriever(kind(DOCUMENTS, embedder.embed_documents(TEXTS)), embedder, **settings)


def blocked(text, about=(), wanted=()):
    query = parse(text)
    flags = {term: np.array([term in about]) for term in query.terms()}
    return blocking_terms(to_nnf(query), {term: np.array([float(term in wanted)]) for term in query.terms()}, flags)[0]


@pytest.mark.parametrize(
    ("query", "about", "wanted", "term"),
    [
        ("a AND NOT b", "b", "a", "b"),
        ("a AND NOT b", "b", "", "b"),
        ("a AND NOT b", "", "", None),
        ("(a AND NOT b) OR (c AND NOT d)", "b", "c", None),
        ("(a AND NOT b) OR (c AND NOT d)", "b", "a", "b"),
        ("(a AND NOT b) OR (c AND NOT d)", "bd", "ac", "b"),
        ("a AND (c OR NOT b)", "b", "c", None),
        ("a AND (c OR NOT b)", "b", "a", "b"),
        ("a AND NOT NOT b", "b", "", None),
        ("a AND NOT (b AND c)", "b", "a", None),
        ("a AND NOT (b AND c)", "bc", "a", "b"),
        ("a AND NOT (b OR c)", "c", "a", "c"),
        ("NOT b", "b", "", "b"),
        ("(a AND NOT b) OR (b AND NOT c)", "b", "b", None),
        ("(a AND NOT b) OR (b AND NOT c)", "bc", "b", "b"),
    ],
)
def test_a_document_goes_where_the_query_holds_only_by_overriding_an_exclusion(query, about, wanted, term):
    assert blocked(query, about, wanted) == term


@pytest.mark.parametrize(
    ("query", "truths", "term"),
    [
        ("(a AND NOT b) OR c", {"a": 0.9, "c": 0.8}, "b"),
        ("(a AND NOT b) OR c", {"a": 0.8, "c": 0.9}, None),
        ("(a AND NOT b) OR c", {"a": 0.8, "c": 0.8}, None),
        ("(a AND NOT b) OR c", {"a": 0.2, "c": 0.4}, "b"),
        ("(a AND NOT b) OR c OR d", {"a": 0.8, "c": 0.6, "d": 0.9}, None),
        ("(a AND d AND NOT b) OR c", {"a": 0.9, "d": 0.6, "c": 0.7}, None),
        ("((a OR d) AND NOT b) OR c", {"a": 0.6, "d": 0.9, "c": 0.7}, "b"),
        ("((a AND NOT b) OR c) AND d", {"a": 0.9, "c": 0.8, "d": 0.9}, "b"),
        ("(((a AND NOT b) OR c) AND d) OR a", {"a": 0.9, "c": 0.8, "d": 0.9}, None),
        ("NOT b OR c", {"c": 0.6}, None),
        ("NOT b OR c", {"c": 0.4}, "b"),
        ("NOT b OR NOT c", {}, None),
    ],
)
def test_an_or_excuses_a_document_by_the_part_that_it_is_most_about(query, truths, term):
    normal = to_nnf(parse(query))
    flags = {text: np.array([text == "b"]) for text in normal.terms()}
    values = {text: np.array([truths.get(text, 0.0)]) for text in normal.terms()}
    assert blocking_terms(normal, values, flags) == [term]


def test_a_document_that_is_shown_says_which_excluded_terms_it_is_about():
    result = over(k=len(TEXTS), exclusion="rank").search('"tea" AND NOT "milk" AND NOT "sugar"')
    milk = next(document for document in result.documents if document.text.startswith("milk milk"))
    assert goes_for(milk) == ["milk"]
    assert result.left_out == ()
    dropped = over(k=len(TEXTS)).search('"tea" AND NOT "milk" AND NOT "sugar"')
    assert {one.id for one in dropped.left_out} == {one.id for one in result.documents if goes_for(one)}
    assert not any(goes_for(one) for one in dropped.documents)
    assert all(one.reason and one.probability == one.decision.probability for one in dropped.left_out)


def test_a_store_that_cannot_go_deeper_is_said():
    class Shallow(RemoteStore):
        capabilities = replace(RemoteStore.capabilities, name="Shallow", max_results=12, word_search=None)

    texts = ["green tea and milk"] * 30 + [f"word{i} other{i}" for i in range(1200)]
    embedder = HashingEmbedder(256)
    documents = [StoredDocument(i, text) for i, text in enumerate(texts)]
    retriever = LogicalRetriever(Shallow(documents, embedder.embed_documents(texts)), embedder, k=20)
    result = retriever.search('"green tea" AND NOT "and milk"')
    assert not result.exact
    assert not any("milk" in document.text for document in result.documents)
    assert len(result.left_out) == 12
    assert "12 documents were left out" in result.note


def test_one_longer_list_is_read_where_too_few_stay():
    class Wordless(RemoteStore):
        capabilities = replace(RemoteStore.capabilities, word_search=None)

    texts = ["green tea and milk"] * 44 + [f"green tea number{i} with four further words" for i in range(8)]
    texts += [f"word{i} other{i}" for i in range(2400)]
    embedder = HashingEmbedder(256)
    documents = [StoredDocument(i, text) for i, text in enumerate(texts)]
    remote = Wordless(documents, embedder.embed_documents(texts))
    result = LogicalRetriever(remote, embedder, k=4).search('"green tea" AND NOT "and milk"')
    assert len(result.documents) == 4
    assert [length for _, length in remote.searched] == [40, 320]


@pytest.mark.parametrize("semantics", list(SEMANTICS))
def test_relevance_keeps_the_order_of_scores_even_where_they_are_extreme(semantics):
    scores = np.array([-np.inf, -800.0, -40.0, -1.0, -1e-3, 0.0, 1e-3, 0.5, 1.0, 1.5, 2.0, 3.5, 4.0])
    for query in ("a AND NOT b", "a"):
        relevance = get_semantics(semantics).relevance(parse(query), scores, words_read=True)
        assert (np.diff(relevance) >= 0.0).all()
        assert (np.diff(relevance[2:]) > 0.0).all()
        assert relevance.min() >= 0.0
        assert relevance.max() <= 1.0


def test_a_least_relevance_cuts_and_is_counted():
    retriever = over(k=10)
    free = retriever.search('"tea" AND NOT "milk"')
    least = free.documents[2].relevance
    result = retriever.search('"tea" AND NOT "milk"', min_relevance=least)
    assert all(document.relevance >= least for document in result.documents)
    assert [d.id for d in result.documents] == [d.id for d in free.documents if d.relevance >= least]
    assert result.too_low > 0
    assert "below the least relevance" in result.note
    assert retriever.but(min_relevance=1.0).search("tea").documents == ()
    assert retriever.but(min_relevance=1.0).search("tea", min_relevance=0.0).documents


@pytest.mark.parametrize(
    "value",
    [
        *(-0.1, 1.1, math.nan, math.inf, "high", True, [0.5], np.float32("nan"), np.bool_(True), np.array(0.5)),
        *(Decimal("1.5"), Decimal("NaN"), Decimal("sNaN"), 10**400, -(10**400)),
    ],
)
def test_a_least_relevance_that_is_no_number_from_0_to_1_is_refused(value):
    with pytest.raises(InvalidArgumentError, match="min_relevance must be a number from 0 to 1"):
        SearchOptions(min_relevance=value)
    with pytest.raises(InvalidArgumentError, match="min_relevance"):
        over().search("tea", min_relevance=value)


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), np.float64(0.5), Fraction(1, 2)])
def test_a_share_may_be_a_number_of_any_kind(value):
    relevance = SearchOptions(min_relevance=value).min_relevance
    assert (relevance, type(relevance)) == (0.5, float)
    assert SearchOptions(min_relevance=np.int64(0)).min_relevance == 0.0


def test_a_count_may_be_an_integer_of_numpy_and_more_than_any_store_has():
    made = SearchOptions(k=np.int64(3), fetch_k=np.uint8(7))
    assert [(one, type(one)) for one in (made.k, made.fetch_k)] == [(3, int), (7, int)]
    for value in (np.float64(3.0), np.bool_(True), Decimal(3), np.int64(0)):
        with pytest.raises(InvalidArgumentError, match="k must be an integer of at least 1"):
            SearchOptions(k=value)
    query = '"tea" AND NOT "milk"'
    for kind in (InMemoryStore, RemoteStore):
        everything = over(kind).search(query, k=len(TEXTS) + 1)
        assert over(kind).search(query, k=10**30, fetch_k=10**30).documents == everything.documents


def test_a_semantics_that_reads_no_words_takes_no_weight_of_them():
    with pytest.raises(InvalidArgumentError, match="'product' reads no words"):
        over(semantics="product", words=0.5)


@pytest.mark.parametrize(("name", "meant"), [("top_k", "'k'"), ("drop_excluded", "'exclusion'"), ("mode", None)])
def test_an_unknown_setting_is_refused_with_the_known_ones_and_a_guess(name, meant):
    for refused in (lambda: over(**{name: 1}), lambda: over().search("tea", **{name: 1})):
        with pytest.raises(InvalidArgumentError, match=f"no search setting {name!r}") as error:
            refused()
        assert "always_exclude, exclusion, fetch_k, k, min_relevance, semantics, verify, words" in error.value.hint
        assert error.value.hint.startswith(f"Did you mean {meant}") == (meant is not None)


@pytest.mark.parametrize("value", [True, False, 1, 0.7, "yes", "DROP", ["drop"], np.array(["drop", "rank"])])
def test_exclusion_is_one_of_three_words(value):
    with pytest.raises(InvalidArgumentError, match="A search has no exclusion"):
        SearchOptions(exclusion=value)


def test_what_a_wanted_term_alike_brings_is_not_held_against_a_document():
    """No document has the pot, and those about tea in water have the most evidence there is for tea in a pot."""
    embedder = HashingEmbedder(256)
    texts = [*(f"tea water leaf number{i}" for i in range(4)), *(f"else number{i} other{i}" for i in range(200))]
    retriever = LogicalRetriever.from_texts(texts, embedder, k=4, words=0.0)
    result = retriever.search('"tea water leaf" AND NOT "tea water pot"')
    assert {document.text for document in result.documents} == set(texts[:4])
    alone = retriever.search('NOT "tea water pot"', k=len(texts))
    assert {one.text for one in alone.left_out} >= set(texts[:4])  # nothing that is wanted brings it
