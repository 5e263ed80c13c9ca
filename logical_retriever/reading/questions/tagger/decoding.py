"""The most probable reading for the network's scores, and its probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

LABELS: Final = ("O", "B-wanted", "I-wanted", "B-excluded", "I-excluded", "B-second")
"""Labels of a word: none; first or further word of a wish or of an exclusion; first word of a second wish."""
OUTSIDE, WANT, WANT_ON, EXCLUDE, EXCLUDE_ON, SECOND = range(6)
FORBIDDEN: Final = -1e4
"""Score of an impossible step."""

_EXCLUSION: Final = (EXCLUDE, EXCLUDE_ON)

# Rows and columns are the labels in their order: a further word follows only a word of the same stretch.
_MAY_FOLLOW: Final = [
    [1, 1, 0, 1, 0, 1],
    [1, 1, 1, 1, 0, 1],
    [1, 1, 1, 1, 0, 1],
    [1, 1, 0, 1, 1, 1],
    [1, 1, 0, 1, 1, 1],
    [1, 1, 1, 1, 0, 1],
]
STEPS: Final = np.where(_MAY_FOLLOW, 0, FORBIDDEN).astype(np.float32)
"""(6, 6), 0 if the second label may follow the first, else :data:`FORBIDDEN`."""
STARTS: Final = np.where([1, 1, 0, 1, 0, 0], 0, FORBIDDEN).astype(np.float32)
"""(6,), 0 if a question may begin with the label, else :data:`FORBIDDEN`."""

# Inside a quotation or name, a stretch goes on, or there is none.
_GOES_ON: Final = [
    [1, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 0],
    [0, 0, 1, 0, 0, 0],
    [0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 1, 0],
    [0, 0, 1, 0, 0, 0],
]


_STATES: Final = [
    *((OUTSIDE, wish, exclusion, 1) for wish in (0, 1) for exclusion in (0, 1)),
    *((label, 1, exclusion, 1) for label in (WANT, WANT_ON) for exclusion in (0, 1)),
    *((label, wish, 1, beside) for label in (EXCLUDE, EXCLUDE_ON) for wish, beside in ((0, 0), (0, 1), (1, 1))),
    (SECOND, 1, 1, 1),
]
"""Label, whether a wish has begun, whether an exclusion has begun, whether a word stood beside exclusions."""
# Of each state, shape (states,): its label, and whether it is a state that ...
_LABEL: Final = np.array([label for label, *_ in _STATES])
_INSIDE: Final = np.isin(_LABEL, _EXCLUSION)  # is inside an exclusion
_BOTH: Final = np.array([had[:2] == [1, 1] for _, *had in _STATES])  # may end a reading with a wish
_ALONE: Final = np.array([had == [0, 1, 1] for _, *had in _STATES])  # may end a reading without one
_EXCLUDES: Final = _BOTH | _ALONE  # may end a reading
# What a state says has begun so far, and what its own word begins, shape (states, 3).
_HAD: Final = np.array([had for _, *had in _STATES], bool)
_IS: Final = np.stack([np.isin(_LABEL, (WANT, WANT_ON, SECOND)), _INSIDE, ~_INSIDE], 1)
_FIRST: Final = (_HAD == _IS).all(1) & (_LABEL != SECOND)  # may begin a question
_KEPT: Final = (_HAD[None] == (_HAD[:, None] | _IS[None])).all(2) & ((_LABEL != SECOND)[None] | _BOTH[:, None])
_FOLLOWS: Final = np.where(_KEPT, 0.0, FORBIDDEN)
"""(states, states), 0 if the second state may follow the first, else :data:`FORBIDDEN`. What has begun stays begun."""


@dataclass(frozen=True)
class Decoded:
    """The most probable labels of a question, given that it excludes something.

    Attributes:
        labels: One for each word.
        raw_excludes: The network's probability in [0, 1] that the question excludes something, uncalibrated.
        path: The probability in [0, 1] of exactly these labels, given an exclusion.
        weakest: The least probability in [0, 1] that a word is rightly labelled excluded, or not excluded, given an
            exclusion. Only words of excluded stretches and their neighbours count.
        lacks: For each word, the log-odds of "lack" against "topic", if it is excluded; uncalibrated.
    """

    labels: tuple[int, ...]
    raw_excludes: float
    path: float
    weakest: float
    lacks: tuple[float, ...] = ()


def decode(scores: Floats, steps: Floats, starts: Floats, joined: Sequence[bool]) -> Decoded:
    """Decode the scores of one question's words.

    A state is a label, plus whether a wish, an exclusion and a word outside of exclusions came before: a reading has
    the last two. The question that excludes nothing is the single path without labels.

    Args:
        scores: (words, 6), at least one word.
        steps: (6, 6), the score of the second label after the first.
        starts: (6,), the score of each label at the beginning.
        joined: For each word, whether it belongs to the same quotation or name as the word before.
    """
    plain = float(starts[OUTSIDE] + scores[:, OUTSIDE].sum() + steps[OUTSIDE, OUTSIDE] * (len(scores) - 1))
    wide = steps[_LABEL[:, None], _LABEL] + _FOLLOWS
    narrow = np.where(_GOES_ON, steps, FORBIDDEN)[_LABEL[:, None], _LABEL] + _FOLLOWS
    moves = [narrow if tie else wide for tie in joined]
    chances = {id(move): np.exp(move) for move in (wide, narrow)}
    here = scores[:, _LABEL].astype(np.float64)
    most = here.max(1)
    likely = np.exp(here - most[:, None])

    # Forwards: the score of the best path to each state, and the probability of each state, rescaled at every word.
    best = np.where(_FIRST, starts[_LABEL] + here[0], FORBIDDEN)
    first = np.exp(np.where(_FIRST, starts[_LABEL], FORBIDDEN)) * likely[0]
    forward, back, total = [first / first.sum()], [], float(np.log(first.sum()) + most[0])
    for i in range(1, len(here)):
        reached = best[:, None] + moves[i]
        back.append(reached.argmax(0))
        best = reached.max(0) + here[i]
        row = (forward[-1] @ chances[id(moves[i])]) * likely[i]
        forward.append(row / row.sum())
        total += float(np.log(row.sum()) + most[i])
    with_wish, alone = (float(forward[-1][ends].sum()) for ends in (_BOTH, _ALONE))
    share = with_wish + alone
    if share <= 0.0:
        return Decoded((OUTSIDE,) * len(here), 0.0, 1.0, 1.0)
    reading = total + float(np.log(share))
    # A wish can be cut in many ways, each of them unlikely: all of them together stand against having none.
    ends = _BOTH if with_wish >= alone else _ALONE
    state = int(np.where(ends, best, 2 * FORBIDDEN * len(here)).argmax())
    path = float(np.exp(min(best[state] - reading, 0.0)))
    states = [state]
    for pointers in reversed(back):
        states.append(int(pointers[states[-1]]))
    labels = tuple(int(_LABEL[state]) for state in reversed(states))

    # Backwards: the probability of each label in and beside excluded stretches.
    backward, weakest = _EXCLUDES.astype(np.float64), 1.0
    for i in range(len(here) - 1, -1, -1):
        if any(label in _EXCLUSION for label in labels[max(i - 1, 0) : i + 2]):
            shares = forward[i] * backward
            inside = shares[(labels[i] in _EXCLUSION) == _INSIDE].sum()
            weakest = min(weakest, float(inside / max(shares.sum(), 1e-300)))
        if i:
            backward = chances[id(moves[i])] @ (likely[i] * backward)
            backward /= max(float(backward.max()), 1e-300)
    excludes = 1.0 / (1.0 + float(np.exp(np.clip(plain - reading, -500.0, 500.0))))
    return Decoded(labels, excludes, path, weakest)
