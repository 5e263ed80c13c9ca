"""The last stage: what is excluded is left out, and the rest stays as it came; with compositions in their own file."""

import copy

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from vitamin_texts import QUERY, QUESTION

from langchain_logical_retriever import LogicalCompressor, LogicalQueryTransformer
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError, UnsupportedStoreError

LEFT = ["mood", "immune", "tea", "coffee"]


def ids(documents):
    return [document.id for document in documents]


@pytest.fixture(params=["sync", "async"])
def compress(request):
    """Compression, as a coroutine whatever the path."""

    async def compress(compressor, documents, question=QUESTION):
        if request.param == "sync":
            return compressor.compress_documents(documents, question)
        return await compressor.acompress_documents(documents, question)

    return compress


async def test_what_is_excluded_goes_and_the_order_stays(vectorstore, embeddings, documents, compress):
    for compressor in (LogicalCompressor(vectorstore), LogicalCompressor(embeddings=embeddings)):
        before = copy.deepcopy(documents)
        assert ids(await compress(compressor, documents)) == LEFT
        assert ids(await compress(compressor, documents[::-1])) == LEFT[::-1]
        assert documents == before
    assert await compress(LogicalCompressor(vectorstore), []) == []


async def test_a_not_that_was_not_understood_is_in_the_documents(in_memory, documents, compress):
    answer = await compress(LogicalCompressor(in_memory), documents, "no spoilers please: what is Dune about")
    assert ids(answer) == ids(documents)
    assert all("not sure" in document.metadata["logical_problem"] for document in answer)
    assert all("logical_problem" not in document.metadata for document in documents)


async def test_model_and_embeddings_are_awaited_not_called(in_memory, embeddings, documents, model):
    llm = model(QUERY)
    compressor = LogicalCompressor(in_memory, transformer=LogicalQueryTransformer(llm))
    embeddings.calls.clear()
    assert ids(await compressor.acompress_documents(documents, QUESTION)) == LEFT
    assert llm.ways == ["async"]
    assert "embed_query" not in embeddings.calls


async def test_runs_are_nested_and_the_query_is_an_event(in_memory, model):
    compressor = LogicalCompressor(in_memory, transformer=LogicalQueryTransformer(model(QUERY)))

    async def compress(inputs):
        return await compressor.acompress_documents(**inputs)

    chain = {
        "documents": in_memory.as_retriever(search_kwargs={"k": 6}),
        "query": RunnablePassthrough(),
    } | RunnableLambda(lambda inputs: compressor.compress_documents(**inputs), compress)
    assert set(ids(chain.invoke(QUESTION))) == set(LEFT)
    names, queries = {}, []
    async for event in chain.astream_events(QUESTION, version="v2"):
        names[event["run_id"]] = event["name"]
        if event["event"] == "on_chain_start" and event["name"] == "LogicalQueryTransformer":
            parents = [names[id] for id in event["parent_ids"]]
        if event["event"] == "on_custom_event":
            queries.append((event["name"], event["data"]["logical_query"]))
    assert parents[-1] == "LogicalCompressor"
    assert queries == [("logical_query", QUERY)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "has no embeddings"),
        ({"embeddings": "all-MiniLM"}, "must be LangChain Embeddings"),
        ({"vectorstore": 3}, r"builtins\.int"),
        ({"top_n": 3}, "no argument 'top_n'"),
        ({"semantics": "godel"}, "no argument 'semantics'"),
        ({"exclusion": "rank"}, "cannot use exclusion='rank'"),
        ({"llm": "gpt-4o"}, "llm must be"),
        ({"transformer": 3}, "transformer must be"),
    ],
)
def test_wrong_arguments_are_refused(embeddings, arguments, message):
    usual = {} if not arguments else {"embeddings": embeddings}
    with pytest.raises((InvalidArgumentError, UnsupportedStoreError), match=message):
        LogicalCompressor(**{**usual, **arguments})


@pytest.mark.parametrize(
    ("wrong", "question", "error", "message"),
    [
        ([], " \t", EmptyQuestionError, "empty"),
        ([Document("tea"), "a text"], QUESTION, InvalidArgumentError, "Entry 2"),
        ("a text", QUESTION, InvalidArgumentError, "documents is str"),
    ],
)
async def test_wrong_calls_are_refused(in_memory, compress, wrong, question, error, message):
    with pytest.raises(error, match=message):
        await compress(LogicalCompressor(in_memory), wrong, question)
