"""Every error has a place in the drawn hierarchy, a message and a hint, and survives pickling."""

import inspect
import pickle

import pytest

from logical_retriever import errors
from logical_retriever.errors import LogicalRetrieverError, LogicalSyntaxError, Span

CLASSES = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, LogicalRetrieverError)]

EXTRA = {
    "LogicalSyntaxError": {"text": "a", "span": Span(0, 1), "expected": ("a term",)},
    "LLMAnswerError": {"answers": ("x",)},
    "CorpusError": {"path": "f.jsonl", "line": 3},
    "MissingPackageError": {"install": "pip install x"},
}


@pytest.mark.parametrize("cls", CLASSES)
def test_is_drawn_in_the_module_docstring(cls):
    assert cls.__name__ in errors.__doc__


@pytest.mark.parametrize("cls", CLASSES)
def test_message_hint_and_pickle(cls):
    extra = dict(EXTRA.get(cls.__name__, {}))
    if cls.__name__ != "MissingPackageError":
        extra["hint"] = "Do this."
    error = cls("What was wrong", **extra)
    assert "What was wrong" in str(error)
    assert error.hint in str(error)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is cls
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__


def test_the_caret_stands_under_the_culprit_of_a_long_line():
    text = '"' + "x" * 200 + '" AND AND "b"'
    start = text.rindex("AND")
    error = LogicalSyntaxError("Two operators", text=text, span=Span(start, start + 3), expected=("a term",), hint="h")
    shown, carets = error.picture.splitlines()
    column = carets.index("^")
    assert carets.strip() == "^^^"
    assert shown[column : column + 3] == "AND"
    assert "Expected a term." in str(error)
