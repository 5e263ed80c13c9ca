"""docs/reader.md: its table names the settings that there are."""

import inspect
import re
from pathlib import Path

from logical_retriever.transform import LogicalQueryTransformer, QuestionReader

PAGE = (Path(__file__).parents[2] / "docs" / "reader.md").read_text(encoding="utf-8")


def test_the_settings_are_those_that_there_are():
    table = PAGE.partition("## Settings")[2].partition("##")[0]
    named = set(re.findall(r"`(\w+)(?:=[^`]*)?`", table.replace("`, `", "` `")))
    for kind in (LogicalQueryTransformer, QuestionReader):
        parameters = set(inspect.signature(kind).parameters)
        assert parameters <= named, parameters - named
