from random import Random

from logical_retriever.lab.synthesis import bm25_ranker, dense_ranker
from logical_retriever.lab.synthesis.pooling import pool

TEXTS = ["wolves run in packs", "the opera house", "wolves at the opera house", "rice grows in water"]


def test_bm25_ranks_documents_that_share_a_word():
    rank = bm25_ranker(TEXTS)
    assert sorted(rank("wolves", 10)) == [0, 2]
    assert rank("wolves opera house", 1) == [2]
    assert rank("unheard", 10) == []
    assert rank("the of and", 10) == []


class Embedder:
    def __init__(self, documents, query):
        self.documents, self.query = documents, query

    def embed_documents(self, texts):
        return self.documents

    def embed_queries(self, texts):
        return [self.query for _ in texts]


def test_dense_ranks_by_cosine_not_by_length_or_sign():
    rank = dense_ranker(Embedder([[10, 10], [0.1, 0], [0, 1], [-5, 0]], [2, 0]), TEXTS)
    assert rank("any", 4) == [1, 0, 2, 3]
    assert rank("any", 2) == [1, 0]


def test_a_pool_holds_the_source_the_best_of_each_ranking_and_random_documents():
    best = {"q": [90, 91, 92, 93, 94, 95, 96, 97], "t": [80, 81, 82, 90, 83, 84, 85, 86]}
    other = {"q": [70] * 1, "t": []}
    rankers = [lambda q, n: best[q][:n], lambda q, n: other[q][:n]]
    chosen = pool(rankers, ["q", "t"], source=5, size=10, corpus_size=60, rng=Random(1))
    assert chosen == sorted(chosen)
    assert len(set(chosen)) == 10
    assert {5, 70, 80, 81, 82, 90, 91, 92, 93} >= set(chosen) - set(range(60)) >= {70, 80, 81, 90, 91}
    assert 5 in chosen
    assert len([position for position in chosen if position < 60]) in (2, 3)
    assert chosen == pool(rankers, ["q", "t"], source=5, size=10, corpus_size=60, rng=Random(1))
