"""All errors of this package, each with a message and a hint.

LogicalRetrieverError
├── LogicalQueryError (ValueError)          a mistake in a query, for its author
│   ├── LogicalSyntaxError                  a text outside the grammar, with a caret under the culprit
│   ├── FieldError                          a condition on an unknown field, or of the wrong type
│   ├── ContradictionError                  a term that is wanted and excluded
│   └── QueryLimitError                     too many terms or levels
├── InvalidArgumentError (ValueError)       a wrong argument, for the developer
│   └── EmptyQuestionError
├── TransformError                          a question that could not be read
│   ├── LLMCallError                        the model raised or answered nothing
│   └── LLMAnswerError                      the model's answer is not a logical query
├── EmbeddingError                          unusable vectors of an encoder
├── SemanticsError                          a query or evidence that a semantics cannot score
├── StoreError                              a failure of the store
│   ├── UnsupportedStoreError               no adapter for this class
│   ├── StoreCapabilityError                something that the store does not support
│   └── VectorMismatchError (ValueError)    vectors of another dimension, or with NaN
├── UnsupportedByEngineError                a query without a spelling in the engine's language
├── CorpusError (ValueError)                a mistake in a file, with its path and line
└── MissingPackageError (ImportError)       a missing optional package
"""

from __future__ import annotations

import copyreg
import importlib
from collections.abc import Iterable
from difflib import get_close_matches
from numbers import Integral
from typing import Any, NamedTuple, get_args

LARGEST_COUNT = 2**31 - 1
"""Larger counts are lowered to this one: stores count in 32 bits, and have no more documents."""


class Span(NamedTuple):
    """A half-open range of character offsets into a query text: ``text[start:end]``."""

    start: int
    end: int


class LogicalRetrieverError(Exception):
    """The base class of all errors of this package.

    Attributes:
        message: What was wrong, and where.
        hint: What to do about it, in one sentence.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nHint: {self.hint}\nMore: {self.section}"

    @property
    def section(self) -> str:
        """The section of the docs on this error; for a class of another package, on its nearest base class here."""
        base = next(cls for cls in type(self).__mro__ if cls.__module__ == __name__)
        return f"docs/errors.md#{base.__name__.lower()}"

    def __reduce__(self) -> tuple[object, ...]:
        # Exception's own pickling would drop the keyword-only arguments of subclasses.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class LogicalQueryError(LogicalRetrieverError, ValueError):
    """An unusable logical query."""


class LogicalSyntaxError(LogicalQueryError):
    """A text that is not a logical query.

    The message is for the author of the text, be it a person or a language model. It shows the text with a caret under
    the culprit, and says in words what was expected there.

    Attributes:
        text: The whole text.
        span: The offending characters; empty (``start == end``) at the end of the text.
        expected: What would have been accepted at ``span.start``, in words.
    """

    def __init__(self, problem: str, *, text: str, span: Span, expected: tuple[str, ...], hint: str) -> None:
        self.text, self.span, self.expected = text, span, expected
        wanted = f"\nExpected {_either(expected)}." if expected else ""
        super().__init__(f"{problem} (characters {span.start}-{span.end})\n{self.picture}{wanted}", hint=hint)

    @property
    def picture(self) -> str:
        """The line of the text around the span, with a line of carets below it."""
        start, end = self.span
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", start)
        line_end = len(self.text) if line_end == -1 else line_end
        left, right = max(line_start, start - 60), min(line_end, max(end, start + 1) + 40, start + 200)
        before, after = "..." if left > line_start else "", "..." if right < line_end else ""
        shown = "".join(c if c.isprintable() else " " for c in self.text[left:right])
        carets = max(1, min(end, right) - start)
        return f"  {before}{shown}{after}\n  {' ' * (len(before) + start - left)}{'^' * carets}"


class FieldError(LogicalQueryError):
    """A condition on an unknown field, or a comparison that does not fit the field's type."""


class ContradictionError(LogicalQueryError):
    """A query that wants and excludes the same term."""


class QueryLimitError(LogicalQueryError):
    """A query with too many terms or levels."""


class InvalidArgumentError(LogicalRetrieverError, ValueError):
    """An argument of a wrong type or value."""


class EmptyQuestionError(InvalidArgumentError):
    """A question without any visible character."""


class TransformError(LogicalRetrieverError):
    """A question that could not be turned into a logical query."""


class LLMCallError(TransformError):
    """A call of the language model that raised or returned nothing."""


class LLMAnswerError(TransformError):
    """An answer of the language model that is not a logical query, even after a repair.

    Attributes:
        answers: The raw answers, oldest first.
    """

    def __init__(self, message: str, *, hint: str, answers: tuple[str, ...]) -> None:
        self.answers = answers
        super().__init__(message, hint=hint)


class EmbeddingError(LogicalRetrieverError):
    """A failure of the encoder, or unusable vectors."""


class SemanticsError(LogicalRetrieverError):
    """A query or evidence that a semantics cannot score."""


class StoreError(LogicalRetrieverError):
    """A failure of a store, or an inconsistent answer of it."""


class UnsupportedStoreError(StoreError):
    """A class of stores without an adapter."""


class StoreCapabilityError(StoreError):
    """A query that needs something the store does not support."""


class VectorMismatchError(StoreError, ValueError):
    """Vectors of another dimension than the store's, or with NaN."""


class UnsupportedByEngineError(LogicalRetrieverError):
    """A query, semantics or filter that has no spelling in the engine's own language."""


class CorpusError(LogicalRetrieverError, ValueError):
    """An unreadable file of passages, questions or judgements, or a wrong line in it.

    Attributes:
        path: The file.
        line: The line number from 1; None for the whole file.
    """

    def __init__(self, problem: str, *, path: str, line: int | None, hint: str) -> None:
        self.path, self.line = path, line
        where = path if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: {problem}", hint=hint)


class MissingPackageError(LogicalRetrieverError, ImportError):
    """A missing optional package.

    Attributes:
        install: The command that installs it.
    """

    def __init__(self, what: str, *, install: str) -> None:
        self.install = install
        super().__init__(f"{what} needs a package that is not installed.", hint=f"Run: {install}")


def require(module: str, what: str, *, install: str) -> Any:
    """Import and return a module of an optional package.

    Args:
        module: The name of the module.
        what: What needs it, for the message.
        install: The command that installs it.

    Raises:
        MissingPackageError: The package is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(what, install=install) from error


def check_choice(owner: str, what: str, value: object, choices: object) -> None:
    """Reject a value outside a ``Literal`` type.

    Args:
        owner: Whose argument it is, for the message.
        what: The name of the argument.
        value: The value.
        choices: The ``Literal`` type.

    Raises:
        InvalidArgumentError: The value is not one of the choices; the hint lists them.
    """
    if not isinstance(value, str) or value not in get_args(choices):
        names = ", ".join(map(str, get_args(choices)))
        raise InvalidArgumentError(f"{owner} has no {what} {value!r}.", hint=f"Choose one of {names}.")


def check_count(name: str, value: object, least: int = 1) -> int:
    """Return an integer of Python or NumPy as an int, at most :data:`LARGEST_COUNT`.

    Args:
        name: The argument, for the message.
        value: Its value.
        least: The smallest allowed value.

    Raises:
        InvalidArgumentError: It is no integer, or smaller.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidArgumentError(
            f"{name} must be an integer of at least {least}, got {value!r}.", hint=f"Set {name}={least}, or more."
        )
    return min(int(value), LARGEST_COUNT)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return "Did you mean ...? " with the nearest of the names, to begin a hint with; "" if none is near."""
    folded = {choice.casefold(): choice for choice in names}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f"Did you mean {folded[close[0]]!r}? " if close else ""


def _either(options: tuple[str, ...]) -> str:
    """Join options: "a", "a or b", "a, b or c"."""
    *others, last = options
    return f"{', '.join(others)} or {last}" if others else last
