"""Queries compiled for Elasticsearch and OpenSearch, run by an interpreter of the emitted subset of Painless."""

import json
from dataclasses import replace

import numpy as np
import painless
import pytest

from logical_retriever.compile.elasticsearch import ElasticsearchCompiler
from logical_retriever.compile.opensearch import OpenSearchCompiler
from logical_retriever.compile.painless import MAX_SOURCE, answer
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError
from logical_retriever.query import And, Not, Or, Term, parse
from logical_retriever.semantics import CalibratedSemantics, ItlrSemantics, NullDistributions, ProductSemantics
from logical_retriever.testing.compiler_corpus import (
    DIMENSION,
    HOSTILE,
    SEMANTICS,
    ask,
    assert_true_answer,
    corpus,
    questions,
    text_vectors,
)

COMPILERS = [ElasticsearchCompiler, OpenSearchCompiler]
K = 12
DOCUMENTS = corpus()


def search(body, documents, field):
    """What a server would answer: 32-bit scores, never negative; equal ones by id."""
    sent = json.loads(json.dumps(body, allow_nan=False))
    script = sent["query"]["script_score"]["script"]
    if {"exists": {"field": field}} in sent["query"]["script_score"]["query"]["bool"]["filter"]:
        documents = {id: vector for id, vector in documents.items() if vector is not None}
    found = painless.scores(script, field, list(documents.values()))
    hits = [{"_id": id, "_score": float(score)} for id, score in zip(documents, found, strict=True)]
    return {"hits": {"hits": sorted(hits, key=lambda hit: (-hit["_score"], hit["_id"]))[: sent["size"]]}}


def asked_of(compiler, asked, documents=None, **options):
    compiled = compiler.compile(**asked.arguments, **options)
    stored = dict(zip(DOCUMENTS.ids, DOCUMENTS.vectors.tolist(), strict=True)) if documents is None else documents
    return answer(compiled.statement, search(compiled.statement, stored, compiler.vector_field))


@pytest.mark.parametrize("name", SEMANTICS)
def test_scripts_compute_the_true_scores(name):
    for i, asked in enumerate(questions(name, 16, DOCUMENTS)):
        compiler = COMPILERS[i % 2]()
        found = asked_of(compiler, asked, k=K)
        # Scores of 32 bits are equal where others are not, and then stand by id.
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        assert_true_answer(sorted(found, key=lambda pair: (-pair[1], pair[0])), asked, DOCUMENTS, K)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_script_is_the_same_text_for_other_numbers(compiler):
    """Servers compile a limited number of scripts a minute."""
    query = parse("(a OR b) AND NOT c")
    rng = np.random.default_rng(1)
    sources = set()
    for _ in range(5):
        nulls = NullDistributions(rng.uniform(-0.1, 0.2, 4), rng.uniform(0.1, 0.3, 4))
        compiled = compiler().compile(
            query, CalibratedSemantics(), rng.normal(size=(4, 3)), k=3, nulls=nulls, question="q"
        )
        sources.add(compiled.statement["query"]["script_score"]["script"]["source"])
    assert len(sources) == 1


@pytest.mark.parametrize("compiler", COMPILERS)
def test_an_unusable_vector_has_cosine_zero_and_a_missing_one_is_none(compiler):
    documents = {"none": None, "zeros": [0.0] * DIMENSION, "nan": [np.nan] * DIMENSION, "some": [1.0] * DIMENSION}
    for name in ("calibrated", "product", "itlr-product-sum-reciprocal"):
        asked = ask(parse("(a OR b) AND c AND NOT d"), SEMANTICS[name], DOCUMENTS)
        found = dict(asked_of(compiler(), asked, documents, k=4))
        [true], _ = asked.scores(np.zeros((1, DIMENSION)))
        assert "none" not in found
        for id in ("zeros", "nan"):
            assert found[id] == pytest.approx(true, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_text_without_direction_is_not_sent(compiler):
    vectors = {**text_vectors(), "a": np.zeros(DIMENSION)}
    asked = ask(parse("a OR (c AND NOT b)"), ProductSemantics(), DOCUMENTS, vectors=vectors)
    assert_true_answer(asked_of(compiler(), asked, k=20), asked, DOCUMENTS, 20)
    statement = compiler().compile(**asked.arguments, k=20, fetch_k=30).statement
    assert len(statement["query"]["script_score"]["query"]["bool"]["should"]) == 1
    alone = ask(parse("a"), ProductSemantics(), DOCUMENTS, vectors=vectors)
    with pytest.raises(UnsupportedByEngineError, match="zeros"):
        compiler().compile(**alone.arguments, k=20, fetch_k=30)


def test_far_off_scores_keep_their_order():
    """Logarithms of hundreds, where an exponential would be 0 in 32 bits."""
    asked = ask(parse("a AND b AND NOT c"), CalibratedSemantics(), DOCUMENTS)
    asked = replace(asked, nulls=NullDistributions(np.zeros(3), np.array([0.004, 0.003, 0.002])))
    assert_true_answer(asked_of(ElasticsearchCompiler(), asked, k=60), asked, DOCUMENTS, 60)


def test_scores_that_are_never_negative_stay_as_they_are():
    small = np.eye(1, DIMENSION).tolist()[0]
    documents = {f"d{i}": [i * 1e-4, *np.eye(DIMENSION)[1][1:]] for i in range(1, 9)}
    query = And(tuple(Term(letter) for letter in "abcd"))
    compiled = OpenSearchCompiler().compile(query, ProductSemantics(), [small] * 4, k=8)
    found = answer(compiled.statement, search(compiled.statement, documents, "vector_field"))
    # Products around 1e-15: added to 1 they would all be equal.
    assert [id for id, _ in found] == [f"d{i}" for i in range(8, 0, -1)]
    assert "Math.max(0.0, x)" in compiled.statement["query"]["script_score"]["script"]["source"]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_filters_of_the_engines_own_are_passed_through(compiler):
    own = {"bool": {"should": [{"term": {"x": 1}}, {"match": {"text": "y"}}], "minimum_should_match": 1}}
    asked = ask(parse("a AND NOT b"), ProductSemantics(), DOCUMENTS)
    for native in (own, [own]):
        statement = compiler().compile(**asked.arguments, k=5, filter=native).statement
        query = statement["query"]["script_score"]["query"]
        assert query["bool"]["filter"] == [{"exists": {"field": compiler().vector_field}}, own]
    statement = compiler().compile(**asked.arguments, k=5, fetch_k=40, filter=own).statement
    bool_query = statement["query"]["script_score"]["query"]["bool"]
    assert bool_query["filter"] == [own]
    assert bool_query["minimum_should_match"] == 1
    assert json.dumps(own) in json.dumps(bool_query["should"])


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_data(compiler, text):
    query = And((Term(text), Not(Term("b"))))
    compiled = compiler().compile(query, ProductSemantics(), np.eye(2, DIMENSION), k=3)
    script = compiled.statement["query"]["script_score"]["script"]
    assert text[:20] not in script["source"]
    assert text[:20] not in json.dumps(script["params"], ensure_ascii=False)
    clean = compiler().compile(parse("a AND NOT b"), ProductSemantics(), np.eye(2, DIMENSION), k=3)
    assert script == clean.statement["query"]["script_score"]["script"]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_names_of_fields_are_quoted(compiler):
    name = "it's \\ a 'field'"
    asked = ask(parse("a AND NOT b"), ProductSemantics(), DOCUMENTS)
    assert_true_answer(asked_of(compiler(name), asked, k=3), asked, DOCUMENTS, 3)
    for bad in ("", "a\nb", "a\0b", 3):
        with pytest.raises(InvalidArgumentError, match="name of a field"):
            compiler(bad)


def test_equal_scores_can_be_ordered_by_a_field():
    asked = ask(parse("a"), ProductSemantics(), DOCUMENTS)
    statement = OpenSearchCompiler(id_field="key").compile(**asked.arguments, k=3).statement
    assert statement["sort"] == [{"_score": "desc"}, {"key": "asc"}]
    assert "sort" not in OpenSearchCompiler().compile(**asked.arguments, k=3).statement


def test_servers_that_are_too_old():
    with pytest.raises(UnsupportedByEngineError, match=r"Elasticsearch 7\.4 .* came with Elasticsearch 7\.6"):
        ElasticsearchCompiler(version="7.4.2")
    asked = ask(parse("a"), ProductSemantics(), DOCUMENTS)
    older = ElasticsearchCompiler(version="8.11.0")
    older.compile(**asked.arguments, k=3)
    with pytest.raises(UnsupportedByEngineError, match=r"kNN clauses .* 8\.12"):
        older.compile(**asked.arguments, k=3, fetch_k=10)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_servers_do_not_read_is_refused(compiler):
    asked = ask(parse("a"), ProductSemantics(), DOCUMENTS)
    for options in ({"k": 10_001}, {"k": 5, "fetch_k": 10_001}):
        with pytest.raises(UnsupportedByEngineError, match="at most 10000"):
            compiler().compile(**asked.arguments, **options)
    query = And(tuple(Not(Term(f"t{i}")) for i in range(25)))
    with pytest.raises(UnsupportedByEngineError, match="32 bits"):
        compiler().compile(query, ItlrSemantics(negation="reciprocal"), np.eye(25), k=3)


@pytest.mark.parametrize("name", SEMANTICS)
@pytest.mark.parametrize("operator", [And, Or])
def test_as_many_terms_as_a_query_has_fit(name, operator):
    query = operator(tuple(Term(f"t{i}") for i in range(64)))
    nulls = NullDistributions(np.zeros(64), np.full(64, 0.2))
    compiled = ElasticsearchCompiler("v").compile(query, SEMANTICS[name], np.eye(64), k=3, nulls=nulls)
    source = compiled.statement["query"]["script_score"]["script"]["source"]
    assert len(source) < MAX_SOURCE / 2
    assert painless.PAINLESS.parse(source)


def test_longer_scripts_than_servers_read_are_refused(monkeypatch):
    monkeypatch.setattr("logical_retriever.compile.painless.MAX_SOURCE", 300)
    with pytest.raises(UnsupportedByEngineError, match="bytes; OpenSearch reads 300"):
        OpenSearchCompiler().compile(parse("a AND b AND NOT c"), ProductSemantics(), np.eye(3), k=3)
