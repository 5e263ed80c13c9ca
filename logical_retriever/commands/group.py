"""The group of commands: loads them by name, and turns errors into messages and exit codes."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import io
import shutil
import signal
import sys
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from logical_retriever import __version__
from logical_retriever.commands import COMMANDS, Command, install_line
from logical_retriever.commands.output import notes, print_error
from logical_retriever.errors import LogicalRetrieverError, MissingPackageError

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130
NARROW = 70
"""Columns below which the help of options is a list: a table of them would cut their names."""


class CommandGroup(TyperGroup):
    """Commands of the table, each imported when it is needed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Names of the commands that this version has, in the table's order."""
        return [row.name for row in COMMANDS if _present(row)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        """The command of this name, or None."""
        row = next((row for row in COMMANDS if row.name == cmd_name and _present(row)), None)
        return None if row is None else _loaded(row)

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
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            # Their default ends the process where it stands; raising lets temporary folders be removed.
            signal.signal(getattr(signal, name), _terminated)
    app(prog_name="logical-retriever")


def _terminated(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _present(row: Command) -> bool:
    """Whether this version has the command's module, loadable or not."""
    try:
        return importlib.util.find_spec(row.module) is not None
    except ModuleNotFoundError as error:
        return not (error.name is not None and row.module.startswith(error.name))


def _loaded(row: Command) -> Any:
    try:
        module = importlib.import_module(row.module)
    except ImportError as error:
        if error.name is not None and error.name.split(".")[0] == __name__.split(".")[0]:
            raise
        return _uninstalled(row)
    group = typer.main.get_group(module.app)
    command: Any = group.commands.get(row.name, group)
    if shutil.get_terminal_size().columns < NARROW:
        command.rich_markup_mode = None
    return command


def _uninstalled(row: Command) -> Any:
    """A command in place of one whose packages are missing: it says what to install."""
    stand_in = typer.Typer(add_completion=False)

    @stand_in.command(
        row.name,
        help=f"{row.summary} Needs: {install_line(row.extra)}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def refuse() -> None:
        raise MissingPackageError(f"The command {row.name!r}", install=install_line(row.extra))

    return typer.main.get_group(stand_in).commands[row.name]
