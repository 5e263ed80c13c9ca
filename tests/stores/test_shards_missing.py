"""Shards in processes of their own that are killed, stopped, late and replaced: an answer says what is missing."""

import random
import threading
import time
from contextlib import ExitStack

import numpy as np
import pytest
from served_store import served

from logical_retriever import LogicalRetriever
from logical_retriever.errors import SemanticsError, ShardError
from logical_retriever.search import statistics
from logical_retriever.semantics import NsflSemantics
from logical_retriever.stores import InMemoryStore, ShardedStore, StoredDocument
from logical_retriever.stores.timed import MOST_LATE
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.store_wrappers import SlowStore, WithoutScan

EMBEDDER = HashingEmbedder(32)
SUBJECTS = ("green tea", "black coffee", "orange juice", "cold water", "warm milk")
DOCUMENTS = [
    StoredDocument(f"d{i:03}", f"{SUBJECTS[i % 5]} and {word} {i}")
    for i, word in enumerate(("health", "brewing", "sleep", "trade", "taste", "history", "price") * 40)
]
VECTORS = EMBEDDER.embed_documents([document.text for document in DOCUMENTS])
QUERY = '"green tea" AND NOT "brewing"'
TIMEOUT = 1.0
MOST_SECONDS = 10 * TIMEOUT
"""Nothing is measured here: a search that hangs is told from one that a busy machine delays."""


@pytest.fixture
def shards():
    """Four shards, three of them other processes."""
    with ExitStack() as stack:
        yield [
            InMemoryStore(DOCUMENTS[0::4], VECTORS[0::4]),
            *(stack.enter_context(served(DOCUMENTS[i::4], VECTORS[i::4])) for i in (1, 2, 3)),
        ]


def over(store, **settings):
    return LogicalRetriever(store, EMBEDDER, k=5, **settings)


def whole():
    return [d.id for d in over(InMemoryStore(DOCUMENTS, VECTORS)).search(QUERY).documents]


def without(part):
    rows = [i for i in range(len(DOCUMENTS)) if i % 4 != part]
    return {DOCUMENTS[i].id for i in rows}


def test_all_answer(shards):
    for store in (ShardedStore(shards), ShardedStore([WithoutScan(shard) for shard in shards])):
        result = over(store, evidence="dense").search(QUERY)
        expected = over(InMemoryStore(DOCUMENTS, VECTORS), evidence="dense").search(QUERY)
        assert result.exact
        assert [d.id for d in result.documents] == [d.id for d in expected.documents]
    assert [d.id for d in over(ShardedStore(shards)).search(QUERY).documents] == whole()


@pytest.mark.parametrize("lists", [False, True], ids=["by scan", "by lists"])
def test_a_killed_shard_is_named_with_what_it_could_have_held(shards, lists):
    store = ShardedStore([WithoutScan(shard) for shard in shards] if lists else shards, timeout=TIMEOUT)
    retriever = over(store)
    before = retriever.search(QUERY)
    shards[2].kill()
    result = retriever.search(QUERY)
    assert (result.exact, result.proved) == (False, False)
    assert "shard 3 of 4, 70 documents when last counted, did not answer (ConnectionRefusedError" in result.reason
    assert "may score up to" in result.reason
    assert result.bound is not None
    assert result.bound >= before.documents[0].score
    assert result.gap == pytest.approx(result.bound - result.documents[-1].score)
    found = {document.id for document in result.documents}
    assert found <= without(2)
    assert found >= {d.id for d in before.documents} & without(2)
    # Scored by the statistics of all shards, as before.
    scores = {d.id: d.score for d in before.documents}
    assert all(scores.get(d.id, d.score) == pytest.approx(d.score) for d in result.documents)
    assert "shard 3 of 4" in str(retriever.explain(QUERY))


def test_a_shard_that_was_never_heard_is_named(shards):
    shards[1].kill()
    result = over(ShardedStore(shards)).search(QUERY)
    assert result.reason.startswith("shard 2 of 4 did not answer (ConnectionRefusedError")
    assert {document.id for document in result.documents} <= without(1)


async def test_the_asynchronous_way_says_the_same(shards):
    shards[1].kill()
    result = await over(ShardedStore(shards)).asearch(QUERY)
    assert result.reason.startswith("shard 2 of 4 did not answer (ConnectionRefusedError")


def test_all_are_required_or_none_is_left(shards):
    shards[3].kill()
    with pytest.raises(ShardError, match="Shard 4 of 4") as caught:
        over(ShardedStore(shards, require_all=True)).search(QUERY)
    assert caught.value.shards == (4,)
    assert "require_all=False" in caught.value.hint
    for shard in shards[1:3]:
        shard.kill()
    with pytest.raises(ShardError, match="Shard 1 of 3 did not answer") as caught:
        over(ShardedStore(shards[1:])).search(QUERY)
    assert caught.value.shards == (1, 2, 3)


def test_outside_a_search_nobody_could_be_told(shards):
    store = ShardedStore(shards)
    shards[1].kill()
    for asked in (store.count, lambda: store.search(VECTORS[:1], 3), lambda: store.fetch(["d001"])):
        with pytest.raises(ShardError, match="Shard 2 of 4"):
            asked()


def test_a_shard_that_hangs_is_waited_for_once_in_a_search(shards):
    store = ShardedStore(shards, timeout=TIMEOUT)
    retriever = over(store)
    assert retriever.search(QUERY).reason
    shards[2].stop()
    started = time.monotonic()
    for _ in range(2):
        result = retriever.search(QUERY)
        assert "did not answer (no answer within 1 s)" in result.reason
    assert time.monotonic() - started < MOST_SECONDS
    shards[2].go_on()
    assert [d.id for d in retriever.search(QUERY).documents] == whole()


def test_a_late_answer_is_no_answer_and_the_next_one_counts():
    late = SlowStore(InMemoryStore(DOCUMENTS[1::2], VECTORS[1::2]), seconds=2.0)
    sharded = ShardedStore([InMemoryStore(DOCUMENTS[0::2], VECTORS[0::2]), late], timeout=0.5)
    retriever = over(WithoutScan(sharded), semantics="product")
    result = retriever.search(QUERY)
    assert "shard 2 of 2, 140 documents when last counted, did not answer (no answer within 0.5 s)" in result.reason
    late.seconds = 0.0
    assert retriever.search(QUERY).exact


def test_a_shard_that_never_answers_does_not_collect_threads(shards):
    shards[1].stop()
    # Long enough for the others on a busy machine; one that hangs is waited for eight times at most.
    retriever = over(ShardedStore(shards, timeout=0.5), semantics="product")
    before = threading.active_count()
    reasons = [retriever.search(QUERY).reason for _ in range(3 * MOST_LATE)]
    assert threading.active_count() <= before + 2 * MOST_LATE  # and a few that are about to end
    assert f"{MOST_LATE} earlier requests are still without an answer" in reasons[-1]
    shards[1].go_on()


def test_a_failure_that_passes_is_repeated():
    class Failing(InMemoryStore):
        failures = 0

        def fetch(self, ids):
            self.failures += 1
            if self.failures % 2:
                raise ConnectionResetError("once")
            return super().fetch(ids)

    store = Failing(DOCUMENTS, VECTORS)
    assert over(ShardedStore([store]), semantics="product").search(QUERY).exact
    assert store.failures


def test_a_semantics_that_compares_documents_refuses(shards):
    retriever = over(ShardedStore(shards), semantics=NsflSemantics())
    expected = over(InMemoryStore(DOCUMENTS, VECTORS), semantics=NsflSemantics()).search(QUERY)
    found = retriever.search(QUERY)
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]
    shards[2].kill()
    with pytest.raises(SemanticsError, match=r"'nsfl' may depend on all documents.*shard 3 of 4"):
        retriever.search(QUERY)


def test_a_shard_whose_documents_were_replaced_has_its_statistics_taken_again(monkeypatch):
    monkeypatch.setattr(statistics, "CHEAP", 60.0)  # the sampled documents are looked at in every search
    changed = [StoredDocument(d.id, f"iron and steel {d.id}") for d in DOCUMENTS[1::2]]
    vectors = EMBEDDER.embed_documents([document.text for document in changed])
    drifting = InMemoryStore(DOCUMENTS[1::2], VECTORS[1::2])
    retriever = over(ShardedStore([InMemoryStore(DOCUMENTS[0::2], VECTORS[0::2]), drifting]))
    assert retriever.search(QUERY).exact
    drifting.delete([document.id for document in changed])
    drifting.add(changed, vectors)
    found = retriever.search(QUERY)
    all_vectors = np.concatenate([VECTORS[0::2], vectors])
    expected = over(InMemoryStore([*DOCUMENTS[0::2], *changed], all_vectors)).search(QUERY)
    assert found.exact
    assert [d.id for d in found.documents] == [d.id for d in expected.documents]
    assert [d.score for d in found.documents] == pytest.approx([d.score for d in expected.documents])


@pytest.mark.parametrize("lists", [False, True], ids=["by scan", "by lists"])
def test_killed_at_random_moments_no_answer_is_wrongly_exact(lists):
    chance, heard = random.Random(3), 0
    whole = over(InMemoryStore(DOCUMENTS, VECTORS), evidence="dense").search(QUERY).documents
    for _ in range(10):
        part = 1 + chance.randrange(3)
        with served(DOCUMENTS[part::4], VECTORS[part::4]) as mortal:
            rest = [InMemoryStore(DOCUMENTS[i::4], VECTORS[i::4]) for i in range(4) if i != part]
            shards = [*rest[:part], mortal, *rest[part:]]
            store = ShardedStore([WithoutScan(shard) for shard in shards] if lists else shards, timeout=TIMEOUT)
            retriever = over(store, evidence="dense", fetch_k=10)
            assert retriever.search(QUERY).exact
            before = time.monotonic()
            assert retriever.search(QUERY).exact
            started = time.monotonic()
            killing = threading.Timer(chance.uniform(0.0, 4.0 * (started - before)), mortal.kill)
            killing.start()
            result = retriever.search(QUERY)
            while result.exact:
                heard += 1
                assert [d.id for d in result.documents] == [d.id for d in whole]
                result = retriever.search(QUERY)
            assert f"shard {part + 1} of 4" in result.reason
            assert time.monotonic() - started < MOST_SECONDS
            killing.join()
    assert heard


def test_a_list_of_what_fulfils_conditions_names_it_as_well(shards):
    documents = [StoredDocument(f"m{i}", "milk", {"year": 2000 + i}) for i in range(10)]
    store = ShardedStore([InMemoryStore(documents, VECTORS[:10]), *shards[1:]])
    retriever = over(store)
    result = retriever.search("[year >= 2008]")
    assert (result.exact, [d.id for d in result.documents]) == (True, ["m8", "m9"])
    shards[2].kill()
    for query in ("[year >= 2008]", '"milk" AND [year >= 2008]'):
        result = retriever.search(query)
        assert {d.id for d in result.documents} == {"m8", "m9"}
        assert not result.exact
        assert "shard 3 of 4" in result.reason
