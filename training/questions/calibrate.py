"""How sure the reader may be: its figures against what became of them, on lines that it was not taught."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from agreement import judge
from marks import Line, kinds_of, labels_of

from logical_retriever.reading.questions.tagger.decoding import Decoded
from logical_retriever.reading.questions.tagger.phrases import excluded_words, to_query
from logical_retriever.reading.questions.tagger.tagger import question_features, reading_features
from logical_retriever.reading.questions.tagger.words import Words, split_words

Decode = Callable[[str], tuple[Words, Decoded]]


def calibrate(decode: Decode, lines: Sequence[Line]) -> tuple[dict[str, list[float]], Iterator[str]]:
    """Fit the calibration to lines that were held out, and print how well it fits."""
    decided, read, excludes, right = [], [], [], []
    told: list[tuple[float, float]] = []
    lacking: list[bool] = []
    for line in lines:
        words, decoded = decode(line.text)
        if not decoded.labels:
            continue
        decided.append((1.0, *question_features(decoded)))
        read.append((1.0, *reading_features(decoded)))
        excludes.append(line.excludes)
        right.append(line.excludes and _right(line, words, decoded))
        marked = kinds_of(line)
        for place in excluded_words(words, decoded.labels).values():
            known = [marked[i] for i in place if marked[i] >= 0]
            if known:
                told.append((1.0, float(np.mean([decoded.lacks[i] for i in place]))))
                lacking.append(bool(known[0]))
    decision, reading = fit(np.array(decided), np.array(excludes)), fit(np.array(read), np.array(right))
    lack = fit(np.array(told), np.array(lacking)) if told else np.array([0.0, 1.0])
    calibration = {"decision": decision.tolist(), "reading": reading.tolist(), "lack": lack.tolist()}

    def table() -> Iterator[str]:
        yield from reliability("an exclusion", np.array(decided) @ decision, np.array(excludes))
        yield from reliability("a right reading", np.array(read) @ reading, np.array(right))
        if told:
            yield from reliability("something to lack", np.array(told) @ lack, np.array(lacking))

    return calibration, table()


def _right(line: Line, words: Words, decoded: Decoded) -> bool:
    gold, query = to_query(split_words(line.text), labels_of(line)), to_query(words, decoded.labels)
    return gold is not None and query is not None and judge(str(gold), str(query)).right


def fit(signs: np.ndarray, happened: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Weights of a logistic regression, by Newton's method."""
    weights = np.zeros(signs.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(signs @ weights, -30, 30)))
        slope = signs.T @ (happened - chance) - ridge * weights
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs + ridge * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def reliability(name: str, odds: np.ndarray, happened: np.ndarray) -> Iterator[str]:
    """Yield a table: for each range of probability, the mean probability of its lines and the share that came true."""
    chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    yield f"\nprobability of {name}: lines, mean probability, share that came true"
    edges = (0.0, 0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 1.0001)
    for low, high in itertools.pairwise(edges):
        inside = (chance >= low) & (chance < high)
        if inside.any():
            mean, share = chance[inside].mean(), happened[inside].mean()
            yield f"  {low:4.2f} to {min(high, 1):4.2f} {inside.sum():6} {mean:8.3f} {share:8.3f}"
