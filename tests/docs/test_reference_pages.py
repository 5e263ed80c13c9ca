"""Single pages of the docs say what there is: files, errors, conditions, settings, and how questions are read."""

import inspect
import re
from collections import Counter
from pathlib import Path

import path as benchmark_path
import pytest

from logical_retriever import QuestionReader, errors, parse
from logical_retriever.options import SETTINGS
from logical_retriever.query import Condition
from logical_retriever.reading import LogicalQueryTransformer

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parents[2]
CORE = ROOT / "logical_retriever"
ARCHITECTURE, ERRORS, LANGUAGE, PAGE_OF_SETTINGS, WORDINGS = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("architecture", "errors", "language", "settings", "how-to/wordings")
)
TABLE = WORDINGS.partition("<!-- readings:begin -->")[2].partition("<!-- readings:end -->")[0]
READINGS = re.findall(r"^\| (.+?) \| (.+) \|$", TABLE, re.MULTILINE)[1:]


def test_every_file_of_the_path_exists_and_is_named_once_and_every_folder_exists():
    names = Counter(re.findall(r"^\| `([\w/]+\.py)` \|", ARCHITECTURE, re.MULTILINE))
    assert len(names) >= 8
    assert [name for name, times in names.items() if times > 1 or not (CORE / name).is_file()] == []
    for path in re.findall(r"`(\w+)/`", ARCHITECTURE):
        assert (CORE / path).is_dir() or (ROOT / path).is_dir(), path
    for path in re.findall(r"`(tests/[\w/.]+)`", ARCHITECTURE):
        assert (ROOT / path).is_file(), path


def test_the_path_of_a_question_is_what_the_command_prints():
    shown = ARCHITECTURE.partition("<!-- path:begin -->\n```text\n")[2].partition("\n```\n<!-- path:end -->")[0]
    assert shown.splitlines() == benchmark_path.path()


def test_every_error_has_a_section_and_every_section_an_error():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__]
    names = sorted(kind.__name__ for kind in kinds if issubclass(kind, errors.LogicalRetrieverError))
    assert sorted(re.findall(r"^## (\w+)$", ERRORS, re.MULTILINE)) == names


def test_an_error_names_its_section_and_one_of_elsewhere_that_of_its_kind():
    class OfAPlugin(errors.StoreError):
        """An error of a package that is not this one."""

    assert str(errors.FieldError("No.", hint="Do.")) == "No.\nHint: Do.\nMore: docs/errors.md#fielderror"
    assert OfAPlugin("No.", hint="Do.").section == "docs/errors.md#storeerror"


def test_every_condition_of_the_page_of_the_language_is_one():
    conditions = re.findall(r"`((?:NOT )?\[[^`]+\])`", LANGUAGE)
    assert len(conditions) >= 8
    for text in conditions:
        assert [node for node in parse(text).walk() if isinstance(node, Condition)], text


def rows(section):
    """The names in the first column of a table of settings."""
    table = PAGE_OF_SETTINGS.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))


def test_the_tables_of_settings_have_every_setting_and_argument():
    assert sorted(rows("Search settings")) == sorted({*SETTINGS, "filter"})
    for kind in (LogicalQueryTransformer, QuestionReader):
        assert set(inspect.signature(kind).parameters) <= set(rows("Reader arguments"))


@pytest.mark.parametrize(("question", "outcome"), READINGS)
def test_a_question_is_read_as_the_table_of_wordings_says(question, outcome):
    reading = QuestionReader().transform(question)
    assert str(reading.query) == (outcome.strip("`") if outcome[0] == "`" else f'"{question}"')
    assert (reading.problem is not None) == outcome.startswith("not sure")


def test_the_table_of_wordings_has_both_other_outcomes():
    outcomes = {outcome.partition(":")[0] for _, outcome in READINGS if outcome[0] != "`"}
    assert outcomes == {"whole", "not sure"}
