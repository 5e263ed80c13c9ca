"""Many questions or queries at once: the answers of one by one, with one call of the encoder."""

import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, LogicalQueryError
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea", "the price of green tea", "black tea", "coffee and its price", "how to brew green tea"]
QUERIES = ['"green tea" AND NOT "price"', '"coffee" OR "black tea"', '"green tea"']
QUESTIONS = ["green tea but not its price", "black tea or coffee", "coffee"]


class Counting(HashingEmbedder):
    """An encoder that counts its calls for terms."""

    calls = 0

    def embed_queries(self, texts):
        self.calls += 1
        return super().embed_queries(texts)


@pytest.fixture
def retriever():
    retriever = LogicalRetriever.from_texts(TEXTS, Counting(), k=3)
    retriever.search('"warm"')  # the background is encoded once
    retriever.embedder.calls = 0
    return retriever


def test_queries_get_the_answers_of_one_by_one_with_one_call_of_the_encoder(retriever):
    many = retriever.search_many(QUERIES)
    assert retriever.embedder.calls == 1
    assert [result.documents for result in many] == [retriever.search(query).documents for query in QUERIES]


def test_questions_get_the_answers_of_one_by_one(retriever):
    many = retriever.search_many([retriever.transformer.transform(one) for one in QUESTIONS], k=2)
    assert [result.documents for result in many] == [retriever.retrieve(one, k=2) for one in QUESTIONS]


def test_an_error_of_any_is_raised(retriever):
    with pytest.raises(LogicalQueryError):
        retriever.search_many([QUERIES[0], '"open'])


@pytest.mark.parametrize("given", ["one text", b"bytes", 3])
def test_what_is_no_list_is_refused(retriever, given):
    with pytest.raises(InvalidArgumentError, match="sequence"):
        retriever.search_many(given)
