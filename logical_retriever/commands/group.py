"""The group of commands: loads them by name, and turns errors into messages and exit codes."""

from __future__ import annotations

import difflib
import importlib
import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from logical_retriever import __version__
from logical_retriever.commands import COMMANDS, Command, install_line
from logical_retriever.commands.output import notes, print_error
from logical_retriever.errors import LogicalRetrieverError, MissingPackageError

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130


class CommandGroup(TyperGroup):
    """Commands of the table, each imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Names of the commands, in the table's order."""
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        """The command of this name, or None."""
        return next((_loaded(row) for row in COMMANDS if row.name == cmd_name), None)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named; where there is none, the error says which is meant."""
        close = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1) if args else []
        if close and close[0] != args[0]:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {close[0]!r}?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; errors of this package become a message, a hint and exit code 2."""
        try:
            return super().invoke(ctx)
        except LogicalRetrieverError as error:
            print_error(error)
            raise typer.Exit(EXIT_ERROR) from error
        except KeyboardInterrupt:
            notes().print("Interrupted.")
            raise typer.Exit(EXIT_INTERRUPTED) from None


app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,  # rich would take "[mcp]" in a help text for markup, and cut names of options
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
    """Retrieval that honours the NOT, AND and OR of a question."""


def run() -> None:
    """Run the command line; ends the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character of a passage must not end the search.
            stream.reconfigure(errors="replace")
    app(prog_name="logical-retriever")


def _loaded(row: Command) -> Any:
    try:
        loaded = importlib.import_module(row.module).app
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == "logical_retriever":
            raise
        loaded = _uninstalled(row)
    command: Any = typer.main.get_group(loaded).commands[row.name]
    command.rich_markup_mode = None
    return command


def _uninstalled(row: Command) -> typer.Typer:
    """A command in place of one whose packages are missing: it says what to install."""
    stand_in = typer.Typer()
    needs = f"{row.summary} Needs: {install_line(row.extra)}"
    open_to_all = {"ignore_unknown_options": True, "allow_extra_args": True}

    @stand_in.command(row.name, short_help=needs, help=needs, context_settings=open_to_all)
    def refuse() -> None:
        raise MissingPackageError(f"The command {row.name!r}", install=install_line(row.extra))

    return stand_in
