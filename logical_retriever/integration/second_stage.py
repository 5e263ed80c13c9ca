"""Logical scores for documents that something else has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from logical_retriever.embedding import Embedder, aembed_passages, embed_passages
from logical_retriever.integration.reencoding import Encodable, as_matrix, unencoded_texts
from logical_retriever.options import Exclusion, SearchOptions, check_count
from logical_retriever.query import LogicalQuery, has_logic
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import DEFAULT_SEMANTICS, Semantics
from logical_retriever.stores import InMemoryStore, Store, StoredDocument
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors


class SecondStage:
    """Scores found documents by a question's logical query.

    What a cosine means is measured on a store. Found documents are all about one subject, and among themselves little
    stands out; measured on the store that they come from, their ranking is as good as a search of that store.

    Safe to use from several threads.

    Args:
        embedder: Encodes the terms, and the documents that carry no vector; the others' vectors must be from it.
        semantics: How AND, OR and NOT compose scores: a name ("calibrated", "product", ...), or an instance.
        origin: The store that the documents come from; None to measure on the found documents themselves.
        top_n: Documents to return, at least 1; None for all.
        exclusion: What becomes of documents about an excluded term: "drop", "strict" or "rank". This and the next two
            are settings of :class:`logical_retriever.options.SearchOptions`; what is most about an excluded term is
            looked for among the found documents.
        verify: Who reads the documents about to be returned.
        always_exclude: Terms that every question excludes; what is about them is left out in any case.

    Raises:
        InvalidArgumentError: ``top_n`` is below 1, there is no such semantics, or a setting is none.

    Examples:
        >>> from logical_retriever.testing import HashingEmbedder
        >>> embedder, texts = HashingEmbedder(), ["tea and brewing", "tea and health"]
        >>> found = [StoredDocument(str(i), text) for i, text in enumerate(texts)]
        >>> over = SecondStage(embedder).over(found, embedder.embed_documents(texts))
        >>> [document.text for document in over.search('"tea" AND NOT "brewing"').documents]
        ['tea and health']
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        origin: Store | None = None,
        top_n: int | None = None,
        exclusion: Exclusion = "drop",
        verify: Any = None,
        always_exclude: Sequence[str] = (),
    ) -> None:
        if top_n is not None:
            check_count("top_n", top_n)
        self.top_n = top_n
        store = InMemoryStore() if origin is None else origin
        # Kept, for what it has learnt about the store stays true from one set of found documents to the next.
        self._origin = LogicalRetriever(
            store,
            embedder,
            semantics=semantics,
            exclusion=exclusion,
            verify=verify,
            always_exclude=always_exclude,
        )

    @property
    def options(self) -> SearchOptions:
        """How documents are scored."""
        return self._origin.options

    def changes(self, query: LogicalQuery) -> bool:
        """Whether there is anything to score by: logic in the query, or what is always excluded."""
        return has_logic(query) or bool(self._origin.options.always_exclude)

    def score(self, made: Transformation, found: Sequence[Encodable]) -> SearchResult:
        """The best documents; the id of each is its place in ``found``, since their own may repeat.

        Args:
            made: The question with its logical query.
            found: N documents, at least one; those that carry no vector are encoded in one call.

        Raises:
            EmbeddingError: The documents cannot be encoded, or carry vectors of another length.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        texts = unencoded_texts(found)
        vectors = embed_passages(self._origin.embedder, texts, blank=True)
        return self._over(found, texts, vectors).search(made)

    async def ascore(self, made: Transformation, found: Sequence[Encodable]) -> SearchResult:
        """Asynchronous twin of :meth:`score`: nothing in it blocks the event loop."""
        texts = unencoded_texts(found)
        vectors = await aembed_passages(self._origin.embedder, texts, blank=True)
        return await self._over(found, texts, vectors).asearch(made)

    def over(
        self, documents: Sequence[StoredDocument], vectors: npt.ArrayLike, *, k: int | None = None
    ) -> LogicalRetriever:
        """A retriever over these documents alone, which scores each of them with all the evidence.

        Args:
            documents: N documents with distinct ids, at least one.
            vectors: Shape (N, d).
            k: Documents to return; None for ``top_n`` or all.

        Raises:
            VectorMismatchError: Not one vector per document, or (when it searches) vectors of another dimension than
                the origin's.
            InvalidArgumentError: Two documents have one id.
        """
        count = len(documents)
        best = self.top_n if k is None else k
        settings: dict[str, Any] = {"k": count if best is None else best, "fetch_k": count}
        if self._origin.store.count() != 0:
            return self._origin.over(documents, vectors, **settings)
        alone = InMemoryStore(documents, vectors)
        return LogicalRetriever(alone, self._origin.embedder, **{**vars(self._origin.options), **settings})

    def _over(self, found: Sequence[Encodable], texts: Sequence[str], vectors: Vectors) -> LogicalRetriever:
        documents = [replace(one.document, id=place) for place, one in enumerate(found)]
        return self.over(documents, as_matrix(found, dict(zip(texts, vectors, strict=True))))
