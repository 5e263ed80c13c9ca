"""Every document of a store is compared with every text of the query: one matrix product, in blocks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from logical_retriever.results import DocumentId
from logical_retriever.search.candidates import Candidates, Look
from logical_retriever.search.ordering import best_rows
from logical_retriever.search.scorer import Array, Lexical, Scorer
from logical_retriever.vectors import Vectors, cosines

CHUNK = 65_536
"""Documents whose scores are composed at once."""
MARGIN = 32
"""Documents that are compared again in float64 beyond those wanted: float32 may exchange neighbours."""


def score_everything(look: Look) -> Candidates:
    """Score every document that passes the filter in float32, and the best of them again in float64.

    Args:
        look: At a store that can be scanned.

    Returns:
        The best ``look.number`` documents, and some more.
    """
    scorer = look.scorer
    ids, compared, lexical, usable = _compared(look)
    indexed = look.words is None or bool(lexical) or not ids
    scores = _scores(scorer, compared, lexical)
    rows = best_rows(scores, (look.number if indexed else max(look.number, look.fetch_k)) + MARGIN)
    found = look.reader.fetch([ids[row] for row in rows])
    if not indexed:  # the scan brought no index of words: those of the best by vectors are read
        found.update(look.named(found))
    documents, precise, of_texts = look.scored(found, read=not indexed)
    place = dict(zip((ids[row] for row in rows), rows, strict=True)) if indexed else {}
    chosen = [place[document.id] for document in documents] if indexed else []
    every = look.narrowing.filter is None and look.count is not None and len(ids) < look.count
    return Candidates(
        documents=documents,
        cosines=precise,
        lexical={bag: values[chosen] for bag, values in lexical.items()} if indexed else of_texts,
        strategy="everything",
        complete=usable and indexed and not every,
        scored=len(ids),
        ended=len(rows) >= len(ids),
        reason=_reason(len(ids), look.count if every else None, usable, indexed),
        strongest=_strongest(look, compared, lexical) if indexed else {},
    )


def _compared(look: Look) -> tuple[list[DocumentId], Vectors, Lexical, bool]:
    """Ids of N documents, their cosines, shape (T, N), the evidence of their words, and whether all had a vector."""
    texts = look.scorer.vectors
    ids: list[DocumentId] = []
    parts: list[Vectors] = []
    words: list[Lexical] = []
    usable = True
    for batch in look.reader.scan():
        ids.extend(batch.ids)
        parts.append(cosines(texts, batch.vectors, batch.scales))
        usable = usable and not _holds_nan(batch.vectors, parts[-1])
        if look.words is not None and batch.words is not None:
            words.append(look.lexical(batch.words(look.words.language)))
    bags = words[0] if words else {}
    lexical = {bag: np.concatenate([part[bag] for part in words]) for bag in bags}
    compared = np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0] if parts else np.empty((len(texts), 0))
    return ids, compared.astype(np.float32, copy=False), lexical, usable


def _holds_nan(vectors: Vectors, cosines: Vectors) -> bool:
    """Whether a vector is not finite: its cosine is 0 with every text, as that of an empty document."""
    suspects = ~cosines.any(axis=0) if len(cosines) else np.zeros(len(vectors), bool)
    return bool(suspects.any()) and not bool(np.isfinite(vectors[suspects]).all())


def _scores(scorer: Scorer, cosines: Vectors, lexical: Lexical) -> Array:
    """Scores of N documents, chunk by chunk where the semantics scores each document by itself."""
    count = cosines.shape[1]
    size = CHUNK if scorer.semantics.pointwise else max(1, count)
    parts = [np.empty(0)]
    for start in range(0, count, size):
        block = slice(start, start + size)
        chunk = np.clip(cosines[:, block].astype(np.float64), -1.0, 1.0)
        parts.append(scorer.scores(chunk, {bag: values[block] for bag, values in lexical.items()}))
    return np.concatenate(parts)


def _strongest(look: Look, cosines: Vectors, lexical: Lexical) -> Mapping[str, float]:
    """The greatest evidence of any document for each excluded term."""
    judge, guard = look.judge, look.guard
    if judge is None or not cosines.shape[1]:
        return {}
    strongest = {text: float(judge.strength(text, cosines, lexical).max()) for text in look.excluded}
    if guard is not None:
        rows = [judge.texts.index(text) for text in guard.texts]
        strongest.update({t: float(guard.strength(t, cosines[rows], lexical).max()) for t in guard.query.terms()})
    return strongest


def _reason(scored: int, expected: int | None, usable: bool, indexed: bool) -> str:
    if not indexed:
        return f"all {scored} documents were scored by their vectors, and words were read of the best alone"
    if expected is not None:
        return f"the store counts {expected} documents, and a scan brought {scored}"
    return "every document was scored" if usable else "every document was scored, but some have vectors that are not finite"
