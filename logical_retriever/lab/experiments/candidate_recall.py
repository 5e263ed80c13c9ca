"""How many of the true best documents are among equally many candidates: one optimised vector or a list a term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.embedding import Embedder
from logical_retriever.evaluation.dataset import Dataset
from logical_retriever.evaluation.methods import Method, QuestionWithQuery, get_method
from logical_retriever.evaluation.methods.package import PackageRetriever, searched
from logical_retriever.evaluation.optional import require, silent
from logical_retriever.evaluation.run import Progress
from logical_retriever.evaluation.transformation import prepare_questions
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.interleave import interleaved
from logical_retriever.lab.methods.optimised import SphericalOptimum
from logical_retriever.query import has_logic
from logical_retriever.search import open_ended
from logical_retriever.semantics import Semantics, get_semantics
from logical_retriever.transform import QueryTransformer

COUNTS = (20, 50, 100, 200)
K = 10
SOURCES = ("sqo", "union of the lists", "deo", "dense, the question")
"""Where candidates come from."""
SEMANTICS = ("calibrated", "itlr", "product", "nsfl")


@dataclass(frozen=True)
class CandidateRecall:
    """Recall of one source of candidates, by their number.

    Attributes:
        semantics: Name of the semantics whose best documents are looked for.
        source: One of :data:`SOURCES`.
        questions: How many questions were asked.
        recalls: Mean share of the true best :data:`K` among the candidates, in [0, 1], by number of candidates.
    """

    semantics: str
    source: str
    questions: int
    recalls: dict[int, float]

    def row(self) -> dict[str, Any]:
        """The JSON form."""
        recalls = {f"R@{count}": round(recall, 6) for count, recall in self.recalls.items()}
        return {"semantics": self.semantics, "source": self.source, "questions": self.questions, **recalls}


def candidate_recall(
    dataset: Dataset,
    *,
    embedder: Embedder,
    transformer: QueryTransformer | None = None,
    semantics: Sequence[str] = SEMANTICS,
    counts: Sequence[int] = COUNTS,
    limit: int | None = None,
    progress: Progress = silent,
) -> list[CandidateRecall]:
    """Compare sources of candidates by what they miss.

    The truth is the ranking of all documents by vectors alone, since texts are read of candidates only. "Union of the
    lists" takes the nearest documents of every text that pulls, in turn, until there are as many distinct ones.
    Questions whose query has no operator, or that documents about none of its terms answer, are left out: no mode takes
    candidates for these.

    Args:
        dataset: The benchmark.
        embedder: The encoder the documents' vectors belong to.
        transformer: Makes the logical queries; None takes the forms that the benchmark brings.
        semantics: Names of semantics.
        counts: Numbers of candidates, each at least 1.
        limit: Use the first so many questions only; None for all.
        progress: Called as the work goes on.
    """
    dataset = dataset if limit is None else dataset.limited(limit)
    prepared, _, _ = prepare_questions(dataset.questions, transformer)
    bench = Workbench(dataset, embedder, lambda done, total: progress("encoding texts", done, total))
    found = []
    for name in semantics:
        chosen = get_semantics(name)
        asked = [one for one in prepared if _takes_candidates(one, chosen)]
        methods: list[Method] = [
            PackageRetriever(chosen, depth=K, evidence="dense"),
            SphericalOptimum(chosen),
            get_method("deo"),
            get_method("dense"),
        ]
        bench.encode(text for method in methods for one in asked for text in method.texts(one))
        for method in methods:
            method.prepare(asked, bench, silent)
        shares: dict[str, list[list[float]]] = {source: [] for source in SOURCES}
        for done, one in enumerate(asked, start=1):
            view = bench.view(one.question)
            truth, *vectors = (method.score(one, view) for method in methods)
            best = set(np.argsort(-truth, kind="stable")[: min(K, view.size)].tolist())
            for source, ranked in zip(SOURCES, _candidates(one, chosen, view, vectors), strict=True):
                shares[source].append([len(best.intersection(ranked[:count])) / len(best) for count in counts])
            progress(f"candidates for {name}", done, len(asked))
        for source, rows in shares.items():
            means = np.mean(rows, axis=0) if rows else np.full(len(counts), np.nan)
            recalls = dict(zip(counts, means.tolist(), strict=True))
            found.append(CandidateRecall(name, source, len(asked), recalls))
    return found


def candidate_recall_table(name: str, found: Sequence[CandidateRecall]) -> Any:
    """A rich table: one row a semantics and source, one column a number of candidates."""
    table = require("rich.table", "Printing a table").Table(
        title=f"{name}: share of the true best {K} among so many candidates", title_justify="left"
    )
    for column in ("semantics", "candidates from", "questions", *map(str, found[0].recalls)):
        table.add_column(column, justify="left" if column in ("semantics", "candidates from") else "right")
    for one in found:
        recalls = ("-" if np.isnan(recall) else f"{recall:.3f}" for recall in one.recalls.values())
        table.add_row(one.semantics, one.source, str(one.questions), *recalls)
    return table


def _takes_candidates(one: QuestionWithQuery, semantics: Semantics) -> bool:
    query, _ = searched(one, semantics)
    return has_logic(query) and not open_ended(query)


def _candidates(one: QuestionWithQuery, semantics: Semantics, view: View, scores: Sequence[Array]) -> list[list[int]]:
    """Positions by source, nearest first, in the order of :data:`SOURCES`."""
    wanted = semantics.wanted_texts(*searched(one, semantics))
    lists = [_nearest(cosines) for cosines in view.cosines(wanted)]
    optimum, moved, dense = (_nearest(score) for score in scores)
    return [optimum, list(interleaved(lists)), moved, dense]


def _nearest(scores: Array) -> list[int]:
    places: list[int] = np.argsort(-scores, kind="stable")[: max(COUNTS)].tolist()
    return places
