"""One self-contained HTML page from one or more evaluations."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from logical_retriever.evaluation import plots
from logical_retriever.evaluation.tables import GROUPINGS, Cell, by_group, columns, failure_lines, grouping, overall
from logical_retriever.files import wrong

CASES = 8
"""Wins and as many losses that are shown for each method."""
_KEYS = ("dataset", "queries", "documents", "measures", "columns", "methods", "failures", "problems", "baseline")


def read_outcome(path: str | Path) -> dict[str, Any]:
    """Read what ``eval --json`` wrote.

    Raises:
        CorpusError: The file cannot be read or is something else.
    """
    source = Path(path)
    hint = "Write it with this version: logical-retriever eval FOLDER --json FILE"
    try:
        data = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise wrong(source, None, f"cannot be read as JSON ({error}).", hint) from error
    missing = [key for key in _KEYS if not isinstance(data, dict) or key not in data]
    if missing or not data["methods"]:
        problem = f"is not the result of an evaluation (no {missing[0] if missing else 'methods'!r})."
        raise wrong(source, None, problem, hint)
    return dict(data)


def render(outcomes: Sequence[Mapping[str, Any]]) -> str:
    """The page for some outcomes, in their JSON form: tables, charts, wins and losses.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    style = files("logical_retriever.evaluation").joinpath("report.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="#set-{i}">{_text(data["dataset"])}</a>' for i, data in enumerate(outcomes))
    sections = "".join(_section(i, data) for i, data in enumerate(outcomes))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>Retrieval evaluation</title>'
        f"<style>{style}</style></head><body><header><h1>Retrieval evaluation</h1><nav>{links}</nav></header>"
        f"<main>{sections}</main></body></html>\n"
    )


def _section(place: int, data: Mapping[str, Any]) -> str:
    drawn = plots.figures(data)
    parts = [
        f'<section id="set-{place}"><h2>{_text(data["dataset"])}</h2>',
        f"<p>{data['queries']} queries, {data['documents']} documents.</p>",
        _overall(data),
        _chart(drawn, "overall", "All queries"),
    ]
    for by in ("by_type", "by_negations"):
        if by in drawn:
            parts += [_chart(drawn, by, f"By {GROUPINGS[by]}"), _groups(data, grouping(data, by))]
    parts += [_notes(data), _moved(data), _comparisons(data), "</section>"]
    return "".join(parts)


def _overall(data: Mapping[str, Any]) -> str:
    headings, methods = overall(data)
    rows = []
    for name, cells in methods.items():
        cost = data["methods"][name]["cost"]
        costs = f"<td>{cost['milliseconds_per_query']:.2f}</td><td>{cost['vectors_per_query']:.1f}</td>"
        rows.append(f"<tr><th>{_text(name)}</th>{''.join(map(_cell, cells))}{costs}</tr>")
    note = (
        "" if data["baseline"] is None else f"* differs from {_text(data['baseline'])}, p &lt; 0.05 (Wilcoxon, Holm)."
    )
    return _table(["method", *headings, "ms/query", "vectors/query"], rows) + (
        f'<p class="note">{note} Bold: best of the column.</p>'
    )


def _groups(data: Mapping[str, Any], by: str) -> str:
    groups, methods = by_group(data, by)
    rows = [f"<tr><th>{_text(name)}</th>{''.join(map(_cell, cells))}</tr>" for name, cells in methods.items()]
    return (
        f"<details><summary>{_text(columns(data)[0])} by {GROUPINGS[by]}, in numbers</summary>"
        + _table(["method", *(f"{group} ({queries})" for group, queries in groups)], rows)
        + "</details>"
    )


def _cell(cell: Cell) -> str:
    kind = ' class="best"' if cell.best else ""
    title = f' title="p = {cell.p:.2g} after Holm"' if cell.p is not None else ""
    return f"<td{kind}{title}>{cell.text}</td>"


def _notes(data: Mapping[str, Any]) -> str:
    lines = [f"{p['count']} {p['what']}: {', '.join(p['examples'])}" for p in data["problems"]]
    lines += failure_lines(data["failures"])
    if not lines:
        return '<p class="note">No failures; the files fit together.</p>'
    return f"<h3>What did not go as asked</h3><ul>{''.join(f'<li>{_text(line)}</li>' for line in lines)}</ul>"


def _moved(data: Mapping[str, Any]) -> str:
    """Judged documents that each method loses from sight, beside those that it gains."""
    moved = {name: method["moved"] for name, method in data["methods"].items() if method.get("moved")}
    if not moved:
        return ""
    k = next(iter(moved.values()))["k"]
    headings = ("unwanted that vanished", "unwanted that came", "wanted that fell out of sight", "wanted that came")
    rows = [
        f"<tr><th>{_text(name)}</th>"
        + "".join(f"<td>{own[kind][way]}</td>" for kind in ("unwanted", "wanted") for way in ("lost", "gained"))
        + "</tr>"
        for name, own in moved.items()
    ]
    return (
        f"<h3>Lost and gained among the best {k}, against {_text(data['baseline'])}</h3>"
        + _table(["method", *headings], rows)
        + '<p class="note">Judged documents, of all questions together.</p>'
    )


def _comparisons(data: Mapping[str, Any]) -> str:
    """Wins and losses of every method against the baseline, question by question."""
    baseline, details = data["baseline"], data.get("details")
    if baseline is None or details is None:
        return '<p class="note">Questions are compared where the file has details and a baseline.</p>'
    measure = columns(data)[0]
    lower = data["columns"][measure]["lower_is_better"]
    parts = [f"<h3>Wins and losses against {_text(baseline)}, by {_text(measure)}</h3>"]
    for name in data["methods"]:
        if name == baseline:
            continue
        both = [
            (row["methods"][name].get(measure), row["methods"][baseline].get(measure), row)
            for row in details["queries"]
        ]
        gains = [((base - own if lower else own - base), row) for own, base, row in both if None not in (own, base)]
        wins = sorted((gain for gain in gains if gain[0] > 0), key=lambda gain: -gain[0])
        losses = sorted((gain for gain in gains if gain[0] < 0), key=lambda gain: gain[0])
        cases = [
            _case(gain, row, name, baseline, details["documents"]) for gain, row in (*wins[:CASES], *losses[:CASES])
        ]
        parts.append(
            f"<details><summary>{_text(name)}: <b class='up'>{len(wins)} wins</b>, "
            f"<b class='down'>{len(losses)} losses</b>, {len(gains) - len(wins) - len(losses)} equal</summary>"
            f"{''.join(cases)}</details>"
        )
    return "".join(parts)


def _case(gain: float, row: Mapping[str, Any], name: str, baseline: str, documents: Mapping[str, str]) -> str:
    columns_of = "".join(_top(row, method, documents) for method in (name, baseline))
    kind = "up" if gain > 0 else "down"
    return (
        f'<article><p><b class="{kind}">{gain:+.3f}</b> {_text(row["text"])} <small>{_text(row["id"])}</small></p>'
        f"<p><code>{_text(row['logical_query'])}</code></p><div class='sides'>{columns_of}</div></article>"
    )


def _top(row: Mapping[str, Any], method: str, documents: Mapping[str, str]) -> str:
    items = []
    for identity in row["methods"][method]["top"]:
        kind = "wanted" if identity in row["relevant"] else "unwanted" if identity in row["violations"] else "other"
        label = {"wanted": "relevant", "unwanted": "violates", "other": ""}[kind]
        items.append(
            f'<li class="{kind}"><span>{_text(identity)} {label}</span> {_text(documents.get(identity, ""))}</li>'
        )
    return f"<div><h4>{_text(method)}</h4><ol>{''.join(items) or '<li>nothing retrieved</li>'}</ol></div>"


def _chart(drawn: Mapping[str, Any], name: str, title: str) -> str:
    return f"<h3>{_text(title)}</h3><figure>{plots.svg(drawn[name])}</figure>"


def _table(headings: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th>{_text(heading)}</th>" for heading in headings)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _text(value: object) -> str:
    return html.escape(str(value))
