"""Arguments of predicates, and the names that variables, constants and predicates may have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import repr as short_repr
from typing import Final, TypeAlias, final

from logical_retriever.errors import InvalidArgumentError

NAME: Final = r"[^\W\d]\w*(?:[-'’]\w+)*"
"""A name: a letter or an underscore first; hyphens and apostrophes inside."""
VARIABLE: Final = r"[a-z]\d*"
"""A variable: one lower-case Latin letter, with a number or without."""
RESERVED: Final = frozenset(
    word
    for lower in ("not", "and", "or", "xor", "implies", "iff", "forall", "exists")
    for word in (lower, lower.upper())
)
"""Words that are connectives or quantifiers."""

_NAME: Final = re.compile(NAME)
_VARIABLE: Final = re.compile(VARIABLE)
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@final
@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: ``x``, ``y``, ``x1``.

    Attributes:
        name: One lower-case letter a to z, with a number or without.

    Raises:
        InvalidArgumentError: It is something else.
    """

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _VARIABLE.fullmatch(self.name):
            raise InvalidArgumentError(
                f"{short_repr(self.name)} is not a variable.",
                hint="A variable is one lower-case letter, with a number or without: x, y, x1.",
            )


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A thing with a name: ``Aaron``, ``1990``, ``"New York"``.

    Attributes:
        name: Any valid Unicode text that is more than white space.

    Raises:
        InvalidArgumentError: It is something else.
    """

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or _SURROGATE.search(self.name):
            raise InvalidArgumentError(
                f"A constant needs text, got {short_repr(self.name)}.", hint="Give it at least one visible character."
            )


Argument: TypeAlias = Variable | Constant


def is_predicate_name(name: str) -> bool:
    """Whether a text can name a predicate."""
    return bool(_NAME.fullmatch(name)) and not _VARIABLE.fullmatch(name) and name not in RESERVED
