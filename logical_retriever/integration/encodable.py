"""Documents of which vectors may have to be made, by encoding their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logical_retriever.errors import EmbeddingError
from logical_retriever.stores import StoredDocument
from logical_retriever.stores.rows import matrix
from logical_retriever.vectors import Vectors


@dataclass(frozen=True)
class Encodable:
    """A document with what an encoder is given for it.

    Attributes:
        document: The document.
        encoded: The text that its store was filled with, which may hold more than the document's own text.
        vector: Shape (d,), where the document carries one, else None.
    """

    document: StoredDocument
    encoded: str
    vector: Sequence[float] | Vectors | None = None


def unencoded_texts(documents: Sequence[Encodable]) -> list[str]:
    """Distinct texts of the documents that carry no vector, in order of first occurrence."""
    return list(dict.fromkeys(one.encoded for one in documents if one.vector is None))


def as_matrix(documents: Sequence[Encodable], vectors: Mapping[str, Vectors]) -> Vectors:
    """Shape (N, d): the vector that each document carries, or that of its text.

    Raises:
        EmbeddingError: They are of several lengths.
    """
    rows = [vectors[one.encoded] if one.vector is None else one.vector for one in documents]
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1:
        raise EmbeddingError(
            f"The documents' vectors have the lengths {', '.join(map(str, lengths))}.",
            hint="Use the embedding model that the documents' own vectors are from.",
        )
    return matrix(rows)
