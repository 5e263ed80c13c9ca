"""Tables of the quality benchmark, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from logical_retriever.evaluation import Outcome

Row = tuple[str, str]
"""A method and where its logical forms come from."""
Cells = dict[Row, tuple[float, ...]]
"""Figures of one column: one number, or two."""


def summary_table(rows: Sequence[Row], columns: Mapping[str, Cells]) -> Table:
    """The table for a terminal; the best figure of each column is bold."""
    table = Table(title="nDCG@10 on the development halves, all-MiniLM-L6-v2", title_justify="left")
    for heading in ("method", "forms"):
        table.add_column(heading, no_wrap=True)
    for heading in columns:
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row, *(_cell(row, cells, "[bold]{}[/bold]") for cells in columns.values()))
    return table


def markdown(rows: Sequence[Row], columns: Mapping[str, Cells]) -> str:
    """The same as Markdown."""
    headings = ["method", "forms", *columns]
    lines = [f"| {' | '.join(headings)} |", f"|---|---|{'---:|' * len(columns)}"]
    for method, form in rows:
        name = f"`{method}`" if method != "dense" else "`dense`, the question as it is"
        cells = [_cell((method, form), cells, "**{}**") for cells in columns.values()]
        lines.append(f"| {' | '.join((name, form.replace('-', ''), *cells))} |")
    return "\n".join(lines)


def _cell(row: Row, cells: Cells, bold: str) -> str:
    if row not in cells:
        return "-"
    shown = []
    for place, figure in enumerate(cells[row]):
        text = f"{figure:.3f}"
        best = max(f"{figures[place]:.3f}" for figures in cells.values())
        shown.append(bold.format(text) if text == best else text)
    return " / ".join(shown)


def measure_table(title: str, measure: str, columns: Mapping[str, Outcome], methods: Sequence[str]) -> Table:
    """One measure of every method on every set."""
    table = Table(title=title, title_justify="left")
    table.add_column("method", no_wrap=True)
    means = {
        name: {method: outcome.methods[method].mean(measure, outcome.prepared) for method in methods}
        for name, outcome in columns.items()
    }
    for name in columns:
        table.add_column(name, justify="right")
    for method in methods:
        cells = []
        for name in columns:
            value, best = means[name][method], max(v for v in means[name].values() if v is not None)
            text = "-" if value is None else f"{value:.3f}"
            cells.append(f"[bold]{text}[/bold]" if value == best else text)
        table.add_row(method, *cells)
    return table


def cost_table(columns: Mapping[str, Outcome], methods: Sequence[str]) -> Table:
    """What each method costs per question."""
    table = Table(title="Milliseconds a query (texts to encode in brackets)", title_justify="left")
    table.add_column("method", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    for method in methods:
        costs = [outcome.methods[method].cost for outcome in columns.values()]
        table.add_row(method, *(f"{cost.milliseconds:.2f} ({cost.vectors:.1f})" for cost in costs))
    return table
