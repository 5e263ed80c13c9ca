"""Evaluation of retrieval methods on logical queries."""

from logical_retriever.evaluation.dataset import Dataset, Document, Problem, Question
from logical_retriever.evaluation.loading import load_dataset, load_sample
from logical_retriever.evaluation.methods import (
    DEFAULT_METHODS,
    METHODS,
    Method,
    MethodOptions,
    QuestionWithQuery,
    get_method,
)
from logical_retriever.evaluation.outcome import MethodResult, Outcome
from logical_retriever.evaluation.run import evaluate
from logical_retriever.moved import renamed

__all__ = [
    "DEFAULT_METHODS",
    "METHODS",
    "Dataset",
    "Document",
    "Method",
    "MethodOptions",
    "MethodResult",
    "Outcome",
    "Problem",
    "Question",
    "QuestionWithQuery",
    "evaluate",
    "get_method",
    "load_dataset",
    "load_sample",
]

__getattr__ = renamed(__name__, {"Prepared": "logical_retriever.evaluation.methods:QuestionWithQuery"})
