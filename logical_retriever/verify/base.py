"""A verifier: whether passages are about terms, answered by something that reads them."""

from __future__ import annotations

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
    An attribute ``name`` is what messages call it; by default its class.
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
    if isinstance(answer, str):
        answer = Verdict(answer.strip().lower())  # type: ignore[arg-type]  # whether it is a label: below
    elif isinstance(answer, (bool, np.bool_)):
        answer = Verdict("about" if answer else "not")
    elif isinstance(answer, Real):
        answer = Verdict("about" if float(answer) >= 0.5 else "not", float(answer))
    if not isinstance(answer, Verdict) or answer.label not in LABELS:
        return None
    return answer if answer.probability is None or 0.0 <= answer.probability <= 1.0 else None
