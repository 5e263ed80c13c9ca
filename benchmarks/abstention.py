"""Whether a least relevance tells questions that a corpus answers from those that it cannot: risk and coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.embedding import Embedder, embed_passages
from logical_retriever.evaluation import Dataset, JudgedQuestion
from logical_retriever.query import Term, parse
from logical_retriever.reading import ReadQuestion
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.stores import InMemoryStore, StoredDocument

LEAST = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
K = 4


@dataclass(frozen=True)
class Abstention:
    """Outcome of one least relevance.

    Attributes:
        least: ``min_relevance``.
        foreign: Foreign questions asked.
        empty: Share of them that return nothing, in [0, 1].
        own: Questions of the corpus's own that have a relevant document among their best :data:`K`.
        lost: Share of them that lose all of these, in [0, 1].
    """

    least: float
    foreign: int
    empty: float
    own: int
    lost: float


def abstention(
    dataset: Dataset,
    foreign: Dataset,
    *,
    embedder: Embedder,
    least: Sequence[float] = LEAST,
    limit: int | None = None,
) -> list[Abstention]:
    """Ask a corpus its own questions and those of another, by their recorded forms, with the retriever's defaults.

    Args:
        dataset: The corpus, and questions that it answers.
        foreign: Its questions alone are used; the corpus should have no answer to them.
        embedder: The encoder the documents' vectors belong to.
        least: Values of ``min_relevance``, in [0, 1].
        limit: Use so many questions of each only, spread over the file; None for all.
    """
    documents = [StoredDocument(document.id, document.text) for document in dataset.documents]
    texts = [document.text for document in documents]
    vectors = embed_passages(embedder, texts) if dataset.vectors is None else dataset.vectors
    retriever = LogicalRetriever(InMemoryStore(documents, vectors), embedder, k=K)
    own, others = (
        one.questions[:: 1 if limit is None else -(-len(one.questions) // limit)] for one in (dataset, foreign)
    )
    best, answered = [], []
    for question in others:
        best.append(max((document.relevance for document in retriever.search(_read(question)).documents), default=0.0))
    for question in own:
        shown = retriever.search(_read(question)).documents
        if right := [document.relevance for document in shown if document.id in question.relevant]:
            answered.append(max(right))
    return [
        Abstention(value, len(best), _below(best, value), len(answered), _below(answered, value)) for value in least
    ]


def _read(question: JudgedQuestion) -> ReadQuestion:
    query = Term(question.text) if question.form is None else parse(question.form)
    return ReadQuestion(question.text, query, method="recorded" if question.asked else "given")


def _below(values: Sequence[float], least: float) -> float:
    return float(np.mean(np.array(values) < least)) if values else float("nan")
