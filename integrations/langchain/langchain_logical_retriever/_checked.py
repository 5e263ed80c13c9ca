"""Pydantic models that refuse bad arguments with this project's errors."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from typing_extensions import Self

from logical_retriever.integration import CopiedByArguments, InvalidArgumentError, LogicalRetrieverError, deep_copies

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
        kept = {name: value for name, value in self.arguments().items() if name not in (update or {})}
        return type(self)(**(deep_copies(type(self).__name__, kept, {}) if deep else kept), **(update or {}))

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
    place = ".".join(str(part) for part in problem["loc"])
    match problem["type"]:
        case "extra_forbidden":
            close = difflib.get_close_matches(place, model.model_fields, n=1)
            meant = f"Did you mean {close[0]!r}? " if close else ""
            return InvalidArgumentError(
                f"{model.__name__} has no argument {place!r}.", hint=f"{meant}Known: {', '.join(model.model_fields)}."
            )
        case "missing":
            return InvalidArgumentError(f"{model.__name__} needs {place!r}.", hint=f"Pass {place}=... to it.")
        case "frozen_instance":
            return InvalidArgumentError(
                f"{place!r} of a {model.__name__} cannot be changed.",
                hint="Make a new one, pass the value to invoke(), or use configurable_fields().",
            )
        case _:
            return InvalidArgumentError(
                f"{model.__name__} cannot use {place}={problem['input']!r}.", hint=f"{problem['msg']}."
            )
