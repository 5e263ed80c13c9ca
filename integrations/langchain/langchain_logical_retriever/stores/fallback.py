"""Any other LangChain vector store: its own search finds candidates, whose texts are encoded again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from langchain_logical_retriever.embedder import LangChainEmbedder
from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.adapters import (
    Capabilities,
    DocumentId,
    Encodable,
    ReencodingStore,
    StoredDocument,
    UnsupportedStoreError,
    Vectors,
    capabilities_property,
    engine_errors,
    qualified_name,
)


class FallbackAdapter(ReencodingStore, VectorStoreAdapter):
    """The core's view of any ``VectorStore`` that searches by vector.

    Vectors are ``embed_documents`` of ``page_content``. Documents are as its search returned them last. A document
    without an id is identified by a hash of its content and metadata.

    Args:
        vectorstore: The vector store; only read.
        embeddings: The embeddings of its documents; by default those that it holds.
    """

    @capabilities_property(Capabilities("any other VectorStore", exact_search=False, stored_vectors=False, scan=False))
    def capabilities(self) -> dict[str, Any]:
        """Return the class's own name."""
        return {"name": type(self.vectorstore).__name__}

    def __init__(self, vectorstore: VectorStore, embeddings: Embeddings | None = None) -> None:
        cls = type(vectorstore)
        if cls.similarity_search_by_vector is VectorStore.similarity_search_by_vector:
            raise _unsupported(cls, "it does not search by vector")
        chosen = vectorstore.embeddings if embeddings is None else embeddings
        if not isinstance(chosen, Embeddings):
            raise _unsupported(cls, "it holds no embeddings to encode its texts with")
        super().__init__(LangChainEmbedder(chosen))
        self.vectorstore = vectorstore

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return all arguments; the store's own search checks them."""
        return {name: value for name, value in search_kwargs.items() if value is not None} or None

    def nearest(self, vector: Vectors, n: int, filter: Mapping[str, Any] | None) -> list[DocumentId]:
        """Return the ids of the n nearest documents; the filter is arguments of ``similarity_search_by_vector``."""
        with engine_errors(self.capabilities.name, "search"):
            documents = self.vectorstore.similarity_search_by_vector(vector.tolist(), k=n, **(filter or {}))
        return [self.remember(_encodable(document)) for document in documents]


def _encodable(document: Document) -> Encodable:
    id = _content_hash(document) if document.id is None else document.id
    return Encodable(
        StoredDocument(id, document.page_content, document.metadata, native=document), document.page_content
    )


def _content_hash(document: Document) -> str:
    """Return an identity for a document without an id; equal content and metadata, in any order, have the same."""
    content = json.dumps([document.page_content, document.metadata], sort_keys=True, default=repr)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _unsupported(cls: type, reason: str) -> UnsupportedStoreError:
    return UnsupportedStoreError(
        f"There is no adapter for {qualified_name(cls)}, and {reason}.",
        hint="Write a logical_retriever Store over it and pass that, or register it with register_adapter().",
    )
