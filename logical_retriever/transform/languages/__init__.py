"""The languages that the rules know, one file each; how a language is recognised; signs of negation of many more."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from logical_retriever.transform.languages.table import Language

_FILES: Final = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "pl": "polish",
    "ru": "russian",
}


def _table(code: str, name: str) -> Callable[[], Language]:
    def made() -> Language:
        table: Language = getattr(import_module(f"{__name__}.{code}"), name)()
        return table

    return made


LANGUAGES: dict[str, Callable[[], Language]] = {code: _table(code, name) for code, name in _FILES.items()}
"""The function that makes the table of each language, by its ISO 639-1 code; its file is read when the language first is."""
