"""Tables of the quality benchmark, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from measured_figures import FURTHER_TARGETS, MEASURED, TARGETS, TOLERANCE
from rich.table import Table

from logical_retriever.evaluation import Outcome

Row = tuple[str, str]
"""A method and where its logical forms come from."""
Cells = dict[Row, tuple[float, ...]]
"""Figures of one column: one number, or two."""
CAPTION = """\
nDCG@10 on the development halves of four benchmarks and on the packaged `three_term` sample, all-MiniLM-L6-v2, every
document scored. Behind the slash: the share of questions whose wanted document is above the unwanted one (excluir,
boolquestions_not), nDCG@10 of the questions with a negation (comlq). `dense`, `dense+bm25`, `bm25` and `hybrid` search
for the question as it is; forms are a language model's (`prompt_c`, `prompt_a`) or those of the cue rules, which need
no model."""
FEW = {
    "dense": "plain dense retrieval",
    "dense+bm25": "dense and BM25, ranks joined",
    "itlr": "ITLR (arXiv 2503.17860)",
    "nsfl-fused": "NSFL, its operators on fused texts",
    "calibrated": "**logical-retriever, as it comes**",
}
"""Methods of the README's table, in the words of one who knows none of them."""
FEW_SETS = {
    "negconstraint": "exclusions: NegConstraint",
    "excluir": "ExcluIR",
    "ask exclusions": "as people say them",
    "comlq": "Boolean: ComLQ",
    "quest": "QUEST",
    "limit": "LIMIT",
    "ask traps and plain": "plain questions",
}
"""Sets of the README's table; a question of all but the last has something to exclude or to combine."""
ROUNDING = 0.0005
"""The figures to compare with have three digits."""


def summary_table(rows: Sequence[Row], columns: Mapping[str, Cells], cost: str, costs: Mapping[Row, float]) -> Table:
    """The table for a terminal; the best figure of each column is bold."""
    title = (
        "nDCG@10, all-MiniLM-L6-v2; then the share of questions whose wanted document is above the unwanted one "
        "(excluir, boolquestions_not), nDCG@10 of questions with a negation (comlq)"
    )
    table = Table(title=title, title_justify="left")
    for heading in ("method", "forms"):
        table.add_column(heading, no_wrap=True)
    for heading in (*columns, cost):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(*row, *(_cell(row, cells, "[bold]{}[/bold]") for cells in columns.values()), _cost(row, costs))
    return table


def further_table(methods: Sequence[str], columns: Mapping[str, Mapping[str, tuple[float, ...]]]) -> Table:
    """Figures of further sets by method, and what the default aims at; the best figure of each column is bold."""
    title = "nDCG@10 of further sets; then the share of questions whose wanted document is above the unwanted one"
    table = Table(title=title, title_justify="left")
    table.add_column("method", no_wrap=True)
    for heading in columns:
        table.add_column(heading, justify="right")
    cells = [{(method, "-"): figures for method, figures in own.items()} for own in columns.values()]
    for method in methods:
        table.add_row(method, *(_cell((method, "-"), own, "[bold]{}[/bold]") for own in cells))
    table.add_row("target of calibrated", *(_figures(FURTHER_TARGETS[name]) for name in columns))
    return table


def markdown(rows: Sequence[Row], columns: Mapping[str, Cells]) -> str:
    """The same as Markdown, without times: those are of one machine at one moment."""
    headings = ["method", "forms", *columns]
    lines = [f"| {' | '.join(headings)} |", f"|---|---|{'---:|' * len(columns)}"]
    shown = {name: {row: cells[row] for row in rows if row in cells} for name, cells in columns.items()}
    for row in rows:
        cells = [_cell(row, own, "**{}**") for own in shown.values()]
        form = "" if row[1] == "-" else row[1]
        lines.append(f"| {' | '.join((f'`{row[0]}`', form, *cells))} |")
    return "\n".join(lines)


def few(columns: Mapping[str, Cells], further: Mapping[str, Mapping[str, tuple[float, ...]]]) -> str:
    """The README's table: nDCG@10 of a few methods, with the forms that a language model wrote or the gold ones."""
    own = {
        name: {method: figures for (method, form), figures in cells.items() if form in ("-", "prompt_c")}
        for name, cells in columns.items()
    } | {name: dict(cells) for name, cells in further.items()}
    lines = [f"| nDCG@10 | {' | '.join(FEW_SETS.values())} |", f"|---|{'---:|' * len(FEW_SETS)}"]
    for method, said in FEW.items():
        figures = [f"{own[name][method][0]:.2f}" if method in own[name] else "-" for name in FEW_SETS]
        lines.append(f"| {said} | {' | '.join(figures)} |")
    return "\n".join(lines)


def further_markdown(methods: Sequence[str], columns: Mapping[str, Mapping[str, tuple[float, ...]]]) -> str:
    """Figures of further sets as Markdown: a row a method."""
    lines = [f"| method | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    cells = {name: {(method, "-"): figures for method, figures in own.items()} for name, own in columns.items()}
    for method in methods:
        lines.append(f"| `{method}` | {' | '.join(_cell((method, '-'), own, '**{}**') for own in cells.values())} |")
    return "\n".join(lines)


def differences_table(columns: Mapping[str, Cells], whole: Collection[str]) -> Table:
    """Where this run differs from the figures that were measured independently.

    Args:
        columns: Figures of this run.
        whole: Sets with exactly the questions that those were measured on.
    """
    compared, rows = 0, []
    for (name, form), methods in MEASURED.items():
        own = columns.get(name, {}) if name in whole else {}
        for method, figures in methods.items():
            # The sample's questions are their logical forms: one kind of forms for all methods.
            for here, measured in zip(own.get((method, form), ()), figures, strict=False):
                compared += 1
                if abs(here - measured) > TOLERANCE + ROUNDING:
                    rows.append((name, form, method, f"{here:.3f}", f"{measured:.3f}", f"{here - measured:+.3f}"))
    title = f"{compared - len(rows)} of {compared} figures equal those measured independently to {TOLERANCE}"
    table = Table(title=title, title_justify="left", min_width=len(title))
    for heading in ("differing: set", "forms", "method", "here", "measured", "difference"):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def targets_table(columns: Mapping[str, Cells], whole: Collection[str]) -> Table:
    """Aims for the default on the development halves, and its figures."""
    table = Table(title="Targets of the default", title_justify="left")
    for heading in ("set", "method", "forms", "target", "here", "short of it by"):
        table.add_column(heading, no_wrap=True)
    for target in TARGETS:
        here = columns[target.set].get((target.method, target.form)) if target.set in whole else None
        if here is not None:
            short = [max(0.0, least - own) for least, own in zip(target.least, here, strict=False)]
            missed = any(f"{own:.3f}" < f"{least:.3f}" for least, own in zip(target.least, here, strict=False))
            cells = (_figures(target.least), _figures(here), _figures(short) if missed else "reached")
            table.add_row(target.set, target.method, target.form, *cells)
    return table


def _figures(figures: Sequence[float]) -> str:
    return " / ".join(f"{figure:.3f}" for figure in figures)


def _cost(row: Row, costs: Mapping[Row, float]) -> str:
    return f"{costs[row]:.2f}" if row in costs else ""


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
    """Cost of each method per question."""
    table = Table(title="Milliseconds a query (texts to encode in brackets)", title_justify="left")
    table.add_column("method", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    for method in methods:
        costs = [outcome.methods[method].cost for outcome in columns.values()]
        table.add_row(method, *(f"{cost.milliseconds:.2f} ({cost.vectors:.1f})" for cost in costs))
    return table
