"""Large stores are counted rarely, small ones every time."""

import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.search import CountCache, counts
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder


class Counted:
    """A store that takes so many seconds to count itself."""

    def __init__(self, size, seconds=0.01):
        self.size, self.seconds, self.now, self.counts = size, seconds, 100.0, 0

    def count(self):
        self.counts += 1
        self.now += self.seconds
        return self.size


@pytest.mark.parametrize(("seconds", "good_for"), [(0.01, 10.0), (0.2, counts.LONGEST), (3.0, counts.LONGEST)])
def test_a_large_store_is_counted_again_after_a_thousand_times_what_it_took(seconds, good_for):
    store = Counted(counts.SMALL, seconds)
    counting = CountCache(clock=lambda: store.now)
    assert counting.count(store) == counts.SMALL
    store.size += 7
    store.now += 0.99 * good_for
    assert (counting.count(store), store.counts) == (counts.SMALL, 1)
    store.now += 0.02 * good_for
    assert (counting.count(store), store.counts) == (counts.SMALL + 7, 2)


@pytest.mark.parametrize("size", [0, counts.SMALL - 1, None])
def test_others_are_counted_every_time(size):
    store = Counted(size)
    counting = CountCache(clock=lambda: store.now)
    assert [counting.count(store) for _ in range(3)] == [size] * 3
    assert store.counts == 3


def test_a_store_that_has_shrunk_is_small_again():
    store = Counted(counts.SMALL)
    counting = CountCache(clock=lambda: store.now)
    counting.count(store)
    store.size, store.now = 5, store.now + counts.LONGEST
    assert counting.count(store) == 5
    store.size = 6
    assert counting.count(store) == 6


def test_a_retriever_counts_a_small_store_in_every_search():
    store = InMemoryStore([StoredDocument("a", "tea")], HashingEmbedder().embed_documents(["tea"]))
    retriever = LogicalRetriever(store, HashingEmbedder())
    assert retriever.search("tea AND NOT coffee").plan.count == 1
    store.add([StoredDocument("b", "coffee")], HashingEmbedder().embed_documents(["coffee"]))
    assert retriever.search("tea AND NOT coffee").plan.count == 2
