"""Many query texts in one call: of an encoder that takes queries and documents alike, and of no other."""

import numpy as np
import pytest

from logical_retriever.integration.one_call import MANY, QueriesAsDocuments
from logical_retriever.testing import HashingEmbedder

TEXTS = [f"text {number}" for number in range(MANY)]


class Model:
    """Writes something before a query."""

    def __init__(self, prefix):
        self.prefix, self.calls, self._hashing = prefix, [], HashingEmbedder(64)

    def query(self, text):
        self.calls.append("query")
        return self._hashing.embed_queries([self.prefix + text])[0]

    def documents(self, texts):
        self.calls.append("documents")
        return self._hashing.embed_documents(texts)

    async def queries(self, texts):
        return [self.query(text) for text in texts]

    async def adocuments(self, texts):
        return self.documents(texts)


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def encode(request):
    import asyncio

    def run(encoder, model, texts):
        if request.param:
            return asyncio.run(encoder.aencode(texts, model.queries, model.adocuments))
        return encoder.encode(texts, model.query, model.documents)

    return run


@pytest.mark.parametrize(("prefix", "calls"), [("", [2, 1, MANY - 1]), ("query: ", [MANY + 2, MANY, MANY - 1])])
def test_one_call_where_both_are_alike(prefix, calls, encode):
    model, encoder = Model(prefix), QueriesAsDocuments()
    for texts, count in zip((TEXTS, TEXTS, TEXTS[1:]), calls, strict=True):
        model.calls.clear()
        found = encode(encoder, model, texts)
        assert np.allclose(found, [model._hashing.embed_queries([prefix + text])[0] for text in texts])
        assert len(model.calls) == count


def test_vectors_of_another_dimension_are_not_alike():
    encoder = QueriesAsDocuments()
    found = encoder.encode(TEXTS, lambda text: [1.0], lambda texts: [[1.0, 0.0]] * len(texts))
    assert found == [[1.0]] * MANY
