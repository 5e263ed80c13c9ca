"""Whether answers can be believed: what is left out, what relevance means, and when nothing is found.

Four tables over the sets of ``benchmark_sets.py``, with forms that a language model wrote ("prompt_c") or people did
("gold"), all-MiniLM-L6-v2, in memory:

- the cut: for several shares of the best evidence (``options.ABOUT`` is the one in use), how many judged
  relevant passages it drops, wherever they stand, and how many judged unwanted ones;
- answers at k = 4: by plain dense retrieval, without the cut and with it;
- relevance: expected calibration error and area under the curve over the ten best of each question, judged relevant
  passages and others of a set weighing alike; unjudged passages count as not relevant;
- abstention: for several least relevances, how many questions foreign to a corpus return nothing, and how many
  questions of its own lose all of the relevant passages that are among the four best.

    python benchmarks/answers.py [--limit 200]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from abstention import abstention
from benchmark_sets import read_set
from rich.console import Console
from rich.table import Table

from logical_retriever import LogicalRetriever
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation import QuestionWithQuery
from logical_retriever.evaluation.methods import corpus_store, transformation_of
from logical_retriever.evaluation.run import read as read_question
from logical_retriever.evaluation.workbench import Workbench
from logical_retriever.options import ABOUT
from logical_retriever.query import negative_terms

SETS = (
    ("negconstraint", "prompt_c"),
    ("excluir", "prompt_c"),
    ("boolquestions_not", "prompt_c"),
    ("quest", "prompt_c"),
    ("limit", "gold"),
    ("ask exclusions", "gold"),
    ("ask traps and plain", "gold"),
    ("comlq", "prompt_c"),
)
SHARES = (0.75, 0.85, 0.95)
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
FOREIGN = (
    ("negconstraint", "boolquestions_not"),
    ("excluir", "ask traps and plain"),
    ("boolquestions_not", "excluir"),
    ("quest", "ask exclusions"),
    ("ask exclusions", "quest"),
    ("ask traps and plain", "excluir"),
    ("comlq", "boolquestions_not"),
    ("limit", "ask exclusions"),
)
"""Whose questions are asked of a corpus that cannot answer them."""
BEST = 10
SHOWN = 4
Array = npt.NDArray[np.float64]


@dataclass
class Corpus:
    """A set with its retriever and its questions."""

    retriever: LogicalRetriever
    bench: Workbench
    questions: Sequence[QuestionWithQuery]


def read(name: str, form: str, embedder: SentenceTransformerEmbedder, limit: int) -> Corpus | None:
    """A set, at most ``limit`` of its questions, spread over the file."""
    dataset = read_set(name, form)
    if dataset is None:
        return None
    bench = Workbench(dataset, embedder)
    prepared = [QuestionWithQuery(one, read_question(one, None).query) for one in dataset.questions]
    prepared = prepared[:: -(-len(prepared) // limit) or 1]
    bench.encode(text for one in prepared for text in (*one.query.terms(), one.question.text))
    retriever = LogicalRetriever(corpus_store(bench), bench, k=BEST)
    return Corpus(retriever, bench, prepared)


def dropped(corpus: Corpus, shares: Sequence[float]) -> Mapping[str, Array]:
    """For judged relevant and unwanted passages of questions with an exclusion, whether each share drops them."""
    found: dict[str, list[list[bool]]] = {"relevant": [], "unwanted": []}
    total = len(corpus.bench.dataset.documents)
    for one in corpus.questions:
        if not negative_terms(one.query):
            continue
        relevant, unwanted = one.question.relevant, one.question.violations - one.question.relevant
        rows = {"relevant": relevant - one.question.violations, "unwanted": unwanted}
        gone: list[frozenset[object]] = []
        for share in shares:
            out = corpus.retriever.search(transformation_of(one), k=total, drop_excluded=share).left_out
            gone.append(frozenset(left.id for left in out))
        for kind, ids in rows.items():
            found[kind].extend([id in there for there in gone] for id in ids)
    return {kind: np.array(rows, dtype=float).reshape(-1, len(shares)) for kind, rows in found.items()}


def cut_table(corpora: Mapping[str, Corpus]) -> Table:
    """The trade: relevant passages dropped / unwanted passages dropped, by set and in all."""
    judged = {name: dropped(corpus, SHARES) for name, corpus in corpora.items()}
    table = Table(title=f"Relevant dropped / unwanted dropped, by share of the best evidence (in use: {ABOUT})")
    table.add_column("set")
    for share in SHARES:
        table.add_column(f"{share}", justify="right")
    judged["all"] = {kind: np.concatenate([one[kind] for one in judged.values()]) for kind in ("relevant", "unwanted")}
    for name, one in judged.items():
        if not len(one["relevant"]):
            continue
        shown = [one[kind].mean(axis=0) if len(one[kind]) else np.full(len(SHARES), np.nan) for kind in one]
        table.add_row(
            f"{name} ({len(one['relevant'])} / {len(one['unwanted'])})",
            *(f"{100 * a:.1f} / {100 * b:.1f}" for a, b in zip(*shown, strict=True)),
        )
    return table


def asked_table(corpora: Mapping[str, Corpus]) -> Table:
    """Answers to questions with an exclusion at k = 4: unwanted and relevant passages among them, and nDCG."""
    table = Table(
        title=f"Answers to questions with an exclusion, k = {SHOWN}: dense / drop_excluded=False / the default"
    )
    for heading in ("", "return an unwanted passage", "return a relevant one", "nDCG@4"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, corpus in corpora.items():
        questions = [one for one in corpus.questions if negative_terms(one.query)]
        if not questions or name == "comlq":  # its negations are facts
            continue
        dense = [_dense(corpus, one) for one in questions]
        ranked = dense, _kept(corpus, questions, kept=True), _kept(corpus, questions, kept=False)
        rows = [[f"{value:.3f}" for value in _shown(questions, answers)] for answers in ranked]
        table.add_row(f"{name} ({len(questions)})", *(" / ".join(cells) for cells in zip(*rows, strict=True)))
    return table


def _dense(corpus: Corpus, one: QuestionWithQuery) -> list[str]:
    """The nearest passages by the question's own vector."""
    cosines = corpus.bench.products(corpus.bench.vectors([one.question.text]))[0]
    return [corpus.bench.dataset.documents[i].id for i in np.argsort(-cosines, kind="stable")[:SHOWN]]


def _kept(corpus: Corpus, questions: Sequence[QuestionWithQuery], *, kept: bool) -> list[list[str]]:
    searches = (corpus.retriever.search(transformation_of(one), k=SHOWN, drop_excluded=not kept) for one in questions)
    return [[str(document.id) for document in found.documents] for found in searches]


def _shown(questions: Sequence[QuestionWithQuery], answers: Sequence[Sequence[str]]) -> tuple[float, float, float]:
    """Shares of questions with an unwanted and with a relevant passage, and mean nDCG."""
    discounts = 1.0 / np.log2(np.arange(2, SHOWN + 2))
    rows = []
    for one, ids in zip(questions, answers, strict=True):
        relevant = one.question.relevant
        gain = sum(discounts[place] for place, id in enumerate(ids) if id in relevant)
        unwanted = bool(set(ids) & (one.question.violations - relevant))
        rows.append((unwanted, bool(set(ids) & relevant), gain / discounts[: len(relevant)].sum()))
    unwanted_share, relevant_share, mean = np.mean(np.array(rows, dtype=float), axis=0)
    return float(unwanted_share), float(relevant_share), float(mean)


def relevance_table(corpora: Mapping[str, Corpus]) -> Table:
    """Calibration of relevance over the best of each question, and its area under the curve."""
    table = Table(
        title=f"Relevance of the {BEST} best: share judged relevant by relevance, error, area under the curve"
    )
    edges = np.linspace(0.0, 1.0, 6)
    headings = [f"{low:.1f}-{high:.1f}" for low, high in pairwise(edges)]
    for heading in ("set", *headings, "ECE", "AUROC", "by score, per question"):
        table.add_column(heading, justify="left" if heading == "set" else "right")
    pooled: list[tuple[Array, npt.NDArray[np.bool_]]] = []
    for name, corpus in corpora.items():
        values, labels, within = [], [], []
        for one in corpus.questions:
            found = corpus.retriever.search(transformation_of(one), drop_excluded=False).documents
            own = np.array([document.relevance for document in found])
            right = np.array([document.id in one.question.relevant for document in found])
            values.append(own)
            labels.append(right)
            if right.any() and not right.all():
                within.append(_area(own, right))
        flat, right = np.concatenate(values), np.concatenate(labels)
        pooled.append((flat, right))
        table.add_row(name, *_reliability(flat, right, edges), f"{_area(flat, right):.3f}", f"{np.mean(within):.3f}")
    flat, right = (np.concatenate(parts) for parts in zip(*pooled, strict=True))
    table.add_row("all", *_reliability(flat, right, edges), f"{_area(flat, right):.3f}", "")
    return table


def abstention_table(corpora: Mapping[str, Corpus], embedder: SentenceTransformerEmbedder, limit: int) -> Table:
    """Foreign questions that return nothing / own questions that lose the relevant passages of their answer."""
    table = Table(title="Foreign questions that return nothing / own that lose their answer, by least relevance")
    table.add_column("corpus, foreign questions")
    for least in LEAST:
        table.add_column(f"{least}", justify="right")
    for name, other in FOREIGN:
        if name in corpora and other in corpora:
            sets = (corpora[one].bench.dataset for one in (name, other))
            found = abstention(*sets, embedder=embedder, least=LEAST, limit=limit)
            table.add_row(f"{name}, {other}", *(f"{100 * one.empty:.0f} / {100 * one.lost:.0f}" for one in found))
    return table


def _reliability(values: Array, right: npt.NDArray[np.bool_], edges: Array) -> list[str]:
    """Share judged relevant in each bin, both kinds weighing alike, and the expected calibration error."""
    weights = np.where(right, 0.5 / max(right.sum(), 1), 0.5 / max((~right).sum(), 1))
    bins = np.clip(np.digitize(values, edges) - 1, 0, len(edges) - 2)
    cells, error = [], 0.0
    for b in range(len(edges) - 1):
        here = bins == b
        weight = weights[here].sum()
        if not weight:
            cells.append("-")
            continue
        share = weights[here & right].sum() / weight
        error += weight * abs(share - (weights[here] * values[here]).sum() / weight)
        cells.append(f"{share:.2f}")
    return [*cells, f"{error:.3f}"]


def _area(values: Array, right: npt.NDArray[np.bool_]) -> float:
    """Area under the ROC curve: how often a relevant passage stands above another, ties for half."""
    above, below = values[right][:, None], values[~right][None]
    return float((above > below).mean() + 0.5 * (above == below).mean())


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=200, help="questions a set, spread over the file")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    embedder = SentenceTransformerEmbedder()
    read_sets = {name: read(name, form, embedder, arguments.limit) for name, form in SETS}
    corpora = {name: corpus for name, corpus in read_sets.items() if corpus is not None}
    console.print(asked_table(corpora))
    console.print(relevance_table(corpora))
    console.print(abstention_table(corpora, embedder, arguments.limit))
    console.print(cut_table(corpora))


if __name__ == "__main__":
    main()
