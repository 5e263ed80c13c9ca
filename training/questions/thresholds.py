"""Answer quality at each threshold of the reader, on all development sets at once.

    LOGICAL_RETRIEVER_DATA=... python training/questions/thresholds.py [--weights FILE.npz]

Every question is answered twice, whole and as the tagger reads it; a threshold picks one of the two answers. "worth" is
the mean over all sets of nDCG@10 less :data:`COST` times the share of questions with something unwanted among the first
four. The second table has, for each probability from which a whole question is "unsure", the share of questions with a
problem, and the share of exclusions that are missed in silence.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from benchmark_sets import PARTS, VECTORS, data_folder
from quality import RememberingEmbedder

from logical_retriever import InMemoryStore, LogicalRetriever, SentenceTransformerEmbedder, Term
from logical_retriever.evaluation import Dataset, load_dataset
from logical_retriever.evaluation.measures import Ranking, get_measure
from logical_retriever.query import LogicalQuery
from logical_retriever.reading import ReadQuestion
from logical_retriever.reading.questions.tagger import Tagger
from logical_retriever.reading.questions.tagger.tagger import PLAIN_BELOW, READ_FROM

SETS = ("ask exclusions", "ask traps and plain", "lack", "excluir", "boolquestions_not", "negconstraint", "comlq")
MOST = 400
"""Most questions of a set."""
COST = 0.5
"""What one question with something unwanted among the first four costs, in questions with a perfect ranking."""
SHOWN = 4
READ = (0.2, 0.3, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9)
PLAIN = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2)


@dataclass(frozen=True)
class Answered:
    """The questions of a set: probability of an exclusion, and quality of both answers.

    Attributes:
        excludes: (Q,), in [0, 1].
        readable: (Q,), whether the tagger has a query with a NOT.
        gain: (Q, 2), nDCG@10 of the answer to the whole question, and to the query; NaN without relevant documents.
        unwanted: (Q, 2), 1 where something unwanted is among the first four; NaN where nothing is unwanted.
    """

    excludes: np.ndarray
    readable: np.ndarray
    gain: np.ndarray
    unwanted: np.ndarray

    def read(self, read_from: float) -> np.ndarray:
        """Return which questions are read, shape (Q,)."""
        return self.readable & (self.excludes >= read_from)

    def whole(self, unsure_from: float) -> tuple[float, float]:
        """Return the share of questions with a problem, and the share of exclusions missed in silence."""
        unsure = ~self.read(READ_FROM) & (self.excludes >= unsure_from)
        silent = (~self.read(READ_FROM) & ~unsure)[np.isfinite(self.unwanted[:, 0])]
        return float(unsure.mean()), float(silent.mean()) if len(silent) else 0.0

    def figures(self, read_from: float) -> tuple[float, float]:
        """Return mean nDCG@10 and the share with something unwanted, if questions are read from a probability on."""
        rows, way = np.arange(len(self.excludes)), self.read(read_from).astype(int)
        means = (np.nanmean(one[rows, way]) if np.isfinite(one).any() else 0.0 for one in (self.gain, self.unwanted))
        gain, unwanted = map(float, means)
        return gain, unwanted


def read_set(name: str) -> Dataset:
    """Read the questions, documents and vectors of a set, at most :data:`MOST` questions."""
    own, types = PARTS.get(name, (name, None))
    folder = data_folder() / own
    found = load_dataset(folder, vectors=folder / VECTORS, name=name)
    asked = [one for one in found.questions if types is None or one.type in types]
    return Dataset(name, found.documents, tuple(asked[:: 1 + (len(asked) - 1) // MOST]), found.vectors)


def answered(dataset: Dataset, tagger: Tagger, embedder: RememberingEmbedder) -> Answered:
    """Answer all questions of a set in both ways."""
    retriever = LogicalRetriever(InMemoryStore(dataset.documents, dataset.vectors), embedder, k=10)
    excludes, readable, rankings = [], [], ({}, {})
    for question in dataset.questions:
        reading = tagger.read(question.text)
        excludes.append(reading.excludes)
        readable.append(reading.query is not None)
        whole = Term(question.text)
        queries: list[LogicalQuery] = [whole, whole if reading.query is None else reading.query]
        for way, query in zip(rankings, queries, strict=True):
            result = retriever.search(ReadQuestion(question.text, query, "tagger", kinds=reading.kinds))
            way[question.id] = Ranking(tuple(document.id for document in result.documents))
    gain, unwanted = (
        np.stack([_values(dataset, name, way) for way in rankings], 1) for name in ("nDCG@10", f"Violation@{SHOWN}")
    )
    gain[[not question.relevant for question in dataset.questions]] = np.nan
    return Answered(np.array(excludes), np.array(readable), gain, unwanted)


def _values(dataset: Dataset, measure: str, rankings: Mapping[str, Ranking]) -> np.ndarray:
    values = get_measure(measure).values(dataset.questions, rankings)
    return np.array([values.get(question.id, np.nan) for question in dataset.questions])


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path)
    chosen = options.parse_args()
    tagger = Tagger(chosen.weights) if chosen.weights else Tagger()
    embedder = RememberingEmbedder(SentenceTransformerEmbedder())
    sets = {name: answered(read_set(name), tagger, embedder) for name in SETS}
    print(f"{'read from':>20}" + "".join(f"{value:>14}" for value in (*READ, "never")))
    worth = np.zeros(len(READ) + 1)
    for name, one in sets.items():
        figures = [one.figures(value) for value in (*READ, 2.0)]
        worth += [(gain - COST * unwanted) / len(sets) for gain, unwanted in figures]
        print(f"{name:>20}" + "".join(f"{gain:>8.3f} {unwanted:.3f}" for gain, unwanted in figures))
    print(f"{'worth':>20}" + "".join(f"{value:>14.4f}" for value in worth))
    print(f"best: {READ[int(worth[:-1].argmax())]}; the package reads from {READ_FROM}\n")
    print(f"with a problem, and exclusions in silence, by the probability of an unsure question; now {PLAIN_BELOW}")
    print(f"{'unsure from':>20}" + "".join(f"{value:>14}" for value in PLAIN))
    for name, one in sets.items():
        shares = [one.whole(value) for value in PLAIN]
        print(f"{name:>20}" + "".join(f"{unsure:>8.3f} {silent:.3f}" for unsure, silent in shares))


if __name__ == "__main__":
    main()
