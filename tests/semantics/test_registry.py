"""A semantics of one's own."""

import numpy as np
import oracle
import pytest

from logical_retriever.query import parse
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import TruthFunctional
from logical_retriever.testing.fakes import HashingEmbedder


def test_a_new_semantics_is_a_line():
    def conjunction(x, y):
        return x * y / (2.0 - (x + y - x * y))

    def disjunction(x, y):
        return (x + y) / (1.0 + x * y)

    einstein = TruthFunctional("einstein", conjunction, disjunction)
    embedder, rng = HashingEmbedder(16), np.random.default_rng(0)
    texts = [" ".join(rng.choice(("tea", "health", "brewing", "trees", "trade", "green"), 3)) for _ in range(200)]
    query = parse('("tea" OR "trees") AND NOT "trade"')
    retriever = LogicalRetriever.from_texts(texts, embedder, semantics=einstein, k=9, exclusion="rank")
    terms = dict(zip(query.terms(), embedder.embed_queries(query.terms()).tolist(), strict=True))
    documents = {str(i): row for i, row in enumerate(embedder.embed_documents(texts).tolist())}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(oracle.OPERATORS, "einstein", (oracle.clip, conjunction, disjunction, lambda x: 1 - x))
        true = oracle.ranking(query, terms, documents, "einstein", 9)
    found = retriever.search(query).documents
    assert [d.score for d in found] == pytest.approx([score for _, score in true], abs=1e-6)
    assert [d.id for d in found] == [id for id, _ in true]
