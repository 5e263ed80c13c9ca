"""Candidates that only their words find: lists of the documents that hold the words of each wanted text."""

from __future__ import annotations

import numpy as np

from logical_retriever.interleave import interleaved
from logical_retriever.lexical import tokenize
from logical_retriever.results import Plan
from logical_retriever.search.access import Reader
from logical_retriever.search.problem import Problem
from logical_retriever.search.reading import Candidates
from logical_retriever.stores.base import Capabilities, WordQuery
from logical_retriever.vectors import precise_cosines


def planned_words(problem: Problem, capabilities: Capabilities, length: int) -> str:
    """How words will find candidates, as a plan says it.

    Args:
        problem: Whose semantics reads words.
        capabilities: Of the store.
        length: Of each list.
    """
    if capabilities.words is None:
        return f"of the best {length} by vectors alone: {capabilities.name} cannot be searched for words"
    # The language may not be known yet: this one has the words of English, and those of scripts without spaces.
    count = sum(bool(tokenize(bag.text, "zh")) for bag in problem.wanted_bags)
    if not count:
        return f"of the best {length} by vectors alone: nothing that is wanted has a word to look for"
    lists = f"{count} lists" if count > 1 else "1 list"
    return f"{lists} of {length} by {capabilities.words}, and the best {length} by vectors"


def with_word_lists(problem: Problem, plan: Plan, reader: Reader, candidates: Candidates) -> Candidates:
    """The candidates, and the documents that the store finds by the words of each wanted text.

    Args:
        problem: With the statistics of words.
        plan: With ``lexical_k``, the length of each list.
        reader: The store.
        candidates: With their documents.

    Returns:
        The same ones first.
    """
    queries = _queries(problem)
    if reader.capabilities.words is None or plan.lexical_k is None or not queries:
        return candidates
    known = set(candidates.ids)
    new = [id for id in interleaved(reader.search_words(queries, plan.lexical_k)) if id not in known]
    if not new:
        return candidates
    batch = reader.fetch(dict.fromkeys(new))
    if not batch.documents:
        return candidates
    documents = {**(candidates.documents or {}), **{document.id: document for document in batch.documents}}
    cosines = np.concatenate([candidates.cosines, precise_cosines(problem.vectors, batch.vectors)], axis=1)
    return Candidates((*candidates.ids, *batch.ids), cosines, documents)


def _queries(problem: Problem) -> list[WordQuery]:
    """The words of each wanted text that has any."""
    if problem.words is None:
        return []
    found = []
    for bag in problem.wanted_bags:
        words = problem.words.rarest(bag.text, bag.without, bag.keeping)
        if words:
            row = problem.texts.index(bag.text) if bag.text in problem.texts else problem.wanted[0]
            weights = tuple(words.values())
            found.append(WordQuery(tuple(words), problem.vectors[row], weights, problem.language))
    return found
