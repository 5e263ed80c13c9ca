"""What docs/scale.md shows runs, and what it says of limits is so."""

import re
from pathlib import Path

from logical_retriever.search import SCAN_LIMIT
from logical_retriever.search.engine import FULL_PASS, SUPERSET_FETCH_K

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")


def test_the_examples_run_and_print_what_the_page_shows(capsys):
    parts = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(parts) == 2
    names = {}
    for code in parts:
        exec(compile(code, "scale.md", "exec"), names)
    shown = capsys.readouterr().out
    assert "pushdown: DuckDB itself scores every document" in shown
    assert "| WITH lr_passing AS NOT MATERIALIZED (" in shown
    assert shown.endswith("green tea and health - exact: every document was scored\n")
    assert shown.splitlines()[-1] in PAGE


def test_the_limits_are_those_of_the_code():
    assert f"more than {SCAN_LIMIT:,}" in PAGE
    assert f"the nearest {SUPERSET_FETCH_K:,}" in PAGE
    assert FULL_PASS == 1_000_000
    assert "a million" in PAGE
