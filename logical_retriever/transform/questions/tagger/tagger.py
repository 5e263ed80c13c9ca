"""Reads a question with the taught network, and says how sure that reading is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from logical_retriever.query import LogicalQuery
from logical_retriever.transform.questions.tagger.decoding import Decoded, decode
from logical_retriever.transform.questions.tagger.network import Network
from logical_retriever.transform.questions.tagger.phrases import to_query
from logical_retriever.transform.questions.tagger.weights import WEIGHTS, WeightsError, read_weights
from logical_retriever.transform.questions.tagger.words import Vocabulary, Words, split_words

Outcome = Literal["plain", "read", "unsure"]

PLAIN_BELOW: Final = 0.05
"""Probability of an exclusion under which a question is taken to have none."""
READ_FROM: Final = 0.7
"""Probability of an exclusion from which the reading is taken, where nobody else can be asked."""
ASK_BELOW: Final = 0.65
"""Certainty of a reading under which a language model is asked, where there is one."""


@dataclass(frozen=True)
class Reading:
    """The network's reading of a question.

    Attributes:
        outcome: "plain": nothing is excluded, and the question stays whole; "read": something is, and ``query`` is the
            best guess of what; "unsure": something may be.
        query: The most probable query with a NOT; None where the outcome is "plain", or none can be made.
        excludes: The probability in [0, 1] that the question excludes something.
        certainty: The probability in [0, 1] that it excludes something and ``query`` says what; 0 without a query.
        labels: Of each word that was read, as rows of ``LABELS``, for ``query``.
        words: The question's words.
        cut: Whether only the beginning was read.
    """

    outcome: Outcome
    query: LogicalQuery | None
    excludes: float
    certainty: float
    labels: tuple[int, ...]
    words: Words
    cut: bool

    @property
    def confidence(self) -> float:
        """The probability in [0, 1] that the outcome is right."""
        return 1.0 - self.excludes if self.outcome == "plain" else self.certainty

    @property
    def ask(self) -> bool:
        """Whether a language model, if there is one, should read the question instead."""
        return self.outcome == "unsure" or (self.outcome == "read" and self.certainty < ASK_BELOW)


class Tagger:
    """Labels the words of questions as wanted, excluded or neither, and makes queries of them.

    Instances may be shared by threads.

    Args:
        path: A file of weights that ``training/reader/train.py`` wrote; the package's own without one.

    Raises:
        WeightsError: There is no such file, it is damaged, or it is for another version of the network.

    Examples:
        >>> reading = Tagger().read("Thai dishes, but no curries please")
        >>> print(reading.outcome, reading.query)
        read "Thai dishes" AND NOT "curries"
    """

    def __init__(self, path: Path = WEIGHTS) -> None:
        arrays, self.about = read_weights(path)
        try:
            self._vocabulary = Vocabulary(bytes(arrays["names"]).decode().split("\n"))
            self._network = Network(arrays, self.about["layers"])
            self._calibration = Calibration(**self.about["calibration"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise WeightsError.damaged(path, error) from error

    def read(self, question: str) -> Reading:
        """Read one question; any text may be given, and of a long one the beginning is read."""
        words, decoded = self.decode(question)
        cut = words.cut or len(decoded.labels) < len(words.spans)
        if not decoded.labels:
            return Reading("plain", None, 0.0, 0.0, (), words, cut)
        excludes = self._calibration.excludes(decoded)
        if excludes < PLAIN_BELOW:
            return Reading("plain", None, excludes, 0.0, (), words, cut)
        query = to_query(words, decoded.labels)
        certainty = 0.0 if query is None else min(excludes, self._calibration.certainty(decoded))
        outcome: Outcome = "read" if query is not None and excludes >= READ_FROM else "unsure"
        return Reading(outcome, query, excludes, certainty, decoded.labels, words, cut)

    def decode(self, question: str) -> tuple[Words, Decoded]:
        """The words of a question, and the most probable labels of those that are read, not calibrated."""
        words, network = split_words(question), self._network
        features = self._vocabulary.features(words)
        if not features.words:
            return words, Decoded((), 0.0, 1.0, 1.0)
        joined = words.joined[: len(features.words)]
        return words, decode(network.scores(features), network.steps, network.starts, joined)


@lru_cache(maxsize=1)
def default_tagger() -> Tagger:
    """The tagger with the package's own weights, loaded once."""
    return Tagger()


@dataclass(frozen=True)
class Calibration:
    """From what the network says to probabilities that hold on questions it was not taught.

    Attributes:
        decision: Weights of 1 and of :func:`decision_signs`, for whether something is excluded.
        reading: Weights of 1 and of :func:`reading_signs`, for whether something is, and the labels say what.
    """

    decision: tuple[float, ...]
    reading: tuple[float, ...]

    def excludes(self, decoded: Decoded) -> float:
        """The probability in [0, 1] of an exclusion."""
        return _logistic(self.decision, (1.0, *decision_signs(decoded)))

    def certainty(self, decoded: Decoded) -> float:
        """The probability in [0, 1] of an exclusion that the labels give right."""
        return _logistic(self.reading, (1.0, *reading_signs(decoded)))


def decision_signs(decoded: Decoded) -> tuple[float, ...]:
    """Evidence of an exclusion: its log-odds."""
    return (_log_odds(decoded.excludes),)


def reading_signs(decoded: Decoded) -> tuple[float, ...]:
    """Evidence of a reading: log-odds of an exclusion and of its weakest word, the labels as a whole, few words."""
    whole, count = math.log(max(decoded.path, 1e-6)), math.log(max(len(decoded.labels), 1))
    return (_log_odds(decoded.excludes), _log_odds(decoded.weakest), whole, count)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return math.log(bounded / (1 - bounded))


def _logistic(weights: tuple[float, ...], values: tuple[float, ...]) -> float:
    return 1 / (1 + math.exp(-sum(w * v for w, v in zip(weights, values, strict=True))))
