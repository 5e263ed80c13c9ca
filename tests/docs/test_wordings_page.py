"""docs/how-to/wordings.md: each question of its table is read as it says."""

import re
from pathlib import Path

import pytest

from logical_retriever import QuestionReader

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "wordings.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("<!-- readings:begin -->")[2].partition("<!-- readings:end -->")[0]
ROWS = re.findall(r"^\| (.+?) \| (.+) \|$", TABLE, re.MULTILINE)[1:]


@pytest.mark.parametrize(("question", "outcome"), ROWS)
def test_a_question_is_read_as_the_table_says(question, outcome):
    reading = QuestionReader().transform(question)
    if outcome.startswith("`"):
        assert f"`{reading.query}`" == outcome
    else:
        assert str(reading.query) == f'"{question}"'
    assert (reading.problem is not None) == outcome.startswith("not sure")


def test_the_table_has_all_three_outcomes():
    assert {outcome.partition(":")[0] for _, outcome in ROWS if outcome[0] != "`"} == {"whole", "not sure", "missed"}
