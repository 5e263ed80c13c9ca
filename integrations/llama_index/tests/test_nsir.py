"""NS-IR as a node postprocessor, with the real encoder, a real store and a scripted LLM."""

import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

from llama_index.retrievers.logical import LogicalQueryTransformer, NSIRRerank
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import EmptyQuestionError, InvalidArgumentError
from logical_retriever.lab.nsir import NSIR, SentenceTransformerTokens
from logical_retriever.transform import CueQueryTransformer

QUESTION = "vitamin D benefits other than bone health"
CONCLUSION = "Predicates:\nBenefit(x)\nConclusion:\nVitaminDBenefit(x) ∧ ¬BoneHealth(x)"
PREMISES = "Predicates:\nHelps(x, y)\nPremises:\nHelps(VitaminD, Mood)"


class MiniLM(BaseEmbedding):
    """all-MiniLM-L6-v2 through LlamaIndex's interface."""

    _embedder: SentenceTransformerEmbedder = PrivateAttr()

    def __init__(self, embedder):
        super().__init__()
        self._embedder = embedder

    def _get_query_embedding(self, query):
        return self._embedder.embed_queries([query])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return self._embedder.embed_documents([text])[0].tolist()


@pytest.fixture(scope="module")
def embedder():
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="module")
def encoder(embedder):
    return SentenceTransformerTokens(embedder.sentence_transformer)


@pytest.fixture
def retriever(make_index, nodes, embedder):
    """Chroma on disk, with all-MiniLM-L6-v2."""
    index = make_index("chroma", nodes, embed_model=MiniLM(embedder), space="cosine")
    return index.as_retriever(similarity_top_k=5)


@pytest.fixture(params=["sync", "async"])
def postprocess(request):
    async def postprocess(rerank, nodes, **query):
        query = query or {"query_str": QUESTION}
        if request.param == "sync":
            return rerank.postprocess_nodes(nodes, **query)
        return await rerank.apostprocess_nodes(nodes, **query)

    return postprocess


async def test_nodes_of_a_real_store_are_ranked_by_an_llms_logic(retriever, encoder, scripted, postprocess):
    llm = scripted(CONCLUSION, *[PREMISES] * 5)
    found = retriever.retrieve(QUESTION)
    ranked = await postprocess(NSIRRerank(llm, encoder=encoder, top_n=3), found)
    assert len(ranked) == 3
    assert len(llm.prompts) == 6  # the question, then each of the five nodes
    assert [node.score for node in ranked] == sorted((node.score for node in ranked), reverse=True)
    reasons = ranked[0].metadata["nsir"]
    assert reasons["question"] == ["VitaminDBenefit(x) ∧ ¬BoneHealth(x)"]
    assert reasons["score"] == ranked[0].score == pytest.approx(reasons["alignment"] + reasons["constraint"])
    assert "nsir" not in ranked[0].node.get_content(metadata_mode=MetadataMode.LLM)


async def test_without_an_llm_it_ranks_as_the_core_does(retriever, encoder, postprocess):
    found = retriever.retrieve(QUESTION)
    ranked = await postprocess(NSIRRerank(encoder=encoder), found)
    expected = NSIR(encoder=encoder).rank(QUESTION, [node.node.get_content() for node in found])
    assert [node.node_id for node in ranked] == [found[passage.index].node_id for passage in expected.passages]
    assert [node.score for node in ranked] == pytest.approx([passage.score for passage in expected.passages])


def test_it_works_in_a_query_engine(retriever, encoder, scripted):
    engine = RetrieverQueryEngine(
        retriever,
        response_synthesizer=get_response_synthesizer(llm=scripted("Answer.")),
        node_postprocessors=[NSIRRerank(encoder=encoder, top_n=2)],
    )
    response = engine.query(QUESTION)
    assert str(response) == "Answer."
    assert len(response.source_nodes) == 2


async def test_a_node_that_cannot_be_translated_keeps_its_first_stage_score(encoder, scripted, postprocess):
    llm = scripted(CONCLUSION, "Premises:\nA = B", "Premises:\nA = B")
    nodes = [NodeWithScore(node=TextNode(text="vitamin D and mood"), score=17.0)]
    (kept,) = await postprocess(NSIRRerank(llm, encoder=encoder), nodes)
    question, text = (one.sentence for one in encoder.encode_tokens([QUESTION, "vitamin D and mood"]))
    cosine = question @ text / (question @ question) ** 0.5 / (text @ text) ** 0.5
    assert kept.score == pytest.approx(float(cosine) + 1.0, abs=1e-5)
    assert kept.metadata["nsir"]["problem"] == "unparsable"


def test_logic_on_disk_is_not_asked_for_again(retriever, encoder, scripted, tmp_path):
    found = retriever.retrieve(QUESTION)
    first = NSIRRerank(scripted(CONCLUSION, *[PREMISES] * 5), model="m", cache=tmp_path / "f", encoder=encoder)
    expected = [(node.node_id, node.score) for node in first.postprocess_nodes(found, query_str=QUESTION)]
    llm = scripted()
    second = NSIRRerank(llm, model="m", cache=tmp_path / "f", encoder=encoder)
    assert [(n.node_id, n.score) for n in second.postprocess_nodes(found, query_str=QUESTION)] == expected
    assert llm.prompts == []


async def test_a_logical_query_in_the_pipeline_is_converted(retriever, encoder, scripted, postprocess):
    llm = scripted('"vitamin D" AND NOT "bone health"')
    transformer = LogicalQueryTransformer(llm)
    found = retriever.retrieve(QUESTION)
    bundle = transformer.run(QUESTION)
    for rerank, query in [
        (NSIRRerank(encoder=encoder), {"query_bundle": bundle}),
        (NSIRRerank(transformer=transformer, encoder=encoder), {"query_str": QUESTION}),
    ]:
        ranked = await postprocess(rerank, found, **query)
        assert ranked[0].metadata["nsir"]["question"] == ["vitamin_D(x) ∧ ¬bone_health(x)"]
    assert len(llm.prompts) == 1


def test_nodes_given_are_not_changed(retriever, encoder):
    found = retriever.retrieve(QUESTION)
    before = [(node.score, node.node.to_dict()) for node in found]
    for node in NSIRRerank(encoder=encoder).postprocess_nodes(found, query_str=QUESTION):
        node.node.metadata.clear()
    assert [(node.score, node.node.to_dict()) for node in found] == before


def test_k_top_n_and_the_key(retriever, encoder):
    found = retriever.retrieve(QUESTION)
    few = NSIRRerank(encoder=encoder, k=2).postprocess_nodes(found, query_str=QUESTION)
    assert [node.score is None for node in few] == [False] * 2 + [True] * 3
    many = NSIRRerank(encoder=encoder, k=99, top_n=99, metadata_key=None).postprocess_nodes(found, query_str=QUESTION)
    assert len(many) == 5
    assert all("nsir" not in node.metadata for node in many)
    assert NSIRRerank(encoder=encoder).postprocess_nodes([], query_str=QUESTION) == []


def test_bad_input(encoder, scripted):
    for arguments in (
        {"llm": "gpt"},
        {"top_n": 0},
        {"k": 0},
        {"parts": "none"},
        {"transport": "emd"},
        {"metadata_key": ""},
        {"transformer": 3},
        {"encoder": 3},
        {"cache": "folder"},
        {"llm": scripted(), "cache": "folder"},
        {"llm": scripted(), "max_calls": -1},
    ):
        with pytest.raises(InvalidArgumentError):
            NSIRRerank(**arguments)
    rerank = NSIRRerank(transformer=CueQueryTransformer(), encoder=encoder)
    assert rerank.class_name() == "NSIRRerank"
    with pytest.raises(InvalidArgumentError, match="no question"):
        rerank.postprocess_nodes([])
    with pytest.raises(EmptyQuestionError):
        rerank.postprocess_nodes([], query_str=" ")
