"""The retriever's fields as keyword arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from langchain_core.embeddings import Embeddings

from logical_retriever.integration import Embedder, Filter, MetadataStyle, SearchSettings, Semantics


class Fields(SearchSettings, total=False):
    """Fields of a :class:`LogicalRetriever` as keyword arguments, each of which may be left out."""

    embeddings: Embeddings | Embedder | None
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
