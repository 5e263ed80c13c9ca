"""The group of commands: imports each when it is needed, and turns errors into messages and exit codes."""

from __future__ import annotations

import importlib
import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from logical_retriever import __version__
from logical_retriever.commands import COMMANDS, Command, install_line
from logical_retriever.commands.output import print_error
from logical_retriever.errors import LogicalRetrieverError, MissingPackageError


class CommandGroup(TyperGroup):
    """The commands of the table, each imported when it is needed."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = dict.fromkeys(row.name for row in COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        """Import and return the command of this name; None if there is none."""
        return next((_loaded(row) for row in COMMANDS if row.name == cmd_name), None)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; print an error of this package with its hint, and exit with 2."""
        try:
            return super().invoke(ctx)
        except LogicalRetrieverError as error:
            print_error(error)
            raise typer.Exit(2) from error


app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,  # rich would read "[mcp]" in a help text as markup, and cut names of options
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"logical-retriever {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Search with the NOT, AND and OR of a question."""


def run() -> None:
    """Run the command line, and end the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal cannot show must not end the search.
            stream.reconfigure(errors="replace")
    app(prog_name="logical-retriever")


def _loaded(row: Command) -> Any:
    """Import and return a command; if its packages are missing, one that says what to install."""
    try:
        group = typer.main.get_group(importlib.import_module(row.module).app)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == "logical_retriever":
            raise
        return _uninstalled(row)
    command: Any = group.commands.get(row.name, group)
    command.rich_markup_mode = None
    return command


def _uninstalled(row: Command) -> TyperCommand:
    needs = f"{row.summary} Needs: {install_line(row.extra)}"

    def refuse() -> None:
        raise MissingPackageError(f"The command {row.name!r}", install=install_line(row.extra))

    return TyperCommand(
        row.name,
        callback=refuse,
        help=needs,
        short_help=needs,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        rich_markup_mode=None,
    )
