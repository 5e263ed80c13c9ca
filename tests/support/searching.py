"""One call that searches a store with given vectors."""

import numpy as np

from logical_retriever.options import SearchOptions
from logical_retriever.search.question import Question
from logical_retriever.search.run import run_search
from logical_retriever.search.session import StoreSession
from logical_retriever.search.statistics import StoreStatistics


def find(query, store, terms, semantics="product", *, k=5, filter=None, **settings):
    """Search with one given vector for each term, without an encoder; nothing is left out, and nobody reads.

    Further arguments are settings of :class:`logical_retriever.options.SearchOptions`.
    """
    options = SearchOptions(**{"k": k, "semantics": semantics, "exclusion": "rank", "verify": False, **settings})
    question = Question.of(query, options, filter=filter)
    if question.texts:
        question = question.with_vectors(np.array([terms[text] for text in question.texts], dtype=np.float32))
    return run_search(question, StoreSession(question, store, StoreStatistics(store, None), None))
