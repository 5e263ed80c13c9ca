"""Arguments that users of every framework give, checked alike."""

from __future__ import annotations

from collections.abc import Sequence

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import names_hint
from logical_retriever.reading import QueryTransformer


def check_transformer(llm: object, transformer: object, *, kinds: str, hint: str) -> None:
    """Reject a model beside a transformer, and a transformer without the methods of one; None is none of either.

    Args:
        llm: The framework's model.
        transformer: What the user gave in its place.
        kinds: What the framework accepts as a transformer, for the message.
        hint: What to pass instead.

    Raises:
        InvalidArgumentError: Both are given, or the transformer cannot be used.
    """
    if llm is not None and transformer is not None:
        raise InvalidArgumentError(
            "Both llm and transformer were given.",
            hint="Pass the model to the transformer: transformer=LogicalQueryTransformer(llm, ...).",
        )
    # A class has the methods as well, unbound.
    if transformer is not None and (isinstance(transformer, type) or not isinstance(transformer, QueryTransformer)):
        raise InvalidArgumentError(
            f"transformer must be {kinds}, got {type(transformer).__name__} {transformer!r:.80}.", hint=hint
        )


def unknown_argument(whose: str, name: str, known: Sequence[str]) -> InvalidArgumentError:
    """Return the error for an unknown argument; its hint names the known ones, the closest first."""
    return InvalidArgumentError(f"{whose} has no argument {name!r}.", hint=names_hint(name, known))
