"""docs/architecture.md is the way of a question: its files exist, and are those that a question comes to."""

import re
import sys
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from logical_retriever import DuckDBStore, InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.semantics import ItlrSemantics
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.testing.store_wrappers import WithoutScan
from logical_retriever.transform import LogicalQueryTransformer

ROOT = Path(__file__).parents[2]
CORE = ROOT / "logical_retriever"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
[DRAWING] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
NAMED = Counter(re.findall(r"[\w/]+\.py", DRAWING))

TEXTS = [f"green tea and {what}" for what in ("health", "brewing", "trees", "trade", "water")] * 8
EMBEDDER = HashingEmbedder(16)
VECTORS = EMBEDDER.embed_documents(TEXTS)


def in_memory():
    return InMemoryStore([StoredDocument(number, text) for number, text in enumerate(TEXTS)], VECTORS)


def table():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE docs (id INTEGER, text VARCHAR, vector FLOAT[16])")
    rows = [(number, text, vector) for number, (text, vector) in enumerate(zip(TEXTS, VECTORS.tolist(), strict=True))]
    connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
    return DuckDBStore.from_table(connection, "docs")


def model():
    return LogicalQueryTransformer(ScriptedChatModel(['"green tea" AND NOT "brewing"']))


def test_every_file_that_the_drawing_names_exists_and_is_named_once():
    assert [name for name, times in NAMED.items() if times > 1] == []
    assert [name for name in NAMED if not (CORE / name).is_file()] == []
    for path in re.findall(r"`(\w+)/`", PAGE):
        assert (CORE / path).is_dir()
    for path in re.findall(r"\]\(([\w./]+)\)", PAGE):
        assert (ROOT / "docs" / path).is_file()


@pytest.mark.parametrize(
    ("strategy", "store", "options"),
    [
        ("scan", in_memory, {}),
        ("scan", in_memory, {"transformer": model}),
        ("scan", in_memory, {"semantics": "itlr"}),
        ("threshold", lambda: WithoutScan(in_memory()), {}),
        ("sqo", in_memory, {"mode": "sqo"}),
        ("deo", in_memory, {"mode": "deo"}),
        ("pushdown", table, {"pushdown": "always", "evidence": "dense"}),
        ("pushdown", table, {"pushdown": "always", "evidence": "dense", "semantics": "product"}),
    ],
)
def test_every_file_that_a_question_comes_to_is_in_the_drawing(strategy, store, options):
    made = {name: value() if callable(value) else value for name, value in options.items()}
    retriever = LogicalRetriever(store(), EMBEDDER, k=3, fetch_k=5, **made)
    visited = set()

    def visit(frame, event, argument):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(CORE):
            visited.add(path.relative_to(CORE).as_posix())

    before = sys.getprofile()
    sys.setprofile(visit)
    try:
        explanation = retriever.explain("green tea, excluding brewing")
    finally:
        sys.setprofile(before)
    assert explanation.result.plan.strategy == strategy
    families = {Path(sys.modules[type(one).__module__].__file__) for one in (retriever.semantics, ItlrSemantics())}
    beside = {path for path in visited if path.startswith(("stores/", "testing/")) or CORE / path in families}
    # The engine's own file, and what tells old names of a module that is first imported here.
    assert visited - beside - {"compile/duckdb.py"} - set(NAMED) == set()
