"""A question of a search: its query, settings, texts and vectors, and the store's statistics of the texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import ContradictionError
from logical_retriever.lexical import LexicalModel
from logical_retriever.options import SearchOptions
from logical_retriever.query import (
    And,
    Fields,
    LogicalQuery,
    Not,
    Or,
    Term,
    all_of,
    conjuncts,
    contradiction,
    necessary_condition,
    negative_terms,
    to_nnf,
    without_conditions,
)
from logical_retriever.reading import ReadQuestion
from logical_retriever.scoring import BagOfWords, Evidence, NullDistributions, Semantics
from logical_retriever.scoring.evidence import Array, Flags
from logical_retriever.stores.base import Filter
from logical_retriever.vectors import Vectors

MAX_ALTERNATIVES = 16
"""Most alternatives of a query with a list of nearest documents of their own."""
PAIRS = 80
"""Most pairs of a document and a term that a verifier reads for one question, whatever k is."""


@dataclass(frozen=True, eq=False)
class TextStatistics:
    """What to expect of documents picked by chance from one store, for a question of T texts.

    Attributes:
        nulls: Null distributions of the texts' cosines.
        word_statistics: Frequencies of the store's words, whatever the question.
        unrelated: Mean and standard deviation of cosines of texts that have nothing to do with each other, likewise.
    """

    nulls: NullDistributions
    word_statistics: LexicalModel
    unrelated: tuple[float, float]


UNMEASURED = TextStatistics(NullDistributions(np.empty(0), np.empty(0)), LexicalModel(()), (0.0, 1.0))
"""Statistics before the store was asked for its own."""


@dataclass(frozen=True, eq=False)
class Question:
    """A question with everything known about it before documents are read.

    Attributes:
        query: The whole query, with its conditions and all standing exclusions.
        condition: The condition that every answer must fulfil; None for none.
        scored: What documents are scored by: ``query`` without ``condition``, so that conditions remain only under an
            OR; or the question as one term, if nothing is excluded. The whole query if no term remains.
        scored_terms: ``scored`` without its conditions; ``scored`` itself if it has none, or nothing else.
        asked: The user's question; None if a person wrote the query.
        fact: A negation of the question that was read as a fact; None for none.
        problem: Why the question was not understood; None without a problem.
        options: The retriever's settings and the call's, merged.
        filter: In the store's own language.
        texts: T distinct texts to encode; none if nothing is scored.
        wanted_texts: Texts whose nearest documents are candidates.
        excluded: Excluded terms to judge documents by, standing ones included.
        bags: Bags of words to look for in the documents; none if no text is read.
        kinds: How each excluded term was excluded: "topic" ("nothing about bones"), "lack" ("without a pool"), "typed"
            in logic, or "always" for a standing exclusion (``always_exclude``).
        vectors: Of the texts, shape (T, d); empty until they are encoded.
        statistics: Of the texts in the store; :data:`UNMEASURED` until it is asked.
        strongest: For a retriever made by ``over()``, the greatest evidence for each excluded term in the whole store;
            else empty.
        remarks: What to tell of the question in the answer's note.
    """

    query: LogicalQuery
    condition: LogicalQuery | None
    scored: LogicalQuery
    scored_terms: LogicalQuery
    asked: str | None
    options: SearchOptions
    filter: Filter
    fact: str | None = None
    problem: str | None = None
    texts: tuple[str, ...] = ()
    wanted_texts: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    bags: tuple[BagOfWords, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    vectors: Vectors = field(default_factory=lambda: np.empty((0, 0), np.float32))
    statistics: TextStatistics = UNMEASURED
    strongest: Mapping[str, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        query: LogicalQuery | ReadQuestion,
        options: SearchOptions,
        *,
        filter: Filter = None,
        fields: Fields | None = None,
    ) -> Question:
        """Build the question for a query, or for a question that has been read.

        Raises:
            ContradictionError: The query wants and excludes the same term.
            FieldError: A condition is on none of the fields.
        """
        read = query if isinstance(query, ReadQuestion) else None
        # What the user asked, in words that need no conversation; None for logic that a person wrote.
        asked = None if read is None or read.written else read.sought
        told: dict[str, Any] = {} if read is None else {"fact": read.fact, "problem": read.problem}
        semantics, standing = options.semantics, options.always_exclude
        whole = query.query if isinstance(query, ReadQuestion) else query
        if (term := contradiction(whole)) is not None:
            raise ContradictionError(
                f"No document can be about {Term(term)} and not about it: {whole}",
                hint="Take the term out of one of the two sides.",
            )
        if standing:  # each like a NOT of its own
            whole = And((whole, *(Not(Term(term)) for term in standing)))
        remarks: tuple[str, ...] = ()
        if fields is not None:
            whole = fields.checked(whole)
            by_tagger = read if read is not None and read.method == "tagger" and not read.answers else None
            unread = None if by_tagger is None else fields.named_in(by_tagger.question)
            remarks = (f'no condition on "{unread}" is read from plain words without a model (llm=)',) if unread else ()
        condition, scored = None, whole
        if whole.conditions():  # conditions on every answer narrow the search, the other parts score
            condition = necessary_condition(whole)
            parts = tuple([part for part in conjuncts(to_nnf(whole)) if part.terms()])
            scored = And(parts) if len(parts) > 1 else parts[0] if parts else whole
        if asked is not None and not scored.conditions() and semantics.searched_whole(scored):
            scored = Term(asked)
        scored_terms = without_conditions(scored) if scored.conditions() else scored
        scored_terms = scored if scored_terms is None else scored_terms
        if not scored.terms():
            return cls(whole, condition, scored, scored_terms, asked, options, filter, remarks=remarks, **told)
        excluded = negative_terms(scored) if options.leaves_out or semantics.calibrated else ()
        kinds = (read.kinds if read is not None else None) or {}
        judged_texts = options.calibrated_semantics.texts(scored, asked) if excluded else ()
        # "green tea, but not brewing": the words of "green tea", of "brewing" alone, of the question without these.
        bags = semantics.bags(scored, asked)
        if excluded:  # judged by calibrated evidence, and its words, whatever composes the scores
            bags += () if semantics.calibrated else options.calibrated_semantics.bags(scored)
            bags += tuple([BagOfWords(term) for term in standing if options.calibrated_semantics.words])
        return cls(
            whole,
            condition,
            scored,
            scored_terms,
            asked,
            options,
            filter,
            remarks=remarks,
            **told,
            texts=tuple(dict.fromkeys((*semantics.texts(scored, asked), *judged_texts))),
            wanted_texts=semantics.wanted_texts(scored, asked),
            excluded=excluded,
            bags=tuple(dict.fromkeys(bags)),
            kinds={term: "always" if term in standing else kinds.get(term, "typed") for term in excluded},
        )

    def with_vectors(self, vectors: Vectors) -> Question:
        """Return the question with the vectors of its texts, shape (T, d)."""
        return replace(self, vectors=vectors)

    def with_statistics(self, statistics: TextStatistics) -> Question:
        """Return the question with the store's statistics of its texts."""
        return replace(self, statistics=statistics)

    def rows(self, texts: Iterable[str]) -> list[int]:
        """Return the positions of some of the texts."""
        return [self.texts.index(text) for text in texts]

    def evidence(
        self,
        cosines: npt.NDArray[np.floating[Any]],
        lexical: Mapping[BagOfWords, Array],
        outcomes: Mapping[LogicalQuery, Flags],
        cues: Mapping[str, Array] = MappingProxyType({}),
        strongest: Mapping[str, float] = MappingProxyType({}),
    ) -> Evidence:
        """Return the evidence about N documents.

        Args:
            cosines: Shape (T, N).
            lexical: Evidence of their words, shape (N,) for each bag.
            outcomes: Whether they fulfil each condition, shape (N,).
            cues: Whether they assert (1) or deny (-1) each excluded term, shape (N,).
            strongest: Greatest evidence in the store for a term, as far as it is known.
        """
        nulls = self.statistics.nulls
        # The greater of this store's and, for a retriever made by over(), the whole store's.
        most = {term: max(strongest.get(term, 0.0), self.strongest.get(term, 0.0)) for term in self.excluded}
        return Evidence(self.texts, cosines, nulls, lexical, self.asked, outcomes, self.kinds, cues, most)

    @property
    def semantics(self) -> Semantics:
        """The rule that composes the scores."""
        semantics: Semantics = self.options.semantics
        return semantics

    @property
    def conditional(self) -> bool:
        """Whether conditions remain under an OR, so that metadata decides part of the score."""
        return bool(self.texts and self.scored.conditions())

    @property
    def read_terms(self) -> tuple[str, ...]:
        """The excluded terms for which a verifier reads; with "rank" only standing ones leave documents out."""
        if self.options.verify is False:
            return ()
        return tuple(self.options.always_exclude) if self.options.exclusion == "rank" else self.excluded

    def none_has(self, terms: Iterable[str], count: int) -> dict[str, Array]:
        """Return log odds for N documents as if a verifier found the terms in none of them, shape (N,).

        Topics are not among them: there reading has no part in the score, since the evidence orders better.
        """
        return {term: np.full(count, -np.inf) for term in terms if self.kinds[term] != "topic"}

    @property
    def depth(self) -> int:
        """Least number of candidates: some are left out, and a verifier may send away all that it reads."""
        return 4 * self.options.k + 16 + (PAIRS if self.read_terms else 0)

    @property
    def reported(self) -> LogicalQuery:
        """The query as the answer reports it: the logical one, or the question as one term."""
        if self.conditional or not self.texts:
            return self.query
        both = None if self.condition is None else all_of((self.condition, self.scored))
        return self.scored if both is None else both


def open_ended(query: LogicalQuery) -> bool:
    """Tell whether a document about none of the terms satisfies the query, as with ``NOT A`` or ``A OR NOT B``.

    Nearest-neighbour lists of the terms cannot find such documents.
    """
    if isinstance(query, Not):
        return not open_ended(query.operand)
    if isinstance(query, (And, Or)):
        return (all if isinstance(query, And) else any)([open_ended(part) for part in query.operands])
    return False


def wanted_together(query: LogicalQuery) -> list[frozenset[str]]:
    """Return the wanted terms of each alternative of a query, of at most :data:`MAX_ALTERNATIVES` alternatives.

    Args:
        query: In negation normal form; its alternatives are those of its disjunctive normal form.

    Examples:
        >>> from logical_retriever.query import parse
        >>> [sorted(terms) for terms in wanted_together(parse('("a" OR "b") AND "c" AND NOT "d"'))]
        [['a', 'c'], ['b', 'c']]
    """
    if isinstance(query, Term):
        return [frozenset({query.text})]
    parts = [wanted_together(part) for part in query.children]
    joined = [frozenset[str]()]
    if isinstance(query, Or):
        joined = [terms for part in parts for terms in part]
    elif isinstance(query, And):
        for part in parts:
            joined = [left | right for left in joined for right in part][:MAX_ALTERNATIVES]
    return list(dict.fromkeys(joined))[:MAX_ALTERNATIVES]
