"""Strategies of property tests: queries of every shape."""

from compiler_corpus import LETTERS
from hypothesis import strategies as st

from logical_retriever.query import And, Not, Or, Term, contradiction


def queries(texts=None, max_leaves=8):
    """Trees of every shape over a few terms, repeated ones included: "a" to "d", or those of a strategy of texts.

    None contradicts itself: a search refuses those.
    """

    def extend(inner):
        operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(inner.map(Not), operands.map(And), operands.map(Or))

    terms = st.sampled_from(LETTERS) if texts is None else texts
    return st.recursive(terms.map(Term), extend, max_leaves=max_leaves).filter(possible)


def possible(query):
    """Whether no term is wanted and excluded at once."""
    return contradiction(query) is None
