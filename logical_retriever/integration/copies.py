"""Objects copied and pickled as the arguments that make them; what cannot be is named."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Mapping
from typing import Any

from typing_extensions import Self

from logical_retriever.errors import InvalidArgumentError


class CopiedByArguments:
    """An object whose deep copies, and whose pickled form, are made of the arguments that made it.

    What is derived from them (locks, connections, what was learnt about a store) is made anew.
    """

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the class that make an object like this one."""
        raise NotImplementedError

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return type(self)(**deep_copies(type(self).__name__, self.arguments(), {} if memo is None else memo))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickled as the arguments.

        Raises:
            InvalidArgumentError: One cannot be pickled, such as a connection to a server.
        """
        values = self.arguments()
        for name, value in values.items():
            try:
                pickle.Pickler(_Nowhere(), int(protocol)).dump(value)
            except TypeError as error:  # other errors are those of one pickler: some can do more than Python's
                raise cannot_be_copied(type(self).__name__, name, value, "pickled", error) from error
        return _remade, (type(self), values)


def deep_copies(whose: str, values: Mapping[str, Any], memo: dict[int, Any]) -> dict[str, Any]:
    """Copies of arguments, all the way down.

    Args:
        whose: How a message names what is made of them: a class.
        values: The arguments, by name.
        memo: As for ``copy.deepcopy``.

    Raises:
        InvalidArgumentError: One cannot be copied, such as a connection to a server.
    """
    copies = {}
    for name, value in values.items():
        try:
            copies[name] = copy.deepcopy(value, memo)
        except TypeError as error:
            raise cannot_be_copied(whose, name, value, "deep-copied", error) from error
    return copies


class _Nowhere(io.RawIOBase):
    """Takes what is written and keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return memoryview(data).nbytes


def _remade(kind: type[Any], values: dict[str, Any]) -> Any:
    return kind(**values)


def cannot_be_copied(whose: str, name: str, value: object, how: str, why: object) -> InvalidArgumentError:
    """The error of :class:`CopiedByArguments`: which argument, what it is, and why."""
    return InvalidArgumentError(
        f"{name} of this {whose}, a {type(value).__name__}, cannot be {how}: {why}.",
        hint="Make it anew where it is needed; copy.copy() shares its parts.",
    )
