"""A picture of an explanation, with matplotlib and without a display."""

from __future__ import annotations

import io
from textwrap import fill
from typing import Any

from logical_retriever.errors import InvalidArgumentError, require
from logical_retriever.explain.story import Story
from logical_retriever.results import RankedDocument

LABEL = 48
"""Characters of a passage that stand beside its row."""
BRIGHT = 0.6
"""Truth values above it are written in black, on the colour map's light end."""


def plot(story: Story) -> Any:
    """Draw the truth values of documents, a row each, by terms; see ``Explanation.plot``."""
    rows = [*story.result.documents, *story.left_out]
    terms = [*rows[0].truth_values] if rows else []
    if not terms:
        raise InvalidArgumentError(
            "There is nothing to draw: no document has a truth value of a term.",
            hint="Draw an answer that has documents, to a question that has a term.",
        )
    truth = [[row.truth_values[term] for term in terms] for row in rows]
    install = 'pip install "logical-retriever[evaluation]"'
    figure = require("matplotlib.figure", "Drawing an explanation", install=install).Figure(
        figsize=(2.0 * len(terms) + 5.0, 0.42 * len(rows) + 1.4), layout="constrained"
    )
    axes = figure.subplots()
    image = axes.imshow(truth, vmin=0.0, vmax=1.0, cmap="viridis", aspect="auto")
    for row, values in enumerate(truth):
        for column, value in enumerate(values):
            ink = "black" if value > BRIGHT else "white"
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=ink, parse_math=False)
    heads = [fill(f"excluded: {term}" if term in story.excluded else term, 18) for term in terms]
    axes.set_xticks(range(len(terms)), heads, parse_math=False)
    axes.set_yticks(range(len(rows)), [_label(story, row) for row in rows], parse_math=False)
    axes.xaxis.tick_top()
    if story.result.documents and story.left_out:
        axes.axhline(len(story.result.documents) - 0.5, color="white", linewidth=4)
    figure.colorbar(image, label="truth value")
    # A notebook shows it, whether or not pyplot was imported.
    figure._repr_png_ = lambda: _png(figure)
    return figure


def _label(story: Story, document: RankedDocument) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in document.text).split())
    text = text if len(text) <= LABEL else f"{text[: LABEL - 1].rstrip()}…"
    place = story.dense_rank(document.id)
    return f"{text}   dense {f'>{len(story.dense)}' if place is None else place}"


def _png(figure: Any) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=80)
    return buffer.getvalue()
