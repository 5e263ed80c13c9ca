"""A query that is ready to be searched for: its conditions apart, standing exclusions added, the texts to encode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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
    necessary_condition,
    negative_terms,
    positive_terms,
    to_nnf,
    without_conditions,
)
from logical_retriever.semantics import BagOfWords, CalibratedSemantics, Semantics
from logical_retriever.stores.base import Filter
from logical_retriever.transform import Transformation

MAX_ALTERNATIVES = 16
"""Most alternatives of a query that get a list of their own."""


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """A query with its settings.

    Attributes:
        query: With its conditions and all standing exclusions.
        necessary: The condition that every answer must fulfil; None for none.
        scored: The query without ``necessary``: conditions remain only under an OR. The whole query if no term remains.
        question: The user's question, where the query was made of one.
        options: How to search.
        filter: In the store's own language.
    """

    query: LogicalQuery
    necessary: LogicalQuery | None
    scored: LogicalQuery
    question: str | None
    options: SearchOptions
    filter: Filter

    @classmethod
    def of(
        cls,
        query: LogicalQuery | Transformation,
        options: SearchOptions,
        *,
        filter: Filter = None,
        fields: Fields | None = None,
    ) -> SearchRequest:
        """The request for a query.

        Raises:
            FieldError: A condition is on none of the fields.
        """
        transformation = query if isinstance(query, Transformation) else None
        whole = with_standing(query.query if isinstance(query, Transformation) else query, options.always_exclude)
        question = None if transformation is None or transformation.written else transformation.sought
        whole = whole if fields is None else fields.checked(whole)
        necessary, scored = None, whole
        if whole.conditions():
            necessary = necessary_condition(whole)
            left = tuple([part for part in conjuncts(to_nnf(whole)) if part.terms()])
            scored = And(left) if len(left) > 1 else left[0] if left else whole
        if not scored.conditions():
            scored = _effective(scored, question, options.composition)
        return cls(whole, necessary, scored, question, options, filter)

    @cached_property
    def semantics(self) -> Semantics:
        """The rule that composes the scores."""
        return self.options.composition

    @cached_property
    def topic(self) -> LogicalQuery:
        """The terms that are scored, without conditions."""
        topic = without_conditions(self.scored) if self.scored.conditions() else self.scored
        return self.scored if topic is None else topic

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Texts to encode, each once; none where nothing is scored."""
        if not self.scored.terms():
            return ()
        scored = self.semantics.texts(self.scored, self.question)
        lights = [text for pair in self.lights.values() for text in pair]
        return tuple(dict.fromkeys((*scored, *self.options.always_exclude, *lights)))

    @cached_property
    def wanted_texts(self) -> tuple[str, ...]:
        """Texts whose nearest documents are worth scoring."""
        return self.semantics.wanted_texts(self.scored, self.question)

    @cached_property
    def judge(self) -> CalibratedSemantics | None:
        """Tells how far documents are about excluded terms; None where nothing depends on it."""
        semantics, used = self.semantics, self.leaves_out or self.options.verify is not None
        if not negative_terms(self.scored) or not (used or semantics.calibrated):
            return None
        return semantics if isinstance(semantics, CalibratedSemantics) else CalibratedSemantics()

    @cached_property
    def excluded(self) -> tuple[str, ...]:
        """Terms that documents are judged by."""
        return () if self.judge is None else negative_terms(self.scored)

    @property
    def leaves_out(self) -> bool:
        """Whether documents are left out for being about something excluded."""
        return self.options.exclusion != "rank" or bool(self.options.always_exclude)

    @cached_property
    def lights(self) -> dict[str, tuple[str, str]]:
        """For each term that the question excludes, the first wanted term (the wish) and the text "<wish>: <term>"."""
        wanted = positive_terms(self.scored)
        if not wanted or self.judge is None:
            return {}
        terms = [text for text in self.excluded if text not in self.options.always_exclude]
        return {text: (wanted[0], f"{wanted[0]}: {text}") for text in terms}

    @cached_property
    def bags(self) -> tuple[BagOfWords, ...]:
        """Bags of words that are evidence; none where no text is read."""
        needed = list(self.semantics.lexical(self.scored, self.question))
        if self.judge is not None:
            needed += self.judge.lexical(self.scored) if self.judge is not self.semantics else ()
            needed += [BagOfWords(text) for text in self.options.always_exclude if self.judge.words]
        return tuple(dict.fromkeys(needed))

    @property
    def calibrated(self) -> bool:
        """Whether anything depends on statistics of the store."""
        return self.semantics.calibrated or self.judge is not None

    @property
    def conditional(self) -> bool:
        """Whether conditions under OR decide what documents are scored by."""
        return bool(self.texts and self.scored.conditions())

    @property
    def number(self) -> int:
        """How many documents to look for at least: more than k, since some may be left out."""
        return 4 * self.options.k + 16

    @property
    def searched(self) -> LogicalQuery:
        """The query that is searched for: the logical one, or the question where that retrieves better."""
        if self.conditional or not self.texts:
            return self.query
        both = None if self.necessary is None else all_of((self.necessary, self.scored))
        return self.scored if both is None else both


def effective_query(transformation: Transformation, semantics: Semantics) -> LogicalQuery:
    """The query to search for: the logical one, or the question as it stands where that retrieves better.

    Wherever the semantics has nothing to add, the question is searched for by its own vector and words; see
    :meth:`~logical_retriever.semantics.Semantics.plain`. A query that the caller wrote is always taken as it is.
    """
    return _effective(transformation.query, None if transformation.written else transformation.sought, semantics)


def with_standing(query: LogicalQuery, terms: Sequence[str]) -> LogicalQuery:
    """The query with these terms excluded as well, each like a NOT of its own."""
    return And((query, *(Not(Term(term)) for term in terms))) if terms else query


def open_ended(query: LogicalQuery) -> bool:
    """Whether a document about none of the terms satisfies the query, as with ``NOT A`` or ``A OR NOT B``.

    Nearest-neighbour lists of the terms cannot find such documents.
    """
    if isinstance(query, Not):
        return not open_ended(query.operand)
    if isinstance(query, (And, Or)):
        return (all if isinstance(query, And) else any)([open_ended(part) for part in query.operands])
    return False


def wanted_together(query: LogicalQuery) -> list[frozenset[str]]:
    """Wanted terms of each alternative of a query's disjunctive normal form; the first :data:`MAX_ALTERNATIVES`.

    Args:
        query: In negation normal form.

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


def _effective(query: LogicalQuery, question: str | None, semantics: Semantics) -> LogicalQuery:
    return query if question is None or not semantics.plain(query) else Term(question)
