"""A passage, and hashes by which a collection is kept in step with passages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Passage:
    """One passage of a corpus.

    Attributes:
        id: Its identity, unique within the corpus.
        text: The passage, never blank.
        title: Its title, or "".
        metadata: Texts, numbers, truth values, and lists of one kind of these, by name.
    """

    id: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def content(self) -> str:
        """Title and text as they are encoded and shown, with a full stop between them where the title has no mark.

        Examples:
            >>> Passage("1", "It grows high up.", title="Coffee").content
            'Coffee. It grows high up.'
        """
        if not self.title:
            return self.text
        return f"{self.title}{' ' if self.title[-1] in '.!?…:' else '. '}{self.text}"

    @property
    def fingerprint(self) -> str:
        """Hash of what is encoded and kept beside it, in hexadecimal: equal for equal content, whatever the id."""
        told = [self.title, self.text, *([dict(self.metadata)] if self.metadata else [])]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def corpus_fingerprint(passages: Iterable[Passage]) -> str:
    """Hash of a corpus, in hexadecimal; the order of the passages does not matter."""
    rows = sorted((passage.id, passage.fingerprint) for passage in passages)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
