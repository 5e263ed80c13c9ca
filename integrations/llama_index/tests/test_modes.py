"""Search with one optimised vector, through LlamaIndex."""

import pytest
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.semantics.nsfl import NsflSemantics

QUESTION = "vitamin D benefits, excluding bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


@pytest.mark.parametrize("mode", ["sqo", "deo"])
@pytest.mark.parametrize("semantics", ["calibrated", "product"])
async def test_one_vector_finds_what_is_wanted(index, names, scripted, mode, semantics, request):
    retriever = LogicalRetriever.from_index(
        index,
        llm=scripted(QUERY, QUERY),
        read="always_llm",
        semantics=semantics,
        mode=mode,
        similarity_top_k=2,
        fetch_k=4,
        drop_excluded=False,
    )
    found = retriever.retrieve(QUESTION)
    assert set(names(found)) == {"mood", "immune"}
    assert names(await retriever.aretrieve(QUESTION)) == names(found)
    for node in found:
        assert node.metadata["logical"]["query"] == QUERY
        # The six that sqo looks at and scores are the whole store, where it gives its vectors; deo has one cosine.
        exact = mode == "sqo" and "foreign" not in request.node.name
        assert node.metadata["logical"]["exact"] is exact
        assert node.metadata["logical"]["relevance"] == node.score


@pytest.mark.parametrize("mode", ["sqo", "deo"])
def test_the_explanation_tells_how_the_vector_was_found(make_index, nodes, mode):
    retriever = LogicalRetriever(
        make_index("chroma", nodes), mode=mode, similarity_top_k=2, fetch_k=4, drop_excluded=False
    )
    told = retriever.explain(QUESTION)
    assert told.result.plan.strategy == mode
    assert told.result.convergence.converged
    assert told.result.candidates == 6  # fewer than six are not looked at


@pytest.mark.parametrize("mode", ["sqo", "deo"])
def test_filters_bind_the_one_list(make_index, nodes, names, mode):
    only = MetadataFilters(filters=[MetadataFilter(key="topic", value="b")])
    retriever = LogicalRetriever.from_index(
        make_index("chroma", nodes), mode=mode, similarity_top_k=6, filters=only, drop_excluded=False
    )
    assert names(retriever.retrieve(QUESTION)) == ["bone"]
    nothing = MetadataFilters(filters=[MetadataFilter(key="topic", value="z")])
    assert retriever.search(QUERY, filters=nothing) == []


def test_other_modes_are_refused(simple_index):
    with pytest.raises(InvalidArgumentError, match="no search mode 'fast'"):
        LogicalRetriever.from_index(simple_index, mode="fast")

    class Flat(NsflSemantics):
        differentiable = False

    with pytest.raises(SemanticsError, match="has no gradients"):
        LogicalRetriever.from_index(simple_index, mode="sqo", semantics=Flat()).retrieve(QUESTION)
