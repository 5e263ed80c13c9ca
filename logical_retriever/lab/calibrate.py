"""The command ``calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.lab.pairs import cosines_of, read_pairs
from logical_retriever.semantics import Logistic

app = typer.Typer()


@app.command("calibrate")
def calibrate_command(
    pairs: Annotated[
        Path,
        typer.Argument(
            help="Labelled pairs: JSON Lines of term, text (or cosine) and label 0 or 1; .tsv with these as header.",
            show_default=False,
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the fitted curve.")] = Path(
        "calibration.json"
    ),
    model: Annotated[str, typer.Option(help="Sentence-transformers model that the curve is for.")] = DEFAULT_MODEL,
) -> None:
    """Fit a truth value for cosines to labelled pairs of a term and a document.

    The encoder is loaded only where a pair has a text instead of a cosine.
    """
    labelled = read_pairs(pairs)
    cosines = cosines_of(labelled, lambda: SentenceTransformerEmbedder(model))
    labels = np.array([pair.label for pair in labelled])
    fitted = Logistic.fit(cosines, labels, model=model)
    fitted.save(output)
    right = ((fitted(cosines) > 0.5) == (labels == 1)).mean()
    typer.echo(
        f"{len(labelled)} pairs, {labels.sum()} about their term: tau = {fitted.tau:.4f}, scale = {fitted.scale:.3f}; "
        f"{100 * right:.1f}% on the right side of 0.5."
    )
    typer.echo(f"Wrote {output}", err=True)
