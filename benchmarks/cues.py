"""Measure how often the negation cues are right, on marked passages.

    python benchmarks/cues.py [FOLDER]

FOLDER (default: ``passages`` in $LOGICAL_RETRIEVER_DATA) holds files ``<kind>_<number>.txt`` of marked passages. A kind
of two letters is the language, every other kind is English. Counted are the things marked "+" (the passage has it) or
"-" (the passage denies it) whose content words or their stems all occur in the passage; "absent" is wrong. Cues were
chosen on files with odd numbers. Beside FOLDER, ``lack`` has questions with passages that have an excluded thing, and
with passages that say they lack it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmark_sets import data_folder

from logical_retriever.lexical import tokenize
from logical_retriever.reading.passages import SoughtTerm

RIGHT = {"+": "asserted", "-": "denied"}


class Pair(NamedTuple):
    """A marked thing of a passage, with the cue found."""

    kind: str
    number: str
    language: str
    mark: str
    named: bool
    cue: str


def pairs(folder: Path) -> Iterator[Pair]:
    """Read the marked things of all files."""
    for path in sorted(folder.glob("*_*.txt")):
        kind, number = path.stem.split("_")
        language = kind if len(kind) == 2 else "en"
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            passage, *marks = block.strip().splitlines() or [""]
            words = set(tokenize(passage, language))
            for mark, thing in (line.split(maxsplit=1) for line in marks):
                own = set(tokenize(thing, language))
                cue = SoughtTerm(thing).in_passage(passage.removeprefix("# ")).cue
                yield Pair(kind, number, language, mark[0], bool(own) and own <= words, cue)


def row(name: str, found: Iterable[Pair]) -> None:
    """Print the shares of some pairs: right, of those marked + and -, and what the cue says of the others."""
    counts = Counter((one.mark, one.cue) for one in found if one.named)
    sums = {mark: max(1, sum(counts[mark, cue] for cue in ("asserted", "denied", "absent"))) for mark in "+-~0"}
    right = {mark: counts[mark, cue] for mark, cue in RIGHT.items()}
    shares = [sum(right.values()) / (sums["+"] + sums["-"]), right["+"] / sums["+"], right["-"] / sums["-"]]
    others = [counts[mark, cue] / sums[mark] for mark in "~0" for cue in ("denied", "asserted")]
    print(f"{name:22}{sums['+'] + sums['-']:6}", *(f"{share:8.3f}" for share in shares + others))


def lack(folder: Path) -> None:
    """Print what the cue says of the passages of ``lack`` that have an excluded thing, and of those that say not."""
    texts = {one["_id"]: one["text"] for one in map(json.loads, (folder / "corpus.jsonl").open(encoding="utf-8"))}
    counts: Counter[tuple[str, str]] = Counter()
    for question in map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8")):
        for term in map(SoughtTerm, question["lack"] if question["kind"] == "property" else ()):
            for group in ("bad", "says"):
                counts.update((group, term.in_passage(texts[one]).cue) for one in question[group])
    for group in ("bad", "says"):
        print(f"lack, {group}:", {cue: counts[group, cue] for cue in ("asserted", "denied", "absent")})


def main(folder: Path) -> None:
    """Print the tables."""
    found = list(pairs(folder))
    parts = {"odd": [one for one in found if int(one.number[:2]) % 2], "even": []}
    parts["even"] = [one for one in found if not int(one.number[:2]) % 2]
    print(f"{'':22}{'pairs':>6}    right    of +    of -   ~: denied asserted 0: denied asserted")
    for name, part in (("", found), *parts.items()):
        row(f"all {name}", part)
        row(f"English {name}", (one for one in part if one.language == "en"))
        row(f"the ten others {name}", (one for one in part if one.language != "en"))
    row("English, files _03", (one for one in found if one.language == "en" and one.number == "03"))
    for kind in sorted({one.kind for one in found}):
        row(kind, (one for one in found if one.kind == kind))
    everywhere = Counter((one.mark, one.cue) for one in found)
    for mark in "~0":
        print(f"all pairs marked {mark}:", {cue: everywhere[mark, cue] for cue in ("asserted", "denied", "absent")})
    if (folder.parent / "lack").exists():
        lack(folder.parent / "lack")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else data_folder() / "passages")
