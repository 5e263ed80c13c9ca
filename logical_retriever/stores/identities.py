"""Identities of documents as files keep them, each with its type."""

from __future__ import annotations

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


def written_identity(id: DocumentId) -> tuple[str, str]:
    """The name of an identity's type, and a text that stands for it.

    Raises:
        WordsIndexError: It is of a type that is not kept.
    """
    kind = type(id).__name__
    if _KINDS.get(kind) is not type(id):
        raise WordsIndexError(
            f"Documents of this store are known by values of type {kind}, which an index of words cannot keep.",
            hint=f"It keeps {', '.join(_KINDS)}.",
        )
    if isinstance(id, bytes):
        return kind, id.hex()
    return kind, id.isoformat() if isinstance(id, date | time) else str(id)


def read_identity(kind: str, text: str) -> DocumentId:
    """The identity that :func:`written_identity` wrote."""
    made: Any = _KINDS[kind]
    if made is bytes:
        return bytes.fromhex(text)
    return made.fromisoformat(text) if issubclass(made, date | time) else made(text)
