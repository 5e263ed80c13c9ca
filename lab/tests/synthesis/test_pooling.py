from random import Random

from lab.synthesis.pooling import bm25_ranker, pool

TEXTS = ["wolves run in packs", "the opera house", "wolves at the opera house", "rice grows in water"]


def test_bm25_ranks_documents_that_share_a_word():
    rank = bm25_ranker(TEXTS)
    assert sorted(rank("wolves", 10)) == [0, 2]
    assert rank("wolves opera house", 1) == [2]
    assert rank("unheard", 10) == []
    assert rank("the of and", 10) == []


def test_a_pool_holds_the_source_the_best_of_each_ranking_and_random_documents():
    best = {"q": [90, 91, 92, 93, 94, 95, 96, 97], "t": [80, 81, 82, 90, 83, 84, 85, 86], "u": [70], "v": []}

    def made():
        return pool(lambda q, n: best[q][:n], list("qtuv"), source=5, size=10, corpus_size=60, rng=Random(1))

    chosen = made()
    assert chosen == made()
    assert chosen == sorted(chosen)
    assert len(set(chosen)) == 10
    assert {5, 70, 80, 81, 82, 90, 91, 92, 93} >= set(chosen) - set(range(60)) >= {70, 80, 81, 90, 91}
    assert 5 in chosen
    assert len([position for position in chosen if position < 60]) in (2, 3)
