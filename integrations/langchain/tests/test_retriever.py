"""What a LangChain user does with the retriever."""

import copy
import json
from functools import partial

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_core.tools import create_retriever_tool
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import Term, parse
from logical_retriever.semantics import get_semantics
from logical_retriever.transform import Transformation

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_vectorstore, semantics="product")

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'

REASONS = {"query", "score", "relevance", "terms", "exact"}


def ids(documents):
    return [document.id for document in documents]


def test_the_unwanted_document_sinks_and_the_metadata_say_why(vectorstore, model):
    assert ids(vectorstore.similarity_search(QUESTION, k=1)) == ["bone"]
    found = over(vectorstore, transformer=LogicalQueryTransformer(llm=model(QUERY))).invoke(QUESTION)
    assert set(ids(found)[:2]) == {"mood", "immune"}
    for document in found:
        assert set(document.metadata) == {"length", "theme"} | {f"logical_{name}" for name in REASONS}
        terms = json.loads(document.metadata["logical_terms"])
        assert (document.metadata["logical_query"], document.metadata["logical_exact"]) == (QUERY, True)
        expected = terms["vitamin D benefits"] * (1 - terms["bone health"])
        assert document.metadata["logical_score"] == pytest.approx(expected)
        assert document.metadata["length"] == len(document.page_content)
    scores = [document.metadata["logical_score"] for document in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(("key", "keys"), [("why", {f"why_{name}" for name in REASONS}), (None, set())])
def test_metadata_key_is_renamed_or_off(in_memory, key, keys):
    for document in over(in_memory, metadata_key=key).invoke(QUESTION):
        assert set(document.metadata) == {"length", "theme"} | keys


def test_the_stores_own_documents_are_never_changed(embeddings):
    own = {"tags": ["x"], "logical": "the user's own", "why_score": 3}
    stored = Document(id="a", page_content="tea", metadata=dict(own))
    store = InMemoryVectorStore(embeddings)
    store.add_documents([stored])
    before = copy.deepcopy(store.store["a"])
    retriever = over(store)
    first = retriever.invoke("tea")
    first[0].metadata["tags"].append("y")
    first[0].metadata["new"] = 1
    [second] = retriever.invoke("tea")
    assert store.store["a"] == before
    assert stored.metadata == own
    assert (second.metadata["tags"], second.metadata["logical"]) == (["x"], "the user's own")
    assert second.metadata["logical_query"] == '"tea"'
    with pytest.raises(InvalidArgumentError, match="metadata of its own under 'why_score'"):
        over(store, metadata_key="why").invoke("tea")


def test_a_subclass_of_document_from_a_core_store_is_kept(embeddings):
    from logical_retriever.stores import InMemoryStore, StoredDocument

    class Page(Document):
        number: int

    page = Page(page_content="tea", metadata={"a": 1}, number=7)
    store = InMemoryStore([StoredDocument("p", "tea", page.metadata, native=page)], embeddings.embed_documents(["tea"]))
    found = over(store, embeddings=embeddings).invoke("tea")[0]
    assert isinstance(found, Page)
    assert (found.number, found.id) == (7, "p")
    assert page.metadata == {"a": 1}
    assert page.id is None


def test_per_call_arguments_count_for_that_call_alone(in_memory):
    retriever = over(in_memory, k=3)
    assert len(retriever.invoke(QUESTION, None, k=1)) == 1
    only = retriever.invoke(QUESTION, filter=lambda d: d.metadata["theme"] == "coffee", fetch_k=5)
    assert ids(only) == ["coffee"]
    assert len(retriever.invoke(QUESTION)) == 3


def test_a_filter_may_stand_in_search_kwargs_and_a_call_replaces_it(in_memory):
    tea = over(in_memory, search_kwargs={"filter": lambda d: d.id == "tea"})
    assert ids(tea.invoke(QUESTION)) == ["tea"]
    assert ids(tea.invoke(QUESTION, filter=lambda d: d.id == "mood")) == ["mood"]
    assert ids(tea.search(QUERY)) == ["tea"]
    assert ids(tea.search(QUERY, filter=lambda d: d.id == "mood")) == ["mood"]


def test_chromas_filters_are_its_own(make_chroma, documents):
    retriever = over(
        make_chroma(documents), filter={"theme": "vitamin"}, search_kwargs={"where_document": {"$contains": "mood"}}
    )
    assert ids(retriever.invoke(QUESTION)) == ["mood"]
    assert ids(retriever.invoke(QUESTION, where_document={"$contains": "immunity"})) == ["immune"]
    assert ids(retriever.invoke(QUESTION, filter={"theme": "coffee"}, where_document=None)) == ["coffee"]


def test_configurable_fields(in_memory):
    retriever = over(in_memory).configurable_fields(k=ConfigurableField(id="k"))
    assert len(retriever.invoke(QUESTION, config={"configurable": {"k": 2}})) == 2
    assert len(retriever.invoke(QUESTION)) == 4
    with pytest.raises(InvalidArgumentError, match="at least 1, got 0"):
        retriever.invoke(QUESTION, config={"configurable": {"k": 0}})


async def test_batch_and_abatch_keep_order_and_arguments(vectorstore):
    retriever = over(vectorstore)
    questions = [QUESTION, "coffee", "green tea", QUESTION]
    expected = [ids(retriever.invoke(question, k=2)) for question in questions]
    assert [ids(found) for found in retriever.batch(questions, k=2)] == expected
    assert [ids(found) for found in await retriever.abatch(questions, {"max_concurrency": 2}, k=2)] == expected


async def test_search_takes_a_query_or_its_text(vectorstore, model):
    llm = model("never asked")
    retriever = over(vectorstore, transformer=LogicalQueryTransformer(llm=llm), k=2)
    query = Term("vitamin D benefits") & ~Term("bone health")
    found = retriever.search(query)
    assert set(ids(found)) == {"mood", "immune"}
    assert retriever.search(QUERY) == found == await retriever.asearch(QUERY) == await retriever.asearch(query, k=2)
    assert ids(retriever.search('NOT "vitamin D benefits"', k=3)) != ids(retriever.search('"vitamin D benefits"', k=3))
    assert llm.asked == []


def test_explain_tells_the_story(vectorstore, model):
    retriever = over(vectorstore, transformer=LogicalQueryTransformer(llm=model(QUERY)), k=2)
    story = retriever.explain(QUESTION, k=3)
    assert story.transformation.question == QUESTION
    assert story.searched == QUERY
    assert [d.id for d in story.result.documents] == ids(retriever.invoke(QUESTION, k=3))
    assert story.dense_rank("bone") == 1
    assert QUERY in str(story)


@pytest.mark.parametrize("made", [QUERY, parse(QUERY), Transformation(QUESTION, parse(QUERY), "recorded")])
async def test_any_runnable_that_returns_a_query_is_a_transformer(in_memory, made):
    retriever = over(in_memory, transformer=RunnableLambda(lambda question: made), k=2)
    assert set(ids(retriever.invoke(QUESTION))) == {"mood", "immune"}
    assert retriever.invoke(QUESTION) == await retriever.ainvoke(QUESTION)


def test_semantics_by_name_or_instance(in_memory):
    by_name = over(in_memory, semantics="godel").search(QUERY)
    by_instance = over(in_memory, semantics=get_semantics("godel")).search(QUERY)
    assert by_name == by_instance
    terms = json.loads(by_name[0].metadata["logical_terms"])
    score = min(terms["vitamin D benefits"], 1 - terms["bone health"])
    assert by_name[0].metadata["logical_score"] == pytest.approx(score)


def test_it_is_a_runnable_among_runnables(in_memory):
    retriever = over(in_memory, k=1, tags=["t"], metadata={"m": 1}, name="facts")
    chain = retriever | RunnableLambda(lambda documents: documents[0].page_content)
    assert chain.invoke("coffee and sleep") == "coffee and sleep"
    assert retriever.get_name() == "facts"
    tool = create_retriever_tool(retriever, "facts", "Looks facts up.")
    assert tool.invoke({"query": "coffee and sleep"}) == "coffee and sleep"


def test_trace_parameters_name_store_and_embeddings(make_chroma, documents, hashing_embeddings):
    class Named(hashing_embeddings):
        model = "bag-of-words"

    params = over(make_chroma(documents, embeddings=Named()))._get_ls_params()
    assert params == {
        "ls_retriever_name": "logical",
        "ls_vector_store_provider": "Chroma",
        "ls_embedding_provider": "Named",
        "ls_embedding_model": "bag-of-words",
    }
