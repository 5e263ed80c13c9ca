"""The page of errors has a section for every error, which its text names."""

import re
from pathlib import Path

from logical_retriever import errors

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.LogicalRetrieverError) and kind.__module__ == errors.__name__
]


def test_every_error_has_a_section_and_every_section_an_error():
    assert sorted(re.findall(r"^## (\w+)$", PAGE, re.MULTILINE)) == sorted(kind.__name__ for kind in KINDS)


def test_an_error_names_its_section_and_one_of_elsewhere_that_of_its_kind():
    class OfAPlugin(errors.StoreError):
        """An error of a package that is not this one."""

    assert str(errors.FieldError("No.", hint="Do.")) == "No.\nHint: Do.\nMore: docs/errors.md#fielderror"
    assert OfAPlugin("No.", hint="Do.").section == "docs/errors.md#storeerror"
