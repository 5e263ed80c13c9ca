"""``logical-retriever parse``: read a logical query."""

from __future__ import annotations

from typing import Annotated

import typer

from logical_retriever.query import parse as parse_query

app = typer.Typer()


@app.command("parse")
def parse(
    query: Annotated[str, typer.Argument(help="A logical query; quote it for the shell.", show_default=False)],
) -> None:
    """Read a logical query, and print it in its canonical spelling.

    Example: logical-retriever parse 'vitamin D AND NOT "bone health"'
    """
    typer.echo(parse_query(query))
