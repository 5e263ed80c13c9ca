"""A question's logical query over documents that other retrievers have brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logical_retriever.adapters.reencoding import Encodable, as_matrix, unencoded_texts
from logical_retriever.embedding import aembed_passages, embed_passages
from logical_retriever.query import has_logic
from logical_retriever.reading import ReadQuestion
from logical_retriever.results import SearchResult
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import InMemoryStore
from logical_retriever.vectors import Vectors


def search_documents(
    retriever: LogicalRetriever, read_question: ReadQuestion, documents: Sequence[Encodable]
) -> SearchResult | None:
    """Search these documents alone, each scored as among all documents of the retriever's own store.

    Documents of one subject have little in common by chance: measured among themselves, as where the retriever's store
    is empty, little stands out.

    Args:
        retriever: Of the store that the documents come from; its k does not count.
        read_question: The question with its logical query.
        documents: N documents, at least one; those that carry no vector are encoded in one call.

    Returns:
        The documents that are not left out, best first; the id of each is its place in ``documents``, since their own
        may repeat. None where the query has no logic and nothing is always excluded.

    Raises:
        EmbeddingError: The documents cannot be encoded, or carry vectors of another length.
        LogicalRetrieverError: See :mod:`logical_retriever.errors`.
    """
    if not _has_effect(retriever, read_question):
        return None
    texts = unencoded_texts(documents)
    vectors = embed_passages(retriever.embedder, texts, blank=True)
    return _over(retriever, documents, texts, vectors).search(read_question)


async def asearch_documents(
    retriever: LogicalRetriever, read_question: ReadQuestion, documents: Sequence[Encodable]
) -> SearchResult | None:
    """Asynchronous twin of :func:`search_documents`: nothing in it blocks the event loop."""
    if not _has_effect(retriever, read_question):
        return None
    texts = unencoded_texts(documents)
    vectors = await aembed_passages(retriever.embedder, texts, blank=True)
    return await _over(retriever, documents, texts, vectors).asearch(read_question)


def _has_effect(retriever: LogicalRetriever, read_question: ReadQuestion) -> bool:
    return has_logic(read_question.query) or bool(retriever.options.always_exclude)


def _over(
    retriever: LogicalRetriever, documents: Sequence[Encodable], texts: Sequence[str], vectors: Vectors
) -> LogicalRetriever:
    stored = [replace(encodable.document, id=place) for place, encodable in enumerate(documents)]
    rows, count = as_matrix(documents, dict(zip(texts, vectors, strict=True))), len(documents)
    if retriever.store.count() != 0:
        return retriever.over(stored, rows, k=count, fetch_k=count)
    alone = LogicalRetriever(InMemoryStore(stored, rows), retriever.embedder, **vars(retriever.options))
    return alone.but(k=count, fetch_k=count)
