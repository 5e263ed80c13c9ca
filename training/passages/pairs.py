"""Pairs of a term and a passage, as people marked them and as a large reader labelled them.

``blocks/*.txt`` holds marked passages (GUIDE.md says how they are marked), ``soft/*.tsv`` the probabilities that a
large reader gave which had not been taught with that file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BLOCKS, SOFT = HERE / "blocks", HERE / "soft"
MARKS = ("has", "denies", "open", "absent")
"""What a passage says of a term, in the order of the network's first four columns."""
_SIGNS = {"+": 0, "-": 1, "~": 2, "0": 3}
_MARK = re.compile(r"([+\-~0])(!?) (\S.*)")
_SUBJECTS = ("ja_02", "pl_02", "ru_02", "zh_02")
"""Their blocks share subjects with one another, and with no other file."""


@dataclass(frozen=True)
class Pair:
    """A term and a passage.

    Attributes:
        mark: Index in :data:`MARKS` of what was marked; None where nobody marked the pair.
        about: Whether the passage was marked as about the term.
        soft: A large reader's probabilities of the four marks and of "about"; None without a label.
    """

    file: str
    term: str
    passage: str
    mark: int | None = None
    about: bool = False
    soft: tuple[float, ...] | None = None

    @property
    def language(self) -> str:
        """The two letters of the passage's language."""
        first = self.file.split("_")[0]
        return first if len(first) == 2 else "en"


def held_out(file: str) -> bool:
    """Whether a file is kept from teaching."""
    return file.endswith(("_03", "_05e")) or file in _SUBJECTS


def read_blocks(path: Path) -> Iterator[tuple[str, list[tuple[str, int, bool]]]]:
    """Yield each passage of a file with its marks: term, index of the mark, whether it is about the term.

    Raises:
        SystemExit: A line is neither a passage nor a mark.
    """
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        first, *lines = block.strip().splitlines()
        found = [_MARK.fullmatch(line.rstrip()) for line in lines]
        if not first.startswith("# ") or not all(found):
            raise SystemExit(f"{path.name}: not a passage with its marks (see GUIDE.md): {first[:60]!r}")
        marks = [(mark[3], _SIGNS[mark[1]], bool(mark[2])) for mark in found if mark]
        yield first[2:].rstrip(), marks


def read_soft(path: Path) -> Iterator[tuple[int, str, tuple[float, ...]]]:
    """Yield block (from 1), term and probabilities of a file of soft labels."""
    with path.open(encoding="utf-8", newline="") as lines:
        for block, term, *probabilities in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield int(block), term, tuple(map(float, probabilities))


def read_pairs(folder: Path = BLOCKS, soft: Path | None = SOFT) -> list[Pair]:
    """Read all pairs of a folder of blocks, then those that only a large reader labelled."""
    pairs, more = [], []
    for path in sorted(folder.glob("*.txt")):
        blocks, labels = list(read_blocks(path)), {}
        if soft is not None and (labelled := soft / f"{path.stem}.tsv").exists():
            labels = {(block, term): given for block, term, given in read_soft(labelled)}
        for number, (passage, marks) in enumerate(blocks, 1):
            for term, mark, about in marks:
                given = labels.pop((number, term), None)
                pairs.append(Pair(path.stem, term, passage, mark, about, given))
        for (number, term), given in labels.items():
            more.append(Pair(path.stem, term, blocks[number - 1][0], soft=given))
    if not pairs:
        raise SystemExit(f"No marked passages in {folder}")
    return pairs + more
