"""Arguments that users of every framework give, checked alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform import QueryTransformer, get_transformer

M = TypeVar("M")
T = TypeVar("T")


def choose_transformer(llm: M | None, transformer: T | str | None, over: Callable[[M], T]) -> T | QueryTransformer:
    """The transformer that a user's arguments ask for; the cue rules where he gave neither.

    Args:
        llm: A framework's model.
        transformer: In its place; a text is a name, see :func:`logical_retriever.transform.get_transformer`.
        over: Makes a transformer over the model.

    Raises:
        InvalidArgumentError: Both were given, or no transformer has the name.
        PluginError: The name is another package's, and cannot be used.
    """
    if llm is not None and transformer is not None:
        raise InvalidArgumentError(
            "Both llm and transformer were given.",
            hint="Pass the model to the transformer: transformer=LogicalQueryTransformer(llm, ...).",
        )
    if llm is not None:
        return over(llm)
    if transformer is None or isinstance(transformer, str):
        return get_transformer("cue" if transformer is None else transformer)
    return transformer


def check_metadata_key(metadata_key: object) -> str | None:
    """Refuse a key that cannot name metadata.

    Raises:
        InvalidArgumentError: It is neither a name nor None.
    """
    if metadata_key is None or (isinstance(metadata_key, str) and metadata_key):
        return metadata_key
    raise InvalidArgumentError(
        f"metadata_key is {metadata_key!r}.", hint='Give a name such as "logical", or None to leave the reasons out.'
    )
