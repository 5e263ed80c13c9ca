"""Retrievers and postprocessors copied and pickled: the copy answers alike, and what cannot be copied says so."""

from __future__ import annotations

import copy
import pickle

import pytest

from llama_index.retrievers.logical import LogicalRerank, LogicalRetriever, QuestionReader
from logical_retriever.errors import InvalidArgumentError

QUESTION = "vitamin D benefits other than bone health"


def of(nodes):
    return [(node.node_id, node.score, dict(node.metadata)) for node in nodes]


def pickled(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_copied_retriever_answers_alike(simple_index, copied):
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=3, semantics="product", fetch_k=7)
    other = copied(retriever)
    assert of(other.retrieve(QUESTION)) == of(retriever.retrieve(QUESTION))
    assert other.arguments().keys() == retriever.arguments().keys()
    assert (other.similarity_top_k, other._core.options.fetch_k) == (3, 7)
    other.similarity_top_k = 1
    assert (len(other.retrieve(QUESTION)), len(retriever.retrieve(QUESTION))) == (1, 3)


def test_a_deep_copy_has_an_index_of_its_own(simple_index):
    retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=6)
    other, before = copy.deepcopy(retriever), of(retriever.retrieve(QUESTION))
    other._index.delete_nodes([before[0][0]])
    assert of(retriever.retrieve(QUESTION)) == before
    assert before[0][0] not in {id for id, *_ in of(other.retrieve(QUESTION))}


def test_a_copy_shares_what_was_learnt_about_the_store(simple_index, embedding):
    retriever = LogicalRetriever.from_index(simple_index)
    retriever.retrieve(QUESTION)
    embedding.texts.clear()
    copy.copy(retriever).retrieve(QUESTION)
    assert embedding.texts == []  # the sentences that statistics of small stores need


def test_an_llm_that_answered_already_does_not_hinder_a_copy(simple_index, scripted):
    llm = scripted('"vitamin D" AND NOT "bones"', '"vitamin D" AND NOT "bones"')
    retriever = LogicalRetriever.from_index(simple_index, transformer=QuestionReader(llm))
    before = of(retriever.retrieve(QUESTION))
    assert of(copy.deepcopy(retriever).retrieve(QUESTION)) == before  # asked again: a copy's cache begins empty
    assert of(pickled(retriever).retrieve(QUESTION))[0][2] == before[0][2]


@pytest.mark.parametrize("make", [LogicalRetriever.from_index, lambda index: LogicalRerank(index=index)])
def test_an_index_over_a_connection_says_so(make_index, nodes, make):
    thing = make(make_index("chroma", nodes))
    for way, word in ((pickle.dumps, "pickled"), (copy.deepcopy, "deep-copied")):
        with pytest.raises(InvalidArgumentError, match=f"index of .* a VectorStoreIndex, cannot be {word}"):
            way(thing)


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copied_postprocessor_scores_alike(simple_index, copied):
    found = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    rerank = LogicalRerank(index=simple_index, top_n=2)
    other = copied(rerank)
    assert of(other.postprocess_nodes(found, query_str=QUESTION)) == of(
        rerank.postprocess_nodes(found, query_str=QUESTION)
    )
