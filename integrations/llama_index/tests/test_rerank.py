"""The reranker: logical scores for what another retriever has found."""

import json

import numpy as np
import pytest
from llama_index.core.schema import NodeWithScore, TextNode

from llama_index.retrievers.logical import LogicalRerank, LogicalRetriever
from logical_retriever import parse
from logical_retriever.errors import EmbeddingError, EmptyQuestionError, InvalidArgumentError
from logical_retriever.search.background import sentences
from logical_retriever.testing import oracle
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.transform import QuestionReader as CoreReader, Transformation

QUESTION = "vitamin D, excluding bone health"
QUERY = '"A" AND NOT "B"'
QUERY_OF_NAMES = '"zeolite" AND NOT "quokka"'


class Says:
    """Makes one query of every question."""

    def __init__(self, query):
        self.query = parse(query)
        self.asked = 0

    def transform(self, question):
        self.asked += 1
        return Transformation(question, self.query, method="llm")

    async def atransform(self, question):
        return self.transform(question)

    def batch(self, questions):
        return [self.transform(question) for question in questions]


@pytest.fixture
def found(simple_index):
    return simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)


async def test_unwanted_nodes_move_down(found, embedding, names):
    rerank = LogicalRerank(embedding, semantics="product", top_n=2)
    assert set(names(rerank.postprocess_nodes(found, query_str=QUESTION))) == {"mood", "immune"}
    assert set(names(await rerank.apostprocess_nodes(found, query_str=QUESTION))) == {"mood", "immune"}
    assert len(LogicalRerank(embedding, exclusion="rank").postprocess_nodes(found, query_str=QUESTION)) == 6
    assert "bone" not in names(LogicalRerank(embedding).postprocess_nodes(found, query_str=QUESTION))


def test_words_count_where_vectors_tell_nothing():
    texts = [*(f"passage {i} about tea" for i in range(30)), "quokka and zeolite", "zeolite is a mineral"]
    rng = np.random.default_rng(5)
    given = {text: rng.normal(size=64) for text in (*texts, "zeolite", "quokka", QUERY_OF_NAMES, *sentences())}
    nodes = [NodeWithScore(node=TextNode(id_=text, text=text), score=0.5) for text in texts]
    rerank = LogicalRerank(GivenEmbedder(given), top_n=32, exclusion="rank")
    found = rerank.postprocess_nodes(nodes, query_str=QUERY_OF_NAMES)
    assert found[0].node_id == "zeolite is a mineral"
    why = {node.node_id: json.loads(node.metadata["logical_terms"]) for node in found}
    assert why["zeolite is a mineral"]["zeolite"] > 0.5
    assert why["quokka and zeolite"]["quokka"] > 0.3


@pytest.mark.parametrize("embedded", [True, False])
async def test_scores_are_the_oracles(embedded):
    rng = np.random.default_rng(3)
    vectors = {name: rng.normal(size=6).tolist() for name in ("A", "B", *map(str, range(20)), *sentences())}
    nodes = [
        NodeWithScore(node=TextNode(id_=n, text=n, embedding=vectors[n] if embedded else None), score=0.5)
        for n in map(str, range(20))
    ]
    given = {text: vectors[text] for text in ("A", "B", *sentences())} if embedded else vectors
    rerank = LogicalRerank(
        GivenEmbedder(given), transformer=Says(QUERY), semantics="product", top_n=7, exclusion="rank"
    )
    documents = {n: vectors[n] for n in map(str, range(20))}
    true = oracle.ranking(parse(QUERY), {t: vectors[t] for t in "AB"}, documents, "product", 7)
    for ranked in (
        rerank.postprocess_nodes(nodes, query_str="?"),
        await rerank.apostprocess_nodes(nodes, query_str="?"),
    ):
        assert [n.node_id for n in ranked] == [id for id, _ in true]
        assert [n.metadata["logical_score"] for n in ranked] == pytest.approx([score for _, score in true], abs=1e-5)
        assert json.loads(ranked[0].metadata["logical_terms"]).keys() == {"A", "B"}


def test_only_nodes_without_an_embedding_are_encoded(embedding):
    vector = embedding.get_text_embedding("vitamin D and mood")
    embedding.texts.clear()
    nodes = [
        NodeWithScore(node=TextNode(text="vitamin D and mood", embedding=vector), score=0.1),
        NodeWithScore(node=TextNode(text="bone health", metadata={"year": 1999}), score=0.2),
        NodeWithScore(node=TextNode(text="bone health", metadata={"year": 1999}), score=0.2),
    ]
    ranked = LogicalRerank(embedding, semantics="product", exclusion="rank").postprocess_nodes(
        nodes, query_str=QUESTION
    )
    assert [text for text in embedding.texts if text not in sentences()] == ["year: 1999\n\nbone health"]
    assert len(ranked) == 3
    assert ranked[0].node.embedding == vector


def test_a_question_without_logic_keeps_order_and_scores(found, embedding, names):
    kept = LogicalRerank(embedding, top_n=3).postprocess_nodes(found, query_str="vitamin D")
    assert [(n.node_id, n.score) for n in kept] == [(n.node_id, n.score) for n in found[:3]]
    assert kept[0] is found[0]


def test_nodes_given_are_not_changed(found, embedding):
    before = [(n.score, n.node.to_dict()) for n in found]
    for node in LogicalRerank(embedding, semantics="product").postprocess_nodes(found, query_str=QUESTION):
        node.metadata.clear()
    assert [(n.score, n.node.to_dict()) for n in found] == before


def test_equal_scores_keep_the_order_given():
    nodes = [NodeWithScore(node=TextNode(id_=str(i), text="x", embedding=[0.0, 1.0])) for i in range(20)]
    rerank = LogicalRerank(
        GivenEmbedder({"A": [1, 0], "B": [1, 1], **{text: [1, 0] for text in sentences()}}),
        transformer=Says(QUERY),
        semantics="product",
        exclusion="rank",
    )
    ranked = rerank.postprocess_nodes(nodes, query_str="?")
    assert [node.node_id for node in ranked] == [str(i) for i in range(20)]
    assert [node.metadata["logical_score"] for node in ranked] == [0.0] * 20


def test_no_nodes_ask_no_model(embedding):
    says = Says(QUERY)
    assert LogicalRerank(embedding, transformer=says).postprocess_nodes([], query_str="?") == []
    assert says.asked == 0


def test_an_agents_spelling_is_understood(found, embedding, names):
    rerank = LogicalRerank(embedding, semantics="product", top_n=2)
    assert set(names(rerank.postprocess_nodes(found, query_str=f"\ninput is {QUESTION}\n"))) == {"mood", "immune"}


async def test_bad_input(found, embedding, given):
    with pytest.raises(InvalidArgumentError, match="no question"):
        LogicalRerank(embedding).postprocess_nodes(found)
    with pytest.raises(EmptyQuestionError):
        LogicalRerank(embedding).postprocess_nodes(found, query_str=" ")
    for arguments, said in [
        ({"top_n": 0}, "top_n must be"),
        ({"metadata_key": ""}, "metadata_key"),
        ({"semantics": "x"}, "no semantics"),
        ({"transformer": 3}, "transformer must be"),
        ({"llm": "gpt"}, "llm must be"),
        ({"llm": "gpt", "transformer": CoreReader()}, "Both llm"),
    ]:
        with pytest.raises(InvalidArgumentError, match=said):
            LogicalRerank(embedding, **arguments)
    with pytest.raises(InvalidArgumentError, match="no embedding model"):
        LogicalRerank(None)
    failing = LogicalRerank(given({"Vitamin D": [1.0], "bone health": [1.0]}))
    with pytest.raises(EmbeddingError, match="KeyError"):
        failing.postprocess_nodes(found, query_str=QUESTION)
    with pytest.raises(EmbeddingError, match="KeyError"):
        await failing.apostprocess_nodes(found, query_str=QUESTION)
    mixed = [NodeWithScore(node=TextNode(text="x", embedding=[1.0])), *found]
    with pytest.raises(EmbeddingError, match="lengths 1, 256"):
        LogicalRerank(embedding).postprocess_nodes(mixed, query_str=QUESTION)


def test_over_an_index_similarity_is_measured_on_it(simple_index, found):
    few = found[:3]
    own = LogicalRerank(index=simple_index, exclusion="rank")
    assert [type(node) for node in own.postprocess_nodes(few, query_str=QUESTION)] == [NodeWithScore] * 3
    whole = LogicalRetriever.from_index(simple_index, similarity_top_k=6, exclusion="rank").retrieve(QUESTION)
    scores = {node.node_id: node.score for node in whole}
    for node in own.postprocess_nodes(few, query_str=QUESTION):
        assert node.score == pytest.approx(scores[node.node_id])
    alone = LogicalRerank(simple_index._embed_model, exclusion="rank").postprocess_nodes(few, query_str=QUESTION)
    assert any(node.score != pytest.approx(scores[node.node_id]) for node in alone)


def test_conditions_are_decided_on_the_found_nodes(embedding):
    nodes = [
        NodeWithScore(node=TextNode(id_=f"n{n}", text=f"tea {n}", metadata={"language": name}), score=0.5)
        for n, name in enumerate(("French", "German", "French"))
    ]
    kept = LogicalRerank(embedding, semantics="product").postprocess_nodes(
        nodes, query_str='"tea" AND NOT [language = "French"]'
    )
    assert [one.node.node_id for one in kept] == ["n1"]
