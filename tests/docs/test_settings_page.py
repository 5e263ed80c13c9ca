"""docs/settings.md names the settings and arguments that there are."""

import inspect
import re
from pathlib import Path

from logical_retriever.options import SETTINGS
from logical_retriever.transform import LogicalQueryTransformer, QuestionReader

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


def rows(section):
    """The names in the first column of a section's table."""
    table = PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))


def test_the_settings_of_a_search_are_those_that_there_are():
    assert sorted(rows("Of a search")) == sorted({*SETTINGS, "filter"})


def test_the_arguments_of_the_reader_are_those_that_there_are():
    for kind in (LogicalQueryTransformer, QuestionReader):
        assert set(inspect.signature(kind).parameters) <= set(rows("Of the reader"))
