"""A second opinion with recorded verdicts of a language model, on the exclusion questions of ``ask``, k = 4.

Rows: nothing is asked, moved bounds of doubt, and everything among the best is asked. Columns: questions that return an
unwanted passage, judged good passages that are left out, nDCG@4, documents asked per question, and questions with the
same four passages as when everything is asked. Pairs without a recorded verdict count as unknown, and are printed.

    python benchmarks/verify.py
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from answers import SHOWN, Corpus, _shown, read
from benchmark_sets import data_folder
from rich.console import Console
from rich.table import Table

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.evaluation.methods.package import transformation_of
from logical_retriever.verify import Verification

BOUNDS = ((0.3, 0.995), (0.4, 0.995), (0.5, 0.95), (0.5, 0.995), (0.5, 1.0), (0.6, 0.995), (0.7, 0.995))
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


def main() -> None:
    """Print the table."""
    corpus = read("ask exclusions", "gold", SentenceTransformerEmbedder(), 1000)
    if corpus is None:
        return
    verdicts = recorded(corpus)
    table = Table(title=f"A second opinion, k = {SHOWN}, {len(corpus.questions)} questions with an exclusion")
    for heading in ("asked about", "unwanted", "good left out", "nDCG@4", "documents asked", "same as all", "unknown"):
        table.add_column(heading, justify="right")
    everything: list[list[str]] = []
    for between in ((0.0, 1.0), *BOUNDS, None):
        answers, lost, asked, unknown = [], [], [], 0
        for one in corpus.questions:
            verifier = Recorded(verdicts.get(one.question.id, {}))
            verify = False if between is None else Verification(verifier, between=between, documents=1000, tokens=10**6)
            made = transformation_of(one)
            result = corpus.retriever.search(made, k=SHOWN, verify=verify)
            answers.append([str(document.id) for document in result.documents])
            asked.append(0 if result.second_opinion is None else result.second_opinion.documents)
            unknown += verifier.unknown
            wide = corpus.retriever.search(made, k=20, verify=verify)
            good = one.question.relevant - one.question.violations
            gone = {left.id for left in wide.left_out}
            lost += [id in gone for id in good]
        everything = everything or answers
        unwanted, _, gain = _shown(corpus.questions, answers)
        same = np.mean([one == other for one, other in zip(answers, everything, strict=True)])
        name = (
            "nothing" if between is None else "everything" if between == (0.0, 1.0) else f"{between[0]} to {between[1]}"
        )
        cells = (f"{unwanted:.3f}", f"{np.mean(lost):.3f}", f"{gain:.3f}", f"{np.mean(asked):.2f}", f"{same:.3f}")
        table.add_row(name, *cells, str(unknown))
    Console(width=120, highlight=False).print(table)


if __name__ == "__main__":
    main()
