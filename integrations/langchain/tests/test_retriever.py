"""The first day of somebody who replaces ``as_retriever()``."""

import asyncio
import copy
import pickle
from types import SimpleNamespace

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from verifying import judged, pairs_in
from vitamin_texts import QUERY, QUESTION

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever
from langchain_logical_retriever.chat_model import LangChainChatModel
from logical_retriever.errors import InvalidArgumentError, UnsupportedStoreError
from logical_retriever.query import parse
from logical_retriever.reading import QuestionReader, ReadQuestion
from logical_retriever.reading.passages import ChatVerifier
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder


def ids(documents):
    return [document.id for document in documents]


# ---- What documents carry ----


def test_documents_carry_what_they_carried_before(vectorstore):
    own = {document.id: document for document in vectorstore.similarity_search("vitamin D", k=6)}
    for document in LogicalRetriever(vectorstore).invoke(QUESTION):
        assert document == own[document.id]


def test_langchains_own_metadata_stay_those_of_the_run(in_memory):
    both = LogicalRetriever(in_memory, metadata={"user": 7}, scores=True)
    assert both.metadata == {"user": 7}
    assert "logical_score" in both.invoke(QUESTION)[0].metadata
    for metadata in (True, False):
        retriever = LogicalRetriever(in_memory, metadata=metadata)
        assert (retriever.metadata, retriever.scores) == (None, metadata)


def test_the_stores_own_documents_are_never_changed(embeddings):
    store = InMemoryVectorStore(embeddings)
    store.add_documents([Document("tea", id="a", metadata={"logical_score": "the user's own"})])
    before = copy.deepcopy(store.store["a"])
    [document] = LogicalRetriever(store, metadata=True).invoke("tea")
    document.metadata["new"] = 1
    assert store.store["a"] == before


def test_a_subclass_of_document_from_a_core_store_is_kept(embeddings):
    class Page(Document):
        number: int

    page = Page(page_content="tea", metadata={"a": 1}, number=7)
    store = InMemoryStore([StoredDocument(9, "tea", page.metadata, native=page)], embeddings.embed_documents(["tea"]))
    [document] = LogicalRetriever(store, embeddings=embeddings).invoke("tea")
    assert (type(document), document.number, document.id, page.id) == (Page, 7, "9", None)


# ---- Ways in ----


def test_all_ways_in_give_one_answer(in_memory, documents, embeddings):
    ways = [
        LogicalRetriever(in_memory, k=2),
        LogicalRetriever(vectorstore=in_memory, k=2),
        LogicalRetriever.from_vectorstore(in_memory, k=2),
        LogicalRetriever.from_vectorstore(in_memory, search_kwargs={"k": 2}),
        LogicalRetriever.from_retriever(in_memory.as_retriever(search_kwargs={"k": 2})),
        LogicalRetriever.from_documents(documents, embeddings, k=2),
    ]
    first, *others = [ids(retriever.invoke(QUESTION)) for retriever in ways]
    assert set(first) == {"mood", "immune"}
    assert others == [first] * 5


def test_a_retriever_is_taken_over_with_all_it_has(make_chroma, documents):
    store = make_chroma(documents)

    def answer(**kwargs):
        taken = LogicalRetriever.from_retriever(store.as_retriever(**kwargs), exclusion="rank")
        return taken, ids(taken.invoke(QUESTION))

    assert answer(search_kwargs={"k": 1, "filter": {"theme": "coffee"}})[1] == ["coffee"]
    assert answer(search_kwargs={"where_document": {"$contains": "mood"}})[1] == ["mood"]
    strict = {"score_threshold": 0.5, "k": 6}
    assert len(answer(search_type="similarity_score_threshold", search_kwargs=strict)[1]) < 6
    assert len(answer(search_type="mmr", search_kwargs={"k": 2, "fetch_k": 3, "lambda_mult": 0.3})[1]) == 2
    taken, _ = answer(tags=["mine"], metadata={"user": 7})
    assert ("mine" in taken.tags, taken.metadata) == (True, {"user": 7})


def test_arguments_win_over_those_of_the_retriever_that_is_taken_over(make_chroma, documents):
    strict = {"search_type": "similarity_score_threshold", "search_kwargs": {"score_threshold": 0.99, "k": 1}}
    before = make_chroma(documents).as_retriever(metadata={"user": 7}, **strict)
    taken = LogicalRetriever.from_retriever(before, k=3, min_relevance=0.0, exclusion="rank", metadata=True)
    answer = taken.invoke(QUESTION)
    assert (len(answer), taken.metadata) == (3, {"user": 7})
    assert all("logical_score" in document.metadata for document in answer)
    assert before.search_kwargs == strict["search_kwargs"]


WRONG = [
    (lambda of: LogicalRetriever(of.plain), "VectorStoreRetriever, not a vector store", "from_retriever"),
    (lambda of: LogicalRetriever(of.embeddings), "HashingEmbeddings, not a vector store", "from_documents"),
    (lambda of: LogicalRetriever(of.documents), "list, not a vector store", "from_documents"),
    (lambda of: LogicalRetriever("chroma"), "str, not a vector store", "Chroma"),
    (lambda of: LogicalRetriever(), "NoneType, not a vector store", "Chroma"),
    (lambda of: LogicalRetriever(3), r"no adapter for builtins\.int", "register_adapter"),
    (lambda of: LogicalRetriever(of.store, "openai:gpt-5"), "must be a LangChain chat model", "init_chat_model"),
    (lambda of: LogicalRetriever(of.store, embeddings="MiniLM"), "must be LangChain Embeddings", "instance"),
    (lambda of: LogicalRetriever(of.store, transformer=3), "transformer must be", "LogicalQueryTransformer"),
    (lambda of: LogicalRetriever(of.store, of.plain, transformer=of.plain), "Both llm and", "Pass"),
    (lambda of: LogicalRetriever.from_retriever(of.store), "not the retriever of a vector store", "as_retriever"),
    (lambda of: LogicalRetriever.from_documents(["tea"], of.embeddings), "Entry 1 of documents is str", "Wrap"),
    (lambda of: LogicalRetriever.from_documents("tea", of.embeddings), "documents is str", "list"),
    (lambda of: LogicalRetriever.from_documents(of.documents, "MiniLM"), "must be LangChain Embeddings", "instance"),
]


@pytest.mark.parametrize(("make", "message", "hint"), WRONG, ids=[message for _, message, _ in WRONG])
def test_a_wrong_thing_says_what_to_give_instead(in_memory, documents, embeddings, make, message, hint):
    plain = in_memory.as_retriever()
    given = SimpleNamespace(store=in_memory, plain=plain, documents=documents, embeddings=embeddings)
    with pytest.raises((InvalidArgumentError, UnsupportedStoreError), match=message) as error:
        make(given)
    assert hint in error.value.hint


# ---- Settings ----

SETTINGS = {
    "k": 2,
    "filter": lambda document: document.id != "bone",
    "exclusion": "strict",
    "min_relevance": 0.9,
    "words": 0,
    "fetch_k": 3,
    "semantics": "godel",
    "verify": False,
    "always_exclude": ["mood"],
    "score_threshold": 0.9,
}


@pytest.mark.parametrize("name", SETTINGS)
async def test_every_setting_everywhere(in_memory, name):
    setting = {name: SETTINGS[name]}
    plain, own = LogicalRetriever(in_memory), "min_relevance" if name == "score_threshold" else name
    configurable = plain.configurable_fields(**{own: ConfigurableField("it")})
    kwargs = plain.configurable_fields(search_kwargs=ConfigurableField("it"))
    answers = [
        LogicalRetriever(in_memory, **{own: SETTINGS[name]}).invoke(QUERY),
        LogicalRetriever(in_memory, search_kwargs=setting).invoke(QUERY),
        plain.invoke(QUERY, **setting),
        await plain.ainvoke(QUERY, **setting),
        *plain.batch([QUERY], **setting),
        plain.search(QUERY, **setting),
        await plain.asearch(QUERY, **setting),
        configurable.invoke(QUERY, {"configurable": {"it": SETTINGS[name]}}),
        kwargs.invoke(QUERY, {"configurable": {"it": setting}}),
        plain.model_copy(update={own: SETTINGS[name]}).invoke(QUERY),
    ]
    assert [ids(documents) for documents in answers] == [ids(answers[0])] * 10
    assert [d.id for d in plain.explain(QUERY, **setting).result.documents] == ids(answers[0])
    assert plain.invoke(QUERY) == LogicalRetriever(in_memory).invoke(QUERY)  # for that call alone


def test_settings_may_be_changed_as_those_of_as_retriever(in_memory):
    retriever = LogicalRetriever(in_memory)
    retriever.k = 1
    assert len(retriever.invoke(QUESTION)) == 1
    retriever.search_kwargs["k"] = 2
    assert len(retriever.invoke(QUESTION)) == 2
    retriever.k = retriever.search_kwargs["k"] = 0
    with pytest.raises(InvalidArgumentError, match="k must be an integer of at least 1, got 0"):
        retriever.invoke(QUESTION)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"search_type": "cosine"}, "search_type='cosine'"),
        ({"search_type": "similarity_score_threshold"}, "there is no threshold"),
        ({"search_type": "mmr", "search_kwargs": {"lambda_mult": 2}}, "lambda_mult must be a number from 0 to 1"),
        ({"search_type": "mmr", "search_kwargs": {"fetch_k": 0}}, "fetch_k must be an integer of at least 1"),
        ({"search_kwargs": 3}, "search_kwargs=3"),
        ({"search_kwargs": {"similarity_top_k": 1}}, "Did you mean 'k'"),
        ({"transformer": QuestionReader}, "must be a QueryTransformer"),
        ({"embeddings": HashingEmbedder}, "embeddings must be LangChain Embeddings"),
        ({"tags": "not a list"}, "tags"),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_made(in_memory, arguments, message):
    with pytest.raises(InvalidArgumentError, match=message):
        LogicalRetriever(in_memory, **arguments)


def test_a_wrong_filter_is_refused_before_a_model_is_paid(in_memory):
    asks = LogicalRetriever(in_memory, transformer=RunnableLambda(lambda question: pytest.fail("asked")))
    with pytest.raises(InvalidArgumentError, match="must be a function"):
        asks.invoke(QUESTION, filter={"year": 2024})


def test_a_call_adds_to_standing_exclusions_and_never_takes_one_away(in_memory):
    retriever = LogicalRetriever(in_memory, always_exclude=["mood"], search_kwargs={"always_exclude": ["coffee"]}, k=6)
    for setting in ({}, {"always_exclude": []}, {"always_exclude": ["tea"]}, {"exclusion": "rank"}):
        assert not {"mood", "coffee"} & set(ids(retriever.invoke("vitamin D, mood and coffee", **setting)))


def test_chromas_filters_are_its_own(make_chroma, documents):
    vitamins = {"exclusion": "rank", "filter": {"theme": "vitamin"}}
    store = make_chroma(documents)
    retriever = LogicalRetriever(store, search_kwargs={"where_document": {"$contains": "mood"}}, **vitamins)
    assert ids(retriever.invoke(QUESTION)) == ["mood"]
    assert ids(retriever.invoke(QUESTION, where_document={"$contains": "immunity"})) == ["immune"]
    assert ids(retriever.invoke(QUESTION, filter={"theme": "coffee"}, where_document=None)) == ["coffee"]
    for none in (retriever, LogicalRetriever(store, search_kwargs={"filter": None}, **vitamins)):
        assert ids(none.invoke(QUESTION, filter=None, where_document=None))[-1] == "bone"


# ---- Searching ----


async def test_documents_that_also_differ_and_none_that_is_excluded(embeddings, ask):
    texts = {
        "mood": "vitamin D benefits for mood",
        "mood again": "vitamin D benefits for the mood",
        "immune": "vitamin D benefits for immunity of children",
        "bone": "vitamin D benefits for bone health",
        "tea": "green tea and brewing water",
    }
    repeated = InMemoryVectorStore.from_documents([Document(text, id=id) for id, text in texts.items()], embeddings)

    async def answer(retriever, **settings):
        return ids(await ask(retriever, QUESTION, **settings))

    plain, kwargs = LogicalRetriever(repeated, k=2), {"k": 2, "fetch_k": 3, "lambda_mult": 0.3}
    diverse = LogicalRetriever(repeated, search_type="mmr", search_kwargs=kwargs)
    assert set(await answer(plain)) == {"mood", "mood again"}
    assert await answer(diverse) == [(await answer(plain))[0], "immune"]
    assert "bone" not in await answer(diverse, k=5)
    assert await answer(diverse, fetch_k=2) == await answer(plain)  # none but the best to choose from
    relevant = LogicalRetriever(repeated, search_type="mmr", search_kwargs={**kwargs, "lambda_mult": 1})
    assert await answer(relevant) == await answer(plain)
    assert [d.id for d in diverse.explain(QUESTION).result.documents] == await answer(plain)


async def test_any_runnable_that_returns_a_query_and_nothing_else_is_a_transformer(in_memory):
    for answer in (QUERY, parse(QUERY), ReadQuestion(QUESTION, parse(QUERY), "recorded")):
        retriever = LogicalRetriever(in_memory, transformer=RunnableLambda(lambda _, answer=answer: answer), k=2)
        assert set(ids(retriever.invoke(QUESTION))) == {"mood", "immune"}
        assert retriever.invoke(QUESTION) == await retriever.ainvoke(QUESTION)
    with pytest.raises(InvalidArgumentError, match="The transformer returned int"):
        LogicalRetriever(in_memory, transformer=RunnableLambda(lambda question: 3)).invoke(QUESTION)


# ---- A Runnable among Runnables ----


def test_copies_search_and_pickles_do_where_the_store_can(in_memory):
    retriever = LogicalRetriever(in_memory, k=3)
    before = retriever.invoke(QUESTION)
    other = copy.deepcopy(retriever)
    other.vectorstore.delete(ids(before))
    assert not set(ids(before)) & set(ids(other.invoke(QUESTION)))
    for again in (copy.copy(retriever), pickle.loads(pickle.dumps(retriever)), retriever):
        assert again.invoke(QUESTION) == before


def test_retrievers_over_a_store_learn_about_it_once(in_memory, embeddings):
    retriever = LogicalRetriever(in_memory)
    configured = retriever.configurable_fields(k=ConfigurableField("k"))
    configured.invoke(QUESTION)
    embeddings.calls.clear()
    for k in (1, 2):
        assert len(configured.invoke(QUESTION, {"configurable": {"k": k}})) == k
        assert len(retriever.model_copy(update={"k": k}).invoke(QUESTION)) == k
    assert "embed_documents" not in embeddings.calls  # the sentences that statistics of small stores need
    theirs = type(embeddings)()
    LogicalRetriever(in_memory, embeddings=theirs).invoke(QUESTION)
    assert "embed_documents" in theirs.calls


# ---- Asynchronously, which is native: nothing blocks the event loop ----


async def test_model_and_embeddings_are_awaited_not_called(vectorstore, model, embeddings):
    llm = model(QUERY)
    retriever = LogicalRetriever(vectorstore, transformer=LogicalQueryTransformer(llm), k=3)
    embeddings.calls.clear()
    found = await retriever.ainvoke(QUESTION)
    assert llm.ways == ["async"]
    # The terms and the question; then, once and in a thread, some stored texts, to see whether this is their encoder,
    # and the background sentences of a small store.
    assert embeddings.calls == ["aembed_query"] * 3 + ["embed_documents"] * 2
    assert found == retriever.invoke(QUESTION)
    assert embeddings.calls[5:] == ["embed_query"] * 3


async def test_a_question_that_is_cancelled_leaves_nothing_behind(in_memory, embeddings):
    class Slow(type(embeddings)):
        async def aembed_query(self, text):
            await asyncio.sleep(60)

    retriever = LogicalRetriever(in_memory, embeddings=Slow())
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(retriever.ainvoke(QUESTION), timeout=0.05)
    assert len(asyncio.all_tasks()) == 1
    assert (await LogicalRetriever(in_memory).ainvoke(QUESTION))[0].id in ("mood", "immune")


# ---- Verifiers of LangChain's own kinds ----

OF_SKELETONS = "vitamin D benefits other than skeletons"
OF_BONE_HEALTH = ("skeletons", "vitamin D benefits for bone health")


def asked(model):
    return [pairs_in(str(messages[-1].content)) for messages in model.asked]


async def test_any_runnable_and_a_verifier_itself(in_memory, model, ask):
    llm = model(judged)
    chain = llm | RunnableLambda(lambda message: message.content)
    for verify in (chain, ChatVerifier(LangChainChatModel(llm))):
        assert "bone" not in ids(await ask(LogicalRetriever(vectorstore=in_memory, k=3, verify=verify), OF_SKELETONS))
    assert OF_BONE_HEALTH in asked(llm)[0]


def test_copies_share_the_verifier(in_memory, model):
    llm = model(judged)
    retriever = LogicalRetriever(vectorstore=in_memory, k=3, verify=llm)
    for other in (retriever.model_copy(), copy.copy(retriever), retriever.with_config(tags=["a"])):
        assert "bone" not in ids(other.invoke(OF_SKELETONS))
    assert sum(OF_BONE_HEALTH in pairs for pairs in asked(llm)) == 3
