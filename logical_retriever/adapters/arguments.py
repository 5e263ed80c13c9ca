"""Arguments that users of every framework give, checked alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import names_hint
from logical_retriever.reading import QueryTransformer, QuestionReader

M = TypeVar("M")
T = TypeVar("T")


def choose_transformer(
    llm: M | None, transformer: T | None, over: Callable[[M], T], *, fields: Any = None
) -> T | QueryTransformer:
    """The transformer that a user's arguments ask for; a reader without a model where there is neither.

    Args:
        llm: A framework's model.
        transformer: In its place.
        over: Makes a transformer over the model: the framework's own :class:`QuestionReader`.
        fields: Fields of metadata, for the reader without a model; ``over`` tells them to the other.

    Raises:
        InvalidArgumentError: Both are given.
    """
    if llm is not None and transformer is not None:
        raise InvalidArgumentError(
            "Both llm and transformer were given.",
            hint="Pass the model to the transformer: transformer=LogicalQueryTransformer(llm, ...).",
        )
    if llm is not None:
        return over(llm)
    return QuestionReader(fields=fields) if transformer is None else transformer


def unknown_argument(whose: str, name: str, known: Sequence[str]) -> InvalidArgumentError:
    """The error for an argument that is not there: it names those that are, and the one that may be meant."""
    return InvalidArgumentError(f"{whose} has no argument {name!r}.", hint=names_hint(name, known))
