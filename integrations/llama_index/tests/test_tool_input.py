"""What ``RetrieverTool`` makes of an agent's call, and what a person may really ask."""

import pytest

from llama_index.retrievers.logical._tool_input import read_tool_input


@pytest.mark.parametrize(
    ("text", "question", "k"),
    [
        ("\ninput is cats not dogs\n", "cats not dogs", None),
        ("\nquery_str is cats\n", "cats", None),
        ("\ninput is cats, k is 3\n", "cats", 3),
        ("\ninput is cats, dogs, top_k is 12\n", "cats, dogs", 12),
        ("\ninput is what input is\n", "what input is", None),
        ("\ninput is two\nlines\n", "two\nlines", None),
        ("cats not dogs\n\n", "cats not dogs", None),
        ("cats\nk is 3\n", "cats", 3),
        ("two\nlines\n\n", "two\nlines", None),
        ("\ninput is \n", "", None),
        # not the tool's doing
        ("cats not dogs", "cats not dogs", None),
        ("cats not dogs\n", "cats not dogs\n", None),
        ("The input is cats", "The input is cats", None),
        ("input is cats\n", "input is cats\n", None),
        ("two\nlines\n", "two\nlines\n", None),
        ("\nThe point is cats\n", "\nThe point is cats\n", None),
        ("\ninput is cats, k is 0\n", "cats, k is 0", None),
        ("\ninput is cats, k is three\n", "cats, k is three", None),
        (f"\ninput is cats, k is {'9' * 5000}\n", f"cats, k is {'9' * 5000}", None),
        ("\n\n", "\n\n", None),
        ("", "", None),
    ],
)
def test_the_question_inside(text, question, k):
    assert read_tool_input(text) == (question, k)
