"""docs/language.md: every condition that it writes is one."""

import re
from pathlib import Path

from logical_retriever import parse
from logical_retriever.query import Condition

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")


def test_every_condition_of_the_page_is_one():
    conditions = re.findall(r"`((?:NOT )?\[[^`]+\])`", PAGE)
    assert len(conditions) >= 8
    for text in conditions:
        assert [node for node in parse(text).walk() if isinstance(node, Condition)], text
