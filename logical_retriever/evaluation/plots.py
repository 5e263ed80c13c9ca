"""Bar charts of an outcome, with matplotlib and without a display."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from logical_retriever.evaluation.optional import require
from logical_retriever.evaluation.tables import GROUPINGS, columns, grouping
from logical_retriever.files import replacing

COLOURS = ("#8a8f98", "#3b7dd8", "#e0853d", "#3fa36b", "#b0559f", "#c8a92e", "#4fb3bf", "#d0564c", "#7a68c9", "#94754f")
"""Readable on white and on near-black; the first is the baseline's grey."""
_INK = "#0a0b0c"
"""Stands for the page's own text colour until the SVG is embedded."""


def figures(data: Mapping[str, Any]) -> dict[str, Any]:
    """Matplotlib figures of an outcome's JSON form by file name: overall, by query type and by number of negations.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    measure = columns(data)[0]
    drawn = {"overall": _overall(data, measure)}
    for by in ("by_type", "by_negations"):
        own = grouping(data, by)
        groups = next(iter(data["methods"].values()))[own]
        if len(groups) > 1:
            drawn[by] = _grouped(data, measure, own)
    return drawn


def save_plots(data: Mapping[str, Any], folder: str | Path) -> list[Path]:
    """Write the figures as PNG files and return their paths."""
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, figure in figures(data).items():
        paths.append(root / f"{_file_name(data['dataset'])}.{name}.png")
        with replacing(paths[-1]) as draft:
            figure.savefig(draft, dpi=150, facecolor="white")
    return paths


def svg(figure: Any) -> str:
    """A figure as an SVG element whose ink is the page's text colour and whose background is the page's."""
    buffer = io.StringIO()
    matplotlib = require("matplotlib", "Drawing a chart")
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "logical-retriever"}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(_INK, "currentColor")
    # The page scales the chart; a fixed size in points would overflow a narrow window.
    return re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1))


def _overall(data: Mapping[str, Any], measure: str) -> Any:
    names = list(data["methods"])
    values = [data["methods"][name].get(measure, 0.0) for name in names]
    intervals = [
        data["methods"][name]["interval"].get(measure, (value, value))
        for name, value in zip(names, values, strict=True)
    ]
    figure, axes = _axes(8.0, 0.6 + 0.32 * len(names))
    places = range(len(names))
    errors = [
        [max(0.0, value - low) for value, (low, _) in zip(values, intervals, strict=True)],
        [max(0.0, high - value) for value, (_, high) in zip(values, intervals, strict=True)],
    ]
    axes.barh(places, values, xerr=errors, color=_colours(data), ecolor=_INK, error_kw={"linewidth": 0.8})
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(0.0, max(1.0, 1.05 * max(values)))
    axes.set_xlabel(f"{measure}, 95% interval")
    axes.xaxis.grid(visible=True, color=_INK, alpha=0.15)
    return figure


def _grouped(data: Mapping[str, Any], measure: str, by: str) -> Any:
    methods = data["methods"]
    groups = next(iter(methods.values()))[by]
    figure, axes = _axes(max(8.0, 0.5 + 0.09 * len(groups) * (len(methods) + 2)), 3.6)
    width = 0.84 / len(methods)
    for place, (name, colour) in enumerate(zip(methods, _colours(data), strict=True)):
        heights = [methods[name][by][group].get(measure, 0.0) for group in groups]
        at = [x - 0.42 + (place + 0.5) * width for x in range(len(groups))]
        axes.bar(at, heights, width=width, color=colour, label=name)
    axes.set_xticks(range(len(groups)), [f"{group}\n{own['queries']}" for group, own in groups.items()])
    axes.set_ylim(0.0, max(1.0, axes.get_ylim()[1]))
    axes.set_ylabel(measure)
    axes.set_xlabel(f"{GROUPINGS[by]}, number of queries below")
    axes.yaxis.grid(visible=True, color=_INK, alpha=0.15)
    axes.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, labelcolor=_INK, fontsize=8)
    return figure


def _axes(width: float, height: float) -> tuple[Any, Any]:
    # Figure without pyplot: no display, no global state, nothing to close.
    figure = require("matplotlib.figure", "Drawing a chart").Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_INK)
    axes.tick_params(colors=_INK, labelsize=9)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)
    return figure, axes


def _colours(data: Mapping[str, Any]) -> list[str]:
    """One colour a method: the baseline is grey, the others take turns."""
    others = [name for name in data["methods"] if name != data["baseline"]]
    turn = {name: COLOURS[1 + place % (len(COLOURS) - 1)] for place, name in enumerate(others)}
    return [turn.get(name, COLOURS[0]) for name in data["methods"]]


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name)
