"""Meaning of calibrated evidence: tails of the null against the normal curve, and truth values against judgements.

Evidence is the calibrated cosine z of each term of the recorded logical forms with every document of its set, with the
statistics that a search over a store of these documents uses. Two questions are answered:

- How many documents that are not judged for a question stand above z = 1, 2, ..., where chance alone, were cosines
  normally distributed, would put the normal curve's tail?
- How often are documents of a given truth value judged relevant (wanted terms) or about what is excluded (excluded
  terms), both kinds of documents weighing alike? One in some thousand documents is judged for a question, so that
  without equal weights every share would be close to 0.

Sets are those of benchmarks/quality.py.

    python benchmarks/reliability.py [--limit 300] [--plot docs/reliability.png]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import erfc, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt
from benchmark_sets import SETS, read_set
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import Dataset, QuestionWithQuery
from logical_retriever.evaluation.transformation import prepare_questions
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.query import negative_terms, positive_terms
from logical_retriever.search import StatisticsCache
from logical_retriever.semantics import CalibratedConstants
from logical_retriever.stores import InMemoryStore, StoredDocument

THRESHOLDS = (1, 2, 3, 4, 5, 6, 8, 10)
BINS = np.linspace(0.0, 1.0, 11)
# ComLQ's prompt_c forms leave nearly every question word for word; prompt_a's have terms.
FORMS = {"comlq": "prompt_a"}

Array = npt.NDArray[np.float64]


@dataclass
class Tally:
    """Counts over the term-document pairs of one set.

    Attributes:
        above: Pairs with a document that is not judged, above each threshold.
        pairs: Pairs with a document that is not judged, in all.
        judged: Per kind of term, pairs with a judged document by truth value.
        others: Per kind of term, all other pairs by truth value.
        evidence: Per kind of term, z of the judged documents.
    """

    above: Array = field(default_factory=lambda: np.zeros(len(THRESHOLDS)))
    pairs: int = 0
    judged: dict[str, Array] = field(default_factory=lambda: {"wanted": _empty(), "excluded": _empty()})
    others: dict[str, Array] = field(default_factory=lambda: {"wanted": _empty(), "excluded": _empty()})
    evidence: dict[str, list[float]] = field(default_factory=lambda: {"wanted": [], "excluded": []})

    def balanced(self, kind: str) -> Array:
        """Share of judged documents in each bin of truth values, both kinds weighing alike; NaN in empty bins."""
        judged, others = self.judged[kind], self.others[kind]
        with np.errstate(invalid="ignore", divide="ignore"):
            left, right = judged / judged.sum(), others / others.sum()
            shares: Array = np.where(judged + others > 0, left / (left + right), np.nan)
        return shares


def main() -> None:
    """Print both tables and draw the plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=300, help="questions a set, spread over the file")
    parser.add_argument("--plot", type=Path, default=None, help="where to write the picture (.png)")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    embedder = SentenceTransformerEmbedder()
    tallies = {}
    for name in SETS:
        dataset = read_set(name, FORMS.get(name, "prompt_c"))
        if dataset is not None:
            tallies[name] = tally(dataset, embedder, arguments.limit)
    if not tallies:
        return
    console.print(_tails(tallies))
    console.print(_reliability(tallies))
    if arguments.plot is not None:
        _plot(tallies, arguments.plot)
        console.print(f"Wrote {arguments.plot}", markup=False)


def tally(dataset: Dataset, embedder: SentenceTransformerEmbedder, limit: int) -> Tally:
    """Count over the terms of at most ``limit`` of the questions whose form has two terms or more."""
    bench = Workbench(dataset, embedder)
    documents = [StoredDocument(document.id, document.text) for document in dataset.documents]
    store = InMemoryStore(documents, bench.document_vectors)
    statistics = StatisticsCache(embedder).get(store, len(documents))
    if statistics is None:
        raise ValueError(dataset.name)
    prepared = [one for one in prepare_questions(dataset.questions, None)[0] if len(one.query.terms()) > 1]
    prepared = prepared[:: -(-len(prepared) // limit) or 1]
    bench.encode(term for one in prepared for term in one.query.terms())
    found = Tally()
    for one, kind, term in _terms(prepared):
        vectors = bench.vectors([term])
        z = statistics.nulls.of(vectors).standardise(bench.products(vectors, None))[0]
        judged = {bench.row_of[id] for id in one.question.relevant | one.question.violations}
        about = one.question.relevant if kind == "wanted" else one.question.violations
        rows = [bench.row_of[id] for id in about]
        others = np.ones(len(z), dtype=bool)
        others[list(judged)] = False
        found.above += [(z[others] > threshold).sum() for threshold in THRESHOLDS]
        found.pairs += int(others.sum())
        if rows:
            found.judged[kind] += np.histogram(truth(z[rows], kind), BINS)[0]
            found.others[kind] += np.histogram(truth(z[others], kind), BINS)[0]
            found.evidence[kind] += z[rows].tolist()
    return found


def truth(z: Array, kind: str) -> Array:
    """Truth value of a term by its evidence alone, as the default semantics shows it."""
    c = CalibratedConstants()
    x = z - c.onset if kind == "wanted" else c.slope * (z - c.threshold)
    values: Array = 1.0 / (1.0 + np.exp(-np.clip(x, -700.0, 700.0)))
    return values


def _terms(prepared: list[QuestionWithQuery]) -> Iterator[tuple[QuestionWithQuery, str, str]]:
    for one in prepared:
        excluded = negative_terms(one.query)
        yield from ((one, "wanted", term) for term in positive_terms(one.query) if term not in excluded)
        yield from ((one, "excluded", term) for term in excluded)


def _tails(tallies: dict[str, Tally]) -> Table:
    table = Table(title="Unjudged documents with evidence above z, per 100,000", title_justify="left")
    table.add_column("set", no_wrap=True)
    for threshold in THRESHOLDS:
        table.add_column(f"z > {threshold}", justify="right")
    table.add_row("normal curve", *(f"{1e5 * erfc(t / sqrt(2)) / 2:.2f}" for t in THRESHOLDS))
    for name, found in tallies.items():
        table.add_row(name, *(f"{1e5 * count / max(found.pairs, 1):.2f}" for count in found.above))
    return table


def _reliability(tallies: dict[str, Tally]) -> Table:
    title = "Share of judged documents by truth value, judged and other documents weighing alike; their z"
    table = Table(title=title, title_justify="left")
    for heading in ("set", "terms"):
        table.add_column(heading, no_wrap=True)
    for low, high in pairwise(BINS):
        table.add_column(f"{low:.1f}-{high:.1f}", justify="right")
    table.add_column("z: 10%, 50%, 90%", justify="right", no_wrap=True)
    for kind in ("wanted", "excluded"):
        for name, found in tallies.items():
            if found.evidence[kind]:
                shares = ["-" if np.isnan(share) else f"{share:.2f}" for share in found.balanced(kind)]
                spread = ", ".join(f"{value:.1f}" for value in np.quantile(found.evidence[kind], (0.1, 0.5, 0.9)))
                table.add_row(name, kind, *shares, spread)
    return table


def _plot(tallies: dict[str, Tally], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), dpi=80, constrained_layout=True)
    left.semilogy(THRESHOLDS, [erfc(t / sqrt(2)) / 2 for t in THRESHOLDS], "k--", label="normal curve")
    for name, found in tallies.items():
        left.semilogy(THRESHOLDS, np.maximum(found.above / max(found.pairs, 1), 1e-9), marker="o", label=name)
    left.set(title="Documents that are not judged", xlabel="z", ylabel="share above z", ylim=(1e-7, 1))
    middles = (BINS[:-1] + BINS[1:]) / 2
    right.plot([0, 1], [0, 1], "k--", label="as said")
    for kind, style in (("wanted", "-o"), ("excluded", ":s")):
        for place, (name, found) in enumerate(tallies.items()):
            if found.evidence[kind]:
                right.plot(middles, found.balanced(kind), style, color=f"C{place}", label=f"{name}, {kind}")
    right.set(title="Judged documents, equal weights", xlabel="truth value", ylabel="share judged", ylim=(0, 1.02))
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    figure.savefig(path)


def _empty() -> Array:
    return np.zeros(len(BINS) - 1)


if __name__ == "__main__":
    main()
