"""The prompts of the synthesis, as text files; fields stand in braces."""

import re
from importlib.resources import files


def fill(name: str, /, **fields: str) -> str:
    """Fill a prompt in one pass: a field's name inside a document stays as it is.

    Args:
        name: The prompt file, without its ending.
        fields: A text for each ``{field}`` of the prompt.
    """
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
    return re.sub(r"\{(\w+)\}", lambda match: fields.get(match[1], match[0]), text)
