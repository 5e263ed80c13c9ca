"""Texts to vectors: each text once, in one call where the encoder takes several queries, else at the same time."""

import threading

import pytest
import torch

from logical_retriever import LogicalRetriever, ReadQuestion, parse
from logical_retriever.embedding import THREADS, embed_each, is_local
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea and milk", "green tea and water", "coffee"]


class Recording(HashingEmbedder):
    def __init__(self):
        super().__init__()
        self.calls = []

    def embed_queries(self, texts):
        self.calls.append(list(texts))
        return super().embed_queries(texts)


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        (ReadQuestion("green tea", parse('"green tea"'), "recorded"), ["green tea"]),
        (ReadQuestion("tea?", parse('"green tea" OR "tea"'), "recorded"), ["tea?"]),
        (ReadQuestion("tea, no milk", parse('"tea" AND NOT "milk"'), "recorded"), ["tea", "milk", "tea, no milk"]),
        (parse('"tea" AND NOT "milk" OR "tea" AND "water"'), ["tea", "milk", "water"]),
        (parse('[year = 1990] AND "tea" AND NOT [year > 2000]'), ["tea"]),
        (parse("[year = 1990]"), None),
    ],
)
def test_a_question_is_one_call_with_each_text_once(query, texts):
    embedder = Recording()
    retriever = LogicalRetriever.from_texts(TEXTS, embedder)
    retriever.search(query)
    assert embedder.calls == ([] if texts is None else [texts])


def test_texts_are_encoded_at_the_same_time_in_order():
    barrier = threading.Barrier(THREADS, timeout=10)

    def embed(text):
        barrier.wait()
        return [float(text)]

    assert embed_each(embed, [str(i) for i in range(2 * THREADS)]) == [[float(i)] for i in range(2 * THREADS)]


@pytest.mark.parametrize(("texts", "local"), [(["1"], False), (["1", "2", "3"], True)])
def test_one_text_and_a_local_model_need_no_thread(texts, local):
    threads = embed_each(lambda _: threading.current_thread(), texts, local=local)
    assert set(threads) == {threading.current_thread()}


def test_the_first_error_is_raised():
    with pytest.raises(ValueError, match="invalid literal"):
        embed_each(int, ["1", "none", "3"])


def test_a_model_of_torch_is_local():
    class Public:
        def __init__(self, model):
            self.model = model

    class Private:
        def __init__(self, model):
            self.__pydantic_private__ = {"_client": model}

    for kind in (Public, Private):
        assert is_local(kind(torch.nn.Linear(1, 1)))
        assert not is_local(kind(object()))
    assert not is_local(object())
