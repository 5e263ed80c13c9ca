"""The habits of ``as_retriever(vector_store_query_mode="mmr", ...)``."""

from __future__ import annotations

import copy

import pytest
from llama_index.core.schema import TextNode

from llama_index.retrievers.logical import LogicalRetriever, create_logical_search_tool
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits other than bone health"
TEXTS = {
    "mood": "vitamin D benefits for mood",
    "mood again": "vitamin D benefits for the mood",
    "immune": "vitamin D benefits for immunity of children",
    "bone": "vitamin D benefits for bone health",
    "tea": "green tea and brewing water",
}
MMR = {"vector_store_query_mode": "mmr", "vector_store_kwargs": {"mmr_threshold": 0.3, "mmr_prefetch_k": 3}}


@pytest.fixture
def index(make_index):
    return make_index("simple", [TextNode(id_=id, text=text) for id, text in TEXTS.items()])


def ids(nodes):
    return [node.node_id for node in nodes]


async def test_diverse_nodes_and_none_that_is_excluded(index):
    plain = LogicalRetriever.from_index(index, similarity_top_k=2)
    diverse = LogicalRetriever.from_index(index, similarity_top_k=2, **MMR)
    assert set(ids(plain.retrieve(QUESTION))) == {"mood", "mood again"}
    for found in (diverse.retrieve(QUESTION), await diverse.aretrieve(QUESTION)):
        assert ids(found) == [ids(plain.retrieve(QUESTION))[0], "immune"]
    assert ids(copy.deepcopy(diverse).retrieve(QUESTION))[1] == "immune"
    tool = create_logical_search_tool(diverse)
    found = tool.call(all_of=["vitamin D benefits"], none_of=["bone health"]).raw_output
    assert ids(found)[1] == "immune"
    diverse.similarity_top_k = 9
    assert "bone" not in ids(diverse.retrieve(QUESTION))


def test_nodes_are_chosen_out_of_as_many_as_the_factor_says(index):
    factor = {"vector_store_query_mode": "mmr", "vector_store_kwargs": {"mmr_threshold": 0.3, "mmr_prefetch_factor": 1}}
    plain = LogicalRetriever.from_index(index, similarity_top_k=2)
    one = LogicalRetriever.from_index(index, similarity_top_k=2, **factor)
    assert set(ids(one.retrieve(QUESTION))) == set(ids(plain.retrieve(QUESTION)))


@pytest.mark.parametrize(
    ("mode", "kwargs", "match"),
    [
        ("sparse", None, "vector_store_query_mode is 'sparse'"),
        ("default", {"mmr_threshold": 0.5}, "which the mode 'default' does not take"),
        ("mmr", {"alpha": 0.5}, "has 'alpha'"),
        ("mmr", {"mmr_threshold": 1.5}, "mmr_threshold must be a number from 0 to 1"),
        ("mmr", {"mmr_threshold": None}, "mmr_threshold must be"),
        ("mmr", {"mmr_prefetch_k": 0}, "mmr_prefetch_k must be an integer"),
        ("mmr", {"mmr_prefetch_factor": "4"}, "mmr_prefetch_factor must be an integer"),
        ("mmr", {"mmr_prefetch_factor": 4, "mmr_prefetch_k": 9}, "Keep one of the two"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_made(index, mode, kwargs, match):
    with pytest.raises(InvalidArgumentError, match=match):
        LogicalRetriever.from_index(index, vector_store_query_mode=mode, vector_store_kwargs=kwargs)
