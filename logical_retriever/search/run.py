"""From a request and its vectors to the answer: look at the store, score, leave out."""

from __future__ import annotations

from logical_retriever.lexical import distinct_words
from logical_retriever.query import Term, positive_terms
from logical_retriever.results import BARRED, Cost, SearchResult
from logical_retriever.search.background import Background, EncodedTexts
from logical_retriever.search.candidates import Candidates, find_candidates
from logical_retriever.search.exclusion import leave_out
from logical_retriever.search.filters import Narrowing, narrow
from logical_retriever.search.judgement import likeness
from logical_retriever.search.listing import list_documents
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scores import score
from logical_retriever.search.second_look import verified
from logical_retriever.search.store_reader import StoreReader
from logical_retriever.stores.background_word_index import BackgroundWordIndex
from logical_retriever.stores.base import Store
from logical_retriever.vectors import Vectors

RETRY = 8
"""How many times longer lists are read, once, where too few of the documents stay."""
SAME = 0.8
"""Likeness from which a wanted term means the same as one that is always excluded."""
SHOWN = 5
"""Missing documents that the reason names."""


def run_search(
    request: SearchRequest,
    vectors: Vectors,
    store: Store,
    background: Background,
    words: BackgroundWordIndex | None = None,
) -> SearchResult:
    """Answer a request.

    Args:
        request: What is searched for.
        vectors: Of the request's texts, shape (T, d).
        store: The documents.
        background: What their evidence is compared with.
        words: An index of the documents' words beside the store.

    Raises:
        StoreCapabilityError: The query is open-ended, as NOT A is, and the store cannot be scanned.
        VectorMismatchError: The vectors have another dimension than the store's.
        StoreError: The store failed.
    """
    can = store.capabilities
    count = store.count() if can.in_process else background.count()
    necessary, narrowing = request.necessary, Narrowing(request.filter)
    if necessary is not None:
        narrowing = narrow(store, request.filter, necessary, exact=can.conditions == "all")
    reader = StoreReader(store, words, narrowing, can, count)
    if not request.texts:
        return list_documents(request, reader)
    statistics = background.statistics(count) if request.calibrated else None
    if request.calibrated and statistics is None:
        return SearchResult((), (), True, "the store is empty", request.searched, Cost("everything", count=0))
    texts = EncodedTexts(request.texts, vectors) if statistics is None else statistics.of_texts(request.texts, vectors)
    if _is_barred(request, texts):
        cost = reader.cost("listing", 0)
        return SearchResult((), (), True, BARRED, request.searched, cost, always_excluded=_always(request))
    for times in (1, RETRY):
        candidates = find_candidates(request, texts, reader, times)
        scores = score(request, texts, candidates)
        ranking, opinion = leave_out(request, candidates, scores), None
        if ranking.full or candidates.ended:
            break
    if request.options.verify is not None and request.judge is not None:
        ranking, opinion = verified(request, candidates, scores, request.options.verify)
    exact, reason = _exactness(reader, candidates)
    cost = reader.cost(
        candidates.strategy,
        candidates.scored,
        words=(reader.finds_words or "of the candidates alone") if candidates.evidence.lexical else None,
        language="en" if texts.words is None else texts.words.language,
        statement=candidates.statement,
    )
    return SearchResult(
        documents=ranking.documents,
        left_out=ranking.left_out,
        exact=exact,
        reason=reason,
        query=request.searched,
        cost=cost,
        too_low=ranking.too_low,
        always_excluded=_always(request),
        second_opinion=opinion,
    )


def _exactness(reader: StoreReader, candidates: Candidates) -> tuple[bool, str]:
    """Whether all documents were scored by their stored vectors and none was missing, and why, in one sentence."""
    can, missing, reason = reader.capabilities, reader.missing, candidates.reason
    exact = candidates.complete and not missing and can.stored_vectors
    if missing:
        named = ", ".join(map(repr, missing[:SHOWN])) + (", ..." if len(missing) > SHOWN else "")
        reason = (
            f"{can.name} named {len(missing)} documents and did not bring them back ({named}); of the others: {reason}"
        )
    if not can.stored_vectors:
        reason = f"{reason}; vectors were encoded again from the texts"
    return exact, reason


def _always(request: SearchRequest) -> tuple[str, ...]:
    return tuple([str(Term(text)) for text in request.options.always_exclude])


def _is_barred(request: SearchRequest, texts: EncodedTexts) -> bool:
    """Whether each wanted term means the same as one that is always excluded."""
    standing, wanted = request.options.always_exclude, positive_terms(request.scored)
    if not standing or not wanted or texts.words is None:
        return False
    alike, language = likeness(request.scored, texts), texts.words.language
    return all(
        any(alike[term].get(text, 1.0) >= SAME or not distinct_words(text, (term,), (), language) for term in standing)
        for text in wanted
    )
