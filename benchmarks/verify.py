"""A second opinion with recorded verdicts of a language model, on the exclusion questions of ``ask``, k = 4.

Rows: everything that was looked for is asked about, everything among the best k and the margin, moved bounds of doubt,
and nothing. Columns: questions that return an unwanted passage, judged good passages that are left out, nDCG@4,
documents asked per question, and two that compare with the first two rows: questions with the same four passages, and
those where neither shows what the other leaves out. Pairs without a recorded verdict are unknown, and counted.

The last line has what a verifier costs questions without an exclusion, about which nobody is asked: each with one and
without one, in turn.

    python benchmarks/verify.py
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
from answers import SHOWN, Corpus, _shown, read
from benchmark_sets import data_folder
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation.methods import transformation_of
from logical_retriever.results import SearchResult
from logical_retriever.verify import Verification

BOUNDS = ((0.3, 0.995), (0.4, 0.995), (0.5, 0.95), (0.5, 0.995), (0.5, 1.0), (0.6, 0.995), (0.7, 0.995))
ROUNDS = 10
LABELS = {"A": "about", "M": "mentions", "N": "not"}


class Recorded:
    """The verdicts of one question, and what was asked of them."""

    name = "recorded"

    def __init__(self, verdicts: Mapping[tuple[str, str], str]) -> None:
        self.verdicts = verdicts
        self.unknown = 0

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[str | None]:
        """The recorded answers; None where there is none."""
        found = [self.verdicts.get(pair) for pair in zip(terms, passages, strict=True)]
        self.unknown += found.count(None)
        return found


def recorded(corpus: Corpus) -> dict[str, dict[tuple[str, str], str]]:
    """By question, the verdict on a term and a passage's text."""
    texts = {one.id: one.text for one in corpus.bench.dataset.documents}
    found: dict[str, dict[tuple[str, str], str]] = {}
    lines = (data_folder() / "ask" / "verdicts.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for question, term, id, label in (line.split("\t") for line in lines):
        found.setdefault(question, {})[term, texts[id]] = LABELS[label]
    return found


def unasked(corpus: Corpus) -> str:
    """What a verifier costs questions without an exclusion: the median of how their least times compare."""
    kinds = {"without": False, "with": Verification(Recorded({}))}
    made = [transformation_of(one) for one in corpus.questions]
    equal, ratios = 0, []
    for one in made:
        found = {kind: corpus.retriever.search(one, k=SHOWN, verify=verify) for kind, verify in kinds.items()}
        equal += found["with"].documents == found["without"].documents and found["with"].second_opinion is None
        least = dict.fromkeys(kinds, math.inf)
        for turn in range(ROUNDS):
            for kind, verify in sorted(kinds.items(), reverse=turn % 2 == 0):
                began = time.perf_counter()
                corpus.retriever.search(one, k=SHOWN, verify=verify)
                least[kind] = min(least[kind], time.perf_counter() - began)
        ratios.append(least["with"] / least["without"])
    said = f"{len(made)} questions without an exclusion: {equal} answers equal, nobody asked"
    return f"{said}, {median(ratios):.2f} times the time"


def main() -> None:
    """Print the table and the line."""
    embedder = SentenceTransformerEmbedder()
    corpus, plain = (read(f"ask {kind}", "gold", embedder, 1000) for kind in ("exclusions", "traps and plain"))
    if corpus is None or plain is None:
        return
    verdicts = recorded(corpus)
    table = Table(title=f"A second opinion, k = {SHOWN}, {len(corpus.questions)} questions with an exclusion")
    headings = ("asked about", "unwanted", "good left out", "nDCG@4", "documents asked", "same four", "decided alike")
    for heading in (*headings, "unknown"):
        table.add_column(heading, justify="right")
    budget: dict[str, Any] = {"documents": 1000}
    rows: dict[str, dict[str, Any] | None] = {
        "all looked for": {**budget, "between": (0.0, 1.0), "margin": 1000},
        "everything": {**budget, "between": (0.0, 1.0)},
        **{f"{low} to {high}": {**budget, "between": (low, high)} for low, high in BOUNDS},
        "nothing": None,
    }
    references: list[list[SearchResult]] = []
    for name, settings in rows.items():
        results, lost, asked, unknown = [], [], [], 0
        for one in corpus.questions:
            verifier = Recorded(verdicts.get(one.question.id, {}))
            verify = False if settings is None else Verification(verifier, **settings)
            made = transformation_of(one)
            result = corpus.retriever.search(made, k=SHOWN, verify=verify)
            results.append(result)
            asked.append(0 if result.second_opinion is None else result.second_opinion.documents)
            unknown += verifier.unknown
            wide = corpus.retriever.search(made, k=20, verify=verify)
            gone = {left.id for left in wide.left_out}
            lost += [id in gone for id in one.question.relevant - one.question.violations]
        references = [*references, results][:2]
        unwanted, _, gain = _shown(corpus.questions, [_ids(result) for result in results])
        figures = (f"{unwanted:.3f}", f"{np.mean(lost):.3f}", f"{gain:.3f}", f"{np.mean(asked):.2f}")
        same, alike = (
            " / ".join(f"{np.mean(list(map(agree, results, other))):.3f}" for other in references)
            for agree in (_same, _decided_alike)
        )
        table.add_row(name, *figures, same, alike, str(unknown))
    console = Console(width=132, highlight=False)
    console.print(table)
    console.print(unasked(plain))


def _ids(result: SearchResult) -> list[str]:
    return [str(document.id) for document in result.documents]


def _same(one: SearchResult, other: SearchResult) -> bool:
    return set(_ids(one)) == set(_ids(other))


def _decided_alike(one: SearchResult, other: SearchResult) -> bool:
    """Whether neither shows what the other leaves out."""
    return all(
        set(_ids(shown)).isdisjoint(str(left.id) for left in found.left_out)
        for shown, found in ((one, other), (other, one))
    )


if __name__ == "__main__":
    main()
