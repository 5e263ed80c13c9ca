"""Semantics by name: this package's, one more by a file and a line, and those of other installed packages."""

import importlib

import duckdb
import numpy as np
import pytest
from random_stores import as_mapping

from logical_retriever.query import parse
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import SEMANTICS, NsflSemantics, get_semantics
from logical_retriever.stores import InMemoryStore, SqlStore, StoredDocument
from logical_retriever.testing import oracle
from logical_retriever.testing.fakes import HashingEmbedder

THE_FILE = '''
import numpy as np
from logical_retriever.semantics.truth_functional import TruthFunctional


class Einstein(TruthFunctional):
    """Einstein product and sum, of cosines clipped to [0, 1]."""

    name = "einstein"

    def conjunction(self, x, y):
        return x * y / (2.0 - (x + y - x * y))

    def disjunction(self, x, y):
        return (x + y) / (1.0 + x * y)

'''


def test_every_semantics_is_found_by_its_own_name():
    assert [get_semantics(name).name for name in SEMANTICS] == list(SEMANTICS)


def test_the_semantics_of_the_readme_is_found_by_name():
    assert isinstance(get_semantics("nsfl"), NsflSemantics)
    texts = ["green tea and health", "green tea", "health of trees", "brewing black tea"]
    store, embedder = InMemoryStore(), HashingEmbedder()
    store.add([StoredDocument(str(i), text) for i, text in enumerate(texts)], embedder.embed_documents(texts))
    assert (
        LogicalRetriever(store, embedder, semantics="nsfl", k=1).search('"green tea" AND "health"').documents[0].id
        == "0"
    )


def test_a_new_semantics_is_one_file_and_one_line(tmp_path, monkeypatch):
    (tmp_path / "einstein.py").write_text(THE_FILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(SEMANTICS, "einstein", importlib.import_module("einstein").Einstein)
    formulas = (lambda c: max(c, 0.0), lambda x, y: x * y / (2 - x - y + x * y), lambda x, y: (x + y) / (1 + x * y))
    monkeypatch.setitem(oracle.OPERATORS, "einstein", (*formulas, lambda x: 1 - x))

    embedder = HashingEmbedder(16)
    words = ("tea", "health", "brewing", "trees", "trade", "green")
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words, 3)) for _ in range(200)]
    documents = [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)]
    vectors = embedder.embed_documents(texts)
    query = parse('("tea" OR "trees") AND NOT "trade"')
    terms = dict(zip(query.terms(), embedder.embed_queries(query.terms()).tolist(), strict=True))
    here = InMemoryStore(documents, vectors)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[16])")
        rows = [(d.id, d.text, v) for d, v in zip(documents, vectors.tolist(), strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
        there = SqlStore.from_table(connection, "docs")
        pushed, own = (
            LogicalRetriever(store, embedder, semantics="einstein", k=9, exclusion="rank").search(query)
            for store in (there, here)
        )
    true = oracle.ranking(query, terms, as_mapping(here), "einstein", 9)
    assert pushed.cost.strategy == "engine"
    for found in (pushed, own):
        assert [d.score for d in found.documents] == pytest.approx([score for _, score in true], abs=1e-6)
    assert [d.id for d in own.documents] == [id for id, _ in true]
