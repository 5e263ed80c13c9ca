"""A progress bar for second stages, where rich is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from logical_retriever.lab.nsir.base import Progress


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on standard error, one line a stage; without rich, or where standard error is no terminal, nothing.

    Yields:
        What to pass as ``progress``.
    """
    try:
        rich: Any = importlib.import_module("rich.progress")
        console: Any = importlib.import_module("rich.console").Console(stderr=True)
    except ImportError:
        yield _silent
        return
    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    bar = rich.Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    tasks: dict[str, Any] = {}

    def advance(stage: str, done: int, total: int) -> None:
        if stage not in tasks:
            tasks[stage] = bar.add_task(stage, total=total)
        bar.update(tasks[stage], completed=done, total=total)

    with bar:
        yield advance


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total  # there is nowhere to show them
