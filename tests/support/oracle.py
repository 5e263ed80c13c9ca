"""A plain reference for scores and rankings, sharing no code with what it judges.

One document at a time, recursion, Python floats: slow, short and easy to check against the papers. The formulas of the
semantics named in :data:`OPERATORS` are written down here once more.
"""

import math
from functools import reduce

from logical_retriever.query import And, Not, Or, Term
from logical_retriever.results import id_order


def hamacher_and(x, y):
    return 0.0 if x == y == 0 else x * y / (x + y - x * y)


def hamacher_or(x, y):
    # The dual of the conjunction; (x + y - 2xy) / (1 - xy) loses all digits near x = y = 1.
    return 1 - hamacher_and(1 - x, 1 - y)


def clip(s):
    return min(max(s, 0.0), 1.0)


OPERATORS = {
    # name: truth value of a cosine, AND, OR, NOT
    "itlr": (lambda s: s, lambda x, y: x * y, lambda x, y: x + y, lambda x: 1 - x),
    "product": (clip, lambda x, y: x * y, lambda x, y: x + y * (1 - x), lambda x: 1 - x),
    "godel": (clip, min, max, lambda x: 1 - x),
    "lukasiewicz": (
        lambda s: (1 + s) / 2,
        lambda x, y: max(0.0, x + y - 1),
        lambda x, y: min(1.0, x + y),
        lambda x: 1 - x,
    ),
    "hamacher": (clip, hamacher_and, hamacher_or, lambda x: 1 - x),
}


def cosine(a, b):
    """Cosine of two vectors; 0 where one is all zeros or holds a value that is not finite."""
    if not all(map(math.isfinite, [*a, *b])):
        return 0.0
    lengths = math.sqrt(math.fsum(x * x for x in a)) * math.sqrt(math.fsum(x * x for x in b))
    return math.fsum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def score(query, cosines, semantics):
    """Score of one document under a truth-functional semantics, from its cosine with each term."""
    truth, conjunction, disjunction, negation = OPERATORS[semantics]
    if isinstance(query, Term):
        return truth(cosines[query.text])
    if isinstance(query, Not):
        return negation(score(query.operand, cosines, semantics))
    if not isinstance(query, (And, Or)):
        raise TypeError(type(query))
    operator = conjunction if isinstance(query, And) else disjunction
    return reduce(operator, (score(operand, cosines, semantics) for operand in query.operands))


def ranking(query, terms, documents, semantics, k):
    """Ids and scores of the true best k of all documents under a truth-functional semantics, ties by id.

    The vectors of terms are given by text, those of documents by id.
    """
    scored = [
        (id, score(query, {term: cosine(vector, document) for term, vector in terms.items()}, semantics))
        for id, document in documents.items()
    ]
    return sorted(scored, key=lambda pair: (-pair[1], id_order(pair[0])))[:k]
