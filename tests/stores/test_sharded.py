"""Shards that disagree: about ids, dimensions, encoders, filters and engines; and their capabilities."""

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import numpy as np
import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.errors import (
    InvalidArgumentError,
    ShardError,
    StoreCapabilityError,
    VectorMismatchError,
)
from logical_retriever.stores import (
    Capabilities,
    DuckDBStore,
    InMemoryStore,
    ShardedId,
    ShardedStore,
    StoredDocument,
    WordQuery,
)
from logical_retriever.stores.shards import shares, weakest
from logical_retriever.testing import HashingEmbedder
from logical_retriever.testing.store_wrappers import WithoutScan

EMBEDDER = HashingEmbedder(32)
TEXTS = ("green tea and health", "green tea and brewing", "black coffee and health", "cold coffee and sleep")


def shard(texts, ids=None, embedder=EMBEDDER):
    documents = [StoredDocument(id, text) for id, text in zip(ids or texts, texts, strict=True)]
    return InMemoryStore(documents, embedder.embed_documents(list(texts)) if texts else ())


def test_answers_are_those_of_one_store_with_all_documents():
    sharded = LogicalRetriever(ShardedStore([shard(TEXTS[:1]), shard(()), shard(TEXTS[1:])]), EMBEDDER, k=3)
    whole = LogicalRetriever(shard(TEXTS), EMBEDDER, k=3)
    for question in ("green tea, excluding brewing", "coffee but nothing about sleep", "health"):
        found, expected = sharded.search(sharded.transformer.transform(question)), whole.retrieve(question)
        assert [document.text for document in found.documents] == [document.text for document in expected]
        assert [d.score for d in found.documents] == pytest.approx([d.score for d in expected], abs=1e-6)
        assert found.exact


@pytest.mark.parametrize("hidden", [False, True], ids=["by scan", "by lists"])
def test_one_id_in_two_shards_is_refused(hidden):
    stores = [shard(TEXTS[:2], ["a", "b"]), shard(TEXTS[2:], ["c", "a"])]
    sharded = ShardedStore([WithoutScan(store) if hidden else store for store in stores])
    with pytest.raises(ShardError, match="Shards 1 and 2 of 2 both have a document 'a'") as caught:
        LogicalRetriever(sharded, EMBEDDER, k=4).retrieve("tea")
    assert caught.value.shards == (1, 2)
    with pytest.raises(ShardError):
        sharded.fetch(["a"])
    assert sharded.fetch(["b", "c", "nowhere"]).ids == ("b", "c")


@pytest.mark.parametrize("hidden", [False, True], ids=["by scan", "by lists"])
def test_qualified_ids_tell_documents_of_one_id_apart(hidden):
    stores = [shard(TEXTS[:2], ["a", 1]), shard(TEXTS[2:], ["a", "b"])]
    sharded = ShardedStore([WithoutScan(store) if hidden else store for store in stores], ids="qualified")
    answer = LogicalRetriever(sharded, EMBEDDER, k=4, drop_excluded=False).retrieve("green tea, excluding brewing")
    assert {document.id: document.text for document in answer} == {
        ShardedId(1, "a"): TEXTS[0],
        ShardedId(1, 1): TEXTS[1],
        ShardedId(2, "a"): TEXTS[2],
        ShardedId(2, "b"): TEXTS[3],
    }
    assert answer[0].id == ShardedId(1, "a")
    assert str(answer[0].id) == "1/a"
    assert sorted([ShardedId(2, 1), ShardedId(1, "b"), ShardedId(2, "a")]) == [
        *(ShardedId(1, "b"), ShardedId(2, 1), ShardedId(2, "a"))
    ]
    assert sharded.fetch([ShardedId(2, "a"), "a", ShardedId(3, "a"), ShardedId(2, 1)]).ids == (ShardedId(2, "a"),)
    assert {document.id for document in sharded.sample(4, 0).documents} == {document.id for document in answer}


def test_ties_over_shards_are_ordered_by_id():
    vectors = np.ones((4, 3), np.float32)
    stores = [InMemoryStore([StoredDocument(id, id) for id in ids], vectors[: len(ids)]) for ids in ("dc", "ba", "")]
    for store in (ShardedStore(stores), ShardedStore([WithoutScan(store) for store in stores])):
        result = LogicalRetriever(store, HashingEmbedder(3), k=3, semantics="itlr").search('"x"')
        if result.exact:
            assert [document.id for document in result.documents] == ["a", "b", "c"]
        assert len(result.documents) == 3


def test_shards_of_several_dimensions_are_refused_by_name():
    other = shard(TEXTS[3:], embedder=HashingEmbedder(16))
    sharded = ShardedStore([shard(TEXTS[:2]), shard(TEXTS[2:3]), other])
    for semantics in ("calibrated", "itlr"):
        with pytest.raises(VectorMismatchError, match=r"Shard 3 of 3 .*dimension 16"):
            LogicalRetriever(sharded, EMBEDDER, semantics=semantics).retrieve("green tea, excluding brewing")
    by_lists = ShardedStore([WithoutScan(store) for store in sharded.shards])
    with pytest.raises(VectorMismatchError, match="Shard 3 of 3"):
        LogicalRetriever(by_lists, EMBEDDER, semantics="itlr").retrieve("green tea, excluding brewing")


def test_vectors_of_another_encoder_are_refused_by_name():
    class Other(HashingEmbedder):
        def embed_documents(self, texts):
            return super().embed_documents([text[::-1] for text in texts])

    stores = [shard(TEXTS[:2]), shard(TEXTS[2:], embedder=Other(32)), shard(())]
    unseen = LogicalRetriever(ShardedStore(stores), EMBEDDER).retrieve("coffee")
    assert len(unseen) == 4
    sharded = ShardedStore(stores, encode=EMBEDDER.embed_documents)
    with pytest.raises(VectorMismatchError, match=r"Shard 2 of 3: .*cosine"):
        LogicalRetriever(sharded, EMBEDDER).retrieve("coffee")
    right = ShardedStore([stores[0], shard(TEXTS[2:])], encode=EMBEDDER.embed_documents)
    assert LogicalRetriever(right, EMBEDDER, k=1).retrieve("cold coffee")[0].text == TEXTS[3]


def test_a_shard_refuses_by_name():
    sharded = ShardedStore([shard(TEXTS[:2]), WithoutScan(shard(TEXTS[2:]))])
    with pytest.raises(StoreCapabilityError, match="Shard 2 of 2: "):
        list(sharded.scan())
    with pytest.raises(StoreCapabilityError, match="Shard 1 of 2: Its engine computes no scores"):
        LogicalRetriever(sharded, EMBEDDER, pushdown="always").retrieve("tea, not coffee")


def test_words_are_weighed_by_how_rare_they_are_everywhere():
    common = [f"plum jam {i}" for i in range(5)]
    sharded = ShardedStore([shard(common), shard(["a quince", "plum and quince"]), shard(("bread",))])
    query = WordQuery(("quince", "plum"), np.ones(32, np.float32), (3.0, 0.5))
    assert sharded.search_words([query], 3) == [["plum and quince", "a quince", "plum jam 0"]]
    assert sharded.search_words([query, WordQuery(("bread",), query.vector)], 1) == [["plum and quince"], ["bread"]]


def test_capabilities_are_those_of_the_weakest():
    strong = InMemoryStore.capabilities
    weak = replace(
        strong, name="Weak", exact_search=False, max_results=10, words=None, filters=False, conditions=frozenset("=<")
    )
    both = weakest([strong, weak, replace(strong, max_results=50)])
    assert both == replace(weak, name="3 shards of InMemoryStore and Weak")
    assert weakest([strong, strong]).words == strong.words
    assert isinstance(ShardedStore.capabilities, Capabilities)
    assert not ShardedStore([shard(TEXTS), WithoutScan(shard(()))]).capabilities.scan


def test_samples_are_of_every_shard_by_its_size():
    stores = [shard([f"{name} {i}" for i in range(size)]) for name, size in (("x", 300), ("y", 90), ("z", 10))]
    drawn = ShardedStore([*stores, shard(())]).sample(40, 7)
    names = [document.text[0] for document in drawn.documents]
    assert [names.count(name) for name in "xyz"] == [30, 9, 1]
    assert {"x", "y"} <= set(names[:16])
    assert drawn.ids == ShardedStore([*stores, shard(())]).sample(40, 7).ids
    assert shares([3, 2], 100) == [3, 2]
    assert shares([0, 0], 5) == [0, 0]
    assert sum(shares([None, 7, 1], 5)) == 5


def test_a_scan_that_fails_in_the_middle_is_never_taken_for_complete():
    class Breaking(InMemoryStore):
        def scan(self, filter=None) -> Iterator:
            for batch in super().scan(filter):
                yield batch
                raise ConnectionError("it broke off")

    documents = [StoredDocument(text, text) for text in TEXTS]
    broken = Breaking(documents[:2], EMBEDDER.embed_documents(list(TEXTS[:2])))
    sharded = ShardedStore([broken, shard(TEXTS[2:])])
    result = LogicalRetriever(sharded, EMBEDDER, k=4).search('"tea" AND NOT "brewing"')
    assert not result.exact
    assert not result.proved
    assert result.completeness.startswith("approximate: shard 1 of 2, 2 documents when last counted, did not answer")
    assert "ConnectionError: it broke off" in result.reason
    with pytest.raises(ShardError, match="Shard 1 of 2"):
        list(sharded.scan())


@pytest.mark.parametrize("wrong", [[], None, "ab", [object()]])
def test_shards_are_a_list_of_stores(wrong):
    with pytest.raises(InvalidArgumentError):
        ShardedStore(wrong)


def test_other_bad_arguments():
    store = shard(TEXTS)
    for arguments in ({"timeout": 0}, {"timeout": float("nan")}, {"timeout": "1"}, {"ids": "any"}):
        with pytest.raises(InvalidArgumentError):
            ShardedStore([store], **arguments)
    with pytest.raises(InvalidArgumentError, match="two shards"):
        ShardedStore([store, store])


def table(connection, name, texts, **columns):
    connection.execute(f"CREATE TABLE {name} (id VARCHAR, text VARCHAR, vector FLOAT[32])")
    rows = zip(EMBEDDER.embed_documents(texts).tolist(), texts, strict=True)
    connection.executemany(
        f"INSERT INTO {name} VALUES (?, ?, ?)", [[f"{name}{i}", t, v] for i, (v, t) in enumerate(rows)]
    )
    return DuckDBStore.from_table(connection, name, **columns)


def test_ties_that_one_engine_cut_are_not_excused_by_another_shard():
    with duckdb.connect() as connection:
        alike = table(connection, "a", ["green tea"] * 40)
        others = table(connection, "b", [f"coffee {i}" for i in range(40)])
        sharded = ShardedStore([alike, others])
        retriever = LogicalRetriever(sharded, EMBEDDER, k=5, semantics="product", pushdown="always")
        result = retriever.search('"green tea" AND NOT "coffee"')
        assert "roundings" in result.reason
        assert not result.exact
        assert "to each of 2 shards" in str(result.plan)
        sharded = ShardedStore([table(connection, "c", [f"green tea {i}" for i in range(40)]), others])
        few = LogicalRetriever(sharded, EMBEDDER, k=5, semantics="product", pushdown="always")
        assert {d.id[0] for d in few.search('"green tea" AND NOT "coffee"').documents} == {"c"}


def test_shards_whose_engines_differ_are_scored_here():
    with duckdb.connect() as connection:
        stores = [table(connection, name, [text], unit=name == "a") for name, text in zip("ab", TEXTS, strict=False)]
        retriever = LogicalRetriever(ShardedStore(stores), EMBEDDER, k=1)
        assert retriever.retrieve("green tea, excluding brewing")[0].text == TEXTS[0]
        with pytest.raises(StoreCapabilityError, match="not told a query in the same way"):
            retriever.but(pushdown="always").retrieve("green tea, excluding brewing")


def test_a_filter_goes_to_every_shard_and_conditions_to_each_in_its_own_language():
    years = [StoredDocument(f"m{i}", "green tea", {"year": 2000 + i}) for i in range(6)]
    vectors = EMBEDDER.embed_documents(["green tea"] * 6)
    stores = [InMemoryStore(years[:4], vectors[:4]), InMemoryStore(years[4:], vectors[4:])]
    retriever = LogicalRetriever(ShardedStore(stores), EMBEDDER, k=6)
    result = retriever.search('"green tea" AND [year >= 2003]', filter=lambda document: document.id != "m4")
    assert {document.id for document in result.documents} == {"m3", "m5"}
    assert result.exact
    assert result.plan.told == "[year >= 2003]"
