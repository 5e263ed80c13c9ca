import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.synthesis import query_types
from logical_retriever.lab.synthesis.prompts import fill, prompt_text


def test_fields_are_filled_in_one_pass():
    prompt = fill("judge_document", question="{document}", topics="1. {question}", document="{topics} \\1 {x}")
    assert "<question>\n{document}\n</question>" in prompt
    assert "<document>\n{topics} \\1 {x}\n</document>" in prompt
    assert '{"relevant": true or false' in prompt


def test_the_papers_prompts_are_as_printed():
    assert prompt_text("query_to_question").startswith(
        "I have a document retrieval system that processes logical queries."
    )
    assert prompt_text("query_to_question").endswith(
        "What question would you come up with? Only include the question in your answer."
    )
    assert "Sort the topics from most general to most specific." in prompt_text("topic_extraction")


def test_a_field_that_the_prompt_lacks_is_an_error():
    with pytest.raises(InvalidArgumentError, match="colour"):
        fill("write_document", about="", not_about="", colour="red")


@pytest.mark.parametrize("name", query_types())
def test_a_typed_prompt_has_definition_indicator_demonstration_and_passages(name):
    kind = query_types()[name]
    prompt = kind.prompt(["First {name}.", "Second."])
    for part in (kind.definition, kind.formal, *kind.indicator, kind.demonstration["answer"]["query"]):
        assert part in prompt
    assert '<passage number="1">\nFirst {name}.\n</passage>\n<passage number="2">\nSecond.\n</passage>' in prompt
    assert f"write one {name} query" in prompt
