"""Rows of JSON Lines and CSV files as passages: in BEIR's shape, LangChain's, LlamaIndex', and that of a table."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from logical_retriever.corpus.passage import Passage
from logical_retriever.errors import CorpusError
from logical_retriever.files import json_kind, json_lines, text_lines, wrong

FORM: Final = (
    'Each line is a JSON object like {"_id": "7", "title": "optional", "text": "The passage."}, or a document of '
    'LangChain ("page_content", "metadata") or of LlamaIndex ("id_", "text", "metadata").'
)
TEXT_COLUMNS: Final = ("text", "content", "page_content", "body", "passage", "document")
"""Columns of a table that may be its texts, the first of these that it has."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?", re.ASCII)
_OWN: Final = ("_id", "id", "id_", "text", "title", "metadata")


def json_passages(path: str | os.PathLike[str]) -> Iterator[tuple[int, Passage]]:
    """Passages of a JSON Lines file with their line numbers."""
    for number, row in json_lines(path, FORM):
        yield number, _passage(_plain(row), os.fspath(path), number)


def csv_passages(path: str | os.PathLike[str]) -> Iterator[tuple[int, Passage]]:
    """Passages of a table with a header, separated by commas, or by tabs where its name ends in ``.tsv``.

    Raises:
        CorpusError: It has no column for texts; it names those that it has.
    """
    name = os.fspath(path)
    text = "".join(f"{line}\n" for _, line in text_lines(path))
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if name.lower().endswith(".tsv") else ",")
    columns = {column.strip().casefold(): column for column in reader.fieldnames or () if column}
    texts = next((columns[column] for column in TEXT_COLUMNS if column in columns), None)
    if texts is None:
        has = ", ".join(columns.values()) or "none"
        raise wrong(path, 1, f"no column has the texts (columns: {has}).", f"Call it {TEXT_COLUMNS[0]!r}.")
    ids = next((columns[column] for column in ("_id", "id") if column in columns), None)
    title = columns.get("title")
    try:
        for row in reader:
            others = {
                key: _number(value) for key, value in row.items() if key not in (texts, ids, title, None) and value
            }
            found = {"text": row[texts] or "", "title": (row[title] or "") if title else "", "metadata": others}
            id = row[ids] if ids else _content_id({**found})
            yield reader.line_num, _passage({**found, "_id": id}, name, reader.line_num)
    except csv.Error as error:
        raise wrong(path, reader.line_num, f"not a table: {error}.", "Save it as CSV with a header.") from error


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row in BEIR's shape, from whichever it is in."""
    if isinstance(inner := row.get("kwargs", row.get("__data__")), Mapping):  # of LangChain's dumps, LlamaIndex' stores
        row = inner
    if "page_content" in row:
        given = row.get("metadata")
        found = {"text": row["page_content"], "metadata": given, "title": _title(given)}
        return {**found, "_id": _content_id(found) if row.get("id") is None else row["id"]}
    if "id_" in row:
        resource = row.get("text_resource")
        text = resource.get("text") if isinstance(resource, Mapping) else row.get("text")
        given = row.get("metadata")
        return {"_id": row["id_"], "text": text, "metadata": given, "title": _title(given)}
    given = row.get("metadata")
    others = {key: value for key, value in row.items() if key not in _OWN}
    return {**row, "metadata": {**others, **(given if isinstance(given, Mapping) else {})}}


def _title(metadata: Any) -> Any:
    found = metadata.get("title") if isinstance(metadata, Mapping) else None
    return found if isinstance(found, str) else None


def _content_id(row: Mapping[str, Any]) -> str:
    """An id for what has none: the same for the same content, so that a collection is kept in step with it."""
    return hashlib.sha256(json.dumps(row, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _number(value: str) -> str | int | float:
    """A number that is written as one; "007" is a text."""
    if not _NUMBER.fullmatch(value.strip()):
        return value
    return float(value) if "." in value else int(value)


def kept_metadata(given: Any) -> dict[str, Any]:
    """Metadata that a condition can be about: texts, numbers, truth values, and lists of one kind of these."""
    if not isinstance(given, Mapping):
        return {}
    found = {}
    for key, value in given.items():
        whole = value if isinstance(value, list) else [value]
        kinds = {type(one) for one in whole}
        if len(kinds) == 1 and kinds <= {str, int, float, bool}:
            found[str(key)] = value
    return found


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
    metadata = kept_metadata(row.get("metadata"))
    metadata.pop("title", None)
    passage = Passage(id, text.strip(), "" if title is None else title.strip(), metadata)
    if any(
        "\ud800" <= c <= "\udfff" for c in json.dumps([id, passage.text, passage.title, metadata], ensure_ascii=False)
    ):
        # JSON's \u escapes can spell half of a UTF-16 pair, which no encoder or store takes.
        raise problem(r"it holds half a character (a lone \ud800-\udfff escape).", hint="Write the file as UTF-8 text.")
    return passage
