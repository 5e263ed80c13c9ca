"""A user's own passages: from files with a row each, or from folders of documents."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from logical_retriever.files import json_kind, json_lines, wrong

KINDS: Final = (".txt", ".md", ".markdown", ".jsonl", ".ndjson", ".csv", ".tsv")
"""Suffixes of files that a folder is read for."""
LENGTH: Final = 1_000
"""Characters of a passage at most, but for a word that is longer: what the default encoder reads of a text."""
FORM: Final = 'Each line is a JSON object like {"_id": "7", "title": "optional", "text": "The passage."}.'
TEXTS: Final = ("text", "content", "page_content", "body", "passage", "document")
"""Keys and columns that may hold the text, the first of these that there is."""
IDS: Final = ("_id", "id", "id_")
"""Keys and columns that may hold the identity."""

_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?", re.ASCII)
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_SENTENCES: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_HEADING: Final = re.compile(r" {0,3}#{1,6}\s+(.*?)[\s#]*$")


@dataclass(frozen=True)
class Passage:
    """One passage of a corpus.

    Attributes:
        id: Its identity, unique within the corpus.
        text: The passage, never blank.
        title: Its title, or "".
        metadata: Texts, numbers, truth values, and lists of one kind of these, by name.
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def content(self) -> str:
        """Title and text as they are encoded and shown, with a full stop between them where the title has no mark.

        Examples:
            >>> Passage("1", "It grows high up.", title="Coffee").content
            'Coffee. It grows high up.'
        """
        stop = "" if self.title[-1:] in ".!?…:" else "."
        return f"{self.title}{stop} {self.text}" if self.title else self.text


def read_corpus(path: str | os.PathLike[str], passed_over: list[str] | None = None) -> list[Passage]:
    """Read passages.

    - A file of JSON Lines: objects with a text (``text``, or another of :data:`TEXTS`), perhaps an id (``_id`` or
      another of :data:`IDS`; a string or an integer) and a ``title``. All other keys are metadata, and so is what an
      object under ``metadata`` holds: BEIR's ``corpus.jsonl``, and documents of LangChain and nodes of LlamaIndex as
      ``model_dump`` writes them. Blank lines are passed over.
    - A ``.csv`` or ``.tsv`` with a header: the same with columns; numbers are numbers.
    - A text or Markdown, cut where paragraphs end into passages of at most :data:`LENGTH` characters, with the file as
      ``source``.
    - A folder: all of these in it and below, but for what is hidden.

    A passage without an id is known by its content. Of metadata, texts, numbers, truth values and lists of one kind of
    these are kept.

    Args:
        path: The file, in UTF-8, or the folder.
        passed_over: Takes the names of a folder's files of other kinds.

    Raises:
        CorpusError: A file cannot be read, is not UTF-8 or has no passage, or a row is not such an object, has no
            text, or an id that an earlier one has. It names file and line.
    """
    root = Path(path)
    passages: dict[str, Passage] = {}
    places: dict[str, tuple[Path, int | None]] = {}
    for file, name in _files(root, [] if passed_over is None else passed_over):
        for line, passage in _passages(file, name):
            earlier, (first, at) = passages.setdefault(passage.id, passage), places.setdefault(passage.id, (file, line))
            if earlier is not passage and (earlier != passage or root.is_file()):  # in a folder, one may be there twice
                place = [*([] if first == file else [str(first)]), *([] if at is None else [f"line {at}"])]
                what = f"the id {passage.id!r} was already given in {', '.join(place)}."
                raise wrong(file, line, what, "Give every passage an id of its own.")
    if not passages:
        hint = f"Put files there that end in {', '.join(KINDS)}." if root.is_dir() else "Give a file with text in it."
        raise wrong(path, None, "there is no passage in it.", hint)
    return list(passages.values())


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of at most :data:`LENGTH` characters, cut between paragraphs, else sentences, else words.

    Examples:
        >>> [len(piece) for piece in pieces("word " * 300)]
        [999, 499]
    """
    whole = ""
    for part in _small(text):
        if whole and len(whole) + len(part) + 2 > LENGTH:
            yield whole
            whole = ""
        whole = f"{whole}\n\n{part}" if whole else part
    if whole:
        yield whole


def _small(text: str) -> Iterator[str]:
    """Paragraphs, and parts of those that are too long."""
    for paragraph in _PARAGRAPHS.split(text):
        rest = paragraph.strip()
        while len(rest) > LENGTH:
            ends = [match.end() for match in _SENTENCES.finditer(rest, 0, LENGTH)]
            at = max(ends[-1] if ends else rest.rfind(" ", 0, LENGTH), 0) or LENGTH
            yield rest[:at].strip()
            rest = rest[at:].strip()
        if rest:
            yield rest


def _files(root: Path, passed_over: list[str]) -> Iterator[tuple[Path, str]]:
    """Files with their names below the folder."""
    if not root.is_dir():
        yield root, root.name
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in (Path(folder, name) for name in sorted(names) if not name.startswith(".")):
            name = file.relative_to(root).as_posix()
            if file.suffix.lower() in KINDS:
                yield file, name
            else:
                passed_over.append(name)


def _passages(file: Path, name: str) -> Iterator[tuple[int | None, Passage]]:
    """Passages of a file with their lines, or None in documents."""
    kind = file.suffix.lower()
    if kind in (".csv", ".tsv"):
        yield from _table(file, "\t" if kind == ".tsv" else ",")
    elif kind in (".txt", ".md", ".markdown"):
        parts = [("", _text(file))] if kind == ".txt" else _sections(_text(file))
        cut = [(title, piece) for title, text in parts for piece in pieces(text)]
        for number, (title, piece) in enumerate(cut, start=1):
            yield None, Passage(name if len(cut) == 1 else f"{name}#{number}", piece, title, {"source": name})
    else:
        yield from ((line, _passage(row, file, line)) for line, row in json_lines(file, FORM))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").replace("\x00", " ")
    except UnicodeDecodeError as error:
        raise wrong(path, None, f"not UTF-8 (byte {error.start + 1}).", "Save the file as UTF-8.") from error
    except OSError as error:
        raise wrong(path, None, f"cannot be read: {error.strerror}.", "Check the path and its permissions.") from error


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Sections of Markdown with their headings; what looks like a heading in a block of code is none."""
    title, lines, fenced = "", list[str](), False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
        else:
            yield title, "\n".join(lines)
            title, lines = heading[1], []
    yield title, "\n".join(lines)


def _table(path: Path, delimiter: str) -> Iterator[tuple[int, Passage]]:
    lines = io.StringIO(_text(path), newline="")
    reader = csv.DictReader(lines, delimiter=delimiter)
    columns = [column.strip() for column in reader.fieldnames or () if column]
    special = {name: name.casefold() for name in columns if name.casefold() in (*TEXTS, *IDS, "title")}
    if not set(special.values()) & set(TEXTS):
        what = f"no column has the texts (columns: {', '.join(columns) or 'none'})."
        raise wrong(path, 1, what, f"Call it {TEXTS[0]!r}.")
    reader.fieldnames = [special.get(column, column) for column in columns]
    try:
        for row in reader:
            cells = {
                key: text if key in special.values() else _value(text) for key, text in row.items() if key and text
            }
            yield reader.line_num, _passage(cells, path, reader.line_num)
    except csv.Error as error:
        raise wrong(path, reader.line_num, f"not a table: {error}.", "Save it as CSV with a header.") from error


def _value(text: str) -> str | int | float:
    """A number that is written as one; "007" is a text."""
    return text if not _NUMBER.fullmatch(text.strip()) else float(text) if "." in text else int(text)


def _passage(row: Mapping[str, Any], path: Path, line: int) -> Passage:
    """The passage of a row of a table or a JSON object."""
    problem = partial(wrong, path, line, hint=FORM)
    text_key, id_key = (next((key for key in keys if key in row), keys[0]) for keys in (TEXTS, IDS))
    text, title, inner = row.get(text_key), row.get("title"), row.get("metadata")
    if not isinstance(text, str):
        raise problem(f"expected a string as text, found {'no text' if text is None else json_kind(text)}.")
    if not text.strip():
        raise problem("the text is blank.", hint="Remove the line, or give it a text to search in.")
    others = {key: value for key, value in row.items() if key not in (text_key, id_key, "title", "metadata")}
    metadata = {**others, **(inner if isinstance(inner, Mapping) else {})}
    title = metadata.pop("title", None) if title is None else title
    if not isinstance(title, str | None):
        raise problem(f"expected a string as title, found {json_kind(title)}.")
    content = json.dumps([text, title, metadata], sort_keys=True, default=str)
    id = hashlib.sha256(content.encode()).hexdigest()[:16] if row.get(id_key) is None else row[id_key]
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "":
        raise problem(
            f"expected a string or an integer as {id_key}, found {json_kind(id) if id != '' else 'an empty one'}."
        )
    passage = Passage(str(id), text.strip(), (title or "").strip(), _known(metadata))
    if re.search("[\ud800-\udfff]", json.dumps(vars(passage), ensure_ascii=False)):
        # JSON's \u escapes can spell half of a UTF-16 pair, which no encoder or store takes.
        raise problem(r"it holds half a character (a lone \ud800-\udfff escape).", hint="Write the file as UTF-8 text.")
    return passage


def _known(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata that a condition can be about: texts, numbers, truth values, and lists of one kind of these."""
    kinds = {
        key: {type(item) for item in (value if isinstance(value, list) else [value])} for key, value in metadata.items()
    }
    return {key: metadata[key] for key, own in kinds.items() if len(own) == 1 and own <= {str, int, float, bool}}
