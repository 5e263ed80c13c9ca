"""Retrievers that search one store at one time share what was learnt about it.

``configurable_fields`` makes a new retriever for each call, and so does a copy with another k: each would otherwise
sample the store and index its words anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from langchain_logical_retriever.embedder import as_embedder
from langchain_logical_retriever.stores import as_store
from logical_retriever.integration import LogicalRetriever as CoreRetriever, Store


@dataclass(frozen=True, eq=False)
class Shared:
    """The adapter of a vector store, and the core's retriever over it."""

    store: Store
    core: CoreRetriever

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are empty: they learn about their own store."""
        return type(None), ()


_living: WeakValueDictionary[tuple[int, int, str], Shared] = WeakValueDictionary()


def shared(vectorstore: Any, embeddings: Any, words_index: Any) -> Shared:
    """That of two objects and an index of words: one that is still in use, or a new one.

    Whoever keeps it keeps the two objects as well, so that nothing else can have their identities while it lives.

    Raises:
        InvalidArgumentError: There are no embeddings, or they are something else.
        UnsupportedStoreError: No adapter is known for the vector store.
    """
    own = getattr(vectorstore, "embeddings", None) if embeddings is None else embeddings
    key = id(vectorstore), id(own), str(words_index)
    if (living := _living.get(key)) is not None:
        return living
    store = as_store(vectorstore)
    core = CoreRetriever(store, as_embedder(embeddings, store=vectorstore), words_index=words_index)
    return _living.setdefault(key, Shared(store, core))
