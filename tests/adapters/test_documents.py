"""What all frameworks share: the event of a question, checked arguments, and adapters that are found by class name."""

import json
from functools import partial

import pytest
from recorded_reader import RecordedReader

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument, parse
from logical_retriever.adapters import AdapterRegistry, ReadQuestion, check_transformer, qualified_name, query_event
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.testing import HashingEmbedder

QUESTION = "green tea, excluding brewing"


@pytest.mark.parametrize(
    ("query", "method", "always", "searched"),
    [
        ('"green tea" AND NOT "brewing"', "tagger", [], '"green tea" AND NOT "brewing"'),
        ('"green tea and its leaves"', "llm", [], f'"{QUESTION}"'),
        ('"green tea"', "typed", ["coffee"], '"green tea" AND NOT "coffee"'),
        ('"green tea" AND [year = 2024]', "llm", ["coffee"], '[year = 2024] AND "green tea" AND NOT "coffee"'),
    ],
)
def test_an_event_says_what_the_result_says_was_searched(query, method, always, searched):
    made = ReadQuestion(QUESTION, parse(query), method)
    retriever = LogicalRetriever.from_texts(["green tea"], HashingEmbedder(), always_exclude=always)
    event = query_event(made, retriever)
    assert json.loads(json.dumps(event)) == event
    assert (event["question"], event["logical_query"]) == (QUESTION, query)
    assert event["searched"] == retriever.search(made).searched == searched


def test_a_model_or_a_transformer_or_neither():
    check = partial(check_transformer, kinds="a QueryTransformer", hint="Pass one.")
    for llm, transformer in ((None, None), ("model", None), (None, RecordedReader({}))):
        check(llm, transformer)
    with pytest.raises(InvalidArgumentError, match="Both llm and transformer"):
        check("model", RecordedReader({}))
    for wrong in ("auto", RecordedReader):
        with pytest.raises(InvalidArgumentError, match="must be a QueryTransformer"):
            check(None, wrong)


class Base:
    """A class of vector stores."""


class Derived(Base):
    """Its subclass."""


class Unknown:
    """A class that nobody has heard of."""


def make(wrapped):
    return InMemoryStore([StoredDocument(type(wrapped).__name__, "tea")], [[1.0]])


def test_a_class_is_found_through_its_bases():
    registry = AdapterRegistry({qualified_name(Base): make})
    assert registry.factory(Derived) is make
    assert registry.factory(Unknown) is None
    other = AdapterRegistry({})
    other.register(Derived, make)
    assert (other.factory(Derived), other.factory(Base)) == (make, None)


def test_a_text_is_imported_when_its_class_is_met():
    registry = AdapterRegistry({qualified_name(Base): "collections:OrderedDict", "no.such.Class": "no.such:module"})
    assert registry.factory(Base).__name__ == "OrderedDict"
    assert "no.such.Class" in registry.names()


def test_what_cannot_be_called_is_no_factory():
    with pytest.raises(InvalidArgumentError, match="must be callable, got str"):
        AdapterRegistry({}).register(Base, "no function")
