"""The user's own passages, read from tables, JSON Lines, texts, Markdown and PDF."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from logical_retriever.errors import LARGEST_COUNT, CorpusError, InvalidArgumentError, MissingPackageError, require
from logical_retriever.files import json_kind, json_lines, text_lines, wrong

__all__ = ["PASSAGE_SIZE", "Passage", "read_corpus"]

_TABLES: Final = {".csv": ",", ".tsv": "\t"}
"""Suffixes of tables, and what separates their cells."""
_OBJECTS: Final = (".jsonl", ".ndjson")
_DOCUMENTS: Final = (".txt", ".md", ".markdown", ".pdf")
"""Suffixes of the files that are cut into passages."""
_KINDS: Final = (*_DOCUMENTS, *_OBJECTS, *_TABLES)
"""Suffixes of the files that are read in a folder."""
_SHORTEST: Final = 50
PASSAGE_SIZE: Final = 1_000
"""Default of ``passage_size``: about what the default encoder reads of a text."""
_FORM: Final = 'Each line is a JSON object like {"_id": "7", "title": "optional", "text": "The passage."}.'
_TEXTS: Final = ("text", "content", "page_content", "body", "passage", "document")
"""Keys and columns for the text; the first one present counts."""
_IDS: Final = ("_id", "id", "id_")
"""Keys and columns for the id."""

_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?", re.ASCII)
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_SENTENCES: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_HEADING: Final = re.compile(r" {0,3}#{1,6}\s+(.*?)[\s#]*$")


@dataclass(frozen=True)
class Passage:
    """One passage of a corpus.

    Attributes:
        id: Its id, unique within the corpus.
        text: The passage, never blank.
        title: Its title, or "".
        metadata: Texts, numbers, truth values, and lists of one of these kinds, by name.
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def content(self) -> str:
        """Title and text as they are encoded and shown; a full stop follows a title without a punctuation mark.

        Examples:
            >>> Passage("1", "It grows high up.", title="Coffee").content
            'Coffee. It grows high up.'
        """
        stop = "" if self.title[-1:] in ".!?…:" else "."
        return f"{self.title}{stop} {self.text}" if self.title else self.text


def read_corpus(
    path: str | os.PathLike[str], passed_over: list[str] | None = None, *, passage_size: int = PASSAGE_SIZE
) -> list[Passage]:
    """Read passages from a file or a folder.

    - A ``.jsonl`` or ``.ndjson`` file has one object a line, with a text (``text``, ``content``, ``page_content``,
      ``body``, ``passage`` or ``document``) and perhaps an id (``_id``, ``id`` or ``id_``) and a ``title``. All other
      keys are metadata, and so are the keys of an object under ``metadata``. This covers BEIR's ``corpus.jsonl``, and
      LangChain's documents and LlamaIndex's nodes as ``model_dump`` writes them.
    - A ``.csv`` or ``.tsv`` file has a header with the same names, in any case; numbers become numbers.
    - A text, Markdown or PDF file is cut between paragraphs into passages. Its name becomes ``source``, and the heading
      of a section becomes the title. A PDF needs the package pypdf; one in a folder that cannot be read is passed over.
    - In a folder, all of these are read, also in folders below; hidden ones are skipped.

    A passage without an id gets one from its content. Metadata other than texts, numbers, truth values and lists of one
    of these kinds is dropped.

    Args:
        path: The file, in UTF-8, or the folder.
        passed_over: A list that receives the names of other files in the folder.
        passage_size: Most characters of a passage of a document, at least 50; shorter paragraphs are joined up to it.
            With 0 each paragraph is a passage, cut at 1,000.

    Raises:
        CorpusError: A file cannot be read, is not UTF-8, or has no passage; or a row has no text, or the id of another
            passage. In a folder, the same passage may occur twice. The error names file and line.
        InvalidArgumentError: ``passage_size`` is another number.
        MissingPackageError: The file is a PDF, and there is no pypdf.
    """
    if passage_size != 0 and (type(passage_size) is not int or not _SHORTEST <= passage_size <= LARGEST_COUNT):
        raise InvalidArgumentError(
            f"passage_size is {passage_size!r}; a passage has room for {_SHORTEST} characters or more.",
            hint="Set passage_size=0 for a passage a paragraph.",
        )
    root = Path(path)
    found: dict[str, tuple[Passage, str]] = {}
    others = [] if passed_over is None else passed_over
    for file, name in _files(root, others):
        for line, passage in _read_passages(file, name, passage_size, others if root.is_dir() else None):
            place = f"{file}" if line is None else f"{file}, line {line}"
            earlier, first = found.setdefault(passage.id, (passage, place))
            if earlier is not passage and (earlier != passage or root.is_file()):
                problem = f"the id {passage.id!r} was already given in {first}."
                raise wrong(file, line, problem, "Give every passage an id of its own.")
    if not found:
        hint = f"Put files there that end in {', '.join(_KINDS)}." if root.is_dir() else "Give a file with text in it."
        raise wrong(path, None, "there is no passage in it.", hint)
    return [passage for passage, _ in found.values()]


def _files(root: Path, passed_over: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield the files to read, with their paths relative to the folder."""
    if not root.is_dir():
        yield root, root.name
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in (Path(folder, name) for name in sorted(names) if not name.startswith(".")):
            name = file.relative_to(root).as_posix()
            if file.suffix.lower() in _KINDS:
                yield file, name
            else:
                passed_over.append(name)


def _read_passages(file: Path, name: str, size: int, others: list[str] | None) -> Iterator[tuple[int | None, Passage]]:
    """Yield the passages of a file; in a folder, note a PDF without a readable text among the others."""
    if others is None or file.suffix.lower() != ".pdf":
        yield from _passages(file, name, size)
        return
    try:
        found = list(_passages(file, name, size))
    except (CorpusError, MissingPackageError):
        found = []
    if not found:
        others.append(name)
    yield from found


def _passages(file: Path, name: str, size: int) -> Iterator[tuple[int | None, Passage]]:
    """Yield each passage of a file with its line number, or with None if it was cut from a document."""
    kind = file.suffix.lower()
    if kind in _TABLES:
        yield from _table(file, _TABLES[kind])
    elif kind in _DOCUMENTS:
        lines = _pdf(file) if kind == ".pdf" else (line for _, line in text_lines(file, blank=True))
        text = "\n".join(lines).replace("\x00", " ")
        sections = [("", text)] if kind in (".txt", ".pdf") else _sections(text)
        pieces = [(title, piece) for title, section in sections for piece in _pieces(section, size)]
        for number, (title, piece) in enumerate(pieces, start=1):
            yield None, Passage(name if len(pieces) == 1 else f"{name}#{number}", piece, title, {"source": name})
    else:
        yield from ((line, _passage(row, file, line)) for line, row in json_lines(file, _FORM))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sections of a Markdown text with their headings; a # in a block of code begins none."""
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


def _pdf(file: Path) -> Iterator[str]:
    """Yield the text of each page of a PDF, pages apart like paragraphs."""
    pypdf = require("pypdf", f"The text of {file.name}", install='pip install "logical-retriever[pdf]"')
    try:
        for page in pypdf.PdfReader(file).pages:
            yield f"{page.extract_text()}\n".encode("utf-8", "replace").decode()
    except Exception as error:  # pypdf raises errors of many types on a damaged file
        raise wrong(file, None, f"not a readable PDF: {error}.", "Save its text in another kind of file.") from error


def _pieces(text: str, size: int) -> Iterator[str]:
    """Yield pieces of at most ``size`` characters, cut between paragraphs, else sentences, else words.

    With a size of 0, each paragraph is a piece, cut at 1,000.

    Examples:
        >>> [len(piece) for piece in _pieces("word " * 300, 1_000)]
        [999, 499]
    """
    piece, joined = "", size
    size = size or PASSAGE_SIZE
    for paragraph in _PARAGRAPHS.split(text):
        rest = paragraph.strip()
        while rest:
            ends = [match.end() for match in _SENTENCES.finditer(rest, 0, size)] or [rest.rfind(" ", 0, size)]
            at = len(rest) if len(rest) <= size else max(ends[-1], 0) or size
            part, rest = rest[:at].strip(), rest[at:].strip()
            if piece and len(piece) + len(part) + 2 > joined:
                yield piece
                piece = ""
            piece = f"{piece}\n\n{part}" if piece else part
    if piece:
        yield piece


def _table(path: Path, delimiter: str) -> Iterator[tuple[int, Passage]]:
    """Yield the rows of a table as passages, with the numbers of the lines that they end in."""
    reader = csv.DictReader((f"{line}\n" for _, line in text_lines(path, blank=True)), delimiter=delimiter)
    names = {name: name.casefold() for name in (*_TEXTS, *_IDS, "title")}
    columns = [column.strip() for column in reader.fieldnames or ()]
    reader.fieldnames = [names.get(column.casefold(), column) for column in columns]
    if not {*reader.fieldnames} & {*_TEXTS}:
        what = f"no column has the texts (columns: {', '.join(filter(None, columns)) or 'none'})."
        raise wrong(path, 1, what, f"Call it {_TEXTS[0]!r}.")
    try:
        for row in reader:
            cells = {key: text if key in names else _value(text) for key, text in row.items() if key and text}
            yield reader.line_num, _passage(cells, path, reader.line_num)
    except csv.Error as error:
        raise wrong(path, reader.line_num, f"not a table: {error}.", "Save it as CSV with a header.") from error


def _value(text: str) -> str | int | float:
    """Return the number that a cell holds, else its text; "007" is a text."""
    return text if not _NUMBER.fullmatch(text.strip()) else float(text) if "." in text else int(text)


def _passage(row: Mapping[str, Any], path: Path, line: int) -> Passage:
    """Return the passage of a table's row or a JSON object."""
    problem = partial(wrong, path, line, hint=_FORM)
    text_key, id_key = (next((key for key in keys if key in row), keys[0]) for keys in (_TEXTS, _IDS))
    others = {**row}
    text, id, title, inner = (others.pop(key, None) for key in (text_key, id_key, "title", "metadata"))
    metadata = {**others, **(inner if isinstance(inner, Mapping) else {})}
    title = metadata.pop("title", None) if title is None else title
    for key, value, kinds, what in (
        (text_key, text, str, "a string"),
        ("title", title, str | None, "a string"),
        (id_key, id, str | int | None, "a string or an integer"),
    ):
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise problem(f"expected {what} as {key}, found {'nothing' if value is None else json_kind(value)}.")
    for key, value in ((text_key, text.strip()), (id_key, id)):
        if value == "":
            raise problem(f"the {key} is blank.")
    if id is None:
        content = json.dumps([text, title, metadata], sort_keys=True, default=str)
        id = hashlib.sha256(content.encode()).hexdigest()[:16]
    return Passage(str(id), text.strip(), (title or "").strip(), _known(metadata))


def _known(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata that conditions can test: texts, numbers, truth values, and lists of one of these kinds."""
    kinds = {
        key: {type(item) for item in (value if isinstance(value, list) else [value])} for key, value in metadata.items()
    }
    return {key: metadata[key] for key, own in kinds.items() if len(own) == 1 and own <= {str, int, float, bool}}
