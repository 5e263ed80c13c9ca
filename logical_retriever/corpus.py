"""A user's own passages, from a file with one JSON object a line."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from logical_retriever.errors import CorpusError
from logical_retriever.files import json_kind, json_lines

FORM = 'Each line is a JSON object like {"_id": "7", "title": "optional", "text": "The passage."}.'


@dataclass(frozen=True)
class Passage:
    """One passage of a corpus.

    Attributes:
        id: Its identity, unique within the corpus.
        text: The passage, never blank.
        title: Its title, or "".
    """

    id: str
    text: str
    title: str = ""

    @property
    def content(self) -> str:
        """Title and text as they are encoded and shown, with a full stop between them where the title has no mark.

        Examples:
            >>> Passage("1", "It grows high up.", title="Coffee").content
            'Coffee. It grows high up.'
        """
        if not self.title:
            return self.text
        return f"{self.title}{' ' if self.title[-1] in '.!?…:' else '. '}{self.text}"

    @property
    def fingerprint(self) -> str:
        """Hash of what is encoded, in hexadecimal: equal for equal content, whatever the id."""
        return hashlib.sha256(json.dumps([self.title, self.text]).encode()).hexdigest()


def corpus_fingerprint(passages: Iterable[Passage]) -> str:
    """Hash of a corpus, in hexadecimal; the order of the passages does not matter."""
    rows = sorted((passage.id, passage.fingerprint) for passage in passages)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def read_corpus(path: str | os.PathLike[str]) -> list[Passage]:
    """Read passages from a JSONL file, the layout of BEIR's ``corpus.jsonl``.

    Each line is an object with ``_id`` (or ``id``; a string or an integer), ``text`` and optionally ``title``; its
    other fields are not read. Blank lines are passed over.

    Args:
        path: The file, in UTF-8.

    Raises:
        CorpusError: The file cannot be read, is not UTF-8 or has no passage, or a line is not such an object, has no
            id or text, or an id that an earlier line has. It names file and line.
    """
    name = os.fspath(path)
    passages: dict[str, Passage] = {}
    lines: dict[str, int] = {}
    for number, row in json_lines(path, FORM):
        passage = _passage(row, name, number)
        if passage.id in passages:
            raise CorpusError(
                f"the id {passage.id!r} was already given in line {lines[passage.id]}.",
                path=name,
                line=number,
                hint="Give every passage an id of its own.",
            )
        passages[passage.id] = passage
        lines[passage.id] = number
    if not passages:
        raise CorpusError("there is no passage in it.", path=name, line=None, hint=FORM)
    return list(passages.values())


def _passage(row: Mapping[str, Any], name: str, number: int) -> Passage:
    def problem(what: str, hint: str = FORM) -> CorpusError:
        return CorpusError(what, path=name, line=number, hint=hint)

    id = row.get("_id", row.get("id"))
    if isinstance(id, int) and not isinstance(id, bool):
        id = str(id)
    if not isinstance(id, str) or not id:
        found = "no _id" if id is None else f"{json_kind(id)} as _id" if id != "" else "an empty _id"
        raise problem(f"expected a string or an integer as _id (or id), found {found}.")
    text, title = row.get("text"), row.get("title")
    if not isinstance(text, str):
        raise problem(f"expected a string as text, found {'no text' if text is None else json_kind(text)}.")
    if not text.strip():
        raise problem("the text is blank.", hint="Remove the line, or give it a text to search in.")
    if not isinstance(title, str | None):
        raise problem(f"expected a string as title, found {json_kind(title)}.")
    passage = Passage(id, text.strip(), "" if title is None else title.strip())
    if any("\ud800" <= c <= "\udfff" for part in (id, passage.text, passage.title) for c in part):
        # JSON's \u escapes can spell half of a UTF-16 pair, which no encoder or store takes.
        raise problem(r"it holds half a character (a lone \ud800-\udfff escape).", hint="Write the file as UTF-8 text.")
    return passage
