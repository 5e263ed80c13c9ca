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
from logical_retriever.semantics import GodelSemantics
from logical_retriever.transform import CueQueryTransformer, Transformation

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever.from_vectorstore, semantics="product")

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'

REASONS = {"query", "score", "relevance", "terms", "excluded", "exact"}


def ids(documents):
    return [document.id for document in documents]


def test_the_unwanted_document_sinks(vectorstore, model):
    plain = vectorstore.similarity_search(QUESTION, k=1)
    assert ids(plain) == ["bone"]
    retriever = over(vectorstore, llm=model(QUERY), read="always_llm", k=3)
    found = retriever.invoke(QUESTION)
    assert set(ids(found)[:2]) == {"mood", "immune"}
    assert ids(retriever.invoke(QUESTION, k=6))[-1] != "mood"


def test_cue_rules_need_no_model(vectorstore):
    retriever = over(vectorstore)
    assert set(ids(retriever.invoke(QUESTION, k=2))) == {"mood", "immune"}


def test_metadata_holds_the_reasons_and_is_json(vectorstore, model):
    found = over(vectorstore, llm=model(QUERY), read="always_llm").invoke(QUESTION)
    for document in found:
        reasons = document.metadata["logical"]
        assert set(reasons) == REASONS
        assert reasons["query"] == QUERY
        assert reasons["exact"] is True
        assert set(reasons["terms"]) == {"vitamin D benefits", "bone health"}
        assert all(0 <= value <= 1 for value in reasons["terms"].values())
        expected = reasons["terms"]["vitamin D benefits"] * (1 - reasons["terms"]["bone health"])
        assert reasons["score"] == pytest.approx(expected)
        assert json.loads(json.dumps(document.metadata)) == document.metadata
        assert document.metadata["length"] == len(document.page_content)
    scores = [document.metadata["logical"]["score"] for document in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        (
            {"metadata_key": "why"},
            {f"why_{name}" for name in ("query", "score", "relevance", "terms", "excluded", "exact")},
        ),
        ({"metadata_key": "why", "metadata_style": "nested"}, {"why"}),
        ({"metadata_key": None}, set()),
    ],
)
def test_metadata_key_is_renamed_or_off(vectorstore, settings, keys):
    found = over(vectorstore, **settings).invoke(QUESTION)
    for document in found:
        assert set(document.metadata) == {"length", "theme"} | keys


def test_the_stores_own_documents_are_never_changed(embeddings):
    stored = Document(id="a", page_content="tea", metadata={"tags": ["x"], "logical": "the user's own"})
    store = InMemoryVectorStore(embeddings)
    store.add_documents([stored])
    before = copy.deepcopy(store.store["a"])
    retriever = over(store)
    first = retriever.invoke("tea")
    first[0].metadata["tags"].append("y")
    first[0].metadata["new"] = 1
    second = retriever.invoke("tea")
    assert store.store["a"] == before
    assert stored.metadata == {"tags": ["x"], "logical": "the user's own"}
    assert second[0].metadata["tags"] == ["x"]
    assert second[0].metadata["logical_query"] == '"tea"'
    assert second[0].metadata["logical"] == "the user's own"
    with pytest.raises(InvalidArgumentError, match="metadata of its own under 'logical'"):
        over(store, metadata_style="nested").invoke("tea")
    other = over(store, metadata_key="why").invoke("tea")[0]
    assert other.metadata["logical"] == "the user's own"
    assert other.metadata["why"]["query"] == '"tea"'


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


class Upside(LogicalRetriever):
    """Answers in a way of its own."""

    def _get_relevant_documents(self, query, *, run_manager, **kwargs):
        return super()._get_relevant_documents(query, run_manager=run_manager, **kwargs)[::-1]

    async def _aget_relevant_documents(self, query, *, run_manager, **kwargs):
        return (await super()._aget_relevant_documents(query, run_manager=run_manager, **kwargs))[::-1]


async def test_a_subclass_that_answers_in_its_own_way_does_so_in_batches(in_memory):
    retriever, own = over(in_memory, k=2), Upside.from_vectorstore(in_memory, semantics="product", k=2)
    asked = [QUESTION, " ", "coffee"]
    for found in (
        own.batch(asked, return_exceptions=True),
        await own.abatch(asked, return_exceptions=True),
    ):
        assert [ids(found[0]), ids(found[2])] == [ids(retriever.invoke(one))[::-1] for one in (asked[0], asked[2])]
        assert isinstance(found[1], ValueError)


async def test_search_takes_a_query_or_its_text(vectorstore, model):
    llm = model("never asked")
    retriever = over(vectorstore, llm=llm, read="always_llm", k=2)
    query = Term("vitamin D benefits") & ~Term("bone health")
    found = retriever.search(query)
    assert set(ids(found)) == {"mood", "immune"}
    assert retriever.search(QUERY) == found == await retriever.asearch(QUERY) == await retriever.asearch(query, k=2)
    assert ids(retriever.search('NOT "vitamin D benefits"', k=3)) != ids(retriever.search('"vitamin D benefits"', k=3))
    assert llm.asked == []


def test_explain_tells_the_story(vectorstore, model):
    retriever = over(vectorstore, llm=model(QUERY), read="always_llm", k=2)
    story = retriever.explain(QUESTION, k=3)
    assert story.transformation.question == QUESTION
    assert story.searched == QUERY
    assert [d.id for d in story.result.documents] == ids(retriever.invoke(QUESTION, k=3))
    assert story.dense_rank("bone") == 1
    assert QUERY in str(story)


def test_a_question_without_logic_is_plain_dense_retrieval(vectorstore, model):
    retriever = over(vectorstore, llm=model('"restated by the model"'), read="always_llm", k=6)
    found = retriever.invoke("vitamin D for bone health")
    assert found[0].metadata["logical"]["query"] == '"vitamin D for bone health"'
    assert ids(found)[0] == ids(vectorstore.similarity_search("vitamin D for bone health", k=1))[0]


@pytest.mark.parametrize("made", [QUERY, parse(QUERY), Transformation(QUESTION, parse(QUERY), "recorded")])
async def test_any_runnable_that_returns_a_query_is_a_transformer(in_memory, made):
    retriever = over(in_memory, transformer=RunnableLambda(lambda question: made), k=2)
    assert set(ids(retriever.invoke(QUESTION))) == {"mood", "immune"}
    assert retriever.invoke(QUESTION) == await retriever.ainvoke(QUESTION)


def test_transformers_of_the_core_and_of_this_package(in_memory, model):
    for transformer in (CueQueryTransformer(), LogicalQueryTransformer(llm=model(QUERY))):
        retriever = LogicalRetriever(vectorstore=in_memory, transformer=transformer, k=2)
        assert set(ids(retriever.invoke(QUESTION))) == {"mood", "immune"}


def test_semantics_by_name_or_instance(in_memory):
    by_name = over(in_memory, semantics="godel").search(QUERY)
    by_instance = over(in_memory, semantics=GodelSemantics()).search(QUERY)
    assert by_name == by_instance
    reasons = by_name[0].metadata["logical"]
    assert reasons["score"] == pytest.approx(
        min(reasons["terms"]["vitamin D benefits"], 1 - reasons["terms"]["bone health"])
    )


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


async def test_budgets_and_evidence_reach_the_search(vectorstore):
    retriever = LogicalRetriever.from_vectorstore(vectorstore, evidence="dense", max_candidates=9, max_rounds=2)
    plan = retriever.explain("vitamin D benefits, excluding bone health").result.plan
    assert plan.evidence == "vectors"
    core = retriever._core
    assert (core.evidence, core.max_candidates, core.max_rounds) == ("dense", 9, 2)
    assert (
        "words" in LogicalRetriever.from_vectorstore(vectorstore).explain("tea, excluding water").result.plan.evidence
    )
    for wrong in ({"evidence": "words"}, {"max_candidates": 0}, {"max_rounds": -1}):
        with pytest.raises(InvalidArgumentError):
            LogicalRetriever.from_vectorstore(vectorstore, **wrong)
