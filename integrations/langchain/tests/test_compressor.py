"""Logical scores behind somebody else's retriever."""

import copy
import json
from functools import partial

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from langchain_logical_retriever import LogicalCompressor, LogicalQueryTransformer, LogicalRetriever
from logical_retriever.errors import (
    EmbeddingError,
    EmptyQuestionError,
    InvalidArgumentError,
    UnsupportedStoreError,
)
from logical_retriever.query import parse

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalCompressor, semantics="product")

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


def ids(documents):
    return [document.id for document in documents]


def terms(document):
    return json.loads(document.metadata["logical_terms"])


@pytest.fixture
def compressor(embeddings):
    return over(embeddings=embeddings, top_n=3)


@pytest.fixture(params=["product", "calibrated"])
def compress_semantics(request):
    return request.param


@pytest.fixture(params=["sync", "async"])
def compress(request):
    """Compression, as a coroutine whatever the path."""

    async def compress(compressor, documents, question=QUESTION):
        if request.param == "sync":
            return compressor.compress_documents(documents, question)
        return await compressor.acompress_documents(documents, question)

    return compress


async def test_the_unwanted_document_moves_down_and_out(compressor, documents, compress):
    found = await compress(compressor, documents)
    assert set(ids(found[:2])) == {"mood", "immune"}
    assert len(found) == 3
    metadata = found[0].metadata
    assert set(terms(found[0])) == set(parse(metadata["logical_query"]).terms())
    assert all(0.0 <= value <= 1.0 for value in terms(found[0]).values())
    assert metadata["logical_exact"] is True
    scores = [document.metadata["logical_score"] for document in found]
    assert scores == sorted(scores, reverse=True)


def test_words_count_where_vectors_tell_nothing():
    class Blank(Embeddings):
        def embed_query(self, text):
            return [1.0, 0.0, 0.0]

        def embed_documents(self, texts):
            return [self.embed_query(text) for text in texts]

    others = [Document(f"passage {i} about tea", id=f"d{i}") for i in range(30)]
    names = [Document("quokka and zeolite", id="both"), Document("zeolite is a mineral", id="name")]
    found = LogicalCompressor(embeddings=Blank(), top_n=32, exclusion="rank").compress_documents(
        [*others, *names], '"zeolite" AND NOT "quokka"'
    )
    assert found[0].id == "name"
    assert terms(found[0])["zeolite"] > 0.5
    [both] = [document for document in found if document.id == "both"]
    assert terms(both)["quokka"] > 0.3


def test_measured_on_the_store_it_scores_as_the_retriever_does(vectorstore, documents, compress_semantics):
    retriever = LogicalRetriever.from_vectorstore(vectorstore, semantics=compress_semantics, k=6, exclusion="rank")
    expected = {d.id: d.metadata["logical_score"] for d in retriever.invoke(QUESTION)}
    compressor = LogicalCompressor(vectorstore=vectorstore, semantics=compress_semantics, exclusion="rank")
    ranked = compressor.compress_documents(documents[1:5], QUESTION)
    assert sorted(ids(ranked), key=lambda id: (-expected[id], ids(documents).index(id))) == ids(ranked)
    for document in ranked:
        assert document.metadata["logical_score"] == pytest.approx(expected[document.id], abs=1e-5)


def test_given_documents_are_left_as_they_were(compressor, documents):
    for document in documents:
        document.metadata["nested"] = {"list": [1]}
    before = copy.deepcopy(documents)
    for question in (QUESTION, "vitamin D benefits"):
        for document in compressor.compress_documents(documents, question):
            document.metadata["nested"]["list"].append(2)
            document.metadata["mine"] = True
    assert documents == before


def test_ids_may_be_missing_or_repeated(embeddings, documents):
    twice = [document.model_copy(update={"id": None}) for document in documents] + [
        document.model_copy(update={"id": "same"}) for document in documents
    ]
    ranked = over(embeddings=embeddings, exclusion="rank").compress_documents(twice, QUESTION)
    assert len(ranked) == 12
    assert ids(ranked).count("same") == ids(ranked).count(None) == 6


def test_equal_texts_are_encoded_once(compressor, embeddings, documents):
    given = []
    embed = embeddings.embed_documents
    embeddings.embed_documents = lambda texts: (given.append(list(texts)), embed(texts))[1]
    compressor.compress_documents([*documents, *documents], QUESTION)
    assert given.count([document.page_content for document in documents]) == 1
    assert sum(text == documents[0].page_content for texts in given for text in texts) == 1


async def test_a_question_without_logic_keeps_the_order_and_encodes_nothing(
    embeddings, compressor, documents, compress
):
    embeddings.calls.clear()
    found = await compress(compressor, documents, "bone health")
    assert ids(found) == ids(documents)[:3]
    assert found[0].metadata["logical_query"] == '"bone health"'
    assert "logical_score" not in found[0].metadata
    assert embeddings.calls == []
    assert await compress(compressor, []) == []


@pytest.mark.parametrize("key", ["why", None])
def test_the_metadata_key_is_the_callers(embeddings, documents, key):
    compressor = over(embeddings=embeddings, metadata_key=key)
    for question in (QUESTION, "bone health"):
        for document in compressor.compress_documents(documents, question):
            # No score and no relevance where there is no logic.
            added = set(document.metadata) - {"length", "theme", "why_score", "why_relevance"}
            assert added == ({"why_query", "why_terms", "why_exact"} if key else set())


async def test_model_and_embeddings_are_awaited_not_called(embeddings, documents, model):
    llm = model(QUERY)
    compressor = over(embeddings=embeddings, transformer=LogicalQueryTransformer(llm=llm))
    embeddings.calls.clear()
    ranked = await compressor.acompress_documents(documents, QUESTION)
    assert llm.ways == ["async"]
    assert "embed_query" not in embeddings.calls
    assert ids(ranked) == ids(compressor.compress_documents(documents, QUESTION))


async def test_composed_with_other_runnables(in_memory, embeddings, model):
    """Behind any retriever, with nothing but langchain_core; runs are nested, and the query is an event."""
    compressor = over(embeddings=embeddings, transformer=LogicalQueryTransformer(llm=model(QUERY)), top_n=2)

    async def compress(found):
        return await compressor.acompress_documents(**found)

    chain = {
        "documents": in_memory.as_retriever(search_kwargs={"k": 6}),
        "query": RunnablePassthrough(),
    } | RunnableLambda(lambda found: compressor.compress_documents(**found), compress)
    assert set(ids(chain.invoke(QUESTION))) == {"mood", "immune"}
    assert [set(ids(found)) for found in chain.batch([QUESTION, QUESTION])] == [{"mood", "immune"}] * 2
    names, queries = {}, []
    async for event in chain.astream_events(QUESTION, version="v2"):
        names[event["run_id"]] = event["name"]
        if event["event"] == "on_chain_start" and event["name"] == "LogicalQueryTransformer":
            parents = [names[id] for id in event["parent_ids"]]
        if event["event"] == "on_custom_event":
            queries.append((event["name"], event["data"]["logical_query"]))
    assert parents[-1] == "LogicalCompressor"
    assert queries == [("logical_query", QUERY)]


def test_as_the_compressor_of_a_contextual_compression_retriever(in_memory, compressor):
    classic = pytest.importorskip("langchain_classic.retrievers")
    retriever = classic.ContextualCompressionRetriever(
        base_retriever=in_memory.as_retriever(search_kwargs={"k": 6}), base_compressor=compressor
    )
    assert set(ids(retriever.invoke(QUESTION)[:2])) == {"mood", "immune"}


def test_wrong_arguments_are_refused(embeddings, model):
    for wrong, culprit in [
        ({"embeddings": "all-MiniLM"}, "Embeddings"),
        ({}, "embeddings"),
        ({"vectorstore": 3}, "int"),
        ({"embeddings": embeddings, "top_n": 0}, "top_n"),
        ({"embeddings": embeddings, "top_n": True}, "top_n"),
        ({"embeddings": embeddings, "top_k": 3}, "top_k"),
        ({"embeddings": embeddings, "semantics": "godell"}, "godell"),
        ({"embeddings": embeddings, "llm": "gpt-4o"}, "llm"),
        ({"embeddings": embeddings, "transformer": 3}, "transformer"),
        ({"embeddings": embeddings, "metadata_key": ""}, "metadata_key"),
        ({"embeddings": embeddings, "llm": model(QUERY), "transformer": model(QUERY)}, "Both"),
    ]:
        with pytest.raises((InvalidArgumentError, UnsupportedStoreError), match=culprit):
            LogicalCompressor(**wrong)


def test_wrong_calls_are_refused(compressor, documents):
    with pytest.raises(EmptyQuestionError):
        compressor.compress_documents(documents, " \t")
    with pytest.raises(InvalidArgumentError, match="Entry 2"):
        compressor.compress_documents([documents[0], "a text"], QUESTION)
    with pytest.raises(InvalidArgumentError, match="str"):
        compressor.compress_documents("a text", QUESTION)


@pytest.mark.parametrize(
    ("returned", "said"),
    [(ConnectionError("no route"), "no route"), ([[1.0]], "shape"), ([[1.0], [1.0, 2.0]], "no array")],
)
async def test_embeddings_that_fail_are_a_typed_error(embeddings, documents, compress, returned, said):
    def embed(texts):
        if isinstance(returned, Exception):
            raise returned
        return returned

    embeddings.embed_documents = embed
    compressor = over(embeddings=embeddings)
    with pytest.raises(EmbeddingError, match=said):
        await compress(compressor, documents)


def test_conditions_are_decided_on_the_found_documents(embeddings):
    found = [
        Document(f"tea {n}", id=f"d{n}", metadata={"language": name})
        for n, name in enumerate(("French", "German", "French"))
    ]
    assert ids(over(embeddings=embeddings).compress_documents(found, '"tea" AND NOT [language = "French"]')) == ["d1"]
    kept = over(embeddings=embeddings).compress_documents(found, '"tea" AND [language = "French"]')
    assert set(ids(kept)) == {"d0", "d2"}
