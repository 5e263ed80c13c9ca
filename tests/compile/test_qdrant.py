"""Queries compiled for Qdrant, run by qdrant-client in memory and by Qdrant's own core."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import qdrant_edge as edge
from qdrant_client import QdrantClient, models

from logical_retriever.compile.qdrant import QdrantCompiler, query_request
from logical_retriever.errors import InvalidArgumentError, MissingPackageError, UnsupportedByEngineError
from logical_retriever.query import And, Not, Or, Term, parse
from logical_retriever.semantics import (
    CalibratedSemantics,
    GodelSemantics,
    ItlrSemantics,
    NullDistributions,
    ProductSemantics,
)
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
from logical_retriever.vectors import cosines

DOCUMENTS = corpus()
COUNT, K = len(DOCUMENTS.ids), 9
NEWEST = "1.20.0"


@pytest.fixture(scope="module")
def memory():
    client = QdrantClient(":memory:")
    client.create_collection("c", {"dense": models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)})
    points = [
        models.PointStruct(id=row, vector={"dense": vector.tolist()}, payload=payload(row))
        for row, vector in enumerate(DOCUMENTS.vectors)
    ]
    client.upsert("c", points)

    def run(compiled):
        [answer] = client.query_batch_points("c", requests=[query_request(compiled.statement)])
        return ordered((point.id, point.score) for point in answer.points)

    run.compiler, run.trees = partial(QdrantCompiler, using="dense"), 5  # a formula takes Python long
    yield run
    client.close()


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    config = edge.EdgeConfig(vectors={"": edge.EdgeVectorParams(size=DIMENSION, distance=edge.Distance.Cosine)})
    shard = edge.EdgeShard.create(str(tmp_path_factory.mktemp("qdrant")), config)
    points = [edge.Point(row, vector.tolist(), payload(row)) for row, vector in enumerate(DOCUMENTS.vectors)]
    shard.update(edge.UpdateOperation.upsert_points(points))

    def run(compiled):
        statement = compiled.statement
        formula = edge.Formula(in_core(statement["query"]["formula"]), statement["query"]["defaults"])
        lists = [prefetch(body) for body in statement["prefetch"]]
        found = shard.query(edge.QueryRequest(limit=statement["limit"], prefetches=lists, query=formula))
        return ordered((point.id, point.score) for point in found)

    run.compiler, run.trees = QdrantCompiler, 16
    yield run
    shard.close()


@pytest.fixture(params=["memory", "core"])
def run(request):
    return request.getfixturevalue(request.param)


def payload(row):
    return {"rank": row % 9}


def ordered(found):
    """Equal scores come back in any order: sorted as the documentation says to."""
    return sorted(((DOCUMENTS.ids[id], score) for id, score in found), key=lambda pair: (-pair[1], pair[0]))


def prefetch(body):
    params = edge.SearchParams(**body["params"]) if "params" in body else None
    inner = [prefetch(one) for one in body.get("prefetch", [])] or None
    return edge.Prefetch(limit=body["limit"], query=edge.Query.Nearest(body["query"]), prefetches=inner, params=params)


def in_core(node):
    """Qdrant's JSON as the objects that its core reads, which have the same names."""
    if isinstance(node, str):
        return edge.Expression.Variable(node)
    if isinstance(node, float):
        return edge.Expression.Constant(node)
    [(name, inner)] = node.items()
    kind = getattr(edge.Expression, name.capitalize())
    if name == "div":
        return kind(in_core(inner["left"]), in_core(inner["right"]), inner.get("by_zero_default"))
    return kind([in_core(one) for one in inner] if isinstance(inner, list) else in_core(inner))


def wanting(name, count):
    """Generated queries that want something: nothing leads to the answers of others."""
    asked = questions(name, count, DOCUMENTS)
    return [one for one in asked if one.semantics.wanted_texts(one.query, one.question)]


@pytest.mark.parametrize("name", SEMANTICS)
def test_with_lists_as_long_as_the_corpus_every_answer_is_the_true_one(run, name):
    compiler = run.compiler(version=NEWEST)
    for asked in wanting(name, run.trees):
        assert_true_answer(run(compiler.compile(**asked.arguments, k=K, fetch_k=COUNT)), asked, DOCUMENTS, K)


@pytest.mark.parametrize("name", SEMANTICS)
def test_so_it_is_where_minimum_and_maximum_are_written_with_abs(core, name):
    said, hints = 0, set()
    for asked in wanting(name, 16):
        try:
            compiled = QdrantCompiler().compile(**asked.arguments, k=K, fetch_k=COUNT)
        except UnsupportedByEngineError as error:
            hints.add(error.hint)
            continue
        assert '"max"' not in json.dumps(compiled.statement)
        assert_true_answer(core(compiled), asked, DOCUMENTS, K)
        said += 1
    assert said >= 10
    assert all("give version" in hint for hint in hints)


@pytest.mark.parametrize("name", ["calibrated", "godel", "hamacher", "itlr-min-max-reciprocal"])
def test_and_qdrant_client_computes_the_same(memory, name):
    for asked in wanting(name, 8):
        if asked.query.size > 6:
            continue
        compiled = memory.compiler(version="1.14.0").compile(**asked.arguments, k=K, fetch_k=COUNT)
        assert_true_answer(memory(compiled), asked, DOCUMENTS, K)


@pytest.mark.parametrize("name", ["calibrated", "product", "itlr-product-sum-complement"])
@pytest.mark.parametrize("fetch_k", [K, 20])
def test_with_short_lists_every_answer_is_the_true_one_among_the_candidates(run, name, fetch_k):
    compared = 0
    for asked in wanting(name, run.trees + 8):
        rows = candidates(asked, fetch_k)
        if rows is None:
            continue
        compiled = run.compiler(version=NEWEST, exact=True).compile(**asked.arguments, k=K, fetch_k=fetch_k)
        assert compiled.fidelity == "superset"
        assert_true_answer(run(compiled), asked, among(rows), K)
        compared += 1
    assert compared >= run.trees / 2


def candidates(asked, n):
    """Rows among the first n of some wanted text; None where equal documents stand at the end of a list."""
    found = set()
    for text in asked.semantics.wanted_texts(asked.query, asked.question):
        [values] = cosines(asked.vectors[[asked.texts.index(text)]], DOCUMENTS.vectors)
        order = np.argsort(-values)
        if values[order[n - 1]] - values[order[n]] < 1e-6:
            return None
        found.update(order[:n].tolist())
    return sorted(found)


def among(rows):
    """The corpus with these rows alone."""
    return replace(DOCUMENTS, ids=tuple(DOCUMENTS.ids[row] for row in rows), vectors=DOCUMENTS.vectors[list(rows)])


def test_a_filter_of_qdrants_own_must_hold(memory):
    asked = everything()
    own = {"should": [{"key": "rank", "match": {"value": 4}}]}
    compiled = memory.compiler(version=NEWEST).compile(**asked.arguments, k=30, fetch_k=COUNT, filter=own)
    assert_true_answer(memory(compiled), asked, among(range(4, COUNT, 9)), 30)


def test_texts_do_not_enter_the_request():
    query = And((Term(HOSTILE[1]), Not(Term(HOSTILE[2])), Term(HOSTILE[5])))
    compiled = QdrantCompiler().compile(query, ProductSemantics(), np.eye(3), k=3, fetch_k=10)
    sent = json.dumps(compiled.statement)
    assert "DROP" not in sent
    assert "%s" not in sent
    assert len(sent) < 3000


def test_a_text_without_direction_has_cosine_zero(run):
    vectors = {**text_vectors(), "a": np.zeros(DIMENSION), "b": np.zeros(DIMENSION)}
    for text in ("a", "a OR (c AND NOT b)", "NOT a AND c"):
        asked = ask(parse(text), ProductSemantics(), DOCUMENTS, vectors=vectors)
        compiled = run.compiler(version=NEWEST).compile(**asked.arguments, k=20, fetch_k=COUNT)
        assert_true_answer(run(compiled), asked, DOCUMENTS, 20)


def test_vectors_of_another_dimension_are_an_error_and_nothing_breaks(run):
    compiler = run.compiler(version=NEWEST)
    with pytest.raises(Exception, match=r"(?i)dimension|not aligned|mismatch"):
        run(compiler.compile(parse("a AND b"), ProductSemantics(), np.eye(2, 5), k=3, fetch_k=5))
    asked = everything()
    assert_true_answer(run(compiler.compile(**asked.arguments, k=5, fetch_k=COUNT)), asked, DOCUMENTS, 5)


@pytest.mark.parametrize("version", [None, NEWEST])
@pytest.mark.parametrize(
    "text",
    [
        "(a AND NOT b) OR (c AND NOT d)",
        "(a OR b) AND (c OR d) AND NOT (a AND d)",
        "(a AND b) OR (c AND d)",
        "a OR NOT b",
    ],
)
def test_far_off_values_fail_for_no_point(core, text, version):
    """Logarithms and quotients of e^-120: an error for one point would be one for the request."""
    asked = ask(parse(text), CalibratedSemantics(), DOCUMENTS)
    count = len(asked.texts)
    asked = replace(asked, nulls=NullDistributions(np.zeros(count), np.full(count, 0.008)))
    compiled = QdrantCompiler(version=version).compile(**asked.arguments, k=K, fetch_k=COUNT)
    assert_true_answer(core(compiled), asked, DOCUMENTS, K)


def test_what_only_excludes_has_no_lists():
    with pytest.raises(UnsupportedByEngineError, match="NOT"):
        QdrantCompiler().compile(parse("NOT a"), ProductSemantics(), np.eye(1), k=3, fetch_k=10)


def test_there_is_no_exact_form():
    with pytest.raises(UnsupportedByEngineError, match="superset"):
        QdrantCompiler().compile(parse("a"), ProductSemantics(), np.eye(1), k=3)


def test_a_server_without_formulas_is_too_old():
    with pytest.raises(
        UnsupportedByEngineError, match=r"Qdrant 1\.13 has no formula queries; it came with Qdrant 1\.14"
    ):
        QdrantCompiler(version="1.13.6")
    with pytest.raises(InvalidArgumentError, match="not a version"):
        QdrantCompiler(version="latest")


def test_a_query_too_deep_or_too_large_for_an_older_server_is_refused():
    query = Term("a")
    for level in range(9):
        query = Or((query, Term("b"))) if level % 2 else And((query, Term("c")))
    vectors = np.eye(3)
    with pytest.raises(UnsupportedByEngineError, match=r"operations in \d+ levels of JSON") as raised:
        QdrantCompiler(version="1.19.2").compile(query, GodelSemantics(), vectors, k=3, fetch_k=5)
    assert "1.20" in raised.value.hint
    compiled = QdrantCompiler(version=NEWEST).compile(query, GodelSemantics(), vectors, k=3, fetch_k=5)
    assert len(json.dumps(compiled.statement)) < 3000


def test_scores_that_exceed_single_precision_are_refused():
    query = And((*(Not(Term(f"t{i}")) for i in range(21)), Term("a")))
    with pytest.raises(UnsupportedByEngineError, match="32 bits"):
        QdrantCompiler().compile(query, ItlrSemantics(negation="reciprocal"), np.eye(22), k=3, fetch_k=5)


@pytest.mark.parametrize("operator", [And, Or])
@pytest.mark.parametrize("name", ["product", "itlr-sum-sum-complement", "itlr-min-probabilistic-complement", "godel"])
def test_as_many_terms_as_a_query_has_fit(operator, name):
    query = operator(tuple(Term(f"t{i}") for i in range(64)))
    QdrantCompiler(version=NEWEST).compile(query, SEMANTICS[name], np.eye(64), k=3, fetch_k=5)


def test_the_lists_can_be_searched_further():
    asked = everything()
    statement = QdrantCompiler(hnsw_ef=512).compile(**asked.arguments, k=3, fetch_k=50).statement
    lists = statement["prefetch"][0]["prefetch"]
    assert [one["params"] for one in lists] == [{"hnsw_ef": 512}] * 3
    assert statement["prefetch"][0]["limit"] == 150
    with pytest.raises(InvalidArgumentError, match="hnsw_ef"):
        QdrantCompiler(hnsw_ef=512, exact=True)


def test_without_the_client_its_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "qdrant_client.models", None)
    with pytest.raises(MissingPackageError, match="qdrant"):
        query_request({})


def everything():
    """A query with all operators."""
    return ask(parse("(a OR b) AND c AND NOT d"), CalibratedSemantics(), DOCUMENTS)
