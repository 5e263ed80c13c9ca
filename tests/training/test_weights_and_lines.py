"""The package's weights were taught with the lines that lie here, and read as they did when they were written."""

import json
from pathlib import Path

import pytest
from marks import LINES, lines_hash

from logical_retriever.reading.questions.tagger import default_tagger
from logical_retriever.reading.questions.tagger.network import WEIGHTS

STORED = Path(__file__).parents[1] / "fixtures" / "tagger_readings.json"
TRAINING = LINES.parent
ROWS = json.loads(STORED.read_text(encoding="utf-8"))


def test_the_weights_name_the_lines_that_taught_them():
    assert default_tagger().about["lines"] == lines_hash()


def test_teaching_goes_on_from_the_very_weights_of_the_package(tmp_path):
    pytest.importorskip("torch", reason="teaching needs torch")
    import export

    net, pretrained, about = export.read(WEIGHTS)
    own = {name: value for name, value in about.items() if name not in ("layers", "version")}
    export.write(tmp_path / "weights.npz", net, pretrained, own)
    assert (tmp_path / "weights.npz").read_bytes() == WEIGHTS.read_bytes()


def test_the_pages_say_what_taught_the_weights_and_how_large_they_are():
    about, size = default_tagger().about, WEIGHTS.stat().st_size / 1e6
    files = [path.read_text(encoding="utf-8") for path in LINES.glob("*.txt")]
    held = len(list(LINES.glob("*_04.txt")))
    lines = [line for text in files for line in text.splitlines()]
    excluding = sum("{" in line for line in lines)
    page = (TRAINING / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    assert f"{len(lines):,} lines in {len(files)} files ({excluding:,} with an exclusion), except the {held}" in page
    assert about["layers"] == 6
    assert "The network has six layers of multilingual-e5-small" in page
    assert f"with six layers, has {size:.1f} MB" in (TRAINING / "architectures.md").read_text(encoding="utf-8")
    reading = (TRAINING.parents[1] / "docs" / "reading.md").read_text(encoding="utf-8").replace("\n", " ")
    assert "six layers of multilingual-e5-small (MIT licence)" in reading
    assert f"one file of {size:.0f} MB" in reading


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["question"][:40])
def test_decisions_are_the_same_on_every_machine(row):
    """The stored probabilities keep away from the thresholds by more than machines differ."""
    reading = default_tagger().read(row["question"])
    assert (reading.outcome, reading.ask) == (row["outcome"], row["ask"])
    assert reading.excludes == pytest.approx(row["excludes"], abs=0.01)
    assert (None if reading.query is None else str(reading.query)) == row["query"]
