"""``logical-retriever parse``: draws a logical query."""

from __future__ import annotations

from typing import Annotated

import typer

from logical_retriever.query import parse as parse_query

app = typer.Typer()


@app.command("parse")
def parse(
    query: Annotated[str, typer.Argument(help="A logical query; quote it for the shell.", show_default=False)],
) -> None:
    """Draw a logical query as a tree, and print its canonical text.

    Example: logical-retriever parse 'vitamin D AND NOT "bone health"'
    """
    tree = parse_query(query)
    typer.echo(tree.tree())
    typer.echo(f"\n{tree}")
