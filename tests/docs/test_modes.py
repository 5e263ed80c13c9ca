"""What docs/modes.md shows runs, and what it names exists."""

import contextlib
import io
import re
from pathlib import Path
from typing import get_args

from logical_retriever.commands.evaluation import Experiment
from logical_retriever.search import SearchMode
from logical_retriever.search.one_vector.deo import ANCHOR, TEMPERATURE

PAGE = (Path(__file__).parents[2] / "docs" / "modes.md").read_text(encoding="utf-8")


def test_the_example_runs():
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "modes.md", "exec"), {})
    assert printed.getvalue().startswith("converged: objective")


def test_modes_experiments_and_constants_are_the_real_ones():
    assert set(re.findall(r'mode="(\w+)"', PAGE)) == set(get_args(SearchMode))
    named = set(re.findall(r"--experiment ([a-z-]+)", PAGE))
    assert named
    assert named <= {experiment.value for experiment in Experiment}
    assert f"τ = {TEMPERATURE} and w = {ANCHOR}" in PAGE
    root = Path(__file__).parents[2]
    assert all((root / path).is_file() for path in re.findall(r"python (benchmarks/\w+\.py)", PAGE))
    assert all((root / "docs" / path).is_file() for path in re.findall(r"\]\((\w+\.md)\)", PAGE))
