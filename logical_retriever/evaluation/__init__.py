"""Evaluation of retrieval methods on logical queries."""

from logical_retriever.evaluation.loading import (
    Dataset as Dataset,
    JudgedQuestion as JudgedQuestion,
    load_dataset as load_dataset,
    load_sample as load_sample,
)
from logical_retriever.evaluation.measures import MEASURES as MEASURES
from logical_retriever.evaluation.methods import (
    DEFAULT_METHODS as DEFAULT_METHODS,
    METHODS as METHODS,
    BySemantics as BySemantics,
    JudgedQuery as JudgedQuery,
    Method as Method,
    PackageRetriever as PackageRetriever,
    get_method as get_method,
    smoothed_not as smoothed_not,
)
from logical_retriever.evaluation.run import MethodResult as MethodResult, Outcome as Outcome, evaluate as evaluate
from logical_retriever.evaluation.workbench import View as View, Workbench as Workbench, bm25_of as bm25_of
