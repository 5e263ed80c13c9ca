"""Pydantic models that refuse bad arguments with this project's errors."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from typing_extensions import Self

from logical_retriever.integration import (
    CopiedByArguments,
    InvalidArgumentError,
    LogicalRetrieverError,
    unknown_argument,
)

CHECKED = ConfigDict(arbitrary_types_allowed=True, extra="forbid", frozen=True)
"""Unknown arguments are refused. Frozen, because what is derived from the fields would not follow them."""


class CheckedModel(CopiedByArguments, BaseModel):
    """A model whose constructor raises :class:`InvalidArgumentError` (a ValueError) with a hint.

    pydantic wraps every ValueError of a validator into its own ``ValidationError``, which would hide the type and the
    hint.
    """

    def __init__(self, **data: Any) -> None:
        with _typed_errors(type(self)):
            super().__init__(**data)

    def __setattr__(self, name: str, value: Any) -> None:
        with _typed_errors(type(self)):
            super().__setattr__(name, value)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values of some fields, which are checked, and followed by what is derived from them.

        Args:
            update: Fields that differ.
            deep: Whether to copy the values of the others as well.

        Raises:
            InvalidArgumentError: As for the class; or a value that cannot be copied.
        """
        original = copy.deepcopy(self) if deep else self
        return type(self)(**{**original.arguments(), **(update or {})})

    def __copy__(self) -> Self:
        return self.model_copy()

    def arguments(self) -> dict[str, Any]:
        """The fields, by name."""
        return {name: getattr(self, name) for name in type(self).model_fields}


@contextmanager
def _typed_errors(model: type[BaseModel]) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise _typed(error, model) from error


def _typed(error: ValidationError, model: type[BaseModel]) -> LogicalRetrieverError:
    """The first problem of a validation, as a typed error."""
    problem = error.errors(include_url=False)[0]
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, LogicalRetrieverError):
        return cause
    place, name = ".".join(str(part) for part in problem["loc"]), model.__name__
    match problem["type"]:
        case "extra_forbidden":
            return unknown_argument(name, place, tuple(model.model_fields))
        case "missing":
            return InvalidArgumentError(f"{name} needs {place!r}.", hint=f"Pass {place}=... to it.")
        case "frozen_instance":
            return InvalidArgumentError(
                f"{place!r} of a {name} cannot be changed.",
                hint="Make a new one, pass the value to invoke(), or use configurable_fields().",
            )
        case _:
            return InvalidArgumentError(f"{name} cannot use {place}={problem['input']!r}.", hint=f"{problem['msg']}.")
