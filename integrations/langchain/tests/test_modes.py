"""Search with one optimised vector, through LangChain."""

import pytest

from langchain_logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, SemanticsError
from logical_retriever.semantics.nsfl import NsflSemantics

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


def ids(documents):
    return [document.id for document in documents]


@pytest.mark.parametrize("mode", ["sqo", "deo"])
@pytest.mark.parametrize("semantics", ["calibrated", "product", NsflSemantics()])
async def test_one_vector_finds_what_is_wanted(vectorstore, model, mode, semantics):
    assert ids(vectorstore.similarity_search(QUESTION, k=1)) == ["bone"]
    retriever = LogicalRetriever.from_vectorstore(
        vectorstore,
        llm=model(QUERY),
        read="always_llm",
        semantics=semantics,
        mode=mode,
        k=2,
        fetch_k=4,
        drop_excluded=False,
    )
    found = retriever.invoke(QUESTION)
    assert set(ids(found)) == {"mood", "immune"}
    assert ids(await retriever.ainvoke(QUESTION)) == ids(found)
    for document in found:
        reasons = document.metadata["logical"]
        assert reasons["query"] == QUERY
        assert reasons["exact"] is (mode == "sqo")  # the six that are looked at are the whole store, and all are scored
        assert set(reasons["terms"]) == {"vitamin D benefits", "bone health"}
    assert set(ids(retriever.search(QUERY))) == set(ids(found))


@pytest.mark.parametrize("mode", ["sqo", "deo"])
def test_the_explanation_tells_how_the_vector_was_found(vectorstore, mode):
    told = LogicalRetriever.from_vectorstore(vectorstore, mode=mode, k=2, fetch_k=4).explain(QUESTION)
    assert told.result.plan.strategy == mode
    assert told.result.convergence.converged
    assert "converged: objective" in str(told)


@pytest.mark.parametrize("mode", ["sqo", "deo"])
def test_filters_bind_the_one_list(make_chroma, documents, mode):
    retriever = LogicalRetriever.from_vectorstore(
        make_chroma(documents), mode=mode, filter={"theme": "vitamin"}, k=6, drop_excluded=False
    )
    assert set(ids(retriever.invoke(QUESTION))) == {"bone", "mood", "immune"}
    assert retriever.invoke(QUESTION, None, filter={"theme": "nothing"}) == []


def test_other_modes_are_refused(vectorstore):
    with pytest.raises(InvalidArgumentError, match="no search mode 'fast'"):
        LogicalRetriever.from_vectorstore(vectorstore, mode="fast")

    class Flat(NsflSemantics):
        differentiable = False

    with pytest.raises(SemanticsError, match="has no gradients"):
        LogicalRetriever.from_vectorstore(vectorstore, mode="sqo", semantics=Flat()).invoke(QUESTION)
