"""A logical query as the arguments of an agent's tool: the agent's own model writes the logic in one flat call.

What is wrong with a call is an error whose text is written for the model, so that it can call again.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field as Argument, create_model

from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalQueryError,
    QueryTooLongError,
    TooManyTermsError,
)
from logical_retriever.query import (
    MAX_LENGTH,
    MAX_TERMS,
    And,
    Condition,
    Field,
    LogicalQuery,
    Not,
    Or,
    Term,
    literals,
    parse,
)
from logical_retriever.options import check_count
from logical_retriever.transform.comparisons import comparisons

MOST_PASSAGES: Final = 50
"""Most passages of one answer: they are read by a model."""
ARGUMENT_ERRORS: Final = (InvalidArgumentError, LogicalQueryError)
"""Errors of :func:`read_arguments`; the model can mend the call."""

_LISTS: Final = ("all_of", "any_of", "none_of")
_EXAMPLE: Final = 'all_of=["benefits of vitamin D"], none_of=["bone health"]'


class LogicalSearchArguments(BaseModel):
    """Arguments of the tool, for the schema that the model is shown.

    Calls are read by :func:`read_arguments`, not by this class: pydantic's message about a wrong call is written for
    developers.
    """

    model_config = ConfigDict(extra="forbid")

    all_of: list[str] = Argument(default_factory=list, description="Topics that a passage must all be about.")
    any_of: list[str] = Argument(
        default_factory=list, description="Topics of which a passage must be about at least one."
    )
    none_of: list[str] = Argument(
        default_factory=list, description="Content that the user does not want to see; one entry for each."
    )
    query: str = Argument(
        default="", description='In place of the lists: a query such as "A" AND ("B" OR "C") AND NOT "D".'
    )
    k: int = Argument(default=4, ge=1, le=MOST_PASSAGES, description="Most passages to return.")
    filter: dict[str, Any] = Argument(
        default_factory=dict,
        description='Metadata that each passage must have: the value of a field, or one of several, such as {"year": '
        '[2023, 2024], "language": "en"}. Leave it out unless you know the fields.',
    )
    where: list[dict[str, Any]] = Argument(
        default_factory=list,
        description='Conditions on metadata that each passage must fulfil, such as {"field": "year", "op": ">=", '
        '"value": 1990}; op is one of = != < <= > >= in, not in, contains, exists. Dates are written 2020-01-31.',
    )
    where_not: list[dict[str, Any]] = Argument(
        default_factory=list,
        description="Conditions that no passage may fulfil; passages without the field are kept.",
    )

    @classmethod
    def with_default(cls, k: int) -> type[LogicalSearchArguments]:
        """The same with another number of passages where a call does not say."""
        inherited = cls.model_fields["k"]
        field = Argument(default=min(k, MOST_PASSAGES), ge=1, le=MOST_PASSAGES, description=inherited.description)
        return create_model(cls.__name__, __base__=cls, __doc__=cls.__doc__, k=(int, field))


def arguments_schema(k: int) -> dict[str, Any]:
    """JSON schema of the arguments; k passages where a call does not say."""
    schema = LogicalSearchArguments.with_default(k).model_json_schema()
    del schema["description"]  # the class's docstring, which is for developers
    return schema


@dataclass(frozen=True)
class SearchCall:
    """An agent's call, as it was read.

    Attributes:
        query: The logical query, with the filter as conditions on metadata.
        k: Most passages to return; None where the call does not say.
    """

    query: LogicalQuery
    k: int | None


def read_arguments(arguments: Mapping[str, object]) -> SearchCall:
    """Read the arguments of a call.

    Args:
        arguments: By name, as the model gave them; an empty list, an empty text and None are arguments not given.

    Returns:
        The call. Its query is that in ``query``, or ``all_of`` AND one of ``any_of`` AND NOT each of ``none_of``,
        with the conditions of ``filter`` and ``where``, and NOT each of ``where_not``. A topic given twice in one list
        counts once; conditions alone list passages.

    Raises:
        InvalidArgumentError: An unknown name, a wrong type, nothing at all, nothing but exclusions, both forms at once,
            a topic that is wanted and unwanted, a k out of range, a filter that is more than fields and values, or a
            condition that is none.
        LogicalSyntaxError: ``query`` is not in the grammar.
        QueryLimitError: More terms or characters than a query may have.

    Examples:
        >>> print(read_arguments({"all_of": ["tea"], "any_of": ["green", "black"], "none_of": ["brewing"]}).query)
        "tea" AND ("green" OR "black") AND NOT "brewing"
    """
    known = tuple(LogicalSearchArguments.model_fields)
    for name in arguments:
        if name not in known:
            close = difflib.get_close_matches(str(name).lower(), known, n=1)
            meant = f"Did you mean {close[0]}? " if close else ""
            raise InvalidArgumentError(
                f"There is no argument {name!r}.",
                hint=f"{meant}The arguments are all_of, any_of, none_of, or query; and k, filter, where and where_not.",
            )
    filter = [*_read_filter(arguments.get("filter")), *_read_conditions(arguments)]
    query = _read_query(arguments, alone=not filter)
    wanted = [] if query is None else [literal.positive for literal in literals(query)]
    has_condition = query is not None and any(isinstance(node, Condition) for node in query.walk())
    if wanted and not any(wanted) and not filter and not has_condition:
        raise InvalidArgumentError(
            f"The call says what not to show, {query}, and nothing to look for.",
            hint=f"Send in all_of what the passages should be about, for example {_EXAMPLE}.",
        )
    return SearchCall(_joined(And, [*([] if query is None else [query]), *filter]), _read_k(arguments.get("k")))


def _read_conditions(arguments: Mapping[str, object]) -> list[LogicalQuery]:
    """The conditions of both lists, those of "where_not" negated."""

    def refused(problem: str) -> InvalidArgumentError:
        return InvalidArgumentError(problem, hint="Send the conditions again, or leave them out.")

    given = ((name, arguments.get(name)) for name in ("where", "where_not"))
    return [one for name, some in given if some != "" for one in comparisons(name, some, refused)]


def _read_query(arguments: Mapping[str, object], *, alone: bool) -> LogicalQuery | None:
    """The query of lists or text; None where conditions stand beside it, and there is none."""
    text = arguments.get("query")
    if text is not None and not isinstance(text, str):
        raise InvalidArgumentError(
            f"query is {type(text).__name__} {short_repr(text)}, not a string.",
            hint='Send query="\\"A\\" AND NOT \\"B\\"", or the lists.',
        )
    wanted, alternatives, unwanted = (_topics(name, arguments.get(name)) for name in _LISTS)
    if text is not None and text.strip():
        if wanted or alternatives or unwanted:
            raise InvalidArgumentError("Both query and lists were given.", hint="Send one of the two forms.")
        return _of_allowed_length(parse(text))
    if not (wanted or alternatives or unwanted):
        if not alone:
            return None
        raise InvalidArgumentError("The call says nothing to search for.", hint=f"Send for example {_EXAMPLE}.")
    _refuse_contradiction({"all_of": wanted, "any_of": alternatives}, unwanted)
    parts: list[LogicalQuery] = [Term(topic) for topic in wanted]
    if alternatives:
        parts.append(_joined(Or, [Term(topic) for topic in alternatives]))
    return _of_allowed_length(_joined(And, [*parts, *(Not(Term(topic)) for topic in unwanted)]))


def _read_k(given: object) -> int | None:
    if given is None:
        return None
    k = check_count("k", given)
    if k > MOST_PASSAGES:
        raise InvalidArgumentError(f"k is {given}.", hint=f"Ask for at most {MOST_PASSAGES} passages.")
    return k


def _read_filter(given: object) -> list[LogicalQuery]:
    """A condition for each field: it has one of these values."""
    example = 'Send for example filter={"year": [2023, 2024], "language": "en"}, or leave it out.'
    if given is None or given == "":
        return []
    if not isinstance(given, Mapping):
        raise InvalidArgumentError(
            f"filter is {type(given).__name__} {short_repr(given)}, not an object.", hint=example
        )
    conditions: list[LogicalQuery] = []
    for name, wanted in given.items():
        values = list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]
        try:
            conditions.append(Field(name) == values[0] if len(values) == 1 else Field(name).in_(values))
        except InvalidArgumentError as error:
            raise InvalidArgumentError(f"{short_repr(name)} in filter: {error.message}", hint=example) from error
    return conditions


def _topics(name: str, given: object) -> list[str]:
    """Distinct topics of one list."""
    if given is None or given == "":
        return []
    if not isinstance(given, (list, tuple)):
        alone = f" Send {name}=[{given!r}]." if isinstance(given, str) and len(given) <= 60 else ""
        raise InvalidArgumentError(
            f"{name} is {type(given).__name__} {short_repr(given)}, not a list of strings.",
            hint=f"Send a list, also for one topic.{alone}",
        )
    for number, topic in enumerate(given, start=1):
        if not isinstance(topic, str) or not topic.strip():
            raise InvalidArgumentError(
                f"Entry {number} of {name} is {short_repr(topic)}, not a topic.",
                hint="Each entry is a string with at least one word.",
            )
    distinct: dict[str, str] = {}
    for topic in given:
        distinct.setdefault(_same(topic), topic)
    if len(distinct) > MAX_TERMS:  # before a tree is made of them
        raise TooManyTermsError(
            f"{name} has {len(distinct)} terms; at most {MAX_TERMS} are allowed.", hint="Send the most important ones."
        )
    return list(distinct.values())


def _refuse_contradiction(wanted: Mapping[str, Sequence[str]], unwanted: Sequence[str]) -> None:
    refused = {_same(topic) for topic in unwanted}
    for name, topics in wanted.items():
        for topic in topics:
            if _same(topic) in refused:
                raise InvalidArgumentError(
                    f"{short_repr(topic)} is in {name} and in none_of; no passage can be both.",
                    hint="Remove it from one of the lists, or write the unwanted part of it more precisely.",
                )


def _of_allowed_length(query: LogicalQuery) -> LogicalQuery:
    length = sum(map(len, query.terms()))
    if length > MAX_LENGTH:
        raise QueryTooLongError(
            f"The topics have {length:,} characters together; at most {MAX_LENGTH:,} are allowed.",
            hint="Write each topic as the title of a passage, not as the passage.",
        )
    return query


def _joined(kind: type[And | Or], parts: Sequence[LogicalQuery]) -> LogicalQuery:
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _same(topic: str) -> str:
    """Two topics with one key are one topic."""
    return " ".join(topic.casefold().split())
