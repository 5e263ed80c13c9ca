"""Transformers by name: this package's, and those of other installed packages."""

from __future__ import annotations

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform import (
    TRANSFORMERS,
    CueQueryTransformer,
    QuestionReader,
    RecordedQueryTransformer,
    get_transformer,
)

THE_FILE = '''
from logical_retriever.query import parse
from logical_retriever.transform import Transformation


class Typed:
    """Every question is a query already."""

    def transform(self, question):
        return Transformation(question, parse(question), "typed")

    async def atransform(self, question):
        return self.transform(question)

    def batch(self, questions):
        return [self.transform(question) for question in questions]


def nonsense():
    return "no transformer"
'''


def test_reader_and_rules_are_found_by_name_and_the_reader_is_the_default():
    assert isinstance(get_transformer("cue"), CueQueryTransformer)
    assert isinstance(get_transformer("auto"), QuestionReader)
    assert isinstance(get_transformer(), QuestionReader)
    assert list(TRANSFORMERS) == ["auto", "cue"]


def test_an_instance_is_returned_as_it_is():
    recorded = RecordedQueryTransformer({})
    assert get_transformer(recorded) is recorded


@pytest.mark.parametrize("wrong", ["cues", "", 7, None, CueQueryTransformer])
def test_what_has_no_name_is_refused_with_the_names_that_there_are(wrong):
    with pytest.raises(InvalidArgumentError, match="There is no transformer") as caught:
        get_transformer(wrong)
    assert "Known names: auto, cue" in caught.value.hint
    assert ("Did you mean 'cue'?" in caught.value.hint) == (wrong == "cues")
