"""Arithmetic as plain data, for processes that have NumPy and nothing of this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from logical_retriever.compile.base import Compiler, Request

Program = tuple[int | float | str, ...]
"""Steps over a stack: a whole number pushes the cosines with that text, a float itself, and the name of a NumPy
function takes its operands off and pushes what it makes of them."""


def _applied(function: np.ufunc) -> Callable[..., Program]:
    return lambda _, *operands: (*(step for operand in operands for step in operand), function.__name__)


class ProgramCompiler(Compiler[Program, Program]):
    """Programs that score many questions in one pass over the documents.

    Parameters are ``vectors``, shape (T, d), float32, rows of length 1 or 0, and ``k``.
    """

    engine = "NumPy on Spark"

    def request(self, request: Request) -> tuple[Program, Mapping[str, Any]]:
        """The program, and what it needs."""
        return self.print(request.lowered.expression), {"vectors": request.vectors, "k": request.k}

    def cosine(self, index: int) -> Program:
        """A whole number."""
        return (index,)

    def constant(self, value: float) -> Program:
        """A float."""
        return (float(value),)

    negate, exp, log, log1p, sqrt = map(_applied, (np.negative, np.exp, np.log, np.log1p, np.sqrt))
    add, subtract, multiply, divide = map(_applied, (np.add, np.subtract, np.multiply, np.divide))
    minimum, maximum = map(_applied, (np.minimum, np.maximum))
