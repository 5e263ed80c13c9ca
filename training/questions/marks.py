"""The marked lines: how they are read, checked, changed a little, and turned into labels."""

from __future__ import annotations

import hashlib
import random
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from logical_retriever.reading.questions.tagger.decoding import LABELS
from logical_retriever.reading.questions.tagger.words import split_words

LINES = Path(__file__).parent / "lines"
WANTED, EXCLUDED, SECOND = "wanted", "excluded", "second"
TOPIC, LACK = "topic", "lack"
_HOW = {"!": LACK, "?": None}
"""Signs at the beginning of an excluded stretch: how it was excluded, if it is not a topic."""
_OR = {
    "en": r"\b(or|alternatively|otherwise|failing that)\b",
    "de": r"\b(oder|ansonsten|sonst|andernfalls)\b",
    "fr": r"\b(ou|sinon|à défaut)\b",
    "es": r"\b(o|u|sino|si no)\b",
    "it": r"\b(o|oppure|altrimenti|sennò)\b",
    "pt": r"\b(ou|senão)\b",
    "nl": r"\b(of|anders)\b",
    "pl": r"\b(albo|lub|ewentualnie)\b",
    "ru": r"\b(или|либо)\b",
    "ja": "または|それか|もしくは|あるいは",
    "zh": "或者|要么|要不|否则",
}
"""What stands between a wish and a second one, by language."""


@dataclass(frozen=True)
class Mark:
    """A marked stretch of a request.

    Attributes:
        start: First character, from 0.
        end: Character after the last.
        kind: Wanted, excluded, or a second wish.
        how: "topic" or "lack" for an exclusion; None for a wish, or where nobody has said.
    """

    start: int
    end: int
    kind: str
    how: str | None = None


@dataclass(frozen=True)
class Line:
    """A request with its marks; ``kind`` is the beginning of its file's name, as in "en_traps"."""

    text: str
    marks: tuple[Mark, ...]
    kind: str
    file: str

    @property
    def language(self) -> str:
        """The ISO 639-1 code with which the file's name begins."""
        return self.kind[:2]

    @property
    def excludes(self) -> bool:
        """Whether something is marked as excluded."""
        return any(mark.kind == EXCLUDED for mark in self.marks)


def fault(line: str) -> str | None:
    """Say what is wrong with the marks of a line; None for a sound one."""
    opened = ""
    for character in line:
        if character in "[{":
            if opened:
                return "a mark inside a mark"
            opened = character
        elif character in "]}":
            if opened != {"]": "[", "}": "{"}[character]:
                return "a mark closed that was not opened"
            opened = ""
    if opened:
        return "a mark not closed"
    if re.search(r"\[\s*\]|\{[!?]?\s*\}", line):
        return "an empty mark"
    if "[" in line and "{" not in line:
        return "something is wanted and nothing left out: take the marks away"
    return None


def parse(line: str, kind: str = "en", file: str = "") -> Line:
    """Take the marks off a line. A wish that follows an exclusion and an "or" is a second one."""
    letters: list[str] = []
    marks: list[Mark] = []
    start = last = 0
    how: str | None = None
    for character, before_it in zip(line, " " + line, strict=False):
        if character in "[{":
            start, how = len(letters), TOPIC if character == "{" else None
        elif character in _HOW and before_it == "{":
            how = _HOW[character]
        elif character in "]}":
            what = WANTED if character == "]" else EXCLUDED
            between = "".join(letters[last:start]).lower()
            before = [mark.kind for mark in marks]
            if (
                what == WANTED
                and WANTED in before
                and EXCLUDED in before
                and re.search(_OR.get(kind[:2], _OR["en"]), _tail(between))
            ):
                what = SECOND
            marks.append(Mark(start, len(letters), what, how))
            last = len(letters)
        else:
            letters.append(character)
    return Line("".join(letters), tuple(marks), kind, file)


def _tail(text: str, most: int = 30) -> str:
    """Return the last characters of a text, at most ``most``, from the beginning of a word."""
    return text if len(text) <= most else re.sub(r"^\S*\s", "", text[-most:])


def read_lines(folder: Path = LINES) -> list[Line]:
    """All lines with good marks, each request once."""
    lines: dict[str, Line] = {}
    for path in sorted(folder.glob("*.txt")):
        kind = re.sub(r"_?\d+$", "", path.stem)
        for text in path.read_text(encoding="utf-8").splitlines():
            if text.strip() and fault(text) is None:
                line = parse(text.strip(), kind, path.stem)
                lines.setdefault(line.text.lower(), line)
    return list(lines.values())


def lines_hash(folder: Path = LINES) -> str:
    """Hash all lines, for the weights that were taught with them."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.txt")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def labels_of(line: Line) -> list[int]:
    """Return the label of each word of a line, as rows of ``LABELS``."""
    labels: list[int] = []
    begun: Mark | None = None
    for start, end in split_words(line.text).spans:
        mark = next((mark for mark in line.marks if _lies_in(start, end, mark)), None)
        if mark is None:
            name = "O"
        elif mark.kind == EXCLUDED:
            name = "I-excluded" if mark is begun else "B-excluded"
        else:
            name = "I-wanted" if mark is begun else "B-second" if mark.kind == SECOND else "B-wanted"
        begun = mark
        labels.append(LABELS.index(name))
    return labels


def _lies_in(start: int, end: int, mark: Mark) -> bool:
    """Tell whether a word is in a mark. An exclusion may mark a part of a word, as in "{sugar}free"."""
    if mark.kind == EXCLUDED:
        return mark.start < end and start < mark.end
    return mark.start <= start and end <= mark.end


def kinds_of(line: Line) -> list[int]:
    """Return for each word 1 if it is excluded as something to lack, 0 if as a topic, -1 for all others."""
    kinds: list[int] = []
    for start, end in split_words(line.text).spans:
        how = next((mark.how for mark in line.marks if _lies_in(start, end, mark)), None)
        kinds.append({LACK: 1, TOPIC: 0}.get(how or "", -1))
    return kinds


def without(line: Line, drop: Iterable[int]) -> Line:
    """Remove some characters from a line."""
    gone = set(drop)
    if not gone:
        return line
    text = "".join(character for i, character in enumerate(line.text) if i not in gone)
    place = [0, *accumulate(i not in gone for i in range(len(line.text)))]
    marks = tuple(Mark(place[m.start], place[m.end], m.kind, m.how) for m in line.marks)
    return Line(text, marks, line.kind, line.file)


def _retyped(line: Line, text: str) -> Line:
    return Line(text, line.marks, line.kind, line.file) if len(text) == len(line.text) else line


def varied(line: Line, chance: random.Random) -> Line:
    """Retype a line in a hurry: other case, lost signs and accents, slips of the finger."""
    if " / " in line.text and chance.random() < 0.7:
        line = _retyped(line, line.text.replace(" / ", " \n "))
    if chance.random() < 0.4:
        return line
    case = chance.random()
    if case < 0.25:
        line = _retyped(line, line.text.lower())
    elif case < 0.27:
        line = _retyped(line, line.text.upper())
    elif case < 0.32:
        line = _retyped(line, line.text[:1].swapcase() + line.text[1:])
    if chance.random() < 0.2:
        line = without(line, (i for i, c in enumerate(line.text) if c in ",.?!;:'’" and chance.random() < 0.7))
    if chance.random() < 0.08:
        plain = "".join(unicodedata.normalize("NFD", c)[0] for c in line.text)
        line = _retyped(line, plain)
    if chance.random() < 0.15 and len(line.text) > 4:
        for _ in range(chance.choice((1, 1, 2))):
            line = _slip(line, chance)
    return line


def _slip(line: Line, chance: random.Random) -> Line:
    text = line.text
    i = chance.randrange(len(text) - 2)
    if not (text[i].isalpha() and text[i + 1].isalpha()) or ord(text[i]) > 0x2E80:
        return line
    if chance.random() < 0.5:
        return _retyped(line, text[:i] + text[i + 1] + text[i] + text[i + 2 :])
    return without(line, (i,))


def check(paths: Iterable[Path]) -> Iterator[str]:
    """Yield what is wrong with the lines of these files, one by one, and a count at the end."""
    seen: Counter[str] = Counter()
    excluding = 0
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            plain = parse(line).text.strip().lower()
            wrong = fault(line) or ("the same request again" if seen[plain] else None)
            seen[plain] += 1
            excluding += "{" in line
            if wrong:
                yield f"{path}:{number}: {wrong}: {line[:120]}"
    yield f"{sum(seen.values())} lines, {excluding} with an exclusion"


if __name__ == "__main__":
    for message in check(map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(LINES.glob("*.txt"))):
        print(message)
