"""Index nodes are replaced by what they stand for, with the relevance they were found with."""

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import IndexNode, NodeWithScore, TextNode
from recorded_reader import RecordedReader

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever.search.statistics import sentences

VECTORS = {"wanted": [1.0, 0.0, 0.0], "unwanted": [0.0, 1.0, 0.0], "A": [1.0, 0.0, 0.0], "B": [0.0, 1.0, 0.0]}
GIVEN = {**VECTORS, **{text: [0.0, 0.0, 1.0] for text in sentences()}}
"""With sentences about other subjects, which the statistics of a small store need."""
QUERY_NODES = {"wanted": 0.999, "unwanted": 0.001}
"""Their relevance: truth values of 1 and 0, a thousandth from the ends."""


@pytest.fixture
def make(given):
    """A retriever over index nodes that stand for objects, and what they stand for."""

    def make_(objects, **arguments):
        nodes = [
            IndexNode(id_=name, text=name, index_id=f"{name}-object", embedding=VECTORS[name], obj=objects.get(name))
            for name in QUERY_NODES
        ]
        index = VectorStoreIndex(nodes=[], objects=nodes, embed_model=given(GIVEN))
        return LogicalRetriever.from_index(index, similarity_top_k=2, **BOTH, **arguments)

    return make_


BOTH = {"transformer": RecordedReader({"?": "A AND NOT B"}), "semantics": "product", "exclusion": "rank"}


async def both_ways(retriever):
    here, there = retriever.retrieve("?"), await retriever.aretrieve("?")
    assert [(n.node_id, n.score) for n in here] == [(n.node_id, n.score) for n in there]
    return here


async def test_an_index_node_scored_zero_is_not_taken_for_certain(make):
    objects = {name: TextNode(id_=f"{name}-full", text=f"all of {name}") for name in QUERY_NODES}
    found = await both_ways(make(objects))
    assert {n.node_id: n.score for n in found} == pytest.approx({"wanted-full": 0.999, "unwanted-full": 0.001})
    assert all(node.metadata == {} for node in objects.values())


async def test_an_object_can_be_a_retriever_or_a_scored_node(make, given):
    node = TextNode(id_="inner", text="wanted", embedding=VECTORS["wanted"])
    inner = LogicalRetriever.from_index(VectorStoreIndex([node], embed_model=given(GIVEN)), **BOTH)
    scored = NodeWithScore(node=TextNode(id_="scored", text="x"), score=0.25)
    found = await both_ways(make({"wanted": inner, "unwanted": scored}))
    assert {n.node_id: n.score for n in found} == pytest.approx({"inner": 0.999, "scored": 0.25})


async def test_an_index_node_without_its_object_is_returned_itself(make):
    found = await both_ways(make({}, object_map={"wanted-object": TextNode(id_="mapped", text="x")}))
    assert {n.node_id: n.score for n in found} == pytest.approx({"mapped": 0.999, "unwanted": 0.001})


async def test_nodes_that_stand_for_one_object_give_it_once(make):
    shared = TextNode(id_="shared", text="x")
    found = await both_ways(make({"wanted": shared, "unwanted": shared}))
    assert {n.node_id: n.score for n in found} == pytest.approx({"shared": 0.999})
