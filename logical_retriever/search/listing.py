"""Answers to queries of conditions alone, without scores."""

from __future__ import annotations

import heapq

import numpy as np

from logical_retriever.results import RankedDocument, SearchResult, id_order
from logical_retriever.search.question import Question
from logical_retriever.search.session import StoreSession, missing_documents

READ_AT_ONCE = 1_000
"""Documents read in one request for their metadata."""
LISTED = 10_000
"""Most documents listed from a store without a scan."""


def list_documents(question: Question, session: StoreSession) -> SearchResult:
    """Return the first k documents, by id, that fulfil the conditions."""
    k, scans, passes = question.options.k, session.capabilities.scan, session.passes
    if scans:
        ids = [id for batch in session.scan() for id in batch.ids]
    else:
        sample = session.gate.sample(1, 0)
        ids = list(session.nearest(np.asarray(sample.vectors, np.float32), LISTED)) if sample.documents else []
    looked_at = len(ids)
    if passes is None:
        documents = [document for document, _ in session.fetch(heapq.nsmallest(k, ids, key=id_order)).values()]
    else:
        passing = [
            document
            for start in range(0, len(ids), READ_AT_ONCE)
            for document, _ in session.fetch(ids[start : start + READ_AT_ONCE]).values()
            if passes(document.metadata)
        ]
        ids = [document.id for document in passing]
        documents = sorted(passing, key=lambda document: id_order(document.id))[:k]
    seen = scans and (session.filter is not None or session.count in (None, looked_at))
    short = (
        f"{session.capabilities.name} counts {session.count} documents, and a scan gave {looked_at}"
        if scans
        else f"{session.capabilities.name} cannot be scanned: these are the first of {len(ids)} that it named"
    )
    return SearchResult(
        documents=tuple(
            RankedDocument(d.id, d.text, score=1.0, metadata=d.metadata, native=d.native, relevance=1.0)
            for d in documents
        ),
        left_out=(),
        exact=seen and not session.missing,
        reason=missing_documents(session) or ("every document was looked at" if seen else short),
        query=question.reported,
        cost=session.cost("listing", scored=len(ids)),
        problem=question.problem,
        remarks=(*question.remarks, *(() if looked_at else session.remarks(0, words=False))),
    )
