"""A store whose vectors a device compares first gives the answers that it gives without one, whatever the device does.

The code is that of a GPU, on the processor; on a machine that has one it runs there as well.
"""

import importlib
import subprocess
import sys
import threading
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from random_queries import BOUNDED, queries
from random_stores import random_terms, random_vectors

from logical_retriever import InMemoryStore, LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, MissingPackageError
from logical_retriever.query import parse
from logical_retriever.search.scan import blocks
from logical_retriever.stores import DeviceWarning, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.searching import find
from logical_retriever.vectors import device as on_device, precise_cosines, prepare, unit
from logical_retriever.vectors.device import Device

torch = pytest.importorskip("torch")
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
QUERY = parse('("a" OR "b") AND "c" AND NOT "d"')


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Dozens of blocks, and several pieces on the device, of a hundred documents."""
    monkeypatch.setattr(blocks, "BLOCK", 9)
    monkeypatch.setattr(blocks, "PIECE", 4)
    monkeypatch.setattr(on_device, "PIECE", 32)
    monkeypatch.setattr(on_device, "_STEP", 60)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def documents(count, start=0):
    return [StoredDocument(f"d{7 * i % 100_003:06}", f"text {i}", {"even": i % 2 == 0}) for i in range(start, count)]


def pair(vectors, device="cpu"):
    """A store without a device, and one with it."""
    return [InMemoryStore(documents(len(vectors)), vectors, **extra) for extra in ({}, {"device": device})]


def answers(store, terms, query=QUERY, semantics="calibrated", **settings):
    """All that is found, and what compared the vectors first."""
    result = find(query, store, terms, semantics, **settings)
    return replace(result, plan=replace(result.plan, device=None), store_milliseconds=0.0), result.plan.device


@pytest.mark.parametrize("device", DEVICES)
@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 130),
    dimension=st.sampled_from([1, 7, 96]),
    spread=st.sampled_from([None, 1e-2, 1e-3, 1e-5]),
    lengths=st.sampled_from([1.0, 1e-30, 1e30]),
    copies=st.sampled_from([0, 60]),
    unusable=st.sampled_from([0, 5]),
    query=queries(),
    semantics=st.sampled_from(BOUNDED),
    k=st.integers(1, 140),
)
def test_answers_are_those_without_a_device(
    device, seed, count, dimension, spread, lengths, copies, unusable, query, semantics, k
):
    rng = np.random.default_rng(seed)
    copies, unusable = min(copies, count), min(unusable, count)
    vectors = random_vectors(rng, count, dimension, copies=copies, unusable=unusable, unit=False)
    if spread is not None:  # near copies of one document
        vectors = np.where(vectors.any(axis=1, keepdims=True), rng.normal(size=dimension) + spread * vectors, vectors)
    vectors = vectors * np.where(rng.random(count) < 0.5, lengths, 1.0)[:, None]
    without, having = pair(vectors.astype(np.float32), device)
    terms = random_terms(rng, dimension)
    expected, _ = answers(without, terms, query, semantics, k=k)
    found, said = answers(having, terms, query, semantics, k=k)
    assert found == expected  # documents, scores and cosines to the last digit
    assert said == f"{having._data.on_device._store.device.label}, in float16"


@pytest.mark.parametrize("name", ["product", "calibrated", "itlr"])
def test_a_store_of_many_blocks_is_compared_seldom_twice(rng, monkeypatch, name):
    monkeypatch.setattr(blocks, "BLOCK", 4096)
    monkeypatch.setattr(blocks, "PIECE", 512)
    monkeypatch.setattr(on_device, "PIECE", 8192)
    monkeypatch.setattr(on_device, "_STEP", 1 << 20)
    compared = []
    monkeypatch.setattr(blocks, "precise_cosines", lambda *a: compared.append(len(a[1])) or precise_cosines(*a))
    without, having = pair(random_vectors(rng, 30_000, 64))
    terms = random_terms(rng, 64)
    expected, _ = answers(without, terms, semantics=name, k=10)
    usual = sum(compared)
    compared.clear()
    assert answers(having, terms, semantics=name, k=10) == (expected, "cpu, in float16")
    assert sum(compared) < 2 * usual + 500


def test_near_copies_are_compared_by_their_vectors(rng, monkeypatch):
    """Halves cannot tell them apart: the rest of the scan does without them."""
    monkeypatch.setattr(blocks, "BLOCK", 500)
    monkeypatch.setattr(blocks, "PIECE", 50)
    compared = []
    monkeypatch.setattr(blocks, "precise_cosines", lambda *a: compared.append(len(a[1])) or precise_cosines(*a))
    without, having = pair((rng.normal(size=384) + 1e-3 * rng.normal(size=(4000, 384))).astype(np.float32))
    terms = random_terms(rng, 384)
    expected, _ = answers(without, terms, k=5)
    usual = sum(compared)
    compared.clear()
    assert answers(having, terms, k=5) == (expected, "cpu, in float16")
    assert sum(compared) < 2 * usual + 500


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dimension", [1, 3, 384, 4096])
@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_cosines_are_no_further_off_than_said(rng, device, dimension, shift):
    vectors = (rng.normal(size=(300, dimension)) + shift).astype(np.float32)
    vectors[:9] *= np.float32([[1e-30], [1e30], [0], [np.nan], [np.inf], [1], [1e-38], [1e38 / 20 / dimension], [1]])
    vectors[5, 1:] = 1e-4 * vectors[5, 1:]  # below what halves have in full
    with np.errstate(invalid="ignore"):
        vectors[8] = unit(vectors[8:9])[0] * 65504
    texts, scales = unit(rng.normal(size=(5, dimension)) + shift), prepare(vectors)
    found = Device(device, "a test").hold(vectors, scales).compare(texts)
    off = np.abs(found.cosines - precise_cosines(texts, vectors))
    assert (off <= found.errors).all()
    assert dimension == 1 or off.max() > 0.0
    assert found.errors.max() < 3e-3
    assert not found.cosines[:, 2:5].any()  # zeros, and what is not finite


@pytest.mark.parametrize("device", DEVICES)
def test_what_is_added_and_deleted_is_followed(rng, device):
    dimension, terms = 24, random_terms(rng, 24)
    without, having = pair(random_vectors(rng, 100, dimension), device)
    row = 100
    for step in range(12):
        if step % 3 < 2:
            count = int(rng.integers(1, 60))
            vectors = random_vectors(rng, count, dimension, copies=count // 3)
            for store in (without, having):
                store.add(documents(row + count, row), vectors)
            row += count
        else:
            gone = rng.choice(np.array(without._data.ids), 30, replace=False).tolist()
            for store in (without, having):
                store.delete(gone)
        if step != 7:  # a content that nobody searched
            expected, _ = answers(without, terms, k=20)
            found, said = answers(having, terms, k=20)
            assert found == expected
            assert said.endswith("in float16")
    for store in (without, having):
        store.delete(list(store._data.ids))
        store.add(documents(9), random_vectors(np.random.default_rng(1), 9, 5))  # of another encoder
    assert answers(having, random_terms(np.random.default_rng(2), 5))[0].candidates == 9


def test_only_pieces_that_change_are_copied_again(rng):
    store, terms = InMemoryStore(documents(100), random_vectors(rng, 100), device="cpu"), random_terms(rng)
    pieces = []

    def search():
        find(QUERY, store, terms)
        pieces.append(store._data.on_device._held.pieces)

    search()
    store.add(documents(140, 100), random_vectors(rng, 40))
    search()
    store.delete([store._data.ids[70]])
    search()
    assert [len(one) for one in pieces] == [4, 5, 5]
    assert [one is other for one, other in zip(*pieces[:2], strict=False)] == [True, True, True, False]
    assert [one is other for one, other in zip(*pieces[1:], strict=True)] == [True, True, False, False, False]


def test_a_filter_and_a_plain_search_do_without_it(rng):
    without, having = pair(random_vectors(rng, 100, 24))
    terms = random_terms(rng, 24)

    def even(document):
        return document.metadata["even"]

    assert answers(having, terms, filter=even) == answers(without, terms, filter=even)
    rows = np.stack(list(terms.values()))
    assert having.search(rows, 9) == without.search(rows, 9)


def test_retrievers_and_threads_share_one_copy(rng, monkeypatch):
    made = []
    hold = Device.hold
    monkeypatch.setattr(Device, "hold", lambda *a: made.append(a) or hold(*a))
    without, having = pair(random_vectors(rng, 300, 24))
    terms = random_terms(rng, 24)
    expected, _ = answers(without, terms)
    found = []
    threads = [threading.Thread(target=lambda: found.append(answers(having, terms))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(expected, "cpu, in float16")] * 8
    assert len(made) == 1


def retriever(semantics="calibrated", **extra):
    texts, embedder = [f"{word} {i}" for i in range(60) for word in ("tea", "coffee", "garden")], HashingEmbedder()
    vectors = embedder.embed_documents(texts)
    store = InMemoryStore([StoredDocument(str(i), text) for i, text in enumerate(texts)], vectors, **extra)
    return LogicalRetriever(store, embedder, semantics=semantics, k=5)


ASKED = ['"tea 1" AND NOT "coffee"', '"garden 7"', '"coffee 3" OR "tea 9"', 'NOT "tea"']


def test_many_questions_are_one_product(monkeypatch):
    products = []
    compare = Device.compare
    monkeypatch.setattr(
        Device, "compare", lambda self, held, texts: products.append(len(texts)) or compare(self, held, texts)
    )
    having, queries = retriever(device="cpu"), [parse(text) for text in ASKED]
    alone = [having.search(query) for query in queries]
    assert len(products) == len(queries)
    products.clear()
    together = having.search_many(queries)
    assert len(products) == 1
    for one, other, without in zip(alone, together, retriever().search_many(queries), strict=True):
        assert one.documents == other.documents == without.documents
        assert one.plan == other.plan
        assert str(other.plan).endswith("device    cpu, in float16")


def test_a_semantics_that_compares_documents_does_without_it():
    found, expected = (retriever("nsfl", **extra).search(parse(ASKED[0])) for extra in ({"device": "cpu"}, {}))
    assert found.documents == expected.documents
    assert found.plan.device is None


def test_without_torch_the_package_is_named(monkeypatch):
    def refuse(name, *rest):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", refuse)
    with pytest.raises(MissingPackageError, match=r"InMemoryStore\(device='cuda'\) needs a package") as caught:
        InMemoryStore(device="cuda")
    assert caught.value.install == 'pip install "logical-retriever[gpu]"'


@pytest.mark.parametrize("device", ["nonsense", "", "meta", "cuda:99", "mps" if sys.platform != "darwin" else "hip"])
def test_a_device_that_torch_cannot_use_is_refused(device):
    with pytest.raises(InvalidArgumentError, match="cannot use this device") as caught:
        InMemoryStore(device=device)
    assert "leave device out" in caught.value.hint


@pytest.mark.parametrize("device", [0, torch.device("cpu"), ["cpu"]])
def test_a_device_is_told_by_its_name(device):
    with pytest.raises(InvalidArgumentError, match="must be the name of a device"):
        InMemoryStore(device=device)


def exhausted(*arguments, **settings):
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 1.00 GiB. Of that, none.")


REASON = "the processor, because cpu is out of memory (CUDA out of memory: Tried to allocate 2.00 GiB)"


def test_without_memory_for_the_copy_the_processor_compares(rng, monkeypatch):
    without, having = pair(random_vectors(rng, 200, 24))
    terms = random_terms(rng, 24)
    expected, _ = answers(without, terms)
    with monkeypatch.context() as patched:
        patched.setattr(torch, "empty", exhausted)
        with pytest.warns(
            DeviceWarning, match="All vectors are compared by the processor, because cpu is out of"
        ) as told:
            assert answers(having, terms) == (expected, REASON)
        assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert answers(having, terms) == (expected, REASON)  # not copied anew for each search, and warned of once
        having.add(documents(201, 200), random_vectors(rng, 1, 24))
        assert answers(having, terms)[1] == "cpu, in float16"


def test_without_memory_for_the_products_the_processor_compares(monkeypatch):
    having, queries = retriever(device="cpu"), [parse(text) for text in ASKED]
    expected = [result.documents for result in retriever().search_many(queries)]
    with monkeypatch.context() as patched:
        patched.setattr(torch, "cat", exhausted)
        with pytest.warns(DeviceWarning) as told:
            results = having.search_many(queries)
    assert len(told) == 1
    assert [result.documents for result in results] == expected
    assert {result.plan.device for result in results} == {REASON}
    assert [having.search(query).plan.device for query in queries] == ["cpu, in float16"] * 4


def test_a_device_that_fails_in_another_way_is_done_without(rng, monkeypatch):
    def broken(*arguments, **settings):
        raise RuntimeError("CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be ...")

    without, having = pair(random_vectors(rng, 50, 24))
    terms = random_terms(rng, 24)
    monkeypatch.setattr(torch, "cat", broken)
    with pytest.warns(DeviceWarning, match="an illegal memory access was encountered"):
        assert answers(having, terms)[0] == answers(without, terms)[0]


@pytest.mark.parametrize("spoil", ["bfloat16", "nan"])
def test_a_device_that_computes_less_precisely_is_done_without(rng, monkeypatch, spoil):
    products = Device._piece_products

    def spoiled(self, texts, piece):
        if spoil == "nan":
            return products(self, texts, piece) * torch.nan
        return (texts.bfloat16() @ piece.bfloat16().t()).float()

    without, having = pair(random_vectors(rng, 200, 384))
    terms = random_terms(rng, 384)
    monkeypatch.setattr(Device, "_piece_products", spoiled)
    with pytest.warns(DeviceWarning, match="less precisely"):
        found, said = answers(having, terms)
    assert found == answers(without, terms)[0]
    assert said == "the processor, because cpu computes less precisely than sums of float32"


LIMITED = """
import resource, sys, warnings
import numpy as np
from logical_retriever.query import parse
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing.searching import find

rng = np.random.default_rng(0)
vectors = rng.normal(size=(60_000, 768)).astype(np.float32)
documents = [StoredDocument(str(i), "") for i in range(len(vectors))]
terms = dict(zip("ab", rng.normal(size=(2, 768)).astype(np.float32)))
query = parse('"a" AND NOT "b"')
expected = find(query, InMemoryStore(documents, vectors), terms, "product")
store = InMemoryStore(documents, vectors, device="cpu")
find(query, InMemoryStore(documents[:10], vectors[:10], device="cpu"), terms, "product")  # what torch itself takes
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 60_000_000,) * 2)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = find(query, store, terms, "product")
assert found.documents == expected.documents
print(found.plan.device, [type(one.message).__name__ for one in told])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process")
def test_memory_that_is_really_not_there():
    """The copy has 92 MB, and the process may take 60 more."""
    ran = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("the processor, because cpu is out of memory (")
    assert ran.stdout.rstrip().endswith("['DeviceWarning']")
