"""Pydantic models that reject bad arguments with this project's errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from typing_extensions import Self

from logical_retriever.adapters import InvalidArgumentError, LogicalRetrieverError, unknown_argument


class CheckedModel(BaseModel):
    """A model whose constructor raises :class:`InvalidArgumentError` (a ValueError) with a hint.

    pydantic wraps every ValueError of a validator into its own ``ValidationError``, which would hide the type and the
    hint. Put this class last among several bases, since pydantic takes the configuration of the last.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    def __init__(self, **arguments: Any) -> None:
        try:
            super().__init__(**arguments)
        except ValidationError as error:
            raise _typed(error, type(self)) from error

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with some fields changed; unlike pydantic's own, it checks them and derives the rest anew."""
        fields = super().model_copy(deep=deep)
        return type(self)(**{**{name: getattr(fields, name) for name in type(self).model_fields}, **(update or {})})


def _typed(error: ValidationError, model: type[BaseModel]) -> LogicalRetrieverError:
    """Turn the first problem of a validation into a typed error."""
    problem = error.errors(include_url=False)[0]
    cause = problem.get("ctx", {}).get("error")
    if isinstance(cause, LogicalRetrieverError):
        return cause
    place, name = ".".join(str(part) for part in problem["loc"]), model.__name__
    if problem["type"] == "extra_forbidden":
        return unknown_argument(name, place, tuple(model.model_fields))
    return InvalidArgumentError(f"{name} cannot use {place}={problem['input']!r}.", hint=f"{problem['msg']}.")
