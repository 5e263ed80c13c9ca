"""docs/reader.md: its tables name the settings and the languages that there are."""

import inspect
import re
from pathlib import Path

from logical_retriever.transform import LogicalQueryTransformer, QuestionReader
from logical_retriever.transform.languages import LANGUAGES
from logical_retriever.transform.languages.unspaced import UNSPACED

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reader.md").read_text(encoding="utf-8")


def test_the_settings_are_those_that_there_are():
    table = PAGE.partition("## Settings")[2].partition("##")[0]
    named = set(re.findall(r"`(\w+)(?:=[^`]*)?`", table.replace("`, `", "` `")))
    for kind in (LogicalQueryTransformer, QuestionReader):
        known = set(inspect.signature(kind).parameters) - {"rules"}
        assert known <= named, known - named


def test_every_language_with_rules_is_in_its_row():
    table = (ROOT / "logical_retriever" / "transform" / "languages" / "signs.txt").read_text(encoding="utf-8")
    seen = set(re.findall(r"^\[(\w\w)\]", table, re.MULTILINE)) - {*LANGUAGES, *UNSPACED}
    for said, languages in (("| rules of their own", {*LANGUAGES, *UNSPACED}), ("| the model, where a sign", seen)):
        [row] = [line for line in PAGE.splitlines() if said in line]
        assert set(row.split("|")[1].split()) == languages
