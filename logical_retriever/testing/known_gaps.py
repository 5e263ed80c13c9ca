"""The mark for what a store cannot do, which fails the build when the gap closes.

It is given to a suite in ``gaps``, by the name of the test:

    class TestMine(StoreSuite):
        gaps = {"test_zero_vector": known_gap("mine refuses vectors of zeros", raises=StoreError)}
"""

from __future__ import annotations

import types
from collections.abc import Mapping

import pytest

from logical_retriever.errors import InvalidArgumentError

Raises = type[BaseException] | tuple[type[BaseException], ...]


def known_gap(reason: str, raises: Raises | None = None) -> pytest.MarkDecorator:
    """A test that the store does not pass, and why; the build fails when it passes after all."""
    return pytest.mark.xfail(reason=reason, raises=raises, strict=True)


def apply_gaps(cls: type, gaps: Mapping[str, pytest.MarkDecorator]) -> None:
    """Mark the named tests of a suite's subclass, leaving the suite's own tests as they are.

    Raises:
        InvalidArgumentError: The suite has no test of that name.
    """
    for name, mark in gaps.items():
        test = getattr(cls, name, None)
        if not name.startswith("test_") or not isinstance(test, types.FunctionType):
            tests = ", ".join(sorted(n for n in dir(cls) if n.startswith("test_")))
            raise InvalidArgumentError(f"{cls.__name__} has no test {name!r}.", hint=f"Its tests: {tests}.")
        # A copy: pytest keeps marks on the function, which all subclasses share.
        copy = types.FunctionType(test.__code__, test.__globals__, name, test.__defaults__, test.__closure__)
        copy.__dict__.update(test.__dict__)
        copy.__kwdefaults__ = test.__kwdefaults__
        setattr(cls, name, mark(copy))
