"""For all tests: the order of their groups, the seconds of each group, and names of cases."""

import os
from collections import Counter

import pytest

# The marks of pyproject.toml. Files that take long come first, or one process would be left with them at the end.
GROUPS = ("notebooks", "browser", "slow", "docs", "engines", "lab")


def pytest_collection_modifyitems(items):
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        item.user_properties.append(("group", next((group for group in GROUPS if group in marks), "unit")))
    items.sort(key=lambda item: (*GROUPS, "unit").index(dict(item.user_properties)["group"]))


def pytest_terminal_summary(terminalreporter):
    """Print the seconds of each group, of all processes together; `.ci/run` has them in its table."""
    seconds = Counter()
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):  # there are warnings and deselected tests as well
            seconds[dict(report.user_properties)["group"]] += report.duration
    if len(seconds) < 2:
        return
    terminalreporter.write_line(", ".join(f"{group} {spent:.0f} s" for group, spent in seconds.most_common()))
    if stages := os.environ.get("STAGES"):
        with open(stages, "a", encoding="utf-8") as file:
            file.writelines(f"tests:{group} 0 {spent:.1f} 0\n" for group, spent in seconds.most_common())


def pytest_make_parametrize_id(val):
    """Name a case after plain arguments: ``[k=0]`` instead of ``[setting0]``; anything else has pytest's own name."""
    name = plain(val) if isinstance(val, (dict, list, tuple)) else None
    return name and name.encode("unicode_escape").decode("ascii")[:60]  # some cases are texts that are not Unicode


def plain(value):
    """A value as text; None where it holds what has no short and lasting one."""
    if isinstance(value, dict):
        parts = [plain(list(value.values()))]
        return None if None in parts else ",".join(f"{key}={plain(one)}" for key, one in value.items())
    if isinstance(value, (list, tuple)):
        parts = [plain(one) for one in value]
        return None if None in parts else f"({','.join(parts)})"
    if isinstance(value, type):
        return value.__name__
    return str(value) if value is None or isinstance(value, (str, int, float)) else None
