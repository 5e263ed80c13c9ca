"""Objects copied and pickled as the arguments that make them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typing_extensions import Self

from logical_retriever.errors import InvalidArgumentError


class CopiedByArguments:
    """An object that is deep-copied and pickled as its arguments: locks, connections and caches are made anew."""

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of the class that make an object like this one."""
        raise NotImplementedError

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        copies = {}
        for name, value in self.arguments().items():
            with self._refused(name, value, "deep-copied"):
                copies[name] = copy.deepcopy(value, memo)
        return type(self)(**copies)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        values = self.arguments()
        for name, value in values.items():
            with self._refused(name, value, "pickled"):
                pickle.dumps(value, int(protocol))
        return _remade, (type(self), values)

    @contextmanager
    def _refused(self, name: str, value: object, how: str) -> Iterator[None]:
        """Name the argument that cannot be copied, such as a connection to a server."""
        try:
            yield
        except TypeError as error:  # other errors are those of one pickler: some can do more than Python's
            raise InvalidArgumentError(
                f"{name} of this {type(self).__name__}, a {type(value).__name__}, cannot be {how}: {error}.",
                hint="Make it anew where it is needed; copy.copy() shares its parts.",
            ) from error
        except (AttributeError, pickle.PicklingError):  # a lambda or a local class, which cloudpickle takes
            pass


def _remade(kind: type[Any], values: dict[str, Any]) -> Any:
    return kind(**values)
