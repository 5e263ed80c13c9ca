"""The retriever's fields as keyword arguments, and the fields of metadata among them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from langchain_core.embeddings import Embeddings

from langchain_logical_retriever._sharing import shared
from logical_retriever.integration import Embedder, Filter, MetadataStyle, SearchSettings, Semantics, known_fields


class Fields(SearchSettings, total=False):
    """Fields of a :class:`LogicalRetriever` as keyword arguments, each of which may be left out."""

    embeddings: Embeddings | Embedder | None
    fields: Any
    words_index: str | Path | Literal[False] | None
    semantics: str | Semantics
    filter: Filter
    mmr_fetch_k: int
    lambda_mult: float
    metadata_key: str | None
    metadata_style: MetadataStyle
    tags: list[str] | None
    metadata: dict[str, Any] | None
    name: str | None


def fields_over(given: Mapping[str, Any]) -> Any:
    """The fields of metadata among a retriever's arguments: those of a sample of the store for "discover"."""
    if given.get("fields") is None or "vectorstore" not in given:
        return None
    store = shared(given["vectorstore"], given.get("embeddings"), given.get("words_index")).store
    return known_fields(given["fields"], store)
