"""Queries compiled for Elasticsearch and OpenSearch, run by an interpreter of the emitted subset of Painless."""

import json
import re
from dataclasses import replace
from typing import ClassVar

import lark
import numpy as np
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

PAINLESS = lark.Lark(
    r"""
    script: statement+
    ?statement: TYPE NAME "=" value ";"   -> declare
              | NAME "=" value ";"        -> assign
              | "return" value ";"        -> answer
    TYPE: "double"
    ?value: test "?" value ":" value      -> choose
          | test
    ?test: sum ">=" sum                   -> at_least
         | sum
    ?sum: sum "+" product                 -> add
        | sum "-" product                 -> subtract
        | product
    ?product: product "*" unary           -> multiply
            | product "/" unary           -> divide
            | unary
    ?unary: "-" unary                     -> negate
          | primary
    ?primary: NUMBER                      -> number
            | STRING                      -> string
            | NAME                        -> variable
            | "params" "." NAME           -> parameter
            | "doc" "[" value "]"         -> values
            | CALL "(" [value ("," value)*] ")" -> call
            | "(" value ")"
    CALL: /(Math|Double)\.\w+|cosineSimilarity/
    NAME: /(?!(params|doc|return|double|Math|Double|cosineSimilarity)\b)[a-z]\w*/
    NUMBER: /\d+\.\d+(E-?\d+|e-?\d+)?|\d+/
    STRING: /'([^'\\]|\\.)*'/
    %ignore /\s+/
    """,
    start="script",
    parser="lalr",
)


class Interpreter(lark.visitors.Interpreter):
    """Runs a script for all documents at once as Java would: double precision, no exceptions, NaN and infinities.

    Of a choice, each side is computed for the documents that it is chosen for, as if one after the other.
    """

    FUNCTIONS: ClassVar = {
        "Math.max": np.maximum,
        "Math.min": np.minimum,
        "Math.exp": np.exp,
        "Math.log": np.log,
        "Math.log1p": np.log1p,
        "Math.sqrt": np.sqrt,
        "Double.isNaN": np.isnan,
    }

    def __init__(self, params, field, vectors):
        self.params, self.field, self.vectors = params, field, vectors
        self.rows = np.arange(len(vectors))
        self.names = {}

    def script(self, tree):
        for statement in tree.children:
            value = self.visit(statement)
            if statement.data == "answer":
                return value
        raise AssertionError("The script returns nothing.")

    def declare(self, tree):
        _, name, value = tree.children
        assert name not in self.names, f"{name} is declared twice"
        self.names[str(name)] = self.visit(value) + np.zeros(len(self.rows))

    def assign(self, tree):
        name, value = tree.children
        assert name in self.names, f"{name} is not declared"
        self.names[str(name)] = self.visit(value) + np.zeros(len(self.rows))

    def answer(self, tree):
        return self.visit(tree.children[0]) + np.zeros(len(self.rows))

    def choose(self, tree):
        test, *sides = tree.children
        rows, chosen = self.rows, self.visit(test)
        value = np.zeros(len(rows))
        for side, mask in zip(sides, (chosen, ~chosen), strict=True):
            if mask.any():
                self.rows = rows[mask]
                value[mask] = self.visit(side)
        self.rows = rows
        return value

    def number(self, tree):
        return np.float64(tree.children[0])

    def string(self, tree):
        return re.sub(r"\\(.)", r"\1", tree.children[0][1:-1])

    def variable(self, tree):
        return self.names[str(tree.children[0])][self.rows]

    def parameter(self, tree):
        return self.params[str(tree.children[0])]

    def values(self, tree):
        assert self.visit(tree.children[0]) == self.field
        return [self.vectors[row] for row in self.rows]

    def call(self, tree):
        name, *operands = tree.children
        operands = [self.visit(operand) for operand in operands]
        return self.cosines(*operands) if name == "cosineSimilarity" else self.FUNCTIONS[name](*operands)

    def cosines(self, vector, stored):
        """What a server says: an error for vectors that are absent or of zeros, NaN for stored ones of zeros."""
        if isinstance(stored, str):
            assert stored == self.field
            stored = [self.vectors[row] for row in self.rows]
        assert any(vector), "servers refuse a vector of zeros"
        assert all(one is not None for one in stored), "servers fail where a document has no vector"
        assert all(len(one) == len(vector) for one in stored), "servers fail where dimensions differ"
        x, y = np.array(vector, dtype=np.float64), np.array(stored, dtype=np.float64)
        return (y @ x) / np.linalg.norm(y, axis=1) / np.linalg.norm(x)

    at_least = lambda self, tree: np.greater_equal(*self.visit_children(tree))  # noqa: E731  # one line an operator
    add = lambda self, tree: np.add(*self.visit_children(tree))  # noqa: E731
    subtract = lambda self, tree: np.subtract(*self.visit_children(tree))  # noqa: E731
    multiply = lambda self, tree: np.multiply(*self.visit_children(tree))  # noqa: E731
    divide = lambda self, tree: np.divide(*self.visit_children(tree))  # noqa: E731
    negate = lambda self, tree: np.negative(*self.visit_children(tree))  # noqa: E731


def search(body, documents, field):
    """What a server would answer: 32-bit scores, never negative; equal ones by id."""
    sent = json.loads(json.dumps(body, allow_nan=False))
    script = sent["query"]["script_score"]["script"]
    if {"exists": {"field": field}} in sent["query"]["script_score"]["query"]["bool"]["filter"]:
        documents = {id: vector for id, vector in documents.items() if vector is not None}
    interpreter = Interpreter(script["params"], field, list(documents.values()))
    with np.errstate(all="ignore"):
        scores = interpreter.visit(PAINLESS.parse(script["source"])).astype(np.float32)
    assert np.isfinite(scores).all(), "servers refuse scores that are not finite"
    assert (scores >= 0).all(), "servers refuse scores below 0"
    hits = [{"_id": id, "_score": float(score)} for id, score in zip(documents, scores, strict=True)]
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
        statement = compiler(native_filter=native).compile(**asked.arguments, k=5).statement
        query = statement["query"]["script_score"]["query"]
        assert query["bool"]["filter"] == [{"exists": {"field": compiler().vector_field}}, own]
    statement = compiler(native_filter=own).compile(**asked.arguments, k=5, fetch_k=40).statement
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
    assert PAINLESS.parse(source)


def test_longer_scripts_than_servers_read_are_refused(monkeypatch):
    monkeypatch.setattr("logical_retriever.compile.painless.MAX_SOURCE", 300)
    with pytest.raises(UnsupportedByEngineError, match="bytes; OpenSearch reads 300"):
        OpenSearchCompiler().compile(parse("a AND b AND NOT c"), ProductSemantics(), np.eye(3), k=3)
