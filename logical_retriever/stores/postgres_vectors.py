"""Vectors of pgvector in bytes: as text they would take more than twice as many, and fifty times as long to read."""

from __future__ import annotations

from typing import Any

import numpy as np

from logical_retriever.vectors import Vectors

HEADER = 4
"""Bytes before the components: their number, and two that are not used."""
COMPONENTS = {"vector": ">f4", "halfvec": ">f2"}
"""How components lie in a value of each type."""


def vector_type(column: Any) -> str:
    """Name of the type of a column of vectors."""
    return type(column.type).__name__.lower()


def sent(column: Any) -> Any:
    """A column of vectors as it is to be selected: in bytes for :func:`received`; one of another type as it is."""
    from sqlalchemy import LargeBinary, func

    kind = vector_type(column)
    return getattr(func, f"{kind}_send")(column, type_=LargeBinary) if kind in COMPONENTS else column


def received(column: Any, value: Any) -> Vectors | Any:
    """The vector of a row, shape (d,); None where it has none.

    Args:
        column: That was given to :func:`sent`.
        value: What came of it.
    """
    kind = COMPONENTS.get(vector_type(column))
    if value is None or kind is None:
        return value
    return np.frombuffer(bytes(value), kind, offset=HEADER).astype(np.float32)
