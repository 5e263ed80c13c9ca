"""NS-IR behind somebody else's retriever, with the real encoder and a scripted chat model."""

import copy

import pytest
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

from langchain_logical_retriever import LogicalQueryTransformer, NSIRCompressor
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.lab.nsir import NSIR, SentenceTransformerTokens
from logical_retriever.transform import CueQueryTransformer

QUESTION = "vitamin D benefits other than bone health"
CONCLUSION = "Predicates:\nBenefit(x)\nConclusion:\nVitaminDBenefit(x) ∧ ¬BoneHealth(x)"
PREMISES = "Predicates:\nHelps(x, y)\nPremises:\nHelps(VitaminD, Mood)"


class MiniLM(Embeddings):
    def __init__(self, embedder):
        self.embedder = embedder

    def embed_query(self, text):
        return self.embedder.embed_queries([text])[0].tolist()

    def embed_documents(self, texts):
        return self.embedder.embed_documents(texts).tolist()


@pytest.fixture(scope="module")
def embedder():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module")
def encoder(embedder):
    return SentenceTransformerTokens(embedder.sentence_transformer)


@pytest.fixture
def retriever(make_chroma, documents, embedder):
    """Chroma on disk, with all-MiniLM-L6-v2."""
    store = make_chroma(documents, space="cosine", embeddings=MiniLM(embedder))
    return store.as_retriever(search_kwargs={"k": 5})


@pytest.fixture(params=["sync", "async"])
def compress(request):
    async def compress(compressor, documents, question=QUESTION):
        if request.param == "sync":
            return compressor.compress_documents(documents, question)
        return await compressor.acompress_documents(documents, question)

    return compress


async def test_documents_of_a_real_store_are_ranked_by_a_chat_models_logic(retriever, encoder, model, compress):
    llm = model(CONCLUSION, PREMISES)
    compressor = NSIRCompressor(llm=llm, encoder=encoder, top_n=3)
    found = retriever.invoke(QUESTION)
    ranked = await compress(compressor, found)
    assert len(ranked) == 3
    assert len(llm.asked) == 6  # the question, then each of the five documents
    assert set(llm.ways) in ({"sync"}, {"async"})
    scores = [document.metadata["nsir"]["score"] for document in ranked]
    assert scores == sorted(scores, reverse=True)
    reasons = ranked[0].metadata["nsir"]
    assert reasons["question"] == ["VitaminDBenefit(x) ∧ ¬BoneHealth(x)"]
    assert reasons["score"] == pytest.approx(reasons["alignment"] + reasons["constraint"])
    assert reasons["problem"] is None
    assert {document.id for document in ranked} <= {document.id for document in found}


async def test_without_a_model_it_ranks_as_the_core_does(retriever, encoder, compress):
    found = retriever.invoke(QUESTION)
    ranked = await compress(NSIRCompressor(encoder=encoder), found)
    expected = NSIR(encoder=encoder).rank(QUESTION, [document.page_content for document in found])
    assert [document.id for document in ranked] == [found[passage.index].id for passage in expected.passages]
    assert [document.metadata["nsir"]["score"] for document in ranked] == pytest.approx(
        [passage.score for passage in expected.passages]
    )


def test_it_is_a_base_compressor_of_langchain(retriever, encoder):
    compressor = NSIRCompressor(encoder=encoder, top_n=2)
    whole = ContextualCompressionRetriever(base_compressor=compressor, base_retriever=retriever)
    assert len(whole.invoke(QUESTION)) == 2
    chain = {"documents": retriever, "query": RunnablePassthrough()} | RunnableLambda(
        lambda found: compressor.compress_documents(**found)
    )
    assert [d.id for d in chain.invoke(QUESTION)] == [d.id for d in whole.invoke(QUESTION)]


async def test_a_document_that_cannot_be_translated_keeps_its_first_stage_score(documents, encoder, model, compress):
    llm = model(CONCLUSION, "Premises:\nA = B")
    ranked = await compress(NSIRCompressor(llm=llm, encoder=encoder), documents[:2])
    question, *texts = (
        one.sentence / (one.sentence @ one.sentence) ** 0.5
        for one in encoder.encode_tokens([QUESTION, *(d.page_content for d in documents[:2])])
    )
    by_id = {d.id: d.metadata["nsir"] for d in ranked}
    for document, text in zip(documents, texts, strict=False):
        assert by_id[document.id]["problem"] == "unparsable"
        assert by_id[document.id]["score"] == pytest.approx(float(question @ text) + 1.0, abs=1e-5)


def test_logic_on_disk_is_not_asked_for_again(documents, encoder, model, tmp_path):
    first = NSIRCompressor(llm=model(CONCLUSION, PREMISES), model="m", cache=tmp_path, encoder=encoder)
    expected = first.compress_documents(documents, QUESTION)
    llm = model(RuntimeError("must not be called"))
    second = NSIRCompressor(llm=llm, model="m", cache=tmp_path, encoder=encoder)
    assert second.compress_documents(documents, QUESTION) == expected
    assert llm.asked == []


def test_a_logical_query_in_the_pipeline_is_converted(documents, encoder, model):
    llm = model('"vitamin D" AND NOT "bone health"')
    for transformer in (
        LogicalQueryTransformer(llm=llm),
        RunnableLambda(lambda q: '"vitamin D" AND NOT "bone health"'),
    ):
        ranked = NSIRCompressor(transformer=transformer, encoder=encoder).compress_documents(documents, QUESTION)
        assert ranked[0].metadata["nsir"]["question"] == ["vitamin_D(x) ∧ ¬bone_health(x)"]
    assert len(llm.asked) == 1
    cue = NSIRCompressor(transformer=CueQueryTransformer(), encoder=encoder).compress_documents(documents, QUESTION)
    assert cue[0].metadata["nsir"]["question"] == ["Vitamin_D_benefits(x) ∧ ¬bone_health(x)"]


async def test_the_chat_models_runs_are_children_of_the_callers(documents, encoder, model):
    class Seen(BaseCallbackHandler):
        def __init__(self):
            self.parents = []

        def on_chat_model_start(self, serialized, messages, *, parent_run_id=None, **kwargs):
            self.parents.append(parent_run_id)

    compressor = NSIRCompressor(llm=model(CONCLUSION, PREMISES), encoder=encoder)
    seen = Seen()
    compressor.compress_documents(documents[:3], QUESTION, callbacks=[seen])
    assert len(seen.parents) == 4
    assert None not in seen.parents


def test_given_documents_are_left_as_they_were(documents, encoder):
    before = copy.deepcopy(documents)
    for document in NSIRCompressor(encoder=encoder).compress_documents(documents, QUESTION):
        document.metadata.clear()
    assert documents == before


def test_k_top_n_and_the_key(documents, encoder):
    few = NSIRCompressor(encoder=encoder, k=2).compress_documents(documents, QUESTION)
    assert [d.metadata["nsir"]["score"] is None for d in few] == [False] * 2 + [True] * 4
    assert [d.id for d in few[2:]] == [d.id for d in documents[2:]]
    many = NSIRCompressor(encoder=encoder, k=999, top_n=999, metadata_key=None).compress_documents(documents, QUESTION)
    assert len(many) == 6
    assert all("nsir" not in d.metadata for d in many)
    assert NSIRCompressor(encoder=encoder).compress_documents([], QUESTION) == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"llm": 3},
        {"top_n": 0},
        {"k": 0},
        {"parts": "none"},
        {"transport": "emd"},
        {"encoder": 3},
        {"transformer": 3},
        {"cache": "folder"},
        {"max_calls": 3},
        {"nonsense": 1},
    ],
)
def test_bad_arguments(arguments):
    with pytest.raises(InvalidArgumentError):
        NSIRCompressor(**arguments)


def test_bad_input(encoder):
    compressor = NSIRCompressor(encoder=encoder)
    with pytest.raises(InvalidArgumentError):
        compressor.compress_documents(["text"], QUESTION)
    with pytest.raises(EmptyQuestionError):
        compressor.compress_documents([Document("a")], " ")
