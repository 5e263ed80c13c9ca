"""Scores of many questions at once, in Spark's Python workers.

They have NumPy and PyArrow, and perhaps nothing of this package: this file travels with the job, and imports nothing of
ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Question = tuple[Sequence[Any], Any, int]
"""Its program (:data:`logical_retriever.compile.program.Program`), the row of each of its texts, and k."""
Best = list[tuple[float, str, Any]]
"""Score with its sign turned, text of the id, and id of the best documents, best first."""


def best_of_partition(questions: Sequence[Question], texts: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for ``mapInArrow`` that finds the best documents of a partition for each question.

    Args:
        questions: Q questions.
        texts: Shape (T, d), float32, rows of length 1 or 0: those of all questions.

    Returns:
        From batches with columns ``lr_id``, ``lr_text`` (of the id) and ``lr_vector`` to batches with ``lr_question``,
        ``lr_id``, ``lr_text`` and ``lr_score``: for each question the k of greatest score, ties by text.
    """

    def best(batches: Iterator[Any]) -> Iterator[Any]:
        pa: Any = importlib.import_module("pyarrow")
        kept: list[Best] = [[] for _ in questions]
        kind: Any = None
        for batch in batches:
            ids, named = batch.column("lr_id"), batch.column("lr_text")
            kind = ids.type
            cosines = cosines_of(batch.column("lr_vector"), texts)
            for i, (program, rows, k) in enumerate(questions):
                scores = scored(program, cosines[rows])
                if len(kept[i]) == k:
                    near = np.flatnonzero(scores >= -kept[i][-1][0])  # few, after the first batch
                elif len(scores) > k:
                    near = np.flatnonzero(scores >= np.partition(scores, -k)[-k])
                else:
                    near = np.arange(len(scores))
                new = [named.take(pa.array(near)).to_pylist(), ids.take(pa.array(near)).to_pylist()]
                more = list(zip((-scores[near]).tolist(), *new, strict=True))
                kept[i] = sorted([*kept[i], *more], key=lambda one: one[:2])[:k]
        rows = [(i, *one) for i, best in enumerate(kept) for one in best]
        if rows:
            numbers, scores, named, ids = zip(*rows, strict=True)
            columns = [pa.array(numbers, pa.int32()), pa.array(ids, kind), pa.array(named), -np.array(scores)]
            yield pa.RecordBatch.from_arrays(
                list(map(pa.array, columns)), ["lr_question", "lr_id", "lr_text", "lr_score"]
            )

    return best


def tried(batches: Iterator[Any]) -> Iterator[Any]:
    """Batches as they are, through a worker that has what is needed here."""
    for batch in batches:
        np.zeros(batch.num_rows)
        yield batch


def cosines_of(column: Any, texts: Any) -> Any:
    """Cosines of T texts, shape (T, d), with a column of N vectors: shape (T, N), float64, in [-1, 1].

    0 for a vector of zeros, or one that is not finite, as every engine owes.
    """
    other = (lengths := np.diff(column.offsets.to_numpy())) != texts.shape[1]
    if other.any():
        raise ValueError(f"Texts of dimension {texts.shape[1]} were to be compared with one of {lengths[other][0]}.")
    rows = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False).reshape(len(column), -1)
    norms = np.sqrt(np.einsum("nd,nd->n", rows, rows, dtype=np.float64))
    usable = np.isfinite(norms) & (norms > 0)
    directions = np.divide(rows, norms[:, None], out=np.zeros_like(rows), where=usable[:, None], casting="same_kind")
    return np.clip((texts @ directions.T).astype(np.float64), -1.0, 1.0)


def scored(program: Sequence[Any], cosines: Any) -> Any:
    """Run a program over cosines, shape (T, N): scores, shape (N,), float64."""
    stack: list[Any] = []
    for step in program:
        if isinstance(step, str):
            function = getattr(np, step)
            operands = stack[-function.nin :]
            del stack[-function.nin :]
            stack.append(function(*operands))
        else:
            stack.append(cosines[step] if isinstance(step, int) else step)
    [scores] = stack
    return np.broadcast_to(np.asarray(scores, np.float64), cosines.shape[1:])
