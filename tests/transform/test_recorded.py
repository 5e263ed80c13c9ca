"""Recorded forms: replayed by question text, and refused where malformed."""

import pytest

from logical_retriever.errors import EmptyQuestionError, LogicalQueryError
from logical_retriever.query import Term, parse
from logical_retriever.transform import QueryTransformer, RecordedQueryTransformer, Transformation


async def test_a_recorded_question_gives_its_form_and_another_the_plain_term():
    transformer = RecordedQueryTransformer({"cats, no dogs": '"cats" AND NOT "dogs"', "birds": Term("all birds")})
    assert isinstance(transformer, QueryTransformer)
    expected = [
        Transformation("cats, no dogs", parse('"cats" AND NOT "dogs"'), method="recorded"),
        Transformation("birds", Term("all birds"), method="recorded"),
        Transformation("cats", Term("cats"), method="recorded"),
    ]
    questions = [made.question for made in expected]
    assert [transformer.transform(q) for q in questions] == expected
    assert [await transformer.atransform(q) for q in questions] == expected
    with pytest.raises(EmptyQuestionError):
        transformer.transform(" ")
    with pytest.raises(EmptyQuestionError):
        await transformer.atransform("\n")


def test_forms_in_memory_are_checked():
    with pytest.raises(LogicalQueryError):
        RecordedQueryTransformer({"q": "a AND"})
    with pytest.raises(EmptyQuestionError):
        RecordedQueryTransformer({"": "a"})
