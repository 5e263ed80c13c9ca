"""One look at a store: documents that may be in the answer, with the evidence about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import SemanticsError, StoreCapabilityError
from logical_retriever.lexical import WordIndex, distinct_words
from logical_retriever.query import LogicalQuery, Not, Term, flatten, to_nnf
from logical_retriever.results import DocumentId, Strategy
from logical_retriever.search.background import EncodedTexts
from logical_retriever.search.filters import Outcomes, decided
from logical_retriever.search.in_engine import propose_in_engine
from logical_retriever.search.request import SearchRequest, open_ended, wanted_together
from logical_retriever.search.store_reader import Fetched, StoreReader
from logical_retriever.semantics import BagOfWords, Evidence, NullDistributions
from logical_retriever.stores.base import EngineRanking, StoredDocument, WordQuery
from logical_retriever.vectors import Vectors, cosines, precise_cosines

Array = npt.NDArray[np.float64]
Lexical = Mapping[BagOfWords, Array]
"""Evidence of N documents' words, shape (N,) for each bag of words."""

EVERY = "every document was scored"
LEAST = 5.0
"""Evidence, in standard deviations of chance, that the document most about a term is taken to have at least."""
NEAREST = 40
"""Usual length of a list of nearest documents, unless ``fetch_k`` is less; with it the ten best were found on the
development sets."""
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
        evidence: About them, for each text of the question.
        scored: How many documents were scored; by an engine, all of the store.
        strategy: How they were found.
        complete: Whether all documents that pass the filter were scored.
        ended: Whether longer lists would bring no others.
        reason: How they were found, in one sentence.
        strongest: Evidence of the document that is most about each term, where all documents were scored.
        statement: What was sent to the engine; None where it scored nothing.
    """

    documents: tuple[StoredDocument, ...]
    evidence: Evidence
    scored: int
    strategy: Strategy = "nearest"
    complete: bool = False
    ended: bool = True
    reason: str = ""
    strongest: Mapping[str, float] = field(default_factory=dict)
    statement: str | None = None


def find_candidates(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, times: int) -> Candidates:
    """Look at the store, in the way that suits it.

    Args:
        request: The query, which has terms.
        texts: Its encoded texts.
        reader: Reads the store.
        times: How many times longer than usual lists of nearest documents are.

    Raises:
        StoreCapabilityError: The query is open-ended, as NOT A is, and the store cannot be scanned.
        StoreError: The store failed.
    """
    can, query = reader.capabilities, request.topic
    if can.scan and (can.in_process or open_ended(query)):
        return everything(request, texts, reader)
    if open_ended(query):
        raise StoreCapabilityError(
            f"Documents about none of its terms answer {query}, and {can.name} cannot be scanned.",
            hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
        )
    number = max(times * request.number, request.options.k, request.options.fetch_k)
    answer = propose_in_engine(request, texts, reader, number)
    if answer is not None:
        return in_engine(request, texts, reader, answer, number)
    return nearest_and_words(request, texts, reader, times)


def everything(request: SearchRequest, texts: EncodedTexts, reader: StoreReader) -> Candidates:
    """Compare every document with every text in float32, in one matrix product, and the best of them in float64."""
    batches = list(reader.scan())
    parts = [cosines(texts.vectors, batch.vectors, batch.scales) for batch in batches]
    ids = [id for batch in batches for id in batch.ids]
    count, short = len(ids), reader.filter is None and reader.count is not None and len(ids) < reader.count
    compared = np.concatenate([np.empty((len(texts.texts), 0), np.float32), *parts], axis=1)
    indexed = not request.bags or all(batch.word_index is not None for batch in batches)
    lexical: Lexical = {}
    if indexed and texts.words is not None:
        language = texts.words.language
        by_batch = [
            word_evidence(texts, request.bags, batch.word_index(language)) for batch in batches if batch.word_index
        ]
        lexical = {
            bag: np.concatenate([part[bag] for part in by_batch], dtype=np.float32) for bag in request.bags if by_batch
        }
    outcomes: Outcomes = {}
    if request.conditional or reader.narrowing.passes is not None:  # metadata decides: all of it is read
        pool = reader.fetch(ids)
        there = np.array([row for row, id in enumerate(ids) if id in pool], np.intp)
        some, outcomes = decided(request.scored, reader.narrowing.passes, [pool[ids[row]][0] for row in there])
        rows = there[some]
        ids, compared = [ids[row] for row in rows], compared[:, rows]
        lexical = {bag: values[rows] for bag, values in lexical.items()}
    # In float32, which takes half the time; the best are scored again.
    evidence = Evidence(texts.texts, compared, texts.nulls, lexical, request.question, outcomes)
    stays, strongest = np.ones(len(ids), bool), dict[str, float]()
    for text in request.scored.terms() if request.judge is not None and ids else ():
        values = strength(request, texts, text, evidence)
        strongest[text] = max(LEAST, float(values.max()))
        if request.leaves_out and text in request.excluded:
            stays &= values < SURELY_STAYS * strongest[text]
    number = request.number if indexed else max(request.number, request.options.k, request.options.fetch_k)
    chosen = _best(request.semantics.scores(request.scored, evidence), stays, number, request.options.k).tolist()
    pool = reader.fetch([ids[row] for row in chosen])
    reason = EVERY
    if not indexed:  # the scan brought no index of words: those of the best by vectors are read
        pool.update(_named(request, texts, reader, pool))
        strongest = {}
        reason = f"all {count} documents were scored by their vectors, and words were read of the best alone"
    elif short:
        reason = f"the store counts {reader.count} documents, and a scan brought {count}"
    places = {ids[row]: row for row in chosen}
    at = [places[id] for id in pool] if indexed else []
    return _gathered(
        request,
        texts,
        reader,
        *_compared(texts, pool),
        {bag: values[at] for bag, values in lexical.items()} if indexed else None,
        scored=len(ids),
        strategy="everything",
        complete=indexed and not short,
        reason=reason,
        strongest=strongest,
    )


def nearest_and_words(request: SearchRequest, texts: EncodedTexts, reader: StoreReader, times: int) -> Candidates:
    """Read the nearest documents of each text, of each conjunct, and those that have the texts' rarest words.

    The nearest documents of excluded terms are among them, so that what is most about these is known.
    """
    options, can = request.options, reader.capabilities
    # Distance and cosine rank differently where vectors have several lengths: longer lists are read.
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
        *_compared(texts, pool),
        complete=whole,
        ended=len(pool) < length or whole,
        reason=EVERY if whole else reason,
    )


def in_engine(
    request: SearchRequest, texts: EncodedTexts, reader: StoreReader, answer: EngineRanking, number: int
) -> Candidates:
    """Read the documents that an engine proposes by their vectors, those with the words, and those about exclusions."""
    pool = reader.fetch([*answer.ids, *_word_ids(request, texts, reader)])
    if request.excluded:
        pool.update(reader.nearest(texts.vectors[texts.rows(request.excluded)], ABOUT_EXCLUDED))
    every = len(answer.ids) < number
    by_words = ", and words were read of the best" if request.bags else ""
    return _gathered(
        request,
        texts,
        reader,
        *_compared(texts, pool),
        scored=reader.count,
        strategy="engine",
        complete=every or not request.bags,
        ended=every,
        reason=EVERY if every else f"{reader.capabilities.name} scored every document by its vector{by_words}",
        statement=answer.statement,
    )


def word_evidence(texts: EncodedTexts, needed: Sequence[BagOfWords], read: Sequence[str] | WordIndex) -> Lexical:
    """Evidence of the words of N texts, or of all texts of an index, shape (N,) for each bag."""
    if texts.words is None:
        return {}
    model = texts.words
    words = [distinct_words(bag.text, bag.without, bag.keeping, model.language) for bag in needed]
    return {bag: model.evidence(some, read) for bag, some in zip(needed, words, strict=True)}


def strength(request: SearchRequest, texts: EncodedTexts, text: str, evidence: Evidence) -> Array:
    """Calibrated evidence of N documents for a term, shape (N,); standing exclusions are judged by themselves.

    Args:
        request: With a judge.
        texts: The request's.
        text: A term of it.
        evidence: Of the documents.
    """
    judge, rows = request.judge, texts.rows([text])
    if judge is None or texts.nulls is None:
        raise SemanticsError("Nothing is judged.", hint="Search with an exclusion.")
    alone = NullDistributions(texts.nulls.means[rows], texts.nulls.deviations[rows])
    of = Not(Term(text)) if text in request.options.always_exclude else request.scored
    return judge.strength(of, text, Evidence((text,), evidence.cosines[rows], alone, evidence.lexical))


def _conjunct_vectors(query: LogicalQuery, texts: EncodedTexts) -> list[tuple[int, Vectors]]:
    """For each conjunct with two or more wanted terms, their number and the sum of unit(v) / deviation.

    An AND of unrelated texts has its best documents in no list of one of them; this vector's nearest documents are
    those of the greatest sum of evidence.
    """
    sums = []
    for terms in wanted_together(flatten(to_nnf(query))):
        if len(terms) > 1:
            rows = texts.rows(sorted(terms))
            units = texts.vectors[rows] / np.linalg.norm(texts.vectors[rows], axis=1, keepdims=True)
            weights = np.ones(len(rows)) if texts.nulls is None else 1.0 / texts.nulls.deviations[rows]
            sums.append((len(rows), (weights[:, None] * units).sum(axis=0).astype(np.float32)))
    return sums


def _compared(texts: EncodedTexts, pool: Fetched) -> tuple[tuple[StoredDocument, ...], Array]:
    """N documents, and their cosines with T texts in float64, shape (T, N)."""
    documents, vectors = tuple([document for document, _ in pool.values()]), [vector for _, vector in pool.values()]
    return documents, precise_cosines(texts.vectors, np.stack(vectors)) if pool else np.empty((len(texts.texts), 0))


def _gathered(
    request: SearchRequest,
    texts: EncodedTexts,
    reader: StoreReader,
    documents: tuple[StoredDocument, ...],
    compared: Array,
    lexical: Lexical | None = None,
    *,
    scored: int | None = None,
    **facts: Any,
) -> Candidates:
    """Those of N documents, with cosines of shape (T, N), that may be answers; words are read where none are given."""
    rows, outcomes = decided(request.scored, reader.narrowing.passes, documents)
    documents, compared = tuple([documents[row] for row in rows]), compared[:, rows]
    if lexical is None:
        lexical = word_evidence(texts, request.bags, [document.text for document in documents]) if documents else {}
    else:
        lexical = {bag: values[rows] for bag, values in lexical.items()}
    evidence = Evidence(texts.texts, compared, texts.nulls, lexical, request.question, outcomes)
    return Candidates(documents, evidence, len(documents) if scored is None else scored, **facts)


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
