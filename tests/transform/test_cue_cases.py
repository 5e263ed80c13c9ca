"""The cases of tests/fixtures/cues.txt, one test each."""

from __future__ import annotations

from pathlib import Path

import pytest

from logical_retriever.query import Term, parse
from logical_retriever.transform.cue import CueQueryTransformer
from logical_retriever.transform.cue_table import CUES

FIXTURE = Path(__file__).parents[1] / "fixtures" / "cues.txt"


def cases() -> list[tuple[str, str]]:
    """Questions with the queries expected of them."""
    blocks = FIXTURE.read_text(encoding="utf-8").split("\n\n")
    lines = ([line for line in block.splitlines() if line and not line.startswith("#")] for block in blocks)
    return [(pair[0], pair[1]) for pair in lines if pair]


@pytest.mark.parametrize(("question", "expected"), cases())
def test_case(question: str, expected: str) -> None:
    query = CueQueryTransformer().transform(question).query
    assert str(query) == (str(Term(question)) if expected == "=" else expected)
    assert query == (Term(question) if expected == "=" else parse(expected))


def test_every_block_of_the_fixture_is_a_pair() -> None:
    blocks = FIXTURE.read_text(encoding="utf-8").split("\n\n")
    sizes = {len([line for line in block.splitlines() if line and not line.startswith("#")]) for block in blocks}
    assert sizes <= {0, 2}
    assert len(cases()) > 80


def test_every_row_of_the_table_is_used_by_a_case() -> None:
    """A cue without a case in cues.txt is a rule nobody checks."""
    unused = [cue.pattern.pattern for cue in CUES if not any(cue.pattern.search(question) for question, _ in cases())]
    assert unused == []
