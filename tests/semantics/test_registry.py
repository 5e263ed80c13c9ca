"""Semantics by name, and one of one's own."""

import numpy as np
import oracle
import pytest
from random_stores import as_mapping

from logical_retriever.query import parse
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import SEMANTICS, TruthFunctional, get_semantics
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing.fakes import HashingEmbedder


def test_every_semantics_is_found_by_its_own_name():
    assert [get_semantics(name).name for name in SEMANTICS] == list(SEMANTICS)


def test_a_new_semantics_is_a_line():
    def conjunction(x, y):
        return x * y / (2.0 - (x + y - x * y))

    einstein = TruthFunctional("einstein", conjunction, lambda x, y: (x + y) / (1.0 + x * y))
    formulas = (lambda c: max(c, 0.0), conjunction, lambda x, y: (x + y) / (1 + x * y), lambda x: 1 - x)
    embedder, rng = HashingEmbedder(16), np.random.default_rng(0)
    texts = [" ".join(rng.choice(("tea", "health", "brewing", "trees", "trade", "green"), 3)) for _ in range(200)]
    store = InMemoryStore(
        [StoredDocument(f"d{i:03}", text) for i, text in enumerate(texts)], embedder.embed_documents(texts)
    )
    query = parse('("tea" OR "trees") AND NOT "trade"')
    terms = dict(zip(query.terms(), embedder.embed_queries(query.terms()).tolist(), strict=True))
    found = LogicalRetriever(store, embedder, semantics=einstein, k=9, exclusion="rank").search(query).documents
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(oracle.OPERATORS, "einstein", formulas)
        true = oracle.ranking(query, terms, as_mapping(store), "einstein", 9)
    assert [d.score for d in found] == pytest.approx([score for _, score in true], abs=1e-6)
    assert [d.id for d in found] == [id for id, _ in true]
