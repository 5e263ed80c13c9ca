"""Small benches of the evaluation, for tests of its methods: vectors of three numbers, and a few texts."""

import numpy as np

from logical_retriever.evaluation import Dataset, JudgedQuery, JudgedQuestion, get_method
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.query import parse
from logical_retriever.reading import ReadQuestion
from logical_retriever.search.statistics import sentences
from logical_retriever.stores import StoredDocument
from logical_retriever.testing import HashingEmbedder

A, B, Q = (1.0, 0.0, 0.0), (0.6, 0.8, 0.0), (0.8, 0.6, 0.0)
DOCUMENTS = {"a": (1.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0), "ab": (0.6, 0.8, 0.0), "c": (0.0, 0.0, 1.0)}


class Table:
    """An encoder that knows a few texts, and gives one vector to all background sentences."""

    def embed_queries(self, texts):
        vectors = {"A": A, "B": B, "A not B": Q, "A and B": (0.0, 1.0, 0.0)}
        background = dict.fromkeys(sentences(), (0.0, 0.0, 1.0))
        return np.array([(background | vectors)[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


def table_bench():
    documents = tuple(StoredDocument(name, f"text {name}") for name in DOCUMENTS)
    return Workbench(Dataset("table", documents, (), np.array(list(DOCUMENTS.values()), dtype=np.float32)), Table())


def word_bench(texts):
    documents = tuple(StoredDocument(f"d{i}", text) for i, text in enumerate(texts))
    return Workbench(Dataset("words", documents, ()), HashingEmbedder())


def judged(text, query, **question):
    return JudgedQuery(JudgedQuestion("q", text, **question), ReadQuestion(text, query, "recorded"))


def scores(method, bench, form='"A" AND NOT "B"', text="A not B"):
    method, one = get_method(method), judged(text, parse(form))
    method.prepare([one], bench)
    return method.score(one, bench.view(one.question))
