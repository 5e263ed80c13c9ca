"""A cross-encoder of sentence-transformers as a verifier: an NLI model, or a reranker with a calibration."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from logical_retriever.errors import EmbeddingError, InvalidArgumentError, require

HYPOTHESIS: Final = "This text is about {term}."
"""The sentence that an NLI model is asked about: whether it follows from a passage."""
ENTAILS: Final = "entailment"
BACKWARDS: Final = ("ms-marco", "msmarco", "monot5-small", "stsb")
"""Parts of names of models that put a passage that denies something as high as one that says it, or higher: trained on
MS MARCO or on similarity alone, they are at or below chance on NevIR (arXiv 2305.07614)."""


class CrossEncoderVerifier:
    """Reads term and passage together with a cross-encoder.

    An NLI model says how likely ":data:`HYPOTHESIS`" follows from the passage. A reranker gives a score of the term
    against the passage, of which ``calibration`` makes a probability, ``σ((score - middle) / scale)``: the middle is
    the score at which a passage is as likely about the term as not, and both are of that one model.

    Args:
        model: A folder or a name that ``sentence_transformers.CrossEncoder`` resolves, or a ``CrossEncoder``.
        calibration: Middle and scale of a reranker's scores, the scale above 0; None for an NLI model.
        hypothesis: In place of :data:`HYPOTHESIS`, with ``{term}`` once.
        batch_size: Pairs read at once, at least 1.

    Raises:
        MissingPackageError: sentence-transformers is not installed.
        EmbeddingError: The model cannot be loaded.
        InvalidArgumentError: A reranker without a calibration, an NLI model with one, or an argument of a wrong form.

    Warns:
        UserWarning: A reranker of a kind known to read negation backwards.
    """

    def __init__(
        self,
        model: Any,
        *,
        calibration: tuple[float, float] | None = None,
        hypothesis: str = HYPOTHESIS,
        batch_size: int = 32,
    ) -> None:
        if hypothesis.count("{term}") != 1:
            raise InvalidArgumentError(
                f"hypothesis is {hypothesis!r}.", hint='Write {term} in it once: "This text is about {term}."'
            )
        what = f"Reading with {model!r}"
        package = require(
            "sentence_transformers", what, install='pip install "logical-retriever[sentence-transformers]"'
        )
        self._model = _loaded(package.CrossEncoder, model) if isinstance(model, str) else model
        config = getattr(self._model, "config", None)
        if config is None:
            raise InvalidArgumentError(
                f"model is {type(model).__name__}.", hint="Give the name of a cross-encoder, or a CrossEncoder."
            )
        labels = {int(row): str(label).lower() for row, label in config.id2label.items()}
        self._row = next((row for row, label in labels.items() if label == ENTAILS), None)
        _check_calibration(calibration, self._row is not None, labels)
        self._calibration, self._hypothesis, self._batch_size = calibration, hypothesis, batch_size
        known = model if isinstance(model, str) else str(getattr(config, "_name_or_path", ""))
        if calibration is not None and any(part in known.lower() for part in BACKWARDS):
            warnings.warn(
                f"{known} is of a kind known to read negation backwards: it takes a passage that says there is no X "
                "for one about X. Prefer an NLI model, or measure it on passages of your own.",
                stacklevel=2,
            )
        self.name = known or None

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[float]:
        """The probability, in [0, 1], that each passage is about its term; NaN where the model gives none."""
        pairs = list(zip(terms, passages, strict=True))
        if self._calibration is None:
            pairs = [(passage, self._hypothesis.replace("{term}", term)) for term, passage in pairs]
        logits = np.asarray(
            self._model.predict(
                pairs, batch_size=self._batch_size, show_progress_bar=False, activation_fn=lambda logits: logits
            ),
            dtype=np.float64,
        )
        if self._calibration is None:
            above = np.exp(logits - logits.max(axis=1, keepdims=True))
            return list(map(float, above[:, self._row] / above.sum(axis=1)))
        middle, scale = self._calibration
        return list(map(float, 0.5 * (1.0 + np.tanh((logits.reshape(-1) - middle) / (2.0 * scale)))))  # logistic


def _loaded(kind: Any, model: str) -> Any:
    try:
        return kind(model)
    except Exception as error:
        raise EmbeddingError(
            f"The cross-encoder {model!r} cannot be loaded: {type(error).__name__}: {error}",
            hint="Check the name and the network, or give a folder that the model was saved in.",
        ) from error


def _check_calibration(given: object, entails: bool, labels: dict[int, str]) -> None:
    """Refuse a calibration of an NLI model, and a reranker without one."""
    if entails and given is not None:
        raise InvalidArgumentError(
            "A calibration was given for an NLI model.", hint="Its probabilities are its own; leave it out."
        )
    if not entails and len(labels) != 1:
        raise InvalidArgumentError(
            f"The model has the labels {sorted(labels.values())}, and none is {ENTAILS!r}.",
            hint="Give an NLI model, or a reranker, which has one label.",
        )
    numbers = [one for one in given if isinstance(one, (int, float))] if isinstance(given, (tuple, list)) else []
    if not entails and not (len(numbers) == 2 and np.isfinite(numbers).all() and numbers[1] > 0):
        raise InvalidArgumentError(
            f"A reranker's scores mean nothing on their own, and calibration is {given!r}.",
            hint="Give (middle, scale): the score at which a passage is as likely about a term as not, and how fast it "
            "rises, as calibration=(0.0, 1.0) for a model whose scores are log-odds.",
        )
