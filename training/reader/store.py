"""The readings that a test compares on every machine: those of some held-out lines, away from all thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from marks import Line

from logical_retriever.transform.tagger import Tagger
from logical_retriever.transform.tagger.tagger import ASK_BELOW, PLAIN_BELOW, READ_FROM

STORED = Path(__file__).parents[2] / "tests" / "fixtures" / "tagger_readings.tsv"
_MARGIN = 0.02


def store(lines: Sequence[Line], path: Path = STORED, most: int = 150) -> None:
    """Write the outcome, the query and the text of every so many lines."""
    tagger, rows = Tagger(), []
    for line in lines[:: max(1, len(lines) // (most * 2))]:
        reading = tagger.read(line.text)
        far = all(abs(reading.excludes - one) > _MARGIN for one in (PLAIN_BELOW, READ_FROM))
        if far and abs(reading.certainty - ASK_BELOW) > _MARGIN and len(rows) < most and "\t" not in line.text:
            query = "" if reading.query is None else str(reading.query)
            rows.append(f"{reading.outcome}\t{query}\t{line.text}\n")
    path.write_text("outcome\tquery\tquestion\n" + "".join(rows), encoding="utf-8")
