"""The last stage of a pipeline: a question's logical query over documents of other retrievers."""

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

    With an empty store they are scored among themselves. Documents of one subject are much alike, so little stands out
    there.

    Args:
        retriever: The retriever over the store that the documents come from; its k is ignored.
        read_question: The question with its logical query.
        documents: N documents, at least one; those without a vector are encoded in one call.

    Returns:
        The documents that stay, best first. The id of each is its place in ``documents``, since their own ids may
        repeat. None for a query without logic, unless something is always excluded.

    Raises:
        EmbeddingError: The documents cannot be encoded, or their vectors have several lengths.
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
    """Asynchronous twin of :func:`search_documents`, which never blocks the event loop."""
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
    settings = {**vars(retriever.options), "k": count, "fetch_k": count}
    return LogicalRetriever(InMemoryStore(stored, rows), retriever.embedder, **settings)
