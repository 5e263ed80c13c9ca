"""Every error this package raises on purpose, with one hint each.

LogicalRetrieverError
├── PicturedError                           a text with a caret under the culprit; both kinds of syntax errors
├── LogicalQueryError (ValueError)          the query; the author of the query can act
│   ├── LogicalSyntaxError                  the text is not in the grammar
│   ├── FieldError                          a condition names no field, or does not go with its field
│   └── QueryLimitError                     it is, but it has too many terms or levels
├── InvalidArgumentError (ValueError)       an argument; the developer can act
│   └── EmptyQuestionError
├── TransformError                          question -> query went wrong
│   ├── LLMCallError                        the model raised or answered nothing
│   └── LLMAnswerError                      it answered, but not with a logical query
├── EmbeddingError                          the encoder's vectors cannot be used
├── SemanticsError                          a semantics cannot score what it was given
├── StoreError                              the store of documents
│   ├── UnsupportedStoreError               no adapter for this class
│   ├── StoreCapabilityError                the store cannot do what the query needs
│   └── VectorMismatchError (ValueError)    dimensions or values do not fit
├── UnsupportedByEngineError                an engine's own language cannot say the query
├── CorpusError (ValueError)                a corpus or benchmark file, with file and line
└── MissingPackageError (ImportError)       an optional package is not installed
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
    """Half-open range of character offsets into a query text, ``text[start:end]``."""

    start: int
    end: int


class LogicalRetrieverError(Exception):
    """Root of all errors of this package.

    Attributes:
        message: What was wrong and where.
        hint: One sentence on what to do about it.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nHint: {self.hint}\nMore: {self.section}"

    @property
    def section(self) -> str:
        """Where the docs say more: of an error of this module, and of those derived from it elsewhere."""
        base = next(cls for cls in type(self).__mro__ if cls.__module__ == __name__)
        return f"docs/errors.md#{base.__name__.lower()}"

    def __reduce__(self) -> tuple[object, ...]:
        # Subclasses take keyword-only arguments, which Exception's own pickling would drop.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class LogicalQueryError(LogicalRetrieverError, ValueError):
    """A logical query that cannot be used."""


class PicturedError(LogicalRetrieverError):
    """A text that is not in a grammar.

    The message is written for whoever wrote the text, person or language model: it shows the text with a
    caret under the culprit, and says in words what was expected there.

    Attributes:
        text: The whole text that was parsed.
        span: The offending characters; empty (``start == end``) at the end of the text.
        expected: What would have been accepted at ``span.start``, in words.
    """

    def __init__(self, problem: str, *, text: str, span: Span, expected: tuple[str, ...], hint: str) -> None:
        self.problem = problem
        self.text = text
        self.span = span
        self.expected = expected
        wanted = f"\nExpected {_either(expected)}." if expected else ""
        super().__init__(f"{problem} (characters {span.start}-{span.end})\n{self.picture}{wanted}", hint=hint)

    @property
    def picture(self) -> str:
        """The line of the text around the span, and a line of carets under the span."""
        start, end = self.span
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", start)
        line_end = len(self.text) if line_end == -1 else line_end
        left, right = max(line_start, start - 60), min(line_end, max(end, start + 1) + 40, start + 200)
        before, after = "..." if left > line_start else "", "..." if right < line_end else ""
        shown = "".join(c if c.isprintable() else " " for c in self.text[left:right])
        carets = max(1, min(end, right) - start)
        return f"  {before}{shown}{after}\n  {' ' * (len(before) + start - left)}{'^' * carets}"


class LogicalSyntaxError(PicturedError, LogicalQueryError):
    """A text that is not a logical query."""


class FieldError(LogicalQueryError):
    """A condition on a field that there is not, or that the field cannot be compared with."""


class QueryLimitError(LogicalQueryError):
    """A query with too many terms, or nested too deeply."""


class InvalidArgumentError(LogicalRetrieverError, ValueError):
    """An argument outside the values a function is defined for."""


class EmptyQuestionError(InvalidArgumentError):
    """A question without any visible character."""


class TransformError(LogicalRetrieverError):
    """A question could not be turned into a logical query."""


class LLMCallError(TransformError):
    """The language model raised, or answered with nothing."""


class LLMAnswerError(TransformError):
    """The language model's answer is not a logical query, after repair.

    Attributes:
        answers: The raw answers, oldest first.
    """

    def __init__(self, message: str, *, hint: str, answers: tuple[str, ...]) -> None:
        self.answers = answers
        super().__init__(message, hint=hint)


class EmbeddingError(LogicalRetrieverError):
    """The embedder raised, or returned vectors that cannot be used."""


class SemanticsError(LogicalRetrieverError):
    """A semantics cannot score this query with this evidence."""


class StoreError(LogicalRetrieverError):
    """A store failed or returned something inconsistent."""


class UnsupportedStoreError(StoreError):
    """No adapter is known for this class of store."""


class StoreCapabilityError(StoreError):
    """The store cannot do what the query needs."""


class VectorMismatchError(StoreError, ValueError):
    """Vectors whose dimension or values do not fit together."""


class UnsupportedByEngineError(LogicalRetrieverError):
    """A query, semantics or filter that cannot be said in an engine's own language; nothing of it is left out."""


class CorpusError(LogicalRetrieverError, ValueError):
    """A file of passages, questions or judgements that cannot be read, or a line of it.

    Attributes:
        path: The file.
        line: 1-based line number, or None when the whole file is meant.
    """

    def __init__(self, problem: str, *, path: str, line: int | None, hint: str) -> None:
        self.path = path
        self.line = line
        where = path if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: {problem}", hint=hint)


class MissingPackageError(LogicalRetrieverError, ImportError):
    """An optional package is needed and not installed.

    Attributes:
        install: The exact command that installs it.
    """

    def __init__(self, what: str, *, install: str) -> None:
        self.install = install
        super().__init__(f"{what} needs a package that is not installed.", hint=f"Run: {install}")


def require(module: str, what: str, *, install: str) -> Any:
    """Import a module of an optional package, needed for ``what``.

    Raises:
        MissingPackageError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(what, install=install) from error


def check_choice(owner: str, what: str, value: object, choices: object) -> None:
    """Refuse a value that is none of the choices of a ``Literal`` type.

    Raises:
        InvalidArgumentError: It is none of them.
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
    """The name that may be meant, as the beginning of a hint; empty where none is near."""
    folded = {choice.casefold(): choice for choice in names}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f"Did you mean {folded[close[0]]!r}? " if close else ""


def _either(options: tuple[str, ...]) -> str:
    """Join options in words: "a", "a or b", "a, b or c"."""
    *others, last = options
    return f"{', '.join(others)} or {last}" if others else last
