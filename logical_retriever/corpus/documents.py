"""Passages of documents as people keep them: text, Markdown, HTML and PDF, cut where paragraphs end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from logical_retriever.corpus.passage import Passage
from logical_retriever.errors import require
from logical_retriever.files import wrong

SUFFIXES: Final = (".txt", ".md", ".markdown", ".html", ".htm", ".pdf")
LENGTH: Final = 1_000
"""Characters of a passage at most, but for a word that is longer: what the default encoder reads of a text."""

_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_SENTENCES: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_HEADING: Final = re.compile(r" {0,3}#{1,6}\s+(.*?)[\s#]*$")
_BLOCKS: Final = re.compile(
    "address|article|blockquote|br|dd|div|dl|dt|figcaption|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|"
    "th|tr|ul"
)
_UNSEEN: Final = frozenset({"script", "style", "noscript", "template"})


def document_passages(path: Path, name: str) -> Iterator[Passage]:
    """Passages of one document.

    Args:
        path: The file; its suffix says what it is.
        name: Begins the passages' ids, and is their ``source``: the path below the folder that is read.

    Raises:
        CorpusError: It cannot be read, or is not UTF-8.
        MissingPackageError: It is a PDF, and pypdf is not installed.
    """
    kind = path.suffix.lower()
    parts = _pdf(path) if kind == ".pdf" else _markdown(_text(path)) if kind in (".md", ".markdown") else None
    if parts is None:
        parts = _html(_text(path)) if kind in (".html", ".htm") else iter([("", _text(path), {})])
    found = [(title, piece, more) for title, text, more in parts for piece in pieces(text)]
    for number, (title, piece, more) in enumerate(found, start=1):
        id = name if len(found) == 1 else f"{name}#{number}"
        yield Passage(id, piece, title, {"source": name, **more})


def pieces(text: str) -> Iterator[str]:
    """A text in pieces of at most :data:`LENGTH` characters, cut between paragraphs, else sentences, else words.

    Examples:
        >>> [len(piece) for piece in pieces("word " * 300)]
        [999, 499]
    """
    kept = ""
    for part in _small(text):
        if kept and len(kept) + len(part) + 2 > LENGTH:
            yield kept
            kept = ""
        kept = f"{kept}\n\n{part}" if kept else part
    if kept:
        yield kept


def _small(text: str) -> Iterator[str]:
    """Paragraphs, and parts of those that are too long."""
    for paragraph in _PARAGRAPHS.split(text):
        rest = paragraph.strip()
        while len(rest) > LENGTH:
            ends = [match.end() for match in _SENTENCES.finditer(rest, 0, LENGTH)]
            at = ends[-1] if ends else rest.rfind(" ", 0, LENGTH)
            at = at if at > 0 else LENGTH
            yield rest[:at].strip()
            rest = rest[at:].strip()
        if rest:
            yield rest


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").replace("\x00", " ")
    except UnicodeDecodeError as error:
        raise wrong(path, None, f"not UTF-8 (byte {error.start + 1}).", "Save the file as UTF-8.") from error
    except OSError as error:
        raise wrong(path, None, f"cannot be read: {error.strerror}.", "Check the path and its permissions.") from error


def _markdown(text: str) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Sections, each with its heading; what looks like a heading in a block of code is none."""
    title, lines, fenced = "", list[str](), False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        yield title, "\n".join(lines), {}
        title, lines = heading[1], []
    yield title, "\n".join(lines), {}


def _html(text: str) -> Iterator[tuple[str, str, dict[str, int]]]:
    reader = _Seen()
    reader.feed(text)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.text).split("\n"))
    yield " ".join("".join(reader.title).split()), "\n\n".join(line for line in lines if line), {}


class _Seen(HTMLParser):
    """The text that a browser would show."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.title: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's
        if tag in _UNSEEN or tag == "title":
            self._inside.append(tag)
        elif _BLOCKS.fullmatch(tag):
            self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()
        elif _BLOCKS.fullmatch(tag):
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.text.append(data.replace("\n", " "))
        elif self._inside[-1] == "title":
            self.title.append(data)


def _pdf(path: Path) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Pages, each with its number."""
    pypdf = require("pypdf", f"Reading {path.name}", install="pip install pypdf")
    try:
        for number, page in enumerate(pypdf.PdfReader(path).pages, start=1):
            yield "", page.extract_text(), {"page": number}
    except Exception as error:
        raise wrong(path, None, f"cannot be read: {error}.", "Check that it is a PDF without a password.") from error
