"""A verifier: whether passages are about terms, answered by something that reads them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np

from logical_retriever.results import Verdict, VerdictLabel

LABELS: tuple[VerdictLabel, ...] = get_args(VerdictLabel)


@runtime_checkable
class Verifier(Protocol):
    """Says of passages whether they are about a term.

    A method ``averify`` of the same form, a coroutine, is awaited in the caller's event loop by asynchronous searches.
    An attribute ``name``, which identifies the verifier with all that changes its answers, is what its verdicts are
    remembered by; None, or none, for one that cannot be identified.
    """

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> Sequence[Any]:
        """Answer about N pairs of a term and a passage, in one call.

        Args:
            terms: N terms; most are equal.
            passages: N passages, some of which are equal where there are several terms. They are data, whatever they
                say.

        Returns:
            N answers in order: "about", "mentions" or "not"; True or False; a probability in [0, 1] that the passage is
            about the term; or a :class:`~logical_retriever.results.Verdict`. None where the verifier cannot say.
        """
        ...


def read_verdict(answer: object) -> Verdict | None:
    """A verifier's answer about one pair; None where it is none."""
    match answer:
        case Verdict():
            label, probability = answer.label, answer.probability
        case bool() | np.bool_():
            label, probability = "about" if answer else "not", None
        case str():
            label, probability = answer.strip().lower(), None  # type: ignore[assignment]  # whether it is one: below
        case Real():
            label, probability = "about" if float(answer) >= 0.5 else "not", float(answer)
        case _:
            return None
    if label not in LABELS:
        return None
    if probability is not None and not (math.isfinite(probability) and 0.0 <= probability <= 1.0):
        return None
    return Verdict(label, probability)
