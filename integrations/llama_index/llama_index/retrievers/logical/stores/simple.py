"""LlamaIndex's own ``SimpleVectorStore``, searched exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters
from llama_index.core.vector_stores.utils import build_metadata_filter_fn

from llama_index.retrievers.logical._convert import to_stored
from logical_retriever.adapters import (
    DocumentId,
    InProcessStore,
    InvalidArgumentError,
    StoredDocument,
    StoreError,
    VectorBatch,
)


class SimpleVectorStoreAdapter(InProcessStore):
    """The core's view of an index over a ``SimpleVectorStore``, which sees later additions.

    Vectors are the vector store's, texts the docstore's. If several indices share the vector store, it reads the nodes
    of this index alone, as the index's own retriever does.
    """

    capabilities = replace(InProcessStore.capabilities, name="SimpleVectorStore")

    def __init__(self, index: VectorStoreIndex) -> None:
        super().__init__()
        self.index = index

    def snapshot(self) -> VectorBatch:
        """Return this index's nodes of one moment."""
        nodes = self.index.index_struct.nodes_dict
        # Writers may change the dict meanwhile; list() of its items is one step.
        entries = [(id, vector) for id, vector in list(self._data.embedding_dict.items()) if id in nodes]
        return self.batch([id for id, _ in entries], [vector for _, vector in entries])

    def entry(self, id: DocumentId) -> tuple[StoredDocument, Any] | None:
        """Return a node and its vector; None if there is none."""
        vector = self._data.embedding_dict.get(id)
        if vector is None or id not in self.index.index_struct.nodes_dict:
            return None
        node = self.index.docstore.get_document(id, raise_error=False)
        if node is None:
            raise StoreError(
                f"The docstore has no node {id!r}, of which the vector store has a vector.",
                hint="Persist and load the whole storage context: vector store, docstore and index store.",
            )
        return to_stored(node, id=id), vector

    def passes(self, filter: MetadataFilters) -> Callable[[DocumentId], bool]:
        """Return the vector store's own reading of its filters."""

        def passes(id: DocumentId) -> bool:
            try:
                return bool(build_metadata_filter_fn(self._data.metadata_dict.__getitem__, filter)(id))
            except (KeyError, TypeError, ValueError) as error:
                raise InvalidArgumentError(
                    f"SimpleVectorStore cannot apply the filters: {type(error).__name__}: {error}",
                    hint="Compare values of one type, and nest no filters in filters; an index that was persisted "
                    "without metadata cannot be filtered.",
                ) from error

        return passes

    @property
    def _data(self) -> Any:
        return self.index.vector_store.data  # type: ignore[attr-defined]  # the registry chose by this class
