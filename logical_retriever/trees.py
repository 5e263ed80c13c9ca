"""Trees of immutable nodes: each class names the fields that hold its children, and everything else follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Generic, TypeVar, cast

N = TypeVar("N")
R = TypeVar("R")


class Tree(Generic[N]):
    """Base of a family of nodes ``N``, each a frozen dataclass.

    Attributes:
        child_names: Fields that hold children, left to right: one node each, or a tuple of nodes, which comes last.

    Examples:
        >>> from logical_retriever.query import parse
        >>> parse('"a" AND NOT "b"').fold(lambda node, parts: 1 + sum(parts))
        4
    """

    __slots__ = ()

    child_names: ClassVar[tuple[str, ...]] = ()

    @property
    def children(self) -> tuple[N, ...]:
        """Direct children, in the order written."""
        found: list[N] = []
        for name in self.child_names:
            value = getattr(self, name)
            found += value if isinstance(value, tuple) else (value,)
        return tuple(found)

    def fold(self, visit: Callable[[N, tuple[R, ...]], R]) -> R:
        """Compute a value bottom-up, without recursion.

        Args:
            visit: Called once per node with the node and its children's values, children first, left to right.

        Returns:
            The value of the root.
        """
        values: list[R] = []
        for node, count in self._with_counts():
            split = len(values) - count
            values[split:] = [visit(node, tuple(values[split:]))]
        return values[0]

    def walk(self) -> Iterator[N]:
        """Yield every node, children before parents, left to right."""
        return (node for node, _ in self._with_counts())

    def _with_counts(self) -> Sequence[tuple[N, int]]:
        """Every node, in the order of :meth:`walk`, and how many children it has."""
        found: list[tuple[N, int]] = []
        stack: list[Any] = [self]
        while stack:  # parents first, right to left: the order of a walk from its end
            node = stack.pop()
            children = node.children if node.child_names else ()
            found.append((node, len(children)))
            stack += children
        found.reverse()
        return found

    def rebuilt(self, children: Iterable[N]) -> N:
        """The same node with other children; what is no child, such as where the text stood, stays."""
        rest = iter(children)
        changes = {
            name: tuple(rest) if isinstance(getattr(self, name), tuple) else next(rest) for name in self.child_names
        }
        return cast("N", replace(cast("Any", self), **changes) if changes else self)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Copies and pickles are built anew, so that they are checked and measured as the original was.
        return type(self), tuple(getattr(self, field.name) for field in fields(cast("Any", self)) if field.init)


class MeasuredTree(Tree[N]):
    """A tree that knows its depth and size, and keeps what is read off it; ``__post_init__`` calls :meth:`_measure`.

    Attributes:
        depth: Levels; a leaf has one.
        size: Leaves, repetitions counted.
    """

    __slots__ = ("_kept", "depth", "size")

    depth: int
    size: int
    _kept: dict[Callable[..., Any], Any]

    def kept(self, read: Callable[[Any], R]) -> R:
        """The value that a function reads off this tree, which does not change: computed once.

        Args:
            read: A function of a module. One made anew for each call would be kept for each.
        """
        try:
            kept = self._kept
        except AttributeError:
            kept = {}
            object.__setattr__(self, "_kept", kept)
        if read not in kept:
            kept[read] = read(self)
        return cast("R", kept[read])

    def _with_counts(self) -> Sequence[tuple[N, int]]:
        return self.kept(_counted)

    def _measure(self) -> None:
        children = cast("tuple[MeasuredTree[N], ...]", self.children)
        object.__setattr__(self, "depth", 1 + max((child.depth for child in children), default=0))
        object.__setattr__(self, "size", sum(child.size for child in children) if children else 1)


def _counted(tree: MeasuredTree[N]) -> Sequence[tuple[N, int]]:
    return Tree._with_counts(tree)
