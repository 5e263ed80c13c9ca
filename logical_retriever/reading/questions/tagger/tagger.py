"""The tagger: the network's reading of a question, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from logical_retriever.query import MAX_TERMS, And, LogicalQuery, Term, conjuncts, contradiction, positive_terms
from logical_retriever.reading.layers import WeightsError
from logical_retriever.reading.questions.tagger.decoding import EXCLUDE, EXCLUDE_ON, LABELS, Decoded, decode
from logical_retriever.reading.questions.tagger.network import HINT, WEIGHTS, Network, read_weights
from logical_retriever.reading.questions.tagger.phrases import excluded_words, to_query, without_excluded
from logical_retriever.reading.questions.tagger.words import Vocabulary, Words, split_words

PLAIN_BELOW: Final = 0.05
"""A question with a lower probability of an exclusion is plain."""
READ_FROM: Final = 0.48
"""Least probability of an exclusion for a reading to be used without a model; by ``training/questions/thresholds.py``,
answers are about as good from .2 to .6."""
ASK_BELOW: Final = 0.7
"""A reading of lower certainty goes to the language model, if there is one."""
CERTAIN_FROM: Final = 0.85
"""No model takes away an exclusion of a reading of this certainty or more."""

WISHLESS_FROM: Final = 0.5
"""Least certainty of a reading that wants nothing. Below it the wish was missed, and the words around the exclusions
stand for it: a NOT alone would show everything else."""


@dataclass(frozen=True)
class Reading:
    """The tagger's reading of a question.

    ============================  ==========================================================================
    ``excludes`` below .05        plain
    ``excludes`` .05 to .48       unsure: a model is asked; without one, the question is searched whole
    ``certainty`` below .7        a model is asked; without one, the reading is used
    ``certainty`` below .5        if it wants nothing, the words around its exclusions are the wish
    ``confidence`` .85 and more   no model takes its exclusions away
    ============================  ==========================================================================

    Attributes:
        outcome: "plain": the question excludes nothing and stays whole; "read": it excludes something, and ``query`` is
            the best guess; "unsure": it may exclude something, or its best query contradicts itself.
        query: The most probable query with a NOT; None for a plain question, or without such a query.
        excludes: Probability in [0, 1] of an exclusion in the question.
        certainty: Probability in [0, 1] of a right ``query``, exclusion included; 0 without a query.
        cut: Whether only the beginning was read.
        kinds: How each excluded term of ``query`` was excluded: "topic" or "lack".
    """

    outcome: Literal["plain", "read", "unsure"]
    query: LogicalQuery | None
    excludes: float
    certainty: float
    cut: bool
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def confidence(self) -> float:
        """The probability in [0, 1] that the outcome is right."""
        return 1.0 - self.excludes if self.outcome == "plain" else self.certainty

    @property
    def ask(self) -> bool:
        """Whether a language model should read the question instead, if there is one."""
        return self.outcome == "unsure" or (self.outcome == "read" and self.certainty < ASK_BELOW)


class Tagger:
    """A network that labels the words of a question, and the query that its labels make.

    Threads may share an instance.

    Args:
        path: A file of weights written by ``training/questions/train.py``; by default the package's own.

    Attributes:
        about: The file's description of the network and its teaching.

    Raises:
        WeightsError: The file is missing, damaged, or of another version.

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
            names = ("decision", "reading", "lack")
            self._exclusion_weights, self._reading_weights, self._lack_weights = (
                self.about["calibration"][name] for name in names
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise WeightsError.damaged(path, error, HINT) from error

    def read(self, question: str) -> Reading:
        """Read any text; only the beginning of a long one counts."""
        words, decoded = self.decode(question)
        cut = words.cut or len(decoded.labels) < len(words.spans)
        excludes = _logistic(self._exclusion_weights, question_features(decoded)) if decoded.labels else 0.0
        if excludes < PLAIN_BELOW:
            return Reading("plain", None, excludes, 0.0, cut)
        query = to_query(words, decoded.labels)
        certainty = 0.0 if query is None else min(excludes, _logistic(self._reading_weights, reading_features(decoded)))
        sure = False
        if query is not None and excludes >= READ_FROM:
            if certainty < WISHLESS_FROM and not positive_terms(query):
                query = _with_wish(query, without_excluded(words, decoded.labels))
            sure = contradiction(query) is None
        kinds = {thing: self._kind(decoded, place) for thing, place in excluded_words(words, decoded.labels).items()}
        return Reading("read" if sure else "unsure", query, excludes, certainty, cut, kinds)

    def kinds(self, question: str, terms: Iterable[str]) -> dict[str, str]:
        """Return the kind of each excluded term of another reader's query: "topic" or "lack".

        The words of a term are looked for in the question, those that the tagger excludes first. For a term in other
        words, all excluded words count.
        """
        words, decoded = self.decode(question)
        said = [words.text[start:end].casefold() for start, end in words.spans[: len(decoded.labels)]]
        excluded = [i for i, label in enumerate(decoded.labels) if label in (EXCLUDE, EXCLUDE_ON)]
        kinds = {}
        for term in terms:
            own = {term[start:end].casefold() for start, end in split_words(term).spans}
            named = [i for i, word in enumerate(said) if word in own]
            place = [i for i in named if i in excluded] or named or excluded
            kinds[term] = self._kind(decoded, place) if place else "topic"
        return kinds

    def _kind(self, decoded: Decoded, place: Sequence[int]) -> str:
        log_odds = sum(decoded.lacks[i] for i in place) / len(place)
        return "lack" if _logistic(self._lack_weights, (log_odds,)) >= 0.5 else "topic"

    def decode(self, question: str) -> tuple[Words, Decoded]:
        """Return the words of a question, and the most probable labels of those that fit the network, uncalibrated."""
        words, network = split_words(question), self._network
        features = self._vocabulary.features(words)
        if not features.words:
            return words, Decoded((), raw_excludes=0.0, path=1.0, weakest=1.0)
        scores, joined = network.scores(features), words.joined[: len(features.words)]
        decoded = decode(scores[:, : len(LABELS)], network.steps, network.starts, joined)
        return words, replace(decoded, lacks=tuple(scores[:, len(LABELS)].tolist()))


def _with_wish(query: LogicalQuery, wish: str) -> LogicalQuery:
    """Join a wish to a query that wants nothing; return the query itself for a wish without letters, or no room."""
    if not any(map(str.isalnum, wish)) or query.size >= MAX_TERMS:
        return query
    return And((Term(wish), *conjuncts(query)))


@lru_cache(maxsize=1)
def default_tagger() -> Tagger:
    """Return the tagger with the package's own weights, loaded once."""
    return Tagger()


def question_features(decoded: Decoded) -> tuple[float, ...]:
    """Return the feature for whether a question excludes something: its log-odds."""
    return (_log_odds(decoded.raw_excludes),)


def reading_features(decoded: Decoded) -> tuple[float, ...]:
    """Return the features for whether a reading is right.

    They are log-odds of exclusion and weakest word, and logarithms of path and word count.
    """
    whole, count = math.log(max(decoded.path, 1e-6)), math.log(max(len(decoded.labels), 1))
    return (_log_odds(decoded.raw_excludes), _log_odds(decoded.weakest), whole, count)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-5), 1 - 1e-5)
    return math.log(bounded / (1 - bounded))


def _logistic(weights: Sequence[float], features: tuple[float, ...]) -> float:
    """Return the probability in [0, 1] for features; the first weight is the bias."""
    return 1 / (1 + math.exp(-sum(w * v for w, v in zip(weights, (1.0, *features), strict=True))))
