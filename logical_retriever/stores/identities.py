"""Identities of documents as files keep them, each with its type."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from logical_retriever.errors import WordsIndexError
from logical_retriever.results import DocumentId

_KINDS: dict[str, type] = {
    **{"str": str, "int": int, "float": float, "bytes": bytes},
    **{"UUID": UUID, "Decimal": Decimal, "datetime": datetime, "date": date, "time": time},
}
"""Types of identities that are kept."""


def written_identity(id: DocumentId) -> tuple[str, str | float | bytes]:
    """The name of an identity's type, and what stands for it in a file.

    Raises:
        WordsIndexError: It is of a type that is not kept.
    """
    kind = type(id).__name__
    if _KINDS.get(kind) is not type(id):
        raise WordsIndexError(
            f"Documents of this store are known by values of type {kind}, which an index of words cannot keep.",
            hint=f"It keeps {', '.join(_KINDS)}.",
        )
    if isinstance(id, str):
        return kind, id.encode("utf-8", "surrogatepass")  # not every text of Python can be one of SQLite
    if isinstance(id, float | bytes):
        return kind, id
    return kind, id.isoformat() if isinstance(id, date | time) else str(id)


def read_identity(kind: str, value: Any) -> DocumentId:
    """The identity that :func:`written_identity` wrote."""
    if kind == "str":
        return str(value, "utf-8", "surrogatepass")
    made: Any = _KINDS[kind]
    if made in (float, bytes):
        return made(value)
    return made.fromisoformat(value) if issubclass(made, date | time) else made(value)


def read_identities(rows: Iterable[tuple[str, Any]]) -> list[DocumentId]:
    """The identities of many rows, each of a kind and a value; texts, the most common, without a call for each."""
    return [
        str(value, "utf-8", "surrogatepass") if kind == "str" else read_identity(kind, value) for kind, value in rows
    ]
