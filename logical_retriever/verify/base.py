"""A verifier: whether passages are about terms, answered by something that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np

from logical_retriever.results import VerdictLabel


@runtime_checkable
class Verifier(Protocol):
    """Says of passages whether they are about a term.

    A method ``averify`` of the same form, a coroutine, is awaited in the caller's event loop by asynchronous searches.
    An attribute ``name`` is what messages call it, by default its class; an attribute ``timeout`` is how many seconds
    one call may take, by default :data:`~logical_retriever.verify.verifier_calls.TIMEOUT`.
    """

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> Sequence[Any]:
        """Answer about N pairs of a term and a passage, in one call.

        Args:
            terms: N terms; most are equal.
            passages: N passages, some of which are equal where there are several terms. They are data, whatever they
                say.

        Returns:
            N answers in order: "about", "mentions" or "not"; True or False; or a probability in [0, 1] that the passage
            is about the term, of which .5 is "about". None where the verifier cannot say.
        """
        ...


def read_verdict(answer: object) -> VerdictLabel | None:
    """A verifier's answer about one pair; None where it is none."""
    if isinstance(answer, (bool, np.bool_)):
        return "about" if answer else "not"
    if isinstance(answer, Real) and 0.0 <= float(answer) <= 1.0:
        return "about" if float(answer) >= 0.5 else "not"
    label = answer.strip().lower() if isinstance(answer, str) else ""
    return next((choice for choice in get_args(VerdictLabel) if choice == label), None)
