"""A store of float16 answers as one of the same rounded numbers in float32, whatever compares them first."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, queries
from random_stores import random_terms, random_vectors

from logical_retriever import InMemoryStore
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.search.scan import blocks, first_pass
from logical_retriever.stores import StoredDocument
from logical_retriever.testing.searching import find
from logical_retriever.vectors import unit


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Dozens of blocks of a hundred documents, and the compiled kernel for all of them."""
    monkeypatch.setattr(blocks, "BLOCK", 9)
    monkeypatch.setattr(blocks, "PIECE", 4)
    monkeypatch.setattr(first_pass, "KERNEL_FROM", 50)


def documents(count):
    return [StoredDocument(f"d{7 * i % 100_003:06}", f"text {i}", {"even": i % 2 == 0}) for i in range(count)]


def rounded(vectors):
    return unit(vectors).astype(np.float16)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 130),
    dimension=st.sampled_from([1, 7, 96]),
    lengths=st.sampled_from([1.0, 1e-30, 1e30]),
    copies=st.sampled_from([0, 60]),
    unusable=st.sampled_from([0, 5]),
    codes_memory=st.sampled_from([0, 2000, 1_000_000]),
    device=st.sampled_from([None, "cpu"]),
    even=st.booleans(),
    query=queries(),
    semantics=st.sampled_from(BOUNDED),
    k=st.integers(1, 140),
)
def test_answers_are_exact_for_what_is_stored(
    seed, count, dimension, lengths, copies, unusable, codes_memory, device, even, query, semantics, k
):
    if device is not None:
        pytest.importorskip("torch")
    rng = np.random.default_rng(seed)
    copies, unusable = min(copies, count), min(unusable, count)
    vectors = random_vectors(rng, count, dimension, copies=copies, unusable=unusable, unit=False) * lengths
    held = documents(count)
    having = InMemoryStore(held, vectors, codes_memory=codes_memory, device=device, dtype="float16")
    whole = InMemoryStore(held, rounded(vectors).astype(np.float32), codes_memory=0)
    filter = (lambda document: document.metadata["even"]) if even else None
    terms = random_terms(rng, dimension)
    found, expected = (find(query, store, terms, semantics, k=k, filter=filter) for store in (having, whole))
    assert found.documents == expected.documents
    assert (found.exact, found.proved) == (expected.exact, expected.proved)


def test_vectors_take_half_the_memory_and_are_read_in_float32():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(30, 8)).astype(np.float32)
    store = InMemoryStore(documents(20), vectors[:20], dtype="float16")
    store.add(documents(30)[20:], vectors[20:])
    store.delete([documents(30)[3].id])
    kept = np.delete(vectors, 3, axis=0)
    [batch] = store.scan()
    assert batch.vectors.nbytes == kept.nbytes / 2
    np.testing.assert_array_equal(batch.vectors, rounded(kept))
    for read in (store.fetch([documents(30)[25].id]), store.sample(5, seed=1)):
        assert read.vectors.dtype == np.float32
    np.testing.assert_array_equal(store.fetch([documents(30)[25].id]).vectors[0], rounded(vectors[25:26])[0])
    assert abs(rounded(vectors) @ unit(vectors).T - unit(vectors) @ unit(vectors).T).max() <= 2**-11


@pytest.mark.parametrize("dtype", ["float64", "half", np.float16, None])
def test_another_precision_is_refused(dtype):
    with pytest.raises(InvalidArgumentError, match="InMemoryStore has no dtype"):
        InMemoryStore(dtype=dtype)
