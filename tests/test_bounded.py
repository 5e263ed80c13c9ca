"""The one bounded cache."""

import copy
import pickle

from logical_retriever.bounded import BoundedCache


def test_what_was_not_used_for_longest_goes_first():
    cache = BoundedCache(2)
    cache.put("a", "1")
    cache.put("b", "2")
    assert cache.get("a") == "1"
    cache.put("c", "3")
    assert [cache.get(key) for key in "abc"] == ["1", None, "3"]
    nothing = BoundedCache(0)
    nothing.put("a", "1")
    assert nothing.get("a") is None


def test_a_copy_is_empty_and_has_the_same_bound():
    cache = BoundedCache(1)
    cache.put("a", "1")
    for copied in (copy.deepcopy(cache), pickle.loads(pickle.dumps(cache))):
        assert (copied.get("a"), cache.get("a")) == (None, "1")
        copied.put("b", "1")
        copied.put("c", "1")
        assert (copied.get("b"), copied.get("c")) == (None, "1")
