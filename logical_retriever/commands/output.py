"""Output to the terminal: results to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import rich.progress
from rich.console import Console
from rich.text import Text

from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.reading import TransformWarning

# The libraries read these when they are first imported: no bars, no telemetry, no advice on standard error.
_QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}


results = partial(Console, highlight=False, markup=False, emoji=False)
"""Makes a console on standard output."""
notes = partial(results, stderr=True)
"""Makes a console on standard error."""


def print_error(error: LogicalRetrieverError) -> None:
    """Print an error on standard error, unwrapped: caret pictures and commands must stay whole."""
    parts = (
        ("Error: ", "bold red"),
        error.message,
        ("\nHint: ", "bold"),
        error.hint,
        ("\nMore: ", "bold"),
        error.section,
    )
    notes().print(Text.assemble(*parts), soft_wrap=True)


def print_json(data: Any) -> None:
    """Print data as JSON on standard output; escape what its encoding lacks."""
    unicode = (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")
    sys.stdout.write(json.dumps(data, ensure_ascii=not unicode, indent=2) + "\n")


@contextlib.contextmanager
def working() -> Iterator[None]:
    """Keep standard output for results, and the chatter of libraries off the terminal.

    Warnings of this package are shown, and a user's own ``-W`` or ``PYTHONWARNINGS`` holds. Problems of reading are not
    logged: commands print them with the answer.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("logical_retriever.reading.questions.reader").addHandler(logging.NullHandler())
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        warnings.simplefilter("always", TransformWarning)
        warnings.showwarning = lambda message, *_: notes().print(
            Text.assemble(("Warning: ", "bold yellow"), str(message)), soft_wrap=True
        )
        yield


def track(items: Sequence[Any], what: str) -> Iterable[Any]:
    """Return the items, with a bar on standard error if that is a terminal."""
    console = notes()
    return rich.progress.track(items, what, console=console, transient=True, disable=not console.is_terminal)
