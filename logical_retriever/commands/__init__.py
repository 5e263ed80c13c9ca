"""The command line. Its modules are imported when their command is used.

For programs: ``mcp_server.make_server`` serves a retriever over MCP. The other modules are private.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command of the command line.

    Attributes:
        name: As the user types it.
        module: Module whose typer application ``app`` has a command of this name.
        extra: The extra of this package that brings the packages of the module.
        summary: For the list of commands where the module cannot be loaded.
    """

    name: str
    module: str
    extra: str
    summary: str


COMMANDS = (
    Command("demo", "logical_retriever.commands.demo", "cli", "Plain dense beside logical retrieval."),
    Command("ask", "logical_retriever.commands.ask", "cli", "Ask a question of your own passages."),
    Command("parse", "logical_retriever.commands.parse", "cli", "Read and print a logical query."),
    Command("play", "logical_retriever.commands.servers", "mcp", "Ask and look, on a page of this machine."),
    Command("serve", "logical_retriever.commands.servers", "mcp", "Offer your passages to agents, over MCP."),
    Command("eval", "logical_retriever.commands.evaluation", "evaluation", "Evaluate on a benchmark folder."),
)


def install_line(extra: str) -> str:
    """Return the shell command that installs an extra of this package."""
    return f'pip install "logical-retriever[{extra}]"'
