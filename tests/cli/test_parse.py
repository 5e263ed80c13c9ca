"""Reading a query, and the picture of what is wrong with one."""

import pytest


def test_prints_the_canonical_text(run):
    result = run("parse", 'vitamin D AND NOT ("bone health" OR skin)')
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == ['"vitamin D" AND NOT ("bone health" OR "skin")']


@pytest.mark.parametrize("query", ["a AND AND b", "x " * 60 + "AND AND b", '"bone health', "", "NOT " * 40 + "a"])
def test_an_error_is_a_picture_and_a_hint_on_standard_error(run, query):
    result = run("parse", query)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert "\nHint: " in result.stderr
    assert "Traceback" not in result.stderr


def test_the_carets_stand_under_the_culprit_on_a_narrow_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    lines = run("parse", "some words before AND AND other words").stderr.splitlines()
    at = lines[2].index("^^^")
    assert lines[1][at : at + 3] == "AND"
    assert lines[1].index("AND") < at
