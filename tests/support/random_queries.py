"""Strategies of property tests: queries of every shape."""

from __future__ import annotations

from hypothesis import strategies as st

from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.testing.compiler_corpus import LETTERS



def queries(texts: st.SearchStrategy[str] | None = None, max_leaves: int = 8) -> st.SearchStrategy[LogicalQuery]:
    """Trees of every shape over a few terms, repeated terms included.

    Args:
        texts: Texts of the terms; "a" to "d" unless given.
        max_leaves: Most terms in a tree.
    """
    terms: st.SearchStrategy[LogicalQuery] = (st.sampled_from(LETTERS) if texts is None else texts).map(Term)

    def extend(inner: st.SearchStrategy[LogicalQuery]) -> st.SearchStrategy[LogicalQuery]:
        operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(inner.map(Not), operands.map(And), operands.map(Or))

    return st.recursive(terms, extend, max_leaves=max_leaves)
