"""The entry point of the command line."""

from __future__ import annotations

import sys

from logical_retriever.commands import install_line
from logical_retriever.errors import MissingPackageError


def main() -> None:
    """Run the command line, and end the process; without its packages, say what to install."""
    try:
        from logical_retriever.commands.group import run
    except ImportError as error:
        if error.name is None or error.name.partition(".")[0] not in ("rich", "typer"):
            raise
        sys.stderr.write(f"Error: {MissingPackageError('The command line', install=install_line('cli'))}\n")
        sys.exit(2)
    run()
