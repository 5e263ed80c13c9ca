"""Tables for the terminal, from the JSON form of an outcome."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from logical_retriever.evaluation.optional import require
from logical_retriever.files import replacing

PAIRWISE = "WantedAboveUnwanted"
"""Its accuracy is shown by groups too."""
GROUPINGS = {"by_type": "query type", "by_coarse_type": "query type", "by_negations": "number of negations"}


class Cell(NamedTuple):
    """A value of a table; None where the measure is not defined there.

    Attributes:
        value: The value.
        best: Whether no method has a better one.
        p: Its p-value against the baseline after Holm's correction, where it was tested.
    """

    value: float | None
    best: bool
    p: float | None

    @property
    def text(self) -> str:
        """Three digits, and ``*`` where p < 0.05."""
        if self.value is None:
            return "-"
        return f"{self.value:.3f}" + ("*" if self.p is not None and self.p < 0.05 else "")


def columns(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Measures worth a column: those shown that are defined for some question."""
    return tuple(name for name in data["columns"] if any(name in method for method in data["methods"].values()))


def overall(data: Mapping[str, Any]) -> tuple[list[str], dict[str, list[Cell]]]:
    """Headings of the measures, and a row of their values for each method."""
    parts = [(name, data["methods"]) for name in columns(data)]
    return [data["columns"][name]["heading"] for name, _ in parts], _rows(data, parts)


def by_group(
    data: Mapping[str, Any], by: str, measure: str | None = None
) -> tuple[list[tuple[str, int]], dict[str, list[Cell]]]:
    """Groups with their numbers of questions, and a row of a measure, by default the first, for each method."""
    first = next(iter(data["methods"].values()))
    measure = columns(data)[0] if measure is None else measure
    parts = [(measure, {name: own[by][group] for name, own in data["methods"].items()}) for group in first[by]]
    return [(group, own["queries"]) for group, own in first[by].items()], _rows(data, parts)


def _rows(data: Mapping[str, Any], parts: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, list[Cell]]:
    rows: dict[str, list[Cell]] = {name: [] for name in data["methods"]}
    for measure, methods in parts:
        present = [own[measure] for own in methods.values() if measure in own]
        choose = min if data["columns"][measure]["lower_is_better"] else max
        best = choose(present, default=None)
        for name, own in methods.items():
            value = own.get(measure)
            rows[name].append(Cell(value, value is not None and value == best, own.get("p", {}).get(measure)))
    return rows


def grouping(data: Mapping[str, Any], by: str) -> str:
    """The grouping to show: coarse types in place of types where there are fewer of them."""
    first = next(iter(data["methods"].values()))
    return "by_coarse_type" if by == "by_type" and len(first["by_coarse_type"]) < len(first["by_type"]) else by


def print_tables(data: Mapping[str, Any], console: Any) -> None:
    """Print the methods' measures, then the first measure and pairwise accuracy by groups, then what failed."""
    console.print(overall_table(data))
    shown = columns(data)
    measures = (shown[0], PAIRWISE) if PAIRWISE in shown[1:] else shown[:1]
    for by in ("by_type", "by_negations"):
        for measure in measures:
            table = group_table(data, grouping(data, by), measure)
            if table is not None:
                console.print(table)
    for problem in data["problems"]:
        said = f"{problem['count']} {problem['what']}: {', '.join(problem['examples'])}"
        console.print(said, style="yellow", highlight=False, markup=False)
    for line in failure_lines(data["failures"]):
        console.print(line, style="red", highlight=False, markup=False)


def overall_table(data: Mapping[str, Any]) -> Any:
    """A rich table: one row a method; the best value of each column is bold, ``*`` marks p < 0.05 after Holm."""
    headings, rows = overall(data)
    table = _table(
        f"{data['dataset']}: {data['queries']} queries, {data['documents']} documents",
        (*headings, "ms/query", "vectors/query"),
    )
    for name, cells in rows.items():
        cost = data["methods"][name]["cost"]
        costs = f"{cost['milliseconds_per_query']:.2f}", f"{cost['vectors_per_query']:.1f}"
        table.add_row(name, *map(_shown, cells), *costs)
    said = []
    if data["baseline"] is not None:
        said.append(f"* differs from {data['baseline']}, p < 0.05 (Wilcoxon, Holm)")
    if PAIRWISE in columns(data):
        said.append("pairwise: share of questions whose best wanted document scores above the best unwanted one")
    table.caption = "\n".join(said)
    return table


def group_table(data: Mapping[str, Any], by: str, measure: str | None = None) -> Any | None:
    """A rich table of a measure, by default the first, by group, or None where there are fewer than two groups."""
    measure = columns(data)[0] if measure is None else measure
    groups, rows = by_group(data, by, measure)
    if len(groups) < 2:
        return None
    named = "pairwise" if measure == PAIRWISE else measure
    table = _table(f"{named} by {GROUPINGS[by]}", [f"{name} ({queries})" for name, queries in groups])
    for name, cells in rows.items():
        table.add_row(name, *map(_shown, cells))
    return table


def failure_lines(failures: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line a stage: how many questions failed there, of which types, and the first of them."""
    stages: dict[str, list[Mapping[str, Any]]] = {}
    for failure in failures:
        stages.setdefault(failure["stage"], []).append(failure)
    lines = []
    for stage, own in stages.items():
        what = "were not transformed (the plain question was used)" if stage == "transform" else f"failed in {stage}"
        types = Counter(kind for failure in own if (kind := failure.get("type")) is not None)
        counted = f" ({', '.join(f'{kind} {count}' for kind, count in sorted(types.items()))})" if types else ""
        problem = own[0]["problem"].splitlines()[0]
        lines.append(f"{len(own)} questions {what}{counted}, first {own[0]['question']}: {problem}")
    return lines


def write_csv(data: Mapping[str, Any], path: str | Path) -> None:
    """Write one row for every method, group and measure: dataset, method, grouping, group, queries, measure, value."""
    with replacing(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("dataset", "method", "grouping", "group", "queries", "measure", "value"))
        for name, method in data["methods"].items():
            groups = [("overall", "", {"queries": data["queries"], **method})]
            groups += [(by, group, own) for by in GROUPINGS for group, own in method[by].items()]
            for by, group, own in groups:
                for measure in data["measures"]:
                    if measure in own:
                        writer.writerow((data["dataset"], name, by, group, own["queries"], measure, own[measure]))


def _table(title: str, headings: Sequence[str]) -> Any:
    table = require("rich.table", "Printing a table").Table(title=title, title_justify="left", min_width=len(title))
    table.add_column("method", no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _shown(cell: Cell) -> str:
    return f"[bold]{cell.text}[/bold]" if cell.best else cell.text
