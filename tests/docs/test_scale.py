"""What docs/scale.md shows runs, and what it says of limits is so."""

import re
from pathlib import Path

from logical_retriever.search import SCAN_LIMIT
from logical_retriever.search.engine import FULL_PASS, SUPERSET_FETCH_K

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")


def test_the_example_shows_the_statement(capsys):
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "scale.md", "exec"), {})
    shown = capsys.readouterr().out
    assert "pushdown: DuckDB itself scores every document" in shown
    assert "| WITH lr_passing AS NOT MATERIALIZED (" in shown
    assert "green tea and health" in shown


def test_the_limits_are_those_of_the_code():
    assert f"more than {SCAN_LIMIT:,}" in PAGE
    assert f"the nearest {SUPERSET_FETCH_K:,}" in PAGE
    assert FULL_PASS == 1_000_000
    assert "a million" in PAGE
