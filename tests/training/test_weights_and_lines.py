"""The package's weights were taught with the lines that lie here, and read as they did when they were written."""

import json
from pathlib import Path

import pytest
from marks import lines_hash

from logical_retriever.transform.questions.tagger import default_tagger
from logical_retriever.transform.questions.tagger.weights import WEIGHTS

STORED = Path(__file__).parents[1] / "fixtures" / "tagger_readings.json"
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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["question"][:40])
def test_decisions_are_the_same_on_every_machine(row):
    """The stored probabilities keep away from the thresholds by more than machines differ."""
    reading = default_tagger().read(row["question"])
    assert (reading.outcome, reading.ask) == (row["outcome"], row["ask"])
    assert reading.excludes == pytest.approx(row["excludes"], abs=0.01)
    assert (None if reading.query is None else str(reading.query)) == row["query"]
