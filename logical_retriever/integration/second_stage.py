"""Logical scores for what another retriever of a framework has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logical_retriever.embedding import Embedder
from logical_retriever.integration.encoding import Encodable, aencode, as_matrix, encode, unencoded_texts
from logical_retriever.rescore import Rescorer
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.search import check_count
from logical_retriever.semantics import DEFAULT_SEMANTICS, Semantics, get_semantics
from logical_retriever.stores import Store
from logical_retriever.transform import Transformation
from logical_retriever.vectors import Vectors

WHOSE = "the documents found"


class SecondStage:
    """Scores found documents by a question's logical query; those that carry no vector are encoded in one call.

    Args:
        embedder: Encodes the terms and the documents.
        semantics: How scores are composed: a name, or an instance.
        origin: The store that the documents come from; None to measure on the found documents themselves.
        top_n: Documents to return, at least 1; None for all.

    Raises:
        InvalidArgumentError: ``top_n`` is below 1, or there is no such semantics.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        origin: Store | None = None,
        top_n: int | None = None,
    ) -> None:
        if top_n is not None:
            check_count("top_n", top_n)
        self.semantics = get_semantics(semantics)
        self.top_n = top_n
        self._embedder = embedder
        self._rescorer = Rescorer(embedder, semantics=self.semantics, origin=origin)

    def score(self, made: Transformation, found: Sequence[Encodable]) -> SearchResult:
        """The best documents; the id of each is its place in ``found``, since their own may repeat.

        Args:
            made: The question with its logical query.
            found: N documents, at least one.

        Raises:
            EmbeddingError: The documents cannot be encoded, or carry vectors of another length.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        texts = unencoded_texts(found)
        return self._over(found, texts, encode(self._embedder, texts, whose=WHOSE)).search(made)

    async def ascore(self, made: Transformation, found: Sequence[Encodable]) -> SearchResult:
        """Asynchronous twin of :meth:`score`: nothing in it blocks the event loop."""
        texts = unencoded_texts(found)
        vectors = await aencode(self._embedder, texts, whose=WHOSE)
        return await self._over(found, texts, vectors).asearch(made)

    def _over(self, found: Sequence[Encodable], texts: Sequence[str], vectors: Vectors) -> LogicalRetriever:
        documents = [replace(one.document, id=place) for place, one in enumerate(found)]
        rows = as_matrix(found, dict(zip(texts, vectors, strict=True)))
        return self._rescorer.over(documents, rows, k=self.top_n)
