"""Plain dense retrieval, for comparison: by the cosine of the whole question alone, whatever it excludes."""

from __future__ import annotations

import numpy as np

from logical_retriever.results import RankedDocument, SearchResult
from logical_retriever.scoring.relevance import squeezed
from logical_retriever.search.nearest import OTHER_ORDER
from logical_retriever.search.question import Question
from logical_retriever.search.scan import MARGIN
from logical_retriever.search.scores import ordered
from logical_retriever.search.session import StoreSession
from logical_retriever.vectors import precise_cosines


def run_dense(question: Question, session: StoreSession) -> SearchResult:
    """Return the k documents nearest to the question's one text, best first, ties by id.

    Args:
        question: One term, encoded.
        session: Access to the documents.
    """
    k, can = question.options.k, session.capabilities
    # More than k: float32 may exchange neighbours, and the store may not order by cosine.
    length = (k + MARGIN) * (1 if can.cosine_order else OTHER_ORDER)
    found = session.nearest(question.vectors, length).values()
    documents, vectors = [document for document, _ in found], [vector for _, vector in found]
    cosines = precise_cosines(question.vectors, np.stack(vectors))[0] if documents else np.empty(0)
    relevance, text = squeezed(cosines), question.texts[0]
    ranked = [
        RankedDocument(
            documents[row].id,
            documents[row].text,
            float(cosines[row]),
            metadata=documents[row].metadata,
            cosines={text: float(cosines[row])},
            native=documents[row].native,
            relevance=float(relevance[row]),
        )
        for row in ordered(cosines, [document.id for document in documents])[:k]
    ]
    whole = can.in_process or (session.filter is None and len(documents) == session.count)
    reason = "every document was compared" if whole else f"the nearest {length} documents were compared"
    exact = whole and can.stored_vectors and not session.missing
    return SearchResult(tuple(ranked), (), exact, reason, question.reported, session.cost("nearest", len(documents)))
