"""Tables for the terminal, from the JSON form of an outcome."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from logical_retriever.evaluation.optional import require

GROUPINGS = {"by_type": "query type", "by_coarse_type": "query type", "by_negations": "number of negations"}


def columns(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Measures worth a column: nDCG and RR at the smallest cutoff, AP and R at the largest, and those of negation."""
    cutoffs = sorted({int(name.partition("@")[2]) for name in data["measures"] if "@" in name})
    first, last = cutoffs[0], cutoffs[-1]
    wanted: tuple[str, ...] = (f"nDCG@{first}", f"AP@{last}", f"R@{last}", f"RR@{first}", f"LSNC@{last}")
    wanted = (*wanted, f"Violation@{first}", "WantedAboveUnwanted")
    return tuple(name for name in wanted if any(name in method for method in data["methods"].values()))


def grouping(data: Mapping[str, Any], by: str) -> str:
    """The grouping to show: coarse types in place of types where there are fewer of them."""
    first = next(iter(data["methods"].values()))
    return "by_coarse_type" if by == "by_type" and len(first["by_coarse_type"]) < len(first["by_type"]) else by


def print_tables(data: Mapping[str, Any], console: Any) -> None:
    """Print the methods' measures, then the first measure by query type and number of negations, then what failed.

    Args:
        data: The JSON form of an outcome.
        console: A rich Console.
    """
    console.print(overall_table(data))
    for by in ("by_type", "by_negations"):
        table = group_table(data, grouping(data, by))
        if table is not None:
            console.print(table)
    for problem in data["problems"]:
        examples = ", ".join(problem["examples"])
        console.print(f"[yellow]{problem['count']} {problem['what']}[/yellow]: {examples}", highlight=False)
    for line in failure_lines(data["failures"]):
        console.print(f"[red]{line}[/red]", highlight=False)


def overall_table(data: Mapping[str, Any]) -> Any:
    """A rich table: one row a method; the best value of each column is bold, ``*`` marks p < 0.05 after Holm."""
    table = _table(f"{data['dataset']}: {data['queries']} queries, {data['documents']} documents")
    shown = columns(data)
    table.add_column("method", no_wrap=True)
    for name in (*shown, "ms/query", "vectors/query"):
        table.add_column("wanted>" if name == "WantedAboveUnwanted" else name, justify="right")
    best = {name: _best(name, [method.get(name) for method in data["methods"].values()]) for name in shown}
    for name, method in data["methods"].items():
        cells = [_cell(method.get(column), best[column], method["p"].get(column)) for column in shown]
        cost = method["cost"]
        table.add_row(name, *cells, f"{cost['milliseconds_per_query']:.2f}", f"{cost['vectors_per_query']:.1f}")
    if data["baseline"] is not None:
        table.caption = f"* differs from {data['baseline']}, p < 0.05 (Wilcoxon, Holm)"
    return table


def group_table(data: Mapping[str, Any], by: str) -> Any | None:
    """A rich table of the first measure by group, or None where there are fewer than two groups."""
    measure = columns(data)[0]
    first = next(iter(data["methods"].values()))
    groups = first[by]
    if len(groups) < 2:
        return None
    table = _table(f"{measure} by {GROUPINGS[by]}")
    table.add_column("method", no_wrap=True)
    for name, values in groups.items():
        table.add_column(f"{name} ({values['queries']})", justify="right")
    best = {name: max(method[by][name][measure] for method in data["methods"].values()) for name in groups}
    for name, method in data["methods"].items():
        table.add_row(name, *(_cell(method[by][group].get(measure), best[group], None) for group in groups))
    return table


def failure_lines(failures: Sequence[Mapping[str, str]]) -> list[str]:
    """One line a stage: how many questions failed there, and the first of them."""
    stages: dict[str, list[Mapping[str, str]]] = {}
    for failure in failures:
        stages.setdefault(failure["stage"], []).append(failure)
    lines = []
    for stage, own in stages.items():
        what = "were not transformed (the plain question was used)" if stage == "transform" else f"failed in {stage}"
        problem = own[0]["problem"].splitlines()[0]
        lines.append(f"{len(own)} questions {what}, first {own[0]['question']}: {problem}")
    return lines


def write_csv(data: Mapping[str, Any], path: str | Path) -> None:
    """Write one row for every method, group and measure: dataset, method, grouping, group, queries, measure, value."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("dataset", "method", "grouping", "group", "queries", "measure", "value"))
        for name, method in data["methods"].items():
            groups = [("overall", "", {"queries": data["queries"], **method})]
            groups += [(by, group, own) for by in GROUPINGS for group, own in method[by].items()]
            for by, group, own in groups:
                for measure in data["measures"]:
                    if measure in own:
                        writer.writerow((data["dataset"], name, by, group, own["queries"], measure, own[measure]))


def _table(title: str) -> Any:
    return require("rich.table", "Printing a table").Table(title=title, title_justify="left", min_width=len(title))


def _best(measure: str, values: Sequence[float | None]) -> float:
    present = [value for value in values if value is not None]
    return min(present) if measure.startswith("Violation") else max(present)


def _cell(value: float | None, best: float, p: float | None) -> str:
    if value is None:
        return "-"
    text = f"{value:.3f}" + ("*" if p is not None and p < 0.05 else "")
    return f"[bold]{text}[/bold]" if value == best else text
