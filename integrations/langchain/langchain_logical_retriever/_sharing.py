"""Retrievers that search one store at one time share what was learnt about it.

``configurable_fields`` makes a new retriever for each call, and so does a copy with another k: each would otherwise
sample the store and index its words anew.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from langchain_logical_retriever.embedder import as_embedder
from langchain_logical_retriever.stores import as_store
from logical_retriever.adapters import LogicalRetriever as CoreRetriever


class SharedRetriever(CoreRetriever):
    """The core's retriever over the adapter of a vector store."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are None: they learn about their own store."""
        return type(None), ()


_living: WeakValueDictionary[tuple[int, int, str], SharedRetriever] = WeakValueDictionary()


def shared(vectorstore: Any, embeddings: Any, words_index: Any) -> SharedRetriever:
    """That of two objects and an index of words: one that is still in use, or a new one.

    Whoever keeps it keeps the two objects as well, so that nothing else can have their identities while it lives.
    """
    own = getattr(vectorstore, "embeddings", None) if embeddings is None else embeddings
    key = id(vectorstore), id(own), str(words_index)
    if (living := _living.get(key)) is not None:
        return living
    store = as_store(vectorstore)
    return _living.setdefault(key, SharedRetriever(store, as_embedder(own, vectorstore), words_index=words_index))
