"""The agent's tool: what is wrong with a call, and what was left out, is told to the model."""

import pytest

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.integration import TOOL_DESCRIPTION

WRONG = {
    "nothing": ({}, "nothing to look for"),
    "a blank topic": ({"all_of": [" "]}, "all_of.0"),
    "contradictory lists": ({"all_of": ["tea"], "none_of": ["Tea"]}, "none_of"),
    "a text for a list": ({"all_of": "tea"}, "valid list"),
    "nothing but exclusions": ({"none_of": ["tea"]}, "nothing to look for"),
    "a k out of range": ({"all_of": ["tea"], "k": 0}, "k: Input should be greater than or equal to 1"),
    "a misspelt name": ({"noneof": ["tea"]}, "Did you mean 'none_of'"),
}


@pytest.mark.parametrize(("arguments", "words"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_call_is_a_message(framework, hashing, arguments, words):
    description, call = framework.tool(framework.package.LogicalRetriever(framework.store({}, hashing)))
    assert description == TOOL_DESCRIPTION
    message = call(arguments)
    assert message.startswith("The search was not carried out. ")
    assert words in message
    assert len(message) < 600


def test_an_empty_store_is_a_message(framework, hashing):
    _, call = framework.tool(framework.package.LogicalRetriever(framework.store({}, hashing)))
    assert call({"all_of": ["tea"], "none_of": ["milk"]}) == 'No passage was found for "tea" AND NOT "milk".'


def test_what_was_left_out_is_said_with_the_real_encoder(framework):
    texts = ["Vitamin D lifts the mood.", "Vitamin D benefits bone health.", "Calcium is good for bone health."]
    store = framework.store({text: (text, {}) for text in texts}, SentenceTransformerEmbedder())
    answer = framework.tool(framework.package.LogicalRetriever(store))[1](
        {"all_of": ["benefits of vitamin D"], "none_of": ["bone health"]}
    )
    assert texts[0] in answer
    assert "Calcium" not in answer
    assert answer.endswith('Left out: 2 passages about "bone health".')
    guarded = framework.package.LogicalRetriever(store, always_exclude=["bone health"])
    answer = framework.tool(guarded)[1]({"all_of": ["calcium and bone health"]})
    assert "Calcium" not in answer
    assert 'about "bone health", which is never shown.' in answer


def test_where_all_is_excluded_the_model_and_the_user_are_told(framework, hashing):
    texts = {f"milk {i}": "tea with milk" for i in range(3)} | {f"word{i}": f"word{i} and other{i}" for i in range(40)}
    documents = {id: (text, {"kind": id.split()[0]}) for id, text in texts.items()}
    retriever = framework.package.LogicalRetriever(framework.store(documents, hashing), **{framework.k: 10**30})
    query = 'tea AND NOT "with milk" AND [kind = "milk"]'
    assert framework.ask(retriever, query) == {}
    assert '3 documents were left out, being about what is excluded: "with milk"' in str(retriever.explain(query))
    where = [{"field": "kind", "op": "=", "value": "milk"}]
    answer = framework.tool(retriever)[1]({"all_of": ["tea"], "none_of": ["with milk"], "where": where, "k": 3})
    assert answer.startswith("No passage was found")
    assert 'Left out: 3 passages about "with milk"' in answer


def test_anything_but_a_logical_retriever_is_refused(framework):
    with pytest.raises(InvalidArgumentError, match="must be a LogicalRetriever, got int"):
        framework.tool(3)
