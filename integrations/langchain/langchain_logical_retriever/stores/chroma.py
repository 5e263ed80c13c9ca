"""langchain-chroma's ``Chroma``, in any of its three spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.vectorstores import VectorStore

from langchain_logical_retriever.stores.registry import refuse_unknown
from logical_retriever.integration import (
    ChromaFilter,
    ChromaStore,
    InvalidArgumentError,
    StoreError,
    WrappedStore,
    capabilities_below,
)


class ChromaAdapter(WrappedStore):
    """The core's view of a ``langchain_chroma.Chroma``; see :class:`logical_retriever.ChromaStore`.

    Args:
        vectorstore: The vector store; only read.
    """

    capabilities = capabilities_below(ChromaStore.capabilities)

    def __init__(self, vectorstore: VectorStore) -> None:
        self.vectorstore = vectorstore

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> ChromaFilter | None:
        """``filter`` (on metadata) and ``where_document`` (on the text), both in Chroma's own language.

        Raises:
            InvalidArgumentError: Another argument, or one that is not a dict.
        """
        refuse_unknown(type(self).capabilities.name, search_kwargs, known=("filter", "where_document"))
        given = {name: condition for name, condition in search_kwargs.items() if condition is not None}
        for name, condition in given.items():
            if not isinstance(condition, Mapping):
                raise InvalidArgumentError(
                    f"Chroma's {name} must be a dict, got {type(condition).__name__}.",
                    hint='For example: filter={"year": {"$gt": 2000}}, where_document={"$contains": "tea"}.',
                )
        if not given:
            return None
        return ChromaFilter(where=given.get("filter"), where_document=given.get("where_document"))

    @property
    def store(self) -> ChromaStore:
        """The collection that the vector store has now."""
        # langchain-chroma has no public way to its collection, and none of its public methods counts, or searches for
        # several vectors in one request. Asked each time, because reset_collection() replaces it.
        try:
            collection = self.vectorstore._collection  # type: ignore[attr-defined]
        except (AttributeError, ValueError) as error:
            raise StoreError(
                f"The Chroma vector store has no collection: {error}",
                hint="Make the vector store anew, or pass a ChromaStore of logical_retriever and embeddings=... .",
            ) from error
        return ChromaStore(collection)
