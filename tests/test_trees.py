"""What follows from a node class's declaration of its children."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

from logical_retriever.trees import MeasuredTree, Tree


class Shape(MeasuredTree["Shape"]):
    __slots__ = ()

    def __post_init__(self):
        self._measure()


@dataclass(frozen=True, slots=True)
class Dot(Shape):
    name: str


@dataclass(frozen=True, slots=True)
class Pair(Shape):
    label: str
    left: Shape
    right: Shape
    child_names = ("left", "right")


@dataclass(frozen=True, slots=True)
class Row(Shape):
    head: Shape
    rest: tuple[Shape, ...]
    child_names = ("head", "rest")


A, B, C = map(Dot, "abc")


def test_children_are_what_the_class_names_from_left_to_right():
    assert Pair("p", A, B).children == (A, B)
    assert Row(A, (B, C)).children == (A, B, C)
    assert A.children == ()


def test_walk_and_fold_give_children_before_parents():
    tree = Pair("p", Row(A, (B,)), C)
    assert list(tree.walk()) == [A, B, Row(A, (B,)), C, tree]
    assert tree.fold(lambda node, parts: node.name if isinstance(node, Dot) else "".join(parts)) == "abc"


def test_depth_counts_levels_and_size_leaves():
    tree = Pair("p", Row(A, (B, B)), C)
    assert (tree.depth, tree.size) == (3, 4)


def test_rebuilt_changes_children_and_nothing_else():
    assert Pair("p", A, B).rebuilt([B, C]) == Pair("p", B, C)
    assert Row(A, (B,)).rebuilt((C, B, A)) == Row(C, (B, A))
    assert A.rebuilt(()) is A


def test_copies_are_measured_as_the_original_was():
    copied = pickle.loads(pickle.dumps(Pair("p", A, Row(B, (C,)))))
    assert (copied, copied.depth, copied.size) == (Pair("p", A, Row(B, (C,))), 3, 3)


def test_a_tree_of_many_levels_is_read_without_recursion():
    @dataclass(frozen=True)
    class Link(Tree["Link"]):
        inner: tuple[Link, ...] = ()
        child_names = ("inner",)

    chain = Link()
    for _ in range(20_000):
        chain = Link((chain,))
    assert chain.fold(lambda _, parts: 1 + sum(parts)) == 20_001
