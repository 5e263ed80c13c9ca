"""Recorded forms: replayed by question text, and refused with file and line where malformed."""

import json

import pytest

from logical_retriever.errors import CorpusError, EmptyQuestionError, InvalidArgumentError
from logical_retriever.query import Term, parse
from logical_retriever.transform import QueryTransformer, RecordedQueryTransformer, Transformation
from logical_retriever.transform.recorded import read_questions, read_recorded_forms

QUESTIONS = [{"_id": "1", "text": "cats, no dogs"}, {"_id": "2", "text": "birds", "type": "1p"}]
HEADER = "query-id\tlogical-query\n"


@pytest.fixture
def write(tmp_path):
    def files(forms: str, questions=None):
        rows = QUESTIONS if questions is None else questions
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (tmp_path / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (tmp_path / "forms.tsv").write_text(forms, encoding="utf-8")
        return tmp_path / "forms.tsv"

    return files


async def test_a_recorded_question_gives_its_form_and_another_the_plain_term():
    transformer = RecordedQueryTransformer({"cats, no dogs": '"cats" AND NOT "dogs"', "birds": Term("all birds")})
    assert isinstance(transformer, QueryTransformer)
    expected = [
        Transformation("cats, no dogs", parse('"cats" AND NOT "dogs"'), method="recorded"),
        Transformation("birds", Term("all birds"), method="recorded"),
        Transformation("cats", Term("cats"), method="recorded"),
    ]
    questions = [made.question for made in expected]
    assert transformer.batch(questions) == expected
    assert await transformer.abatch(questions) == expected
    assert [await transformer.atransform(q) for q in questions] == expected
    assert len(transformer) == 2
    with pytest.raises(EmptyQuestionError):
        transformer.transform(" ")
    with pytest.raises(EmptyQuestionError):
        await transformer.atransform("\n")


def test_a_file_is_joined_with_its_questions(write):
    path = write(HEADER + '2\t"all birds"\n\n1\t"cats" AND NOT "dogs"\r\n')
    transformer = RecordedQueryTransformer.from_tsv(path)
    assert transformer.transform("cats, no dogs").query == parse('"cats" AND NOT "dogs"')
    assert transformer.transform("birds").query == Term("all birds")
    assert read_recorded_forms(path) == {"2": Term("all birds"), "1": parse('"cats" AND NOT "dogs"')}
    elsewhere = path.with_name("other.jsonl")
    elsewhere.write_text('{"_id": "1", "text": "x"}\n{"_id": "2", "text": "y"}', encoding="utf-8")
    assert RecordedQueryTransformer.from_tsv(str(path), queries=elsewhere).transform("y").query == Term("all birds")


@pytest.mark.parametrize(
    ("forms", "line", "problem"),
    [
        ("", 1, "header"),
        ('1\t"cats"\n', 1, "header"),
        (HEADER + "1\n", 2, "two columns"),
        (HEADER + '1\t"cats"\textra\n', 2, "two columns"),
        (HEADER + '\t"cats"\n', 2, "two columns"),
        (HEADER + '1\t"cats"\n\n1\t"cats"\n', 4, "comes twice"),
        (HEADER + '9\t"cats"\n', 2, "not among the questions"),
        (HEADER + '1\t"cats" AND\n', 2, "not a logical query"),
        (HEADER + "1\t\n", 2, "not a logical query"),
    ],
)
def test_a_malformed_file_of_forms_is_refused_with_its_line(write, forms, line, problem):
    path = write(forms)
    with pytest.raises(CorpusError, match=problem) as caught:
        RecordedQueryTransformer.from_tsv(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected a JSON object"),
        ({"_id": 3, "text": "x"}, "no object"),
        ({"_id": "3"}, "no object"),
        ({"_id": "3", "text": " "}, "empty"),
        ({"_id": "1", "text": "x"}, "comes twice"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_malformed_file_of_questions_is_refused_with_its_line(write, row, problem):
    path = write(HEADER, [QUESTIONS[0], row])
    with pytest.raises(CorpusError, match=problem) as caught:
        RecordedQueryTransformer.from_tsv(path)
    assert (caught.value.path, caught.value.line) == (str(path.with_name("queries.jsonl")), 2)


def test_one_text_with_two_forms_is_refused(write):
    path = write(HEADER + "1\ta OR b\n2\ta AND b\n", [{"_id": "1", "text": "x"}, {"_id": "2", "text": "x"}])
    with pytest.raises(CorpusError, match="another form") as caught:
        RecordedQueryTransformer.from_tsv(path)
    assert caught.value.line == 3


def test_a_file_that_cannot_be_read_is_refused(write, tmp_path):
    path = write(HEADER)
    with pytest.raises(CorpusError, match="cannot be read") as caught:
        read_recorded_forms(tmp_path / "missing.tsv")
    assert caught.value.line is None
    with pytest.raises(CorpusError, match="cannot be read"):
        read_questions(tmp_path)
    path.write_bytes(b"query-id\tlogical-query\n1\t\xff\n")
    with pytest.raises(CorpusError, match="UTF-8"):
        read_recorded_forms(path)


def test_forms_in_memory_are_checked():
    with pytest.raises(InvalidArgumentError, match="'q' is not a logical query"):
        RecordedQueryTransformer({"q": "a AND"})
    with pytest.raises(EmptyQuestionError):
        RecordedQueryTransformer({"": "a"})
