"""A cosine computed from codes is as near to the true one as the codes say."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_stores import random_vectors

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.search.scan import compiled_kernel
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.vectors import cosine_error, precise_cosines, prepare, rough_cosines, unit
from logical_retriever.vectors.codes import encode


@settings(max_examples=200, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    dimension=st.sampled_from([1, 3, 64, 384]),
    length=st.sampled_from([1e-12, 1.0, 1e12]),
    sparse=st.booleans(),
)
def test_errors_are_never_exceeded(seed, dimension, length, sparse):
    rng = np.random.default_rng(seed)
    vectors = random_vectors(rng, 50, dimension, unusable=6, unit=False) * np.float32(length)
    if sparse:
        vectors[rng.random(vectors.shape) < 0.9] = 0.0
    queries = random_vectors(rng, 4, dimension)
    known = prepare(vectors)
    codes = encode(vectors, known)
    found = rough_cosines(queries, codes.values.astype(np.float32), codes.steps)
    true = precise_cosines(queries, vectors)
    assert np.all(np.abs(found - true) <= codes.errors)
    assert codes.errors.max() < 0.5 / 127 * np.sqrt(dimension) + 2 * cosine_error(dimension)
    assert np.all(found[:, known == 0.0] == 0.0)


def test_codes_of_real_dimensions_are_near():
    vectors = random_vectors(np.random.default_rng(1), 100, 384)
    assert encode(vectors, prepare(vectors)).errors.max() < 0.01


def test_the_kernel_reads_codes():
    numba_kernel = compiled_kernel()
    if numba_kernel is None:
        pytest.skip("numba is not installed")
    rng = np.random.default_rng(2)
    vectors, queries = random_vectors(rng, 90, 48, unusable=3, unit=False), unit(random_vectors(rng, 5, 48))
    codes = encode(vectors, prepare(vectors))
    found = numba_kernel(queries, codes.values, codes.steps)
    assert found.dtype == np.float32
    assert np.all(np.abs(found - precise_cosines(queries, vectors)) <= codes.errors)


def test_a_store_keeps_codes_of_as_many_vectors_as_memory_is_meant_for():
    vectors = random_vectors(np.random.default_rng(3), 40, 16)
    store = InMemoryStore([StoredDocument(str(i), "") for i in range(40)], vectors, codes_memory=30 * (16 + 8))
    (batch,) = store.scan()
    assert len(batch.codes()) == 30
    (again,) = store.scan()
    assert again.codes() is batch.codes()
    store.codes_memory = 7 * (16 + 8)
    (fewer,) = store.scan()
    assert len(fewer.codes()) == 7
    store.codes_memory = 30 * (16 + 8)
    store.delete([str(i) for i in range(20)])
    (batch,) = store.scan()
    codes = batch.codes()
    assert len(codes) == 20
    np.testing.assert_array_equal(codes.values, encode(vectors[20:], prepare(vectors[20:])).values)


def test_a_store_may_keep_no_codes():
    (batch,) = InMemoryStore([StoredDocument("a", "")], [[1.0, 0.0]], codes_memory=0).scan()
    assert len(batch.codes()) == 0


@pytest.mark.parametrize("memory", [-1, 4e8, "1", True, None])
def test_memory_is_a_whole_number_of_bytes(memory):
    with pytest.raises(InvalidArgumentError, match="codes_memory"):
        InMemoryStore(codes_memory=memory)
