"""The one bounded cache."""

from __future__ import annotations

import copy
import pickle

from logical_retriever.bounded import BoundedCache


def cache_of(limit):
    return BoundedCache(limit, weigh=lambda key, value: len(key) + len(value))


def test_what_was_not_used_for_longest_goes_first():
    cache = cache_of(6)
    cache.put("a", "1")
    cache.put("b", "2")
    cache.put("c", "3")
    assert cache.get("a") == "1"
    cache.put("d", "4")
    assert [cache.get(key) for key in "abcd"] == ["1", None, "3", "4"]
    assert (len(cache), cache._entries.currsize) == (3, 6)


def test_what_alone_is_too_heavy_is_not_kept_and_its_old_value_goes():
    cache = cache_of(4)
    cache.put("a", "1")
    cache.put("a", "12345")
    assert (cache.get("a"), len(cache), cache._entries.currsize) == (None, 0, 0)


def test_entries_are_counted_where_nothing_weighs_them():
    cache = BoundedCache(2)
    for key in "abc":
        cache.put(key, "1" * 100)
    assert [cache.get(key) is not None for key in "abc"] == [False, True, True]


def test_a_copy_is_empty_and_has_the_same_bound():
    cache = BoundedCache(1)
    cache.put("a", "1")
    for copied in (copy.deepcopy(cache), pickle.loads(pickle.dumps(cache))):
        assert (len(copied), len(cache)) == (0, 1)
        copied.put("b", "1")
        copied.put("c", "1")
        assert len(copied) == 1


def test_a_value_that_is_kept_may_stay_and_counts_as_used():
    cache = cache_of(4)
    cache.put("a", "1")
    cache.put("b", "2")
    cache.put("a", "3", replace=False)
    cache.put("c", "4")
    assert [cache.get(key) for key in "abc"] == ["1", None, "4"]


def test_a_value_is_made_once():
    cache, made = cache_of(4), []
    for _ in range(2):
        assert cache.made("a", lambda key: made.append(key) or "1") == "1"
    assert made == ["a"]
