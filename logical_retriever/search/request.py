"""A query between being read and being searched for: its parts, and the texts to encode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from logical_retriever.options import SearchOptions
from logical_retriever.query import And, LogicalQuery, Not, Term
from logical_retriever.query.conditions import Parts, in_parts
from logical_retriever.query.fields import Fields
from logical_retriever.search.scorer import Scorer
from logical_retriever.semantics import Semantics
from logical_retriever.stores.base import Filter
from logical_retriever.transform import Transformation


@dataclass(frozen=True, eq=False)
class SearchRequest:
    """A query with its settings, ready to be searched for.

    Attributes:
        query: With its conditions and all standing exclusions.
        parts: The same without conditions, for each kind of documents that conditions under OR tell apart.
        scorers: For each kind, what its documents are scored by, not encoded yet; none where the query has no terms.
        guard: Scores documents by the standing exclusions alone; None without any.
        options: How to search.
        filter: In the store's own language.
    """

    query: LogicalQuery
    parts: Parts
    scorers: tuple[Scorer, ...]
    guard: Scorer | None
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
            QueryLimitError: Conditions under OR tell too many kinds of documents apart.
        """
        transformation = query if isinstance(query, Transformation) else None
        bare = query.query if isinstance(query, Transformation) else query
        question = transformation.sought if transformation is not None and not transformation.written else None
        whole = with_standing(bare, options.always_exclude)
        parts = in_parts(whole if fields is None else fields.checked(whole))
        semantics = options.composition

        def scored(bare: LogicalQuery) -> LogicalQuery:
            if len(parts.kinds) > 1:
                return semantics.as_operand(bare)
            return bare if transformation is None else effective_query(replace(transformation, query=bare), semantics)

        queries = [kind.query for kind in parts.kinds if kind.query is not None]
        scorers = tuple(Scorer.of(scored(query), semantics, question) for query in queries)
        alone = standing_alone(options.always_exclude)
        guard = None if alone is None else Scorer.of(alone, semantics)
        return cls(whole, parts, scorers, guard, options, filter)

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts to encode, each once."""
        guard = () if self.guard is None else (self.guard,)
        return tuple(dict.fromkeys(text for scorer in (*self.scorers, *guard) for text in scorer.texts))


def effective_query(transformation: Transformation, semantics: Semantics) -> LogicalQuery:
    """The query to search for: the logical one, or the question as it stands where that retrieves better.

    Wherever the semantics has nothing to add, the question is searched for by its own vector and words; see
    :meth:`~logical_retriever.semantics.Semantics.plain`. A query that the caller wrote is always taken as it is.
    """
    if transformation.written or not semantics.plain(transformation.query):
        return transformation.query
    return Term(transformation.sought)


def with_standing(query: LogicalQuery, terms: Sequence[str]) -> LogicalQuery:
    """The query with these terms excluded as well, each like a NOT of its own."""
    return And((query, *(Not(Term(term)) for term in terms))) if terms else query


def standing_alone(terms: Sequence[str]) -> LogicalQuery | None:
    """The query that excludes these terms and says nothing else; None for no term."""
    parts = tuple(Not(Term(term)) for term in terms)
    return None if not parts else parts[0] if len(parts) == 1 else And(parts)
