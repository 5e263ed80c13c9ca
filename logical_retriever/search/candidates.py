"""One look at a store: documents that may be in the answer, with the evidence about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError, StoreCapabilityError
from logical_retriever.lexical import WordIndex, distinct_words
from logical_retriever.query import LogicalQuery, Not, Term, flatten, negative_terms, to_nnf
from logical_retriever.results import DocumentId, Strategy
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.in_engine import Proposal, propose_in_engine
from logical_retriever.search.request import Group, SearchRequest, conjuncts, open_ended
from logical_retriever.search.store_reader import Fetched, StoreReader
from logical_retriever.semantics import BagOfWords, Evidence, NullDistributions
from logical_retriever.stores.base import StoredDocument, VectorBatch, WordQuery
from logical_retriever.vectors import Vectors, cosines, precise_cosines

Array = npt.NDArray[np.float64]
Lexical = Mapping[BagOfWords, Array]
"""Evidence of N documents' words, shape (N,) for each bag of words."""
Rows = slice | npt.NDArray[np.intp]

EVERY = "every document was scored"
LEAST = 5.0
"""Evidence, in standard deviations of chance, that the document most about a term is taken to have at least."""
NEAREST = 40
"""Least length of a list of nearest documents; with it the ten best were found on the development sets."""
OTHER_ORDER = 4
"""How many times longer it is where a store does not order by cosine."""
PAIR, MORE = 400, 1000
"""Documents nearest to the sum of two, and of three or more, unrelated wanted texts that hold the best of their AND."""
REENCODED = 100
"""The same where the store gives no vectors, and every document's text is encoded for the question."""
SURELY_STAYS = 0.5
"""Share of the best evidence below which no setting leaves a document out."""
WORDED = 50
"""Documents in each list by words."""
ABOUT_EXCLUDED = 10
"""Documents nearest to each excluded term that are read beside those of an engine, to know what is most about it."""
CHUNK = 65_536
"""Documents whose scores are composed at once."""
MARGIN = 32
"""Documents that are compared again in float64 beyond those wanted: float32 may exchange neighbours."""
TIES = 1000
"""Documents beyond those wanted that are taken because their scores are as good up to rounding."""
ROUNDING = 1e-4
"""How far scores from cosines of float32 may be off, relative to the largest of the best scores."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """N documents that may be in the answer.

    Attributes:
        documents: N documents.
        cosines: Shape (T, N), in [-1, 1]: with each text of the question.
        lexical: Evidence of their words, shape (N,) for each bag of words.
        groups: Their positions, by what scores them.
        scored: How many documents were scored.
        strategy: How they were found.
        complete: Whether all documents that pass the filter were scored.
        ended: Whether longer lists would bring no others.
        reason: How they were found, in one sentence.
        strongest: Evidence of the document that is most about each term of a group's query, where all documents were
            scored.
        statement: What was sent to the engine; None where it scored nothing.
    """

    documents: tuple[StoredDocument, ...]
    cosines: Array
    lexical: Lexical
    groups: list[Group]
    scored: int
    strategy: Strategy = "nearest"
    complete: bool = False
    ended: bool = True
    reason: str = ""
    strongest: Mapping[tuple[LogicalQuery, str], float] = field(default_factory=dict)
    statement: str | None = None


def find_candidates(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, times: int) -> Candidates:
    """Look at the store, in the way that suits it.

    Args:
        request: With something to be scored.
        texts: The request's.
        reader: Of the store.
        times: How many times longer than usual lists of nearest documents are.

    Raises:
        StoreCapabilityError: Documents about none of the terms answer the query, and the store cannot be scanned.
        StoreError: The store failed.
    """
    can, query = reader.capabilities, request.scored
    if can.scan and (can.in_process or open_ended(query)):
        return everything(request, texts, reader)
    if open_ended(query):
        raise StoreCapabilityError(
            f"Documents about none of its terms answer {query}, and {can.name} cannot be scanned.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )
    proposal = propose_in_engine(request, texts, reader, times * request.number)
    if proposal is not None:
        return in_engine(request, texts, reader, proposal)
    return nearest_and_words(request, texts, reader, times)


def everything(request: SearchRequest, texts: EncodedTexts, reader: StoreReader) -> Candidates:
    """Compare every document with every text in float32, in one matrix product, and the best of them in float64."""
    batches = list(reader.scan())
    ids = batches[0].ids if len(batches) == 1 else [id for batch in batches for id in batch.ids]
    parts = [cosines(texts.vectors, batch.vectors, batch.scales) for batch in batches]
    compared = parts[0] if len(parts) == 1 else np.concatenate([np.empty((len(texts.texts), 0), np.float32), *parts], 1)
    parted = _parted(request, reader, ids)
    needed = request.bags_of([query for query, _ in parted]) if request.conditional else request.bags
    indexed = not needed or all(batch.words is not None for batch in batches)
    lexical: dict[BagOfWords, Array] = {}
    if needed and indexed and texts.words is not None:
        indexes = [batch.words(texts.words.language) for batch in batches if batch.words is not None]
        by_batch = [word_evidence(texts, needed, index) for index in indexes]
        lexical = {bag: np.concatenate([part[bag] for part in by_batch]) for bag in needed if by_batch}
    chosen: list[int] = []
    strongest: dict[tuple[LogicalQuery, str], float] = {}
    for query, rows in parted:
        group, words = compared[:, rows], {bag: values[rows] for bag, values in lexical.items()}
        stays = np.ones(group.shape[1], bool)
        judged = query.terms() if request.judge is not None and negative_terms(query) and len(stays) else ()
        for text in judged:
            evidence = strength(request, texts, query, text, group, words)
            strongest[query, text] = best = max(LEAST, float(evidence.max()))
            if request.leaves_out and text in request.excluded:
                stays &= evidence < SURELY_STAYS * best
        number = request.number if indexed else max(request.number, request.options.k, request.options.fetch_k)
        best_rows = _best(_scores(request, texts, query, group, words), stays, number, request.options.k)
        chosen += best_rows.tolist() if isinstance(rows, slice) else rows[best_rows].tolist()
    pool = reader.fetch([ids[row] for row in chosen])
    if not indexed:  # the scan brought no index of words: those of the best by vectors are read
        pool.update(_named(request, texts, reader, pool))
    places = {ids[row]: row for row in chosen}
    at = [places[id] for id in pool] if indexed else []
    reader.finite &= not any(map(_holds_nan, batches, parts))
    count = reader.count
    short = reader.filter is None and count is not None and len(ids) < count
    reason = EVERY
    if not indexed:
        reason = f"all {len(ids)} documents were scored by their vectors, and words were read of the best alone"
    elif short:
        reason = f"the store counts {count} documents, and a scan brought {len(ids)}"
    return _gathered(
        request,
        texts,
        reader,
        pool,
        {bag: values[at] for bag, values in lexical.items()} if indexed else None,
        scored=sum([compared[0, rows].size for _, rows in parted]),
        strategy="everything",
        complete=indexed and not short,
        reason=reason,
        strongest=strongest if indexed else {},
    )


def nearest_and_words(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, times: int) -> Candidates:
    """Read the nearest documents of each text, of each conjunct, and those that have the texts' rarest words.

    The nearest documents of excluded terms are among them, so that what is most about these is known.
    """
    options, can = request.options, reader.capabilities
    # An order by distance is another one where lengths of vectors differ.
    usual = max(NEAREST, 2 * options.k + 12) * (1 if can.cosine_order else OTHER_ORDER)
    length = times * max(options.k, min(usual, options.fetch_k))
    listed = dict.fromkeys((*request.wanted_texts, *request.excluded))
    pool = reader.nearest(texts.vectors[texts.rows(listed)], length)
    for terms, vector in _conjunct_vectors(request.scored, texts):
        number = max(length, PAIR if terms == 2 else MORE)
        pool.update(reader.nearest(vector[None], number if can.stored_vectors else min(number, REENCODED)))
    pool.update(_named(request, texts, reader, pool))
    whole = reader.filter is None and reader.count is not None and len(pool) >= reader.count and can.stored_vectors
    reason = f"the nearest {length} documents of each text, and those with its words, were scored"
    return _gathered(
        request,
        texts,
        reader,
        pool,
        complete=whole,
        ended=len(pool) < length or whole,
        reason=EVERY if whole else reason,
    )


def in_engine(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, proposal: Proposal) -> Candidates:
    """Read the documents that an engine proposes by their vectors, those with the words, and those about exclusions."""
    pool = reader.fetch([*proposal.ids, *_word_ids(request, texts, reader)])
    if request.excluded:
        pool.update(reader.nearest(texts.vectors[texts.rows(request.excluded)], ABOUT_EXCLUDED))
    by_words = ", and words were read of the best" if request.bags else ""
    return _gathered(
        request,
        texts,
        reader,
        pool,
        scored=len(pool) if reader.count is None else reader.count,
        strategy="engine",
        complete=proposal.every or not request.bags,
        ended=proposal.every,
        reason=EVERY if proposal.every else f"{proposal.engine} scored every document by its vector{by_words}",
        statement=proposal.statement,
    )


def word_evidence(texts: EncodedTexts, needed: Sequence[BagOfWords], read: Sequence[str] | WordIndex) -> Lexical:
    """Evidence of the words of N texts, or of all texts of an index, shape (N,) for each bag."""
    if texts.words is None:
        return {}
    model = texts.words
    words = [distinct_words(bag.text, bag.without, bag.keeping, model.language) for bag in needed]
    return {bag: model.evidence(some, read) for bag, some in zip(needed, words, strict=True)}


def strength(
    request: SearchRequest,
    texts: EncodedTexts,
    query: LogicalQuery,
    text: str,
    cosines: npt.NDArray[np.floating[Any]],
    lexical: Lexical,
) -> Array:
    """Calibrated evidence of N documents for a term, shape (N,); standing exclusions are judged by themselves.

    Args:
        request: With a judge.
        texts: The request's.
        query: Scores the documents.
        text: A term of it.
        cosines: Shape (T, N).
        lexical: Evidence of the documents' words, shape (N,) each.
    """
    judge, nulls, rows = request.judge, texts.nulls, texts.rows([text])
    if judge is None or nulls is None:
        raise SemanticsError("Nothing is judged.", hint="Search with an exclusion.")
    alone = NullDistributions(nulls.means[rows], nulls.deviations[rows])
    of = Not(Term(text)) if text in request.options.always_exclude else query
    return judge.strength(of, text, Evidence((text,), np.asarray(cosines[rows], np.float64), alone, lexical))


def _conjunct_vectors(query: LogicalQuery, texts: EncodedTexts) -> list[tuple[int, Vectors]]:
    """For each conjunct with two or more wanted terms, their number and the sum of unit(v) / deviation.

    An AND of unrelated texts has its best documents in no list of one of them; this vector's nearest documents are
    those of the greatest sum of evidence.
    """
    sums = []
    for terms in conjuncts(flatten(to_nnf(query))):
        if len(terms) > 1:
            rows = texts.rows(sorted(terms))
            units = texts.vectors[rows] / np.linalg.norm(texts.vectors[rows], axis=1, keepdims=True)
            weights = np.ones(len(rows)) if texts.nulls is None else 1.0 / texts.nulls.deviations[rows]
            sums.append((len(rows), (weights[:, None] * units).sum(axis=0).astype(np.float32)))
    return sums


def _gathered(
    request: SearchRequest,
    texts: EncodedTexts,
    reader: StoreReader,
    pool: Fetched,
    lexical: Lexical | None = None,
    **facts: Any,
) -> Candidates:
    """The documents that pass, compared with all texts in float64; their words are read where no evidence is given."""
    passes = None if lexical is not None else reader.narrowing.passes
    pairs = [pair for pair in pool.values() if passes is None or passes(pair[0].metadata)]
    vectors = [vector for _, vector in pairs]
    compared = precise_cosines(texts.vectors, np.stack(vectors)) if pairs else np.empty((len(texts.texts), 0))
    return _candidates(request, texts, tuple([document for document, _ in pairs]), compared, lexical, **facts)


def _candidates(
    request: SearchRequest,
    texts: EncodedTexts,
    documents: tuple[StoredDocument, ...],
    compared: Array,
    lexical: Lexical | None = None,
    *,
    scored: int | None = None,
    **facts: Any,
) -> Candidates:
    """N documents with their cosines, shape (T, N); their words are read where no evidence is given."""
    groups = request.groups(documents)
    if lexical is None:
        needed = request.bags_of([group.query for group in groups]) if request.conditional else request.bags
        lexical = word_evidence(texts, needed, [document.text for document in documents]) if documents else {}
    count = len(documents) if scored is None else scored
    return Candidates(documents, compared, lexical, groups, count, **facts)


def _named(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, pool: Fetched) -> Fetched:
    """Further documents that have the rarest words of a wanted or an excluded term, or of all wanted ones."""
    return reader.fetch([id for id in _word_ids(request, texts, reader) if id not in pool])


def _word_ids(request: SearchRequest, texts: EncodedTexts, reader: StoreReader) -> list[DocumentId]:
    """Ids of documents that have the rarest words of a wanted or an excluded term, or of all wanted ones."""
    model, queries, together = texts.words, [], dict[str, float]()
    if model is None:
        return []
    wanted = [bag for bag in request.bags if bag.text in request.wanted_texts]
    for bag in (*wanted, *[bag for bag in request.bags if bag.text in request.excluded and bag not in wanted]):
        weights = model.rarest(bag.text, bag.without, bag.keeping)
        if weights:
            vector = texts.vectors[texts.texts.index(bag.text)]
            queries.append(WordQuery(tuple(weights), vector, tuple(weights.values()), model.language))
            together.update(weights if bag in wanted else {})
    if len(queries) > 1 and len(wanted) > 1:
        ordered = dict(sorted(together.items(), key=lambda entry: -entry[1]))
        vector = texts.vectors[texts.rows(request.wanted_texts)].mean(axis=0)
        queries.append(WordQuery(tuple(ordered), vector, tuple(ordered.values()), model.language))
    return reader.words(queries, WORDED)


def _parted(request: SearchRequest, reader: StoreReader, ids: Sequence[DocumentId]) -> list[tuple[LogicalQuery, Rows]]:
    """Positions of all documents of a scan by the query that scores them; metadata is read where it decides."""
    passes = reader.narrowing.passes
    if passes is None and not request.conditional:
        return [(request.scored, slice(None))]
    pool = reader.fetch(ids)
    rows = [row for row, id in enumerate(ids) if id in pool and (passes is None or passes(pool[id][0].metadata))]
    groups = request.groups([pool[ids[row]][0] for row in rows])
    return [(query, np.array(rows, np.intp)[places]) for query, places, _ in groups]


def _scores(
    request: SearchRequest, texts: EncodedTexts, query: LogicalQuery, cosines: Vectors, words: Lexical
) -> Array:
    """Scores of N documents, chunk by chunk where the semantics scores each document by itself."""
    count = cosines.shape[1]
    size = CHUNK if request.semantics.pointwise else max(1, count)
    parts = [np.empty(0)]
    for start in range(0, count, size):
        block = slice(start, start + size)
        chunk = np.clip(cosines[:, block].astype(np.float64), -1.0, 1.0)
        lexical = {bag: values[block] for bag, values in words.items()}
        evidence = Evidence(texts.texts, chunk, texts.nulls, lexical, request.question)
        parts.append(request.semantics.scores(query, evidence))
    return np.concatenate(parts)


def _best(scores: Array, stays: npt.NDArray[np.bool_], number: int, k: int) -> npt.NDArray[np.intp]:
    """Positions of the best documents, and of those down to the k best that stay for sure, with a margin."""
    rows = best_rows(scores, number + MARGIN)
    if stays.all():
        return rows
    certain = scores[stays]
    least = certain[best_rows(certain, k + MARGIN)].min() if len(certain) > k + MARGIN else -np.inf
    return np.union1d(rows, np.flatnonzero(scores >= least))


def best_rows(scores: Array, n: int) -> npt.NDArray[np.intp]:
    """Positions, ascending, of the n best of N scores, and of those that are as good up to rounding.

    Args:
        scores: Shape (N,).
        n: At least 1.

    Raises:
        SemanticsError: A score is NaN.
    """
    check_scores(scores)
    if len(scores) <= n:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    size = np.abs(scores[np.isfinite(scores)]).max(initial=1.0)
    near = np.flatnonzero(scores >= (least - ROUNDING * size if np.isfinite(least) else least))
    return near if len(near) <= n + TIES else np.sort(near[np.argsort(-scores[near], kind="stable")[: n + TIES]])


def check_scores(scores: Array) -> None:
    """Refuse scores that are no numbers.

    Raises:
        SemanticsError: One is NaN.
    """
    if np.isnan(scores).any():
        raise SemanticsError(
            "A document's score is not a number.", hint="Check the semantics: it must be defined for all evidence."
        )


def _holds_nan(batch: VectorBatch, cosines: Vectors) -> bool:
    """Whether a vector is not finite: its cosine is 0 with every text, as that of an empty document."""
    suspects = ~cosines.any(axis=0)
    return bool(suspects.any()) and not bool(np.isfinite(batch.vectors[suspects]).all())
