"""The command line: a table of commands, each loaded when it is asked for."""

from __future__ import annotations

import sys
from typing import NamedTuple

from logical_retriever.errors import MissingPackageError


class Command(NamedTuple):
    """Where a command lives.

    Attributes:
        name: What the user types.
        module: Module whose typer application ``app`` has a command of this name; an ``app`` without one is itself
            mounted under the name, as a group. In a module without ``app``, the function of this name is the command.
        extra: The extra of this package that brings what the module needs.
        summary: What it does, for the list of commands where the module cannot be loaded.
    """

    name: str
    module: str
    extra: str
    summary: str


COMMANDS = (
    Command("demo", "logical_retriever.commands.demo", "cli", "Plain dense beside logical retrieval."),
    Command("ask", "logical_retriever.commands.ask", "cli", "Ask a question of your own passages."),
    Command("parse", "logical_retriever.commands.parse", "cli", "Draw a logical query."),
    Command("serve", "logical_retriever.commands.serve", "mcp", "Offer your passages to agents, over MCP."),
    Command("eval", "logical_retriever.commands.evaluation", "evaluation", "Evaluate on a benchmark folder."),
    Command("report", "logical_retriever.commands.evaluation", "evaluation", "Turn evaluations into a page."),
    Command("calibrate", "logical_retriever.lab.calibrate", "evaluation", "Fit truth values to labelled pairs."),
    Command("synthesize", "logical_retriever.lab.synthesis.commands", "evaluation", "Make a test set of documents."),
)


def install_line(extra: str) -> str:
    """The command that installs an extra of this package."""
    return f'pip install "logical-retriever[{extra}]"'


def main() -> None:
    """Run the command line; ends the process."""
    try:
        try:
            import rich  # noqa: F401 - only whether it is there
            import typer  # noqa: F401 - only whether it is there
        except ImportError:
            error = MissingPackageError("The command line", install=install_line("cli"))
            sys.stderr.write(f"Error: {error}\n")
            sys.exit(2)
        from logical_retriever.commands.group import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
