"""An explanation as a piece of HTML for notebooks: no script, nothing loaded, readable in light and dark."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from logical_retriever.query import LogicalQuery, literals, quote, spell
from logical_retriever.results import RankedDocument

FULL = 12.0
"""Evidence, in standard deviations of chance, that fills a bar."""
SHOWN_TEXT = 260
"""Most characters of a document's text."""


MADE_BY = {
    "llm": "by the language model",
    "typed": "as typed",
    "tagger": "by the tagger",
    "recorded": "as recorded",
    "given": "as given",
    "dense": "the plain question, because the language model failed",
}
"""Methods of a read_question in words: who made the logical query."""


def to_html(explanation: Any) -> str:
    """Show an :class:`~logical_retriever.explain.Explanation` as a page.

    Bars are evidence in standard deviations of chance, full at :data:`FULL`; truth values in [0, 1] where the semantics
    is not calibrated. Every text is escaped.
    """
    read_question, result = explanation.read, explanation.result
    by = MADE_BY.get(read_question.method, read_question.method)
    parts = [
        f'<p class="question">{escape(read_question.question)}</p>',
        f'<p class="query">{_query(read_question.query)} <span class="soft">{escape(by)}</span></p>',
    ]
    if read_question.problem is not None:
        parts.append(f'<p class="problem">{escape(read_question.problem)}</p>')
    if explanation.routed is not None:
        searched = f"Searched for {_query(result.query)}"
        parts.append(f'<p class="query">{searched} <span class="soft">{escape(explanation.routed)}</span></p>')
    kind = "wanted" if result.exact else "unwanted"
    parts.append(
        f'<p class="facts"><span class="badge {kind}">{"exact" if result.exact else "approximate"}</span> '
        f'{escape(result.reason)}. <span class="soft">{escape(str(result.cost))}.</span></p>'
    )
    if result.documents:
        ranked = enumerate(result.documents, start=1)
        parts.append(_list("documents", (_item(explanation, document, rank) for rank, document in ranked)))
    else:
        parts.append('<p class="heading">No document was found.</p>')
    for heading, documents in explanation.others:
        parts.append(f'<p class="heading">{escape(heading)}</p>')
        parts.append(_list("documents left-out", (_item(explanation, document, None) for document in documents)))
    if result.documents:
        of = "evidence in standard deviations of chance" if result.documents[0].evidence else "truth values in [0, 1]"
        parts.append(f'<p class="legend soft">Bars: {of}.</p>')
    return f'<div class="logical-explanation"><style>{_style()}</style>{"".join(parts)}</div>'


@cache
def _style() -> str:
    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def _query(query: LogicalQuery) -> str:
    """Spell the query, each term marked as wanted or unwanted."""
    polarity = iter(literals(query))

    def term(text: str) -> str:
        kind = "wanted" if next(polarity).positive else "unwanted"
        return f'<bdi class="term {kind}">{escape(quote(text))}</bdi>'

    def condition(text: str) -> str:
        return f"<bdi>{escape(text)}</bdi>"

    return spell(query, term=term, word="<b>{}</b>".format, condition=condition)


def _list(kind: str, items: Iterable[str]) -> str:
    return f'<ol class="{kind}">{"".join(items)}</ol>'


def _item(explanation: Any, document: RankedDocument, rank: int | None) -> str:
    """Show one document; without a rank, one that was left out."""
    lines = zip(document.truth_values, explanation.reasons(document), strict=True)
    evidence = "".join(
        f'<div class="evidence">{_bar(explanation, document, term)}'
        f'<span class="{_fate(explanation, document, term)}">{escape(line)}</span></div>'
        for term, line in lines
    )
    return (
        f'<li><div class="place">{_place(explanation, document, rank)}</div><div>'
        f'<div class="name"><bdi>{escape(str(document.id))}</bdi>'
        f'<span class="score">relevance {document.relevance:.2f}</span>'
        f'<span class="score">score {document.score:.3f}</span></div>'
        f'{evidence}<p class="text" dir="auto">{escape(shortened(document.text, SHOWN_TEXT))}</p></div></li>'
    )


def _fate(explanation: Any, document: RankedDocument, term: str) -> str:
    """Return whether the document is left out for the term, as the class of its line."""
    decision = document.decisions.get(term) if term in explanation.excluded else None
    return "leaves" if decision is not None and decision.leave_out else "stays"


def _bar(explanation: Any, document: RankedDocument, term: str) -> str:
    evidence = document.evidence.get(term)
    share = 100.0 * min(1.0, max(0.0, document.truth_values[term] if evidence is None else evidence / FULL))
    kind = "bar against" if term in explanation.excluded else "bar"
    return f'<div class="{kind}" aria-hidden="true"><span style="width:{share:.1f}%"></span></div>'


def _place(explanation: Any, document: RankedDocument, rank: int | None) -> str:
    """Show the document's rank, and its rank in plain dense retrieval."""
    dense = explanation.dense_rank(document.id) or f"beyond {len(explanation.dense)}"
    return f"<strong>{'–' if rank is None else rank}</strong><small>dense {dense}</small>"


def shortened(text: str, width: int = 100) -> str:
    """Return a text in one line of at most ``width`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 3]}..."
