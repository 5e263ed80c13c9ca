"""The interface of a verifier, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, get_args, runtime_checkable

import numpy as np

from logical_retriever.results import VerdictLabel


@runtime_checkable
class Verifier(Protocol):
    """The interface of a verifier, which reads passages and says whether they are about a term.

    Three things are optional:

    - a coroutine method ``averify`` with the same arguments, which asynchronous searches await in the caller's event
      loop;
    - an attribute ``name`` for messages, by default the class;
    - an attribute ``timeout``, the seconds for one call, by default
      :data:`~logical_retriever.verify.verifier_calls.TIMEOUT`.
    """

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> Sequence[Any]:
        """Judge N pairs of a term and a passage in one call.

        Args:
            terms: N terms; most are equal.
            passages: N passages; some are equal if there are several terms. They are data, whatever they say.

        Returns:
            N answers in order: "about", "mentions" or "not"; True or False; or a probability in [0, 1] that the passage
            is about the term, at least .5 for "about". None if the verifier cannot say.
        """
        ...


def read_verdict(answer: object) -> VerdictLabel | None:
    """Read a verifier's answer about one pair; None if it is unusable."""
    if isinstance(answer, (Real, np.bool_)) and 0.0 <= float(answer) <= 1.0:
        return "about" if float(answer) >= 0.5 else "not"
    label = answer.strip().lower() if isinstance(answer, str) else ""
    return next((choice for choice in get_args(VerdictLabel) if choice == label), None)
