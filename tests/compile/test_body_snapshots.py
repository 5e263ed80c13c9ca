"""What the compilers of JSON bodies emit, in files under tests/snapshots/compile; REWRITE_SNAPSHOTS=1 writes them."""

import json
from pathlib import Path

import numpy as np
import pytest
from snapshots import assert_snapshot

from logical_retriever.compile.elasticsearch import ElasticsearchCompiler
from logical_retriever.compile.opensearch import OpenSearchCompiler
from logical_retriever.compile.qdrant import QdrantCompiler
from logical_retriever.query import parse
from logical_retriever.semantics import (
    CalibratedSemantics,
    GodelSemantics,
    HamacherSemantics,
    ItlrSemantics,
    LukasiewiczSemantics,
    NullDistributions,
    ProductSemantics,
)

SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "compile"
SEMANTICS = {
    "calibrated": CalibratedSemantics(),
    "product": ProductSemantics(),
    "godel": GodelSemantics(),
    "lukasiewicz": LukasiewiczSemantics(),
    "hamacher": HamacherSemantics(),
    "itlr": ItlrSemantics(),
    "itlr of other operators": ItlrSemantics("min", "probabilistic", "reciprocal"),
}
QUERY = parse("(a OR b) AND NOT c")
NULLS = NullDistributions(np.array([0.1, 0.2, 0.3]), np.array([0.05, 0.1, 0.2]))
SHARED = {"vectors": [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], "k": 5, "nulls": NULLS}


def compared(name, statements):
    assert_snapshot(SNAPSHOTS / f"{name}.json", json.dumps(statements, indent=1))


def test_qdrant():
    compilers = {"1.14": QdrantCompiler(version="1.14"), "1.20": QdrantCompiler(version="1.20")}
    formulas = {
        version: {
            name: compiler.compile(QUERY, semantics, **SHARED, fetch_k=100).statement["query"]["formula"]
            for name, semantics in SEMANTICS.items()
        }
        for version, compiler in compilers.items()
    }
    # A line for each formula: a part of one says little.
    lines = [f"{v} {name}: {json.dumps(one)}" for v, found in formulas.items() for name, one in found.items()]
    assert_snapshot(SNAPSHOTS / "qdrant_formulas.txt", "\n".join(lines))


def test_qdrant_options():
    native = {"must": [{"has_id": [1, 2]}]}
    compiler = QdrantCompiler(using="dense", hnsw_ef=256)
    compared("qdrant", compiler.compile(QUERY, SEMANTICS["itlr"], **SHARED, fetch_k=100, filter=native).statement)


@pytest.mark.parametrize("compiler", [ElasticsearchCompiler, OpenSearchCompiler])
def test_search_engines(compiler):
    name = compiler.engine.lower()
    found = {name: compiler().compile(QUERY, one, **SHARED).statement for name, one in SEMANTICS.items()}
    scripts = {name: body["query"]["script_score"]["script"] for name, body in found.items()}
    lines = [f"// {name}\n// {one['params']}\n{one['source']}" for name, one in scripts.items()]
    assert_snapshot(SNAPSHOTS / f"{name}.painless", "\n\n".join(lines))
    own = {"bool": {"should": [{"term": {"x": 1}}, {"match": {"text": "y"}}], "minimum_should_match": 1}}
    options = compiler("the 'field'", id_field="key")
    bodies = [
        options.compile(QUERY, SEMANTICS["itlr"], **SHARED, filter=own).statement,
        options.compile(QUERY, SEMANTICS["itlr"], **SHARED, fetch_k=100, filter=own).statement,
    ]
    compared(name, bodies)
