"""Logical scores for documents that something else has found: the part that second stages share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from logical_retriever.embedding import Embedder
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import DEFAULT_SEMANTICS, Semantics
from logical_retriever.stores.base import Store, StoredDocument
from logical_retriever.stores.in_memory import InMemoryStore


class Rescorer:
    """Makes retrievers over found documents alone, one for each set of them.

    What a cosine means is measured on a store. Found documents are all about one subject, and among themselves little
    stands out; measured on the store that they come from, their ranking is as good as a search of that store.

    Safe to use from several threads.

    Args:
        embedder: Encodes the terms; the documents' vectors must be from it.
        semantics: How scores are composed: a name, or an instance.
        origin: The store that the documents come from; None to measure on the found documents themselves.

    Examples:
        >>> from logical_retriever.testing import HashingEmbedder
        >>> embedder, texts = HashingEmbedder(), ["tea and brewing", "tea and health"]
        >>> found = [StoredDocument(str(i), text) for i, text in enumerate(texts)]
        >>> over = Rescorer(embedder).over(found, embedder.embed_documents(texts))
        >>> [document.text for document in over.search('"tea" AND NOT "brewing"').documents]
        ['tea and health', 'tea and brewing']
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        origin: Store | None = None,
    ) -> None:
        store = InMemoryStore() if origin is None else origin
        # Kept, for what it has learnt about the store stays true from one set of found documents to the next.
        self._origin = LogicalRetriever(store, embedder, semantics=semantics)

    def over(
        self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, *, k: int | None = None
    ) -> LogicalRetriever:
        """A retriever over these documents alone, which scores each of them with all the evidence.

        Args:
            documents: N documents with distinct ids, at least one.
            vectors: Shape (N, d).
            k: Documents to return; None for all.

        Raises:
            VectorMismatchError: Not one vector per document, or (when it searches) vectors of another dimension than
                the origin's.
            InvalidArgumentError: Two documents have one id.
        """
        count = len(documents)
        return self._origin.over(documents, vectors, k=count if k is None else k, fetch_k=count)
