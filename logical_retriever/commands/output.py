"""Output to the terminal: results to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.transform.base import TransformWarning

SAID_EVERY_S = 10.0
"""Seconds between two lines on progress, where there is no terminal for a bar."""

# Read by the libraries when they are first imported: no bars, no telemetry, no advice on standard error.
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}


def results() -> Console:
    """Console on standard output."""
    return Console(highlight=False, markup=False, emoji=False)


def notes() -> Console:
    """Console on standard error."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def print_error(error: LogicalRetrieverError) -> None:
    """Print message and hint on standard error, unwrapped: caret pictures and commands must stay whole."""
    console = notes()
    console.print(Text.assemble(("Error: ", "bold red"), error.message), soft_wrap=True)
    console.print(Text.assemble(("Hint: ", "bold"), error.hint, ("\nMore: ", "bold"), error.section), soft_wrap=True)


def print_json(data: Any) -> None:
    """Print data as JSON on standard output, characters outside its encoding escaped."""
    unicode = (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")
    sys.stdout.write(json.dumps(data, ensure_ascii=not unicode, indent=2) + "\n")


def plain(text: str, width: int | None = None) -> str:
    """A text on one line, without characters that a terminal would act on, at most ``width`` long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if width is None or len(line) <= width else f"{line[: width - 1].rstrip()}…"


@contextlib.contextmanager
def _said_once() -> Iterator[None]:
    """Leave out of the log what rules did not understand: commands say it with the answer."""
    reader = logging.getLogger("logical_retriever.transform.reader")
    reader.addFilter(_nothing)
    try:
        yield
    finally:
        reader.removeFilter(_nothing)


def _nothing(_record: logging.LogRecord) -> bool:
    return False


@contextlib.contextmanager
def working() -> Iterator[None]:
    """Keep standard output for results while libraries work, and their chatter off the terminal.

    Warnings of this package are shown; a user's own ``-W`` or ``PYTHONWARNINGS`` is honoured.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("pypdf").addHandler(
        logging.NullHandler()
    )  # it says of most PDFs what it would have done otherwise
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr), _said_once():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        warnings.simplefilter("always", TransformWarning)
        show_any = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, TransformWarning):
                notes().print(Text.assemble(("Warning: ", "bold yellow"), str(message)), soft_wrap=True)
            else:
                show_any(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield


@contextlib.contextmanager
def encoding_bar(total: int) -> Iterator[Any]:
    """Progress on standard error, with rate and time left; yields a function that takes how many were newly encoded.

    A bar where that is a terminal; elsewhere a line at most every ten seconds.
    """
    columns = (
        *(TextColumn("Encoding"), BarColumn(), MofNCompleteColumn(), TextColumn("passages")),
        *(_Rate(), TimeRemainingColumn()),
    )
    console = notes()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Encoding", total=total)
        said = time.monotonic()

        def advance(count: int) -> None:
            nonlocal said
            progress.advance(task, count)
            if not console.is_terminal and time.monotonic() - said > SAID_EVERY_S:
                said, now = time.monotonic(), progress.tasks[0]
                left = "" if now.time_remaining is None else f", {now.time_remaining:.0f} s left"
                rate = "" if now.speed is None else f", {now.speed:.1f} a second"
                console.print(f"Encoded {now.completed:.0f} of {total} passages{rate}{left}.")

        yield advance


class _Rate(ProgressColumn):
    """Passages a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.0f}/s")
