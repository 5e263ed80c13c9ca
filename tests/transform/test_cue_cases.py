"""The cases of tests/fixtures/cues.txt, one test each, and the example of every row of every language's table."""

from __future__ import annotations

from pathlib import Path

import pytest

from logical_retriever.query import Not, Term, parse
from logical_retriever.transform.cue import CueQueryTransformer
from logical_retriever.transform.languages import LANGUAGES
from logical_retriever.transform.languages.table import Cue
from logical_retriever.transform.rules.compiled import compiled
from logical_retriever.transform.rules.compiled_cue import CompiledCue
from logical_retriever.transform.rules.read import read_by_rules
from logical_retriever.transform.rules.text import normalized, plain

FIXTURE = Path(__file__).parents[1] / "fixtures" / "cues.txt"
ROWS = [(code, cue) for code, made in LANGUAGES.items() for cue in made().cues]


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


@pytest.mark.parametrize(("code", "cue"), ROWS, ids=[f"{code} {cue.pattern[:60]}" for code, cue in ROWS])
def test_every_row_of_a_table_reads_its_example(code: str, cue: Cue) -> None:
    """A cue without an example is a rule nobody checks."""
    language = compiled(code)
    row = CompiledCue(cue, language.language)
    assert row.pattern.search(plain(normalized(cue.example, language)))
    reading = read_by_rules(cue.example, language)
    assert reading.query is not None
    assert any(isinstance(node, Not) for node in reading.query.walk())
    assert reading.signs == () or reading.understood
