"""The prompts of the synthesis, as text files; fields stand in braces."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from logical_retriever.errors import InvalidArgumentError


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file, named without its ending."""
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def fill(name: str, /, **fields: str) -> str:
    """A prompt with its fields filled in.

    All fields are replaced in one pass, so that a field's name inside a document stays what it is.

    Args:
        name: The prompt file, without its ending.
        fields: A text for each ``{field}`` of the prompt.

    Raises:
        InvalidArgumentError: A given field is not in the prompt.
    """
    text = prompt_text(name)
    missing = [field for field in fields if f"{{{field}}}" not in text]
    if missing or not fields:
        raise InvalidArgumentError(
            f"The prompt {name!r} has no field {', '.join(missing)}.", hint="Give the fields that stand in the file."
        )
    pattern = "|".join(re.escape(f"{{{field}}}") for field in fields)
    return re.sub(pattern, lambda match: fields[match[0][1:-1]], text)
