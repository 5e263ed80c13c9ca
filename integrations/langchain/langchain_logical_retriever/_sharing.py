"""Retrievers that search one store at one time share what was learnt about it.

``configurable_fields`` makes a new retriever for each call, and so does a copy with another k: each would otherwise
sample the store and index its words anew.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

from langchain_core.embeddings import Embeddings

from langchain_logical_retriever.embedder import as_embedder
from langchain_logical_retriever.stores import as_store
from logical_retriever.integration import Embedder, LogicalRetriever as CoreRetriever, Store


@dataclass(frozen=True, eq=False)
class Shared:
    """A store, its embeddings, and the retriever that has learnt about them.

    The first two are held so that nothing else can have their identities while this lives.
    """

    vectorstore: object
    embeddings: object
    store: Store
    core: CoreRetriever


_living: WeakValueDictionary[tuple[int, int, str], Shared] = WeakValueDictionary()
_lock = threading.Lock()


def shared(
    vectorstore: object,
    embeddings: Embeddings | Embedder | None,
    words_index: str | Path | Literal[False] | None = None,
) -> Shared:
    """That of a retriever over the same two objects and index of words which is still in use, or a new one.

    Raises:
        InvalidArgumentError: There are no embeddings, or they are something else.
        UnsupportedStoreError: No adapter is known for the vector store.
    """
    given = getattr(vectorstore, "embeddings", None) if embeddings is None else embeddings
    key = id(vectorstore), id(given), str(words_index)
    found = _living.get(key)
    if found is None:
        # Not under the lock: an adapter may ask its server.
        store = as_store(vectorstore)
        core = CoreRetriever(store, as_embedder(embeddings, store=vectorstore), words_index=words_index)
        fresh = Shared(vectorstore, given, store, core)
        with _lock:
            found = _living.setdefault(key, fresh)
    return found
