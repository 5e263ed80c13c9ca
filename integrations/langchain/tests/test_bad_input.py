"""Bad input ends in a typed error with a hint, or in a defined result."""

from functools import partial

import numpy as np
import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever import (
    LogicalQueryTransformer,
    LogicalRetriever,
    create_logical_search_tool,
)
from logical_retriever.errors import (
    EmbeddingError,
    EmptyQuestionError,
    InvalidArgumentError,
    LLMCallError,
    LogicalSyntaxError,
    StoreError,
    UnsupportedStoreError,
    VectorMismatchError,
)
from logical_retriever.query import FieldInfo
from logical_retriever.semantics import CalibratedSemantics
from logical_retriever.stores import InMemoryStore
from logical_retriever.testing import HashingEmbedder
from logical_retriever.transform import QuestionReader as CoreReader, TransformWarning

# These tests are about the integration: one semantics, whatever the default is.
over = partial(LogicalRetriever, semantics="product", exclusion="rank", metadata=True)

QUESTION = "vitamin D benefits other than bone health"
QUERY = '"vitamin D benefits" AND NOT "bone health"'


@pytest.mark.parametrize("question", ["", "  \n\t", "\u200b"])
async def test_empty_question(vectorstore, model, question):
    llm = model("never asked")
    retriever = over(vectorstore, transformer=LogicalQueryTransformer(llm=llm))
    with pytest.raises(EmptyQuestionError):
        retriever.invoke(question)
    with pytest.raises(EmptyQuestionError):
        await retriever.ainvoke(question)
    with pytest.raises(EmptyQuestionError):
        retriever.explain(question)
    assert llm.asked == []


async def test_empty_collection(make_chroma, embeddings):
    for store in (make_chroma(), InMemoryVectorStore(embeddings)):
        retriever = over(store)
        assert retriever.invoke(QUESTION) == await retriever.ainvoke(QUESTION) == []
        assert retriever.search("NOT tea") == []
        assert retriever.explain(QUESTION).result.documents == ()


@pytest.mark.parametrize("k", [2, 10**30])
async def test_where_all_documents_are_excluded_the_answer_is_empty_and_says_so(make_chroma, k):
    texts = {f"milk {i}": "tea with milk" for i in range(3)} | {f"word{i}": f"word{i} and other{i}" for i in range(40)}
    documents = [Document(text, id=id, metadata={"kind": id.split()[0]}) for id, text in texts.items()]
    retriever = LogicalRetriever.from_vectorstore(make_chroma(documents), k=k, filter={"kind": "milk"})
    query, count = 'tea AND NOT "with milk"', min(k, 3)
    assert retriever.invoke(query) == await retriever.ainvoke(query) == []
    said = f'{count} documents were left out, being about what is excluded: "with milk"'
    assert said in str(retriever.explain(query))
    answer = create_logical_search_tool(retriever).invoke({"all_of": ["tea"], "none_of": ["with milk"], "k": count})
    assert answer.startswith("No passage was found")
    assert f'Left out: {count} passages about "with milk"' in answer


async def test_another_dimension(vectorstore, hashing_embeddings):
    retriever = over(vectorstore, embeddings=hashing_embeddings(dimension=64))
    with pytest.raises((VectorMismatchError, StoreError), match="64"):
        retriever.invoke(QUESTION)
    with pytest.raises((VectorMismatchError, StoreError), match="64"):
        await retriever.ainvoke(QUESTION)


def test_documents_of_several_dimensions(embeddings, hashing_embeddings):
    store = InMemoryVectorStore(embeddings)
    store.add_texts(["a"])
    store.embedding = hashing_embeddings(dimension=8)
    store.add_texts(["b"])
    with pytest.raises(VectorMismatchError, match="8, 256"):
        over(store, embeddings=embeddings).invoke("a")


async def test_a_model_that_raises_or_answers_nothing(vectorstore, model):
    for answer in (RuntimeError("quota"), "", "   "):
        retriever = over(vectorstore, transformer=LogicalQueryTransformer(llm=model(answer)), k=6)
        with pytest.warns(TransformWarning):
            found = retriever.invoke(QUESTION)
        assert found[0].metadata["logical_query"] == f'"{QUESTION}"'
        fields = [FieldInfo("theme", "text")]  # with fields the model is always asked
        with pytest.warns(TransformWarning):
            found = over(vectorstore, model(answer), fields=fields, k=6).invoke(QUESTION)
        assert found[0].metadata["logical_query"] == QUERY
        assert {document.id for document in found[:2]} == {"mood", "immune"}
        strict = LogicalQueryTransformer(llm=model(answer), on_failure="raise")
        with pytest.raises(LLMCallError):
            over(vectorstore, transformer=strict).invoke(QUESTION)
        with pytest.raises(LLMCallError):
            await over(vectorstore, transformer=strict).ainvoke(QUESTION)


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_terms_without_a_direction(in_memory, hashing_embeddings, value):
    class Flat(hashing_embeddings):
        def embed_query(self, text):
            return [value] * 256

    with pytest.raises(EmbeddingError, match="zero vector or NaN"):
        over(in_memory, embeddings=Flat()).invoke(QUESTION)


@pytest.mark.parametrize("answer", [None, "text", [[1.0]]])
def test_embeddings_that_return_no_vector(in_memory, hashing_embeddings, answer):
    class Odd(hashing_embeddings):
        def embed_query(self, text):
            return answer

    with pytest.raises(EmbeddingError):
        over(in_memory, embeddings=Odd()).invoke(QUESTION)


def test_stored_vectors_without_a_direction_have_cosine_zero(embeddings):
    store = InMemoryVectorStore(embeddings)
    store.add_texts(["tea", "zero", "nan"], ids=["tea", "zero", "nan"])
    store.store["zero"]["vector"] = [0.0] * 256
    store.store["nan"]["vector"] = [float("nan")] * 256
    found = over(store).invoke("tea")
    assert [d.id for d in found] == ["tea", "nan", "zero"]
    assert [d.metadata["logical_score"] for d in found[1:]] == [0.0, 0.0]


def test_a_zero_vector_in_chroma(make_chroma, embeddings):
    store = make_chroma([Document(id="tea", page_content="tea")])
    store._collection.add(ids=["zero"], embeddings=[np.zeros(256)], documents=["zero"])
    found = over(store).invoke("tea")
    assert [(d.id, d.metadata["logical_score"]) for d in found[1:]] == [("zero", 0.0)]


class Deleting(CalibratedSemantics):
    """Deletes a document between the moment it is scored and the moment it is fetched."""

    def __init__(self, store, id):
        super().__init__()
        self.store, self.id = store, id

    def scores(self, query, evidence):
        self.store.delete([self.id])
        return super().scores(query, evidence)


def test_a_document_deleted_while_searching_is_left_out(in_memory):
    best = over(in_memory).search(QUERY)[0].id
    found = over(in_memory, semantics=Deleting(in_memory, best), k=6).search(QUERY)
    assert len(found) == 5
    assert best not in [d.id for d in found]


def test_a_collection_that_is_gone_or_made_anew(make_chroma, documents):
    store = make_chroma(documents)
    retriever = over(store)
    store.reset_collection()
    assert retriever.invoke(QUESTION) == []
    store.add_documents(documents[:2])
    assert len(retriever.invoke(QUESTION)) == 2
    store.delete_collection()
    with pytest.raises(StoreError, match="no collection"):
        retriever.invoke(QUESTION)


def test_a_store_without_embeddings(tmp_path, in_memory, embeddings):
    with pytest.raises(UnsupportedStoreError, match=r"no adapter for builtins\.type"):
        over(InMemoryStore, embeddings=embeddings)
    store = Chroma(collection_name="bare", persist_directory=str(tmp_path / "bare"))
    with pytest.raises(InvalidArgumentError, match="Chroma holds no embeddings") as error:
        over(store)
    assert "embeddings=" in error.value.hint
    assert over(store, embeddings=embeddings).invoke("tea") == []
    with pytest.raises(InvalidArgumentError, match="embeddings must be"):
        over(in_memory, embeddings="text-embedding-3")


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"fetchk": 3}, "no argument 'fetchk'"),
        ({"evidence": "dense"}, "no argument 'evidence'"),
        ({"mode": "sqo"}, "no argument 'mode'"),
        ({"search_kwargs": {"score_cutoff": 0.5}}, "no search argument 'score_cutoff'"),
        ({"semantics": "produkt"}, "no semantics 'produkt'"),
        ({"transformer": CoreReader}, "must be a QueryTransformer"),
        ({"embeddings": HashingEmbedder}, "embeddings must be LangChain Embeddings"),
        ({"tags": "not a list"}, "tags"),
    ],
)
def test_bad_arguments_of_the_constructor(in_memory, arguments, match):
    with pytest.raises(InvalidArgumentError, match=match) as error:
        over(in_memory, **arguments)
    assert error.value.hint


def test_filters_of_the_wrong_kind(make_chroma, in_memory, documents):
    chroma = over(make_chroma(documents))
    with pytest.raises(InvalidArgumentError, match="must be a dict"):
        chroma.invoke(QUESTION, filter=lambda d: True)
    with pytest.raises(InvalidArgumentError, match="where_document must be a dict"):
        chroma.invoke(QUESTION, where_document="tea")
    with pytest.raises(StoreError, match="no_such_operator"):
        chroma.invoke(QUESTION, filter={"theme": {"$no_such_operator": 1}})


def test_queries_that_are_none(in_memory):
    retriever = over(in_memory)
    with pytest.raises(LogicalSyntaxError):
        retriever.search('"tea" AND')
    with pytest.raises(InvalidArgumentError):
        retriever.search(7)
    with pytest.raises(InvalidArgumentError, match="not a string"):
        retriever.invoke(7)
