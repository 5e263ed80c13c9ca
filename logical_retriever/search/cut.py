"""Leaving out documents that are clearly about an excluded term, and going on until k that stay are found.

How far a document is about an excluded term is its evidence for it as a share of what the store's best has, the
document that is most about the term: one about bone health has twice the evidence for "bone health" that one about a
person's name has for the name, and both are the best there are. Where the best has less than :data:`LEAST`, nothing in
the store is about the term, and the share is one of that.

Terms alike bring evidence of each other: what is about "causes of inflation" has some for "monetary policy as a cause
of inflation". Of a document's evidence for an excluded term, a wanted term of which it has w brings ρw, with ρ the
smaller of the cosine of both terms and the correlation that their cosines with documents have by chance: all terms have
a high one with some encoders, or in a store of one subject, but not both. The rest is the document's own. One with less
than :data:`OWN` of its own is "perhaps" about the excluded term at most.

What is left out of which tree: :mod:`logical_retriever.search.blocking`. Evidence is calibrated whatever the semantics:
raw cosines of unrelated texts are 0 with one encoder and 0.7 with another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np

from logical_retriever.errors import StoreError
from logical_retriever.lexical import distinct_words
from logical_retriever.query import LogicalQuery, Term, negative_terms, positive_terms, to_nnf
from logical_retriever.results import DocumentId, LeftOut, RankedDocument, SearchResult
from logical_retriever.search.blocking import ABOUT, PERHAPS, Known, aboutness, blocking_term
from logical_retriever.search.doubt import SecondLook, weight_within
from logical_retriever.search.options import SearchOptions
from logical_retriever.search.problem import Problem
from logical_retriever.search.standing import standing_alone
from logical_retriever.search.statistics import CorpusStatistics
from logical_retriever.semantics import CalibratedSemantics, Composition, Semantics
from logical_retriever.semantics.evidence import Array
from logical_retriever.semantics.relevance import SEEN
from logical_retriever.stages import stage
from logical_retriever.vectors import unit

OWN = 3.0
"""Standard deviations of chance that a document must have for an excluded term beyond what wanted terms bring; chosen
with :data:`ABOUT`."""
LEAST = 5.0
"""Evidence, in standard deviations of chance, that the best document of a term is taken to have at least."""
BEST = 3
"""Documents nearest to an excluded term that are read to know the best."""
SAME = 0.8
"""Likeness from which a wanted term is what is always excluded in other words."""
MARGIN = 4
"""Documents looked for at first, beyond twice those wanted, where some may be left out."""
GROWTH = 8
"""How many times more are looked for where too few stay."""


def looked_for(query: LogicalQuery, options: SearchOptions) -> int:
    """How many documents to look for at first: what relevance is told by, and more where some may be left out."""
    number, most = options.k if isinstance(query, Term) else max(options.k, SEEN), options.limit()
    may_go = options.drop_excluded or options.always_exclude or options.verify is not None
    if options.verify_wanted or (may_go and negative_terms(query)):
        number = 2 * options.k + MARGIN
    return number if most is None else min(number, most)


def search_cut(
    problem: Problem,
    options: SearchOptions,
    ranked: Callable[[int], SearchResult],
    statistics: Callable[[], CorpusStatistics | None],
    most_about: Callable[[Problem, int], SearchResult],
) -> SearchResult:
    """The best k documents that stay: exact where the rankings are.

    Args:
        problem: Its texts encoded.
        options: With k, and what is left out.
        ranked: The best documents of the store, as many as asked for; a longer ranking begins with a shorter one.
        statistics: Of the store; asked for where the query excludes something.
        most_about: The best documents of the store, as many as asked for, for a term alone; not asked in a mode that
            asks the store once, where the best of what was found counts.
    """
    number = looked_for(problem.query, options)
    judge = _Judge(problem, options, statistics, most_about)
    wanted = positive_terms(problem.query) if options.verify_wanted else ()
    look = None if options.verify is None else SecondLook(options.verify, wanted, options.k, judge.about)
    while True:
        found = ranked(number)
        ended = len(found.documents) < number
        if judge.barred(found):
            return judge.counted(replace(found, documents=(), rescored=None, always_excluded=judge.always, barred=True))
        with stage("cut"):
            known = dict(zip((one.id for one in found.documents), judge.judged(found.documents), strict=True))
        lowest = found.documents[-1].score if found.documents else 0.0
        if look is not None and (judge.excluded or wanted):
            shares = {id: one.shares for id, one in known.items()}
            goes = partial(_goes, judge, known)
            with stage("verify"):
                found = look.at(found, shares, goes)
        with stage("cut"):
            answer = _answer(judge, found.documents, known, options)
        result = judge.counted(
            replace(
                found,
                documents=answer.stays[: options.k],
                left_out=answer.left_out,
                too_low=answer.too_low,
                always_excluded=judge.always,
                rescored=None,
            )
        )
        # What a verdict moved below all that was looked for may stand behind documents that were not.
        settled = all(one.score >= lowest for one in result.documents)
        if (len(answer.stays) >= options.k and settled) or ended or answer.sank:
            return result
        # Lists are read within a budget; a scan reads every document anyway.
        most = None if found.plan.fetch_k is None else options.limit()
        longer = GROWTH * number if most is None else min(GROWTH * number, most)
        if longer <= number:
            reason = f"{result.reason}; fewer than {options.k} of the best {number} stay, and max_candidates is {most}"
            return replace(result, exact=False, proved=False, reason=reason)
        number = longer


@dataclass(frozen=True)
class _Answer:
    """A ranking, parted.

    Attributes:
        stays: Documents that stay, best first.
        left_out: Documents of the best k that are about something excluded.
        too_low: How many others of the best k are below the least relevance.
        sank: Whether the ranking has come below the least relevance.
    """

    stays: tuple[RankedDocument, ...]
    left_out: tuple[LeftOut, ...]
    too_low: int
    sank: bool


def _goes(judge: _Judge, known: Mapping[DocumentId, Known], document: RankedDocument) -> bool:
    return judge.blocking(known[document.id].after(document.verdicts, judge.weight)) is not None


def _answer(
    judge: _Judge, documents: Sequence[RankedDocument], known: Mapping[DocumentId, Known], options: SearchOptions
) -> _Answer:
    """The documents parted; ``known`` is in the order of the scores before any verdict."""
    least = 0.0 if options.min_relevance is None else options.min_relevance
    best = set(islice(known, options.k))
    stays: list[RankedDocument] = []
    left_out: list[LeftOut] = []
    too_low = 0
    for document in documents:
        shares = known[document.id].after(document.verdicts, judge.weight)
        term = judge.blocking(shares)
        if document.relevance < least:
            too_low += document.id in best and term is None
        elif term is None:
            if len(stays) < options.k:  # others are only counted
                excluded = {text: aboutness(shares.shares[text], judge.about) for text in judge.excluded}
                document = replace(document, excluded=excluded)
            stays.append(document)
        elif document.id in best:
            left_out.append(
                LeftOut(
                    *(document.id, document.text, document.score, str(Term(term)), shares.shares[term]),
                    relevance=document.relevance,
                    verdicts=document.verdicts,
                )
            )
    return _Answer(tuple(stays), tuple(left_out), too_low, bool(documents) and documents[-1].relevance < least)


class _Judge:
    """Calibrated evidence of documents, whatever semantics ranks them, beside that of the best of the store."""

    def __init__(
        self,
        problem: Problem,
        options: SearchOptions,
        statistics: Callable[[], CorpusStatistics | None],
        most_about: Callable[[Problem, int], SearchResult],
    ) -> None:
        drop = options.drop_excluded
        self.about = ABOUT if isinstance(drop, bool) else float(drop)
        self.weight = 0.0 if options.verify is None else weight_within(options.verify.between)
        self.always = tuple(str(Term(text)) for text in options.always_exclude)
        # What is always excluded goes even where a caller keeps the rest.
        standing = standing_alone(options.always_exclude)
        normal = problem.query if drop else standing
        self._normal = None if normal is None else to_nnf(normal)
        # Without a use for it, it would cost statistics of the store.
        used = normal is not None or problem.semantics.calibrated or options.verify is not None
        self.excluded = negative_terms(problem.query) if used else ()
        self._problem, self._options = problem, options
        self._statistics, self._most_about = statistics, most_about
        self._best: dict[str, float] = {}
        self._asked: list[SearchResult] = []
        # Read without the question, whose own words and likeness would speak for what it is about.
        self._guard: _Judge | None = None
        if standing is not None and standing != problem.query:
            alone = replace(Problem.of(standing, problem.semantics), texts=problem.texts, vectors=problem.vectors)
            self._guard = _Judge(alone, replace(options, always_exclude=(), drop_excluded=True), statistics, most_about)

    def barred(self, found: SearchResult) -> bool:
        """Whether each wanted term is one that is always excluded, in other words."""
        wanted, standing = positive_terms(self._problem.query), self._options.always_exclude
        if not wanted or not standing or not found.documents:
            return False
        language = self._corpus.words(self._options.language).language
        return all(
            any(
                self._alike[term].get(text, 1.0) >= SAME or not distinct_words(text, (term,), language=language)
                for term in standing
            )
            for text in wanted
        )

    def blocking(self, known: Known) -> str | None:
        """The excluded term for which a document is left out; None where it stays."""
        if self._normal is None or all(share < self.about for share in known.shares.values()):
            return None
        return blocking_term(self._normal, known, self.about)

    def judged(self, documents: Sequence[RankedDocument]) -> list[Known]:
        """Evidence of each document; nothing is computed where nothing is excluded."""
        if not self.excluded or not documents:
            return [Known({}, {})] * len(documents)
        found = self._composed(documents)
        guarded = {} if self._guard is None else self._guard.shares(documents)
        shares = {text: guarded.get(text, self._shares(text, found)) for text in self.excluded}
        truths = {term.text: values for term, values in found.values.items() if isinstance(term, Term)}
        return [
            Known(
                {text: float(values[i]) for text, values in truths.items()},
                {text: float(values[i]) for text, values in shares.items()},
            )
            for i in range(len(documents))
        ]

    def shares(self, documents: Sequence[RankedDocument]) -> Mapping[str, Array]:
        """Shares of documents, at least one, for each excluded term, shape (N,)."""
        found = self._composed(documents)
        return {text: self._shares(text, found) for text in self.excluded}

    def counted(self, result: SearchResult) -> SearchResult:
        """A result with what it cost to know the best documents of excluded terms."""
        if self._guard is not None:
            result = self._guard.counted(result)
        counts = ("store_calls", "vectors_read", "store_milliseconds")
        cost: Any = {of: getattr(result, of) + sum(getattr(one, of) for one in self._asked) for of in counts}
        result = replace(result, **cost)
        if result.exact and not all(one.exact for one in self._asked):
            reason = f"{result.reason}, but what is most about an excluded term is known approximately"
            return replace(result, exact=False, reason=reason)
        return result

    def _shares(self, text: str, found: Composition) -> Array:
        """Shares of the best evidence for an excluded term, shape (N,)."""
        evidence = found.strengths[text]
        shares = np.clip(evidence / self._most(text, found), 0.0, 1.0)
        brought = [with_it * np.maximum(found.strengths[wanted], 0.0) for wanted, with_it in self._alike[text].items()]
        own = evidence - np.max([np.zeros(len(evidence)), *brought], axis=0)
        capped: Array = np.where(own < OWN, np.minimum(shares, PERHAPS), shares)
        return capped

    def _most(self, text: str, found: Composition) -> float:
        """The evidence of the document that is most about a term; not looked for where it makes no difference."""
        here = float(found.strengths[text].max())
        if here < PERHAPS * LEAST:
            return LEAST
        if self._options.mode != "exact":
            return max(LEAST, here)
        if text not in self._best:
            row = self._problem.rows((text,))
            term = Problem.of(Term(text), self._semantics).encoded((text,), self._problem.vectors[list(row)])
            best = self._most_about(term, BEST)
            self._asked.append(best)
            self._best[text] = float(self._composed(best.documents).strengths[text].max(initial=LEAST))
        return max(self._best[text], here)

    def _composed(self, documents: Sequence[RankedDocument]) -> Composition:
        """Evidence of documents; of those found for one term that of the others is not known, and not looked at."""
        problem = self._calibrated
        rows = [[document.cosines.get(text, 0.0) for document in documents] for text in problem.texts]
        words = problem.lexical([document.text for document in documents])
        return problem.compose(problem.evidence(np.array(rows).reshape(len(rows), -1), words))

    @property
    def _semantics(self) -> Semantics:
        return self._problem.semantics if self._problem.semantics.calibrated else CalibratedSemantics()

    @cached_property
    def _alike(self) -> Mapping[str, Mapping[str, float]]:
        """For each excluded term, how much of their evidence the wanted terms bring, in [0, 1]."""
        problem = self._calibrated
        vectors = unit(problem.vectors)
        both = np.clip(np.minimum(self._corpus.correlations(vectors), vectors @ vectors.T), 0.0, 1.0)
        row = {text: place for place, text in enumerate(problem.texts)}
        wanted = positive_terms(self._problem.query)
        return {
            text: {other: float(both[row[text], row[other]]) for other in wanted if other != text}
            for text in self.excluded
        }

    @cached_property
    def _corpus(self) -> CorpusStatistics:
        corpus = self._statistics()
        if corpus is None:  # documents were found, so there are some
            raise StoreError("The store gave documents, and no sample of them.", hint="Search again.")
        return corpus

    @cached_property
    def _calibrated(self) -> Problem:
        corpus, terms = self._corpus, self._problem.query.terms()
        vectors = self._problem.vectors[list(self._problem.rows(terms))]
        problem = Problem.of(self._problem.query, self._semantics).encoded(terms, vectors)
        words = corpus.words(self._options.language) if self._options.evidence == "auto" else None
        return replace(problem, nulls=corpus.distributions(unit(vectors)), words=words)
