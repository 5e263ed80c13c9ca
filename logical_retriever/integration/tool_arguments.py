"""A logical query as the arguments of an agent's tool: the agent's own model writes the logic in one flat call.

What is wrong with a call is an error whose text is written for the model, so that it can call again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field as Argument,
    ValidationError,
    create_model,
)

from logical_retriever.errors import (
    InvalidArgumentError,
    LogicalQueryError,
    LogicalRetrieverError,
    QueryTooLongError,
    TooManyTermsError,
)
from logical_retriever.integration.arguments import unknown_argument
from logical_retriever.options import check_count
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
from logical_retriever.transform.forms import Comparison

MOST_PASSAGES: Final = 50
"""Most passages of one answer: they are read by a model."""
ARGUMENT_ERRORS: Final = (InvalidArgumentError, LogicalQueryError)
"""Errors of :func:`read_arguments`; the model can mend the call."""

_EXAMPLE: Final = 'all_of=["benefits of vitamin D"], none_of=["bone health"]'


_KINDS: Final = {
    "list_type": "a list",
    "string_type": "a string",
    "value_error": "a topic of at least one word",
    "dict_type": "an object",
}


def _passages(k: object) -> int:
    if check_count("k", k) > MOST_PASSAGES:
        raise InvalidArgumentError(f"k is {k}.", hint=f"Ask for at most {MOST_PASSAGES} passages.")
    return check_count("k", k)


def _topic(topic: str) -> str:
    if not topic.strip():
        raise ValueError(topic)
    return topic


_Topics = list[Annotated[str, AfterValidator(_topic)]]
_Passages = Annotated[int, BeforeValidator(_passages)]


class LogicalSearchArguments(BaseModel):
    """Arguments of the tool; :func:`read_arguments` reads a call and words what is wrong with it for the model."""

    model_config = ConfigDict(extra="forbid")

    all_of: _Topics = Argument(default_factory=list, description="Topics that a passage must all be about.")
    any_of: _Topics = Argument(
        default_factory=list, description="Topics of which a passage must be about at least one."
    )
    none_of: _Topics = Argument(
        default_factory=list, description="Content that the user does not want to see; one entry for each."
    )
    query: str = Argument(
        default="", description='In place of the lists: a query such as "A" AND ("B" OR "C") AND NOT "D".'
    )
    k: _Passages = Argument(default=4, ge=1, le=MOST_PASSAGES, description="Most passages to return.")
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
        default = min(k, MOST_PASSAGES)
        field = Argument(default=default, ge=1, le=MOST_PASSAGES, description=inherited.description)
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
    given = {str(name): value for name, value in arguments.items() if value is not None and value != ""}
    try:
        call = LogicalSearchArguments.model_validate(given)
    except ValidationError as error:
        raise _refusal(error) from error
    conditions = [*_field_conditions(call.filter), *_conditions("where", call), *_conditions("where_not", call)]
    query = _query(call)
    if query is None and not conditions:
        raise InvalidArgumentError("The call says nothing to search for.", hint=f"Send for example {_EXAMPLE}.")
    if query is not None and not conditions and not _wants_something(query):
        raise InvalidArgumentError(
            f"The call says what not to show, {query}, and nothing to look for.",
            hint=f"Send in all_of what the passages should be about, for example {_EXAMPLE}.",
        )
    k = call.k if "k" in call.model_fields_set else None
    return SearchCall(_joined(And, [*([] if query is None else [query]), *conditions]), k)


def _refusal(error: ValidationError) -> LogicalRetrieverError:
    """The first problem of a call, in words for its model."""
    problem = error.errors(include_url=False)[0]
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, LogicalRetrieverError):
        return cause
    name, *inside = problem["loc"]
    if problem["type"] == "extra_forbidden":
        return unknown_argument("The tool", str(name), tuple(LogicalSearchArguments.model_fields))
    where = f"Entry {inside[0] + 1} of {name}" if inside and isinstance(inside[0], int) else name
    value, kind = problem["input"], _KINDS.get(problem["type"], "what it should be")
    alone = problem["type"] == "list_type" and isinstance(value, str) and len(value) <= 60
    return InvalidArgumentError(
        f"{where} is {type(value).__name__} {short_repr(value)}, not {kind}.",
        hint=f"Send {name}=[{value!r}]." if alone else f"For example {_EXAMPLE}.",
    )


def _query(call: LogicalSearchArguments) -> LogicalQuery | None:
    """The query of the lists or of the text; None where there is neither."""
    wanted, alternatives, unwanted = (_distinct(name, getattr(call, name)) for name in ("all_of", "any_of", "none_of"))
    if call.query.strip():
        if wanted or alternatives or unwanted:
            raise InvalidArgumentError("Both query and lists were given.", hint="Send one of the two forms.")
        return _of_allowed_length(parse(call.query))
    for name, topics in (("all_of", wanted), ("any_of", alternatives)):
        for key in topics.keys() & unwanted.keys():
            raise InvalidArgumentError(
                f"{short_repr(topics[key])} is in {name} and in none_of; no passage can be both.",
                hint="Remove it from one of the lists, or write the unwanted part of it more precisely.",
            )
    parts: list[LogicalQuery] = [Term(topic) for topic in wanted.values()]
    if alternatives:
        parts.append(_joined(Or, [Term(topic) for topic in alternatives.values()]))
    parts += [Not(Term(topic)) for topic in unwanted.values()]
    return _of_allowed_length(_joined(And, parts)) if parts else None


def _wants_something(query: LogicalQuery) -> bool:
    return any(literal.positive for literal in literals(query)) or any(isinstance(n, Condition) for n in query.walk())


def _field_conditions(filter: Mapping[str, Any]) -> list[LogicalQuery]:
    """A condition for each field: it has one of these values."""
    conditions: list[LogicalQuery] = []
    for name, wanted in filter.items():
        values = list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]
        try:
            conditions.append(Field(name) == values[0] if len(values) == 1 else Field(name).in_(values))
        except InvalidArgumentError as error:
            raise InvalidArgumentError(
                f"{short_repr(name)} in filter: {error.message}",
                hint='Send for example filter={"year": [2023, 2024], "language": "en"}, or leave it out.',
            ) from error
    return conditions


def _conditions(name: str, call: LogicalSearchArguments) -> list[LogicalQuery]:
    """The conditions of a list, those of "where_not" negated."""
    try:
        conditions = [Comparison.model_validate(given).condition() for given in getattr(call, name)]
    except ValidationError as error:
        raise InvalidArgumentError(
            f"In {name}: {error.errors()[0]['msg']}.",
            hint='A condition reads {"field": "year", "op": ">=", "value": 1990}.',
        ) from error
    except InvalidArgumentError as error:
        hint = "Send the conditions again, or leave them out."
        raise InvalidArgumentError(f"In {name}: {error.message} {error.hint}", hint=hint) from error
    return [~condition if name == "where_not" else condition for condition in conditions]


def _distinct(name: str, topics: Sequence[str]) -> dict[str, str]:
    """Topics by what they are compared by: their words, whatever the case."""
    distinct: dict[str, str] = {}
    for topic in topics:
        distinct.setdefault(" ".join(topic.casefold().split()), topic)
    if len(distinct) > MAX_TERMS:  # before a tree is made of them
        raise TooManyTermsError(
            f"{name} has {len(distinct)} terms; at most {MAX_TERMS} are allowed.", hint="Send the most important ones."
        )
    return distinct


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
