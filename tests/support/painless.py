"""An interpreter of the subset of Painless that compilers emit, as a server of Elasticsearch or OpenSearch runs it."""

import re
from typing import ClassVar

import lark
import numpy as np

PAINLESS = lark.Lark(
    r"""
    script: statement+
    ?statement: TYPE NAME "=" value ";"   -> declare
              | NAME "=" value ";"        -> assign
              | "return" value ";"        -> answer
    TYPE: "double"
    ?value: test "?" value ":" value      -> choose
          | test
    ?test: sum ">=" sum                   -> at_least
         | sum
    ?sum: sum "+" product                 -> add
        | sum "-" product                 -> subtract
        | product
    ?product: product "*" unary           -> multiply
            | product "/" unary           -> divide
            | unary
    ?unary: "-" unary                     -> negate
          | primary
    ?primary: NUMBER                      -> number
            | STRING                      -> string
            | NAME                        -> variable
            | "params" "." NAME           -> parameter
            | "doc" "[" value "]"         -> values
            | CALL "(" [value ("," value)*] ")" -> call
            | "(" value ")"
    CALL: /(Math|Double)\.\w+|cosineSimilarity/
    NAME: /(?!(params|doc|return|double|Math|Double|cosineSimilarity)\b)[a-z]\w*/
    NUMBER: /\d+\.\d+(E-?\d+|e-?\d+)?|\d+/
    STRING: /'([^'\\]|\\.)*'/
    %ignore /\s+/
    """,
    start="script",
    parser="lalr",
)


class Interpreter(lark.visitors.Interpreter):
    """Runs a script for all documents at once as Java would: double precision, no exceptions, NaN and infinities.

    Of a choice, each side is computed for the documents that it is chosen for, as if one after the other.
    """

    FUNCTIONS: ClassVar = {
        "Math.max": np.maximum,
        "Math.min": np.minimum,
        "Math.exp": np.exp,
        "Math.log": np.log,
        "Math.log1p": np.log1p,
        "Math.sqrt": np.sqrt,
        "Double.isNaN": np.isnan,
    }

    def __init__(self, params, field, vectors):
        self.params, self.field, self.vectors = params, field, vectors
        self.rows = np.arange(len(vectors))
        self.names = {}

    def script(self, tree):
        for statement in tree.children:
            value = self.visit(statement)
            if statement.data == "answer":
                return value
        raise AssertionError("The script returns nothing.")

    def declare(self, tree):
        _, name, value = tree.children
        assert name not in self.names, f"{name} is declared twice"
        self.names[str(name)] = self.visit(value) + np.zeros(len(self.rows))

    def assign(self, tree):
        name, value = tree.children
        assert name in self.names, f"{name} is not declared"
        self.names[str(name)] = self.visit(value) + np.zeros(len(self.rows))

    def answer(self, tree):
        return self.visit(tree.children[0]) + np.zeros(len(self.rows))

    def choose(self, tree):
        test, *sides = tree.children
        rows, chosen = self.rows, self.visit(test)
        value = np.zeros(len(rows))
        for side, mask in zip(sides, (chosen, ~chosen), strict=True):
            if mask.any():
                self.rows = rows[mask]
                value[mask] = self.visit(side)
        self.rows = rows
        return value

    def number(self, tree):
        return np.float64(tree.children[0])

    def string(self, tree):
        return re.sub(r"\\(.)", r"\1", tree.children[0][1:-1])

    def variable(self, tree):
        return self.names[str(tree.children[0])][self.rows]

    def parameter(self, tree):
        return self.params[str(tree.children[0])]

    def values(self, tree):
        assert self.visit(tree.children[0]) == self.field
        return [self.vectors[row] for row in self.rows]

    def call(self, tree):
        name, *operands = tree.children
        operands = [self.visit(operand) for operand in operands]
        return self.cosines(*operands) if name == "cosineSimilarity" else self.FUNCTIONS[name](*operands)

    def cosines(self, vector, stored):
        """What a server says: an error for vectors that are absent or of zeros, NaN for stored ones of zeros."""
        if isinstance(stored, str):
            assert stored == self.field
            stored = [self.vectors[row] for row in self.rows]
        assert any(vector), "servers refuse a vector of zeros"
        assert all(one is not None for one in stored), "servers fail where a document has no vector"
        assert all(len(one) == len(vector) for one in stored), "servers fail where dimensions differ"
        x, y = np.array(vector, dtype=np.float64), np.array(stored, dtype=np.float64)
        return (y @ x) / np.linalg.norm(y, axis=1) / np.linalg.norm(x)

    at_least = lambda self, tree: np.greater_equal(*self.visit_children(tree))  # noqa: E731  # one line an operator
    add = lambda self, tree: np.add(*self.visit_children(tree))  # noqa: E731
    subtract = lambda self, tree: np.subtract(*self.visit_children(tree))  # noqa: E731
    multiply = lambda self, tree: np.multiply(*self.visit_children(tree))  # noqa: E731
    divide = lambda self, tree: np.divide(*self.visit_children(tree))  # noqa: E731
    negate = lambda self, tree: np.negative(*self.visit_children(tree))  # noqa: E731


def scores(script, field, vectors):
    """Scores of N documents by the body of a script, float32, as a server would give them."""
    if not vectors:
        return np.empty(0, np.float32)
    interpreter = Interpreter(script["params"], field, vectors)
    with np.errstate(all="ignore"):
        found = interpreter.visit(PAINLESS.parse(script["source"])).astype(np.float32)
    assert np.isfinite(found).all(), "servers refuse scores that are not finite"
    assert (found >= 0).all(), "servers refuse scores below 0"
    return found
