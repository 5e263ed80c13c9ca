"""A plain reference for scores, rankings and exclusions, sharing no code with what it judges.

One document at a time, recursion, Python floats: slow, short and easy to check against the papers. The formulas of the
semantics named in :data:`OPERATORS` and of the calibrated one are written down here once more; of the package, only the
nodes of a query and the order of ids are used.
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
    "lukasiewicz": (lambda s: (1 + s) / 2, lambda x, y: max(0, x + y - 1), lambda x, y: min(1, x + y), lambda x: 1 - x),
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


def calibrated(query, z, odds, lexical=None, asked=None, words=0.5):
    """Score of one document under the calibrated semantics.

    Args:
        query: The query.
        z: The document's cosine with each text, in standard deviations of chance.
        odds: Log odds that the document is to go, for each excluded term: they are learned.
        lexical: Its evidence by words for each text; None by vectors alone.
        asked: The question, a text of ``z``; None for a query without one.
        words: The weight of words, from 0 to 1.
    """
    by_vectors, by_words = (min(1, 2 - 2 * words), min(1, 2 * words)) if lexical else (1, 0)
    onset, weight = 3 + 0.5 * by_words, 0.0 if asked is None else 0.3 + 0.2 * by_words

    def evidence(text):
        found = by_words * 1.4 * max(0, lexical[text]) if lexical else 0
        return min(by_vectors * z[text], 0) + math.hypot(max(by_vectors * z[text], 0), found)

    def value(node):
        if isinstance(node, Term):
            x = (evidence(node.text) + weight * (0 if asked is None else evidence(asked))) / (1 + weight) - onset
            return x if x < -30 else math.log(math.log1p(math.exp(x)) if x < 500 else x)
        if isinstance(node, Not):
            return -0.6 * math.log1p(math.exp(odds[node.operand.text]))
        parts = list(dict.fromkeys(node.operands))
        if isinstance(node, Or):
            values = [value(part) for part in parts]
            return max(values) + math.log(sum(math.exp(one - max(values)) for one in values))
        wants = [value(part) for part in parts if wants_something(part)]
        excludes = [value(part) for part in parts if not wants_something(part)]
        return sum(min(group) for group in (wants, excludes) if group)

    normal = flat(normal_form(query))
    return evidence(normal.text) if isinstance(normal, Term) else value(normal)


def normal_form(query, wanted=True):
    """NOT right before terms; AND and OR as they are nested."""
    if isinstance(query, Term):
        return query if wanted else Not(query)
    if isinstance(query, Not):
        return normal_form(query.operand, not wanted)
    kind = And if isinstance(query, And) == wanted else Or
    return kind(tuple(normal_form(operand, wanted) for operand in query.operands))


def flat(normal):
    """No AND directly in an AND, no OR directly in an OR."""
    if isinstance(normal, (Term, Not)):
        return normal
    kind, parts = type(normal), map(flat, normal.operands)
    return kind(tuple(inner for part in parts for inner in (part.operands if isinstance(part, kind) else [part])))


def wants_something(normal):
    """Whether a query in its normal form has a term without NOT."""
    if isinstance(normal, Term):
        return True
    return not isinstance(normal, Not) and any(map(wants_something, normal.operands))


def excluded(query, truths, about):
    """The excluded term for which one document is left out, the first of the query; None where the document stays.

    Args:
        query: The query, without conditions.
        truths: How far the document is about each wanted term, from 0 to 1.
        about: The excluded terms that it is about.
    """
    return decided(normal_form(query), truths, about)[0]


def decided(node, truths, about):
    """For a part of a query: the term that blocks the document, whether the part holds, how true what it wants is."""
    if isinstance(node, Term):
        return None, truths[node.text] >= 0.5, truths[node.text]
    if isinstance(node, Not):
        text = node.operand.text
        return (text, False, None) if text in about else (None, True, None)
    parts = [decided(operand, truths, about) for operand in node.operands]
    blocks = [block for block, _, _ in parts if block is not None]
    values = [value for _, _, value in parts if value is not None]
    if isinstance(node, And):
        return (blocks or [None])[0], all(holds for _, holds, _ in parts), min(values, default=None)
    # Another part of an OR saves the document, if it holds and is as true as the blocked one: or if it wants nothing.
    against = max((value for block, _, value in parts if None not in (block, value)), default=0.0)
    saved = any(holds and (value is None or value >= against) for _, holds, value in parts)
    return None if saved or not blocks else blocks[0], saved, max(values, default=None)
