"""A language model that had not seen the rules wrote these: plain ones get no NOT, most exclusions are found."""

import json
from pathlib import Path

import pytest

from logical_retriever.query import Not
from logical_retriever.transform import QuestionReader

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "fixtures" / "strangers" / "questions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
PLAIN = [row for row in ROWS if " NOT " not in f" {row['form']}"]
reader = QuestionReader()


def excludes(row):
    return any(isinstance(node, Not) for node in reader.transform(row["question"]).query.walk())


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: row["id"])
def test_a_plain_question_gets_no_not(row):
    assert not excludes(row)


def test_most_exclusions_are_found():
    wanted = [row for row in ROWS if row not in PLAIN]
    found = sum(map(excludes, wanted)) / len(wanted)
    assert len(wanted) > 300
    assert found >= 0.75  # 0.82 when this was written: a rule that finds fewer is no better
