"""The agent's tool: what is wrong with a call is told to the model, and no call lifts the retriever's filter."""

import pytest
from hostile_calls import hostile_calls

from logical_retriever.adapters import TOOL_DESCRIPTION
from logical_retriever.errors import InvalidArgumentError


def test_what_is_wrong_with_a_call_is_a_message(framework, hashing):
    description, call = framework.tool(framework.package.LogicalRetriever(framework.store({}, hashing)))
    assert description == TOOL_DESCRIPTION
    for arguments, said in (({}, "nothing to look for"), ({"noneof": ["tea"]}, "Did you mean 'none_of'")):
        message = call(arguments)
        assert message.startswith("The search was not carried out. ")
        assert said in message


def test_no_call_is_shown_what_the_retrievers_filter_hides(framework, hashing):
    kinds = [("secret", "even"), ("shown", "odd")] * 3
    documents = {f"d{n}": (f"{text} {n}", {"kind": kind}) for n, (text, kind) in enumerate(kinds)}
    own = {framework.filter: framework.either("kind", ["odd", "neither"])}
    _, call = framework.tool(framework.package.LogicalRetriever(framework.store(documents, hashing), **own))
    answers = [call(arguments) for arguments in hostile_calls({"kind": ["even"], "year": [None]})]
    assert "secret" not in str(answers)
    assert "shown" in str(answers)


def test_an_empty_store_is_a_message(framework, hashing):
    _, call = framework.tool(framework.package.LogicalRetriever(framework.store({}, hashing)))
    assert call({"all_of": ["tea"], "none_of": ["milk"]}) == 'No passage was found for "tea" AND NOT "milk".'


def test_anything_but_a_logical_retriever_is_refused(framework):
    with pytest.raises(InvalidArgumentError, match="must be a LogicalRetriever, got int"):
        framework.tool(3)
