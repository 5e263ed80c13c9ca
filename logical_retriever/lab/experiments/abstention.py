"""Whether a least relevance tells questions that a corpus answers from those that it cannot: risk and coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.embedding import Embedder
from logical_retriever.evaluation.dataset import Dataset
from logical_retriever.evaluation.methods.package import BenchEmbedder, corpus_store, transformation_of
from logical_retriever.evaluation.optional import require, silent
from logical_retriever.evaluation.run import Progress
from logical_retriever.evaluation.transformation import prepare_questions
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.transform import QueryTransformer

LEAST = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
K = 4


@dataclass(frozen=True)
class Abstention:
    """Outcome of one least relevance.

    Attributes:
        least: ``min_relevance``.
        foreign: Foreign questions asked.
        empty: Share of them that return nothing, in [0, 1].
        own: Questions of the corpus's own that have a relevant document among their best :data:`K`.
        lost: Share of them that lose all of these, in [0, 1].
    """

    least: float
    foreign: int
    empty: float
    own: int
    lost: float

    def row(self) -> dict[str, Any]:
        """The JSON form."""
        shares = {"empty": round(self.empty, 6), "lost": round(self.lost, 6)}
        return {"min_relevance": self.least, "foreign": self.foreign, "own": self.own, **shares}


def abstention(
    dataset: Dataset,
    foreign: Dataset,
    *,
    embedder: Embedder,
    transformer: QueryTransformer | None = None,
    least: Sequence[float] = LEAST,
    limit: int | None = None,
    progress: Progress = silent,
) -> list[Abstention]:
    """Ask a corpus its own questions and those of another, with the retriever's defaults.

    Args:
        dataset: The corpus, and questions that it answers.
        foreign: Its questions alone are used; the corpus should have no answer to them.
        embedder: The encoder the documents' vectors belong to.
        transformer: Makes the logical queries; None takes the forms that both benchmarks bring.
        least: Values of ``min_relevance``, in [0, 1].
        limit: Use so many questions of each only, spread over the file; None for all.
        progress: Called as the work goes on.
    """
    bench = Workbench(dataset, embedder, lambda done, total: progress("encoding texts", done, total))
    own, others = ([*prepare_questions(one.questions, transformer)[0]] for one in (dataset, foreign))
    if limit is not None:
        own, others = (asked[:: max(1, -(-len(asked) // limit))] for asked in (own, others))
    bench.encode(text for one in (*own, *others) for text in (*one.query.terms(), one.question.text))
    retriever = LogicalRetriever(corpus_store(bench), BenchEmbedder(bench), k=K)
    kept, best = [], []
    for done, one in enumerate((*own, *others), start=1):
        found = retriever.search(transformation_of(one)).documents
        if done > len(own):
            best.append(max((document.relevance for document in found), default=0.0))
        elif right := [document.relevance for document in found if document.id in one.question.relevant]:
            kept.append(max(right))
        progress("asking", done, len(own) + len(others))
    return [Abstention(value, len(best), _below(best, value), len(kept), _below(kept, value)) for value in least]


def _below(values: Sequence[float], least: float) -> float:
    return float(np.mean(np.array(values) < least)) if values else float("nan")


def abstention_table(name: str, foreign: str, found: Sequence[Abstention]) -> Any:
    """A rich table: one row a least relevance."""
    title = f"{name}, foreign questions of {foreign}: percent that return nothing, and own that lose their answer"
    table = require("rich.table", "Printing a table").Table(title=title, title_justify="left")
    headings = (
        "min_relevance",
        f"foreign ({found[0].foreign})",
        f"own with an answer in the best {K} ({found[0].own})",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for one in found:
        table.add_row(
            f"{one.least}", *("-" if np.isnan(part) else f"{100 * part:.0f}" for part in (one.empty, one.lost))
        )
    return table
