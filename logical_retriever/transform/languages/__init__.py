"""The languages that the rules know, one file each."""

from __future__ import annotations

from collections.abc import Callable

from logical_retriever.transform.languages.en import english
from logical_retriever.transform.languages.table import Language

LANGUAGES: dict[str, Callable[[], Language]] = {"en": english}
"""The function that makes the table of each language, by its ISO 639-1 code; it is made when the language is first read."""
