"""A benchmark in memory: documents, questions with their judgements, and what was wrong with the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Document:
    """A document of the corpus.

    Attributes:
        id: Identity within the corpus.
        text: What is encoded and indexed: title and text, joined by a space where there is a title.
    """

    id: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question with its judgements.

    Attributes:
        id: Identity within the benchmark.
        text: The question as a user asks it.
        type: Query type as the benchmark names it, or None.
        form: Text of its logical form, or None: then the question itself is the only term.
        relevance: Grade by document id, 0 or more; more than 0 is relevant.
        violations: Documents about what the question excludes.
        candidates: Documents of the question's own small corpus, or None for the whole corpus.
        asked: Whether the text is a question somebody asked; False where it is the wording of the form.
    """

    id: str
    text: str
    type: str | None = None
    form: str | None = None
    relevance: Mapping[str, int] = field(default_factory=dict)
    violations: frozenset[str] = frozenset()
    candidates: tuple[str, ...] | None = None
    asked: bool = True

    @property
    def relevant(self) -> frozenset[str]:
        """Documents with a grade above 0."""
        return frozenset(document for document, grade in self.relevance.items() if grade > 0)


@dataclass(frozen=True)
class Problem:
    """Something in the files that does not fit together; counted and shown, the rest is used.

    Attributes:
        what: In words, for example "relevance judgements for unknown documents".
        count: How many.
        examples: The first few, as they stand in the file.
    """

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.count} {self.what}: {', '.join(self.examples)}{more}"


@dataclass(frozen=True)
class Dataset:
    """A benchmark.

    Attributes:
        name: How it is called in tables.
        documents: N documents.
        questions: The judged questions, in the order of the file.
        vectors: Shape (N, d), one vector a document, or None: an encoder computes them.
        problems: What did not fit together in the files.
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    vectors: npt.NDArray[np.float32] | None = None
    problems: tuple[Problem, ...] = ()
