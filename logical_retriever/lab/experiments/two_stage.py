"""NSFL's protocol: methods that rerank 200 dense candidates beside the same methods over the whole corpus."""

from __future__ import annotations

from logical_retriever.evaluation.methods import Method, get_method
from logical_retriever.lab.methods.two_stage import TwoStage

COMPARED = ("nsfl", "nsfl-also", "geometric", "geometric-addition", "itlr")


def two_stage_methods(pool: int = 200) -> list[Method]:
    """Dense; then each compared method over the whole corpus and over the pool (NSFL, section 8 and Table 5).

    Args:
        pool: Size of the pool; the paper takes 2k for mAP@k, k = 100.
    """
    methods = [get_method("dense")]
    for name in COMPARED:
        methods += [get_method(name), TwoStage(get_method(name), pool)]
    return methods
