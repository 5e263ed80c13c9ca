"""The questions of the page, and their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from logical_retriever import Explanation, LogicalRetriever, RankedDocument, ReadQuestion, discover_fields
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.explain import MADE_BY
from logical_retriever.options import Exclusion
from logical_retriever.query import negative_terms, parse
from logical_retriever.reading import check_question, read_query

MOST = 10_000
"""Most passages in an answer."""
LONGEST = 8_000
"""Most characters of a question."""
SHOWN_TEXT = 1_500
"""Most characters of a passage that are sent to the page, with its full length."""
SHOWN_METADATA = 80
"""Most characters of a metadata value that are sent to the page."""


class PlayQuestion(BaseModel):
    """A question of the page, with its settings.

    Attributes:
        question: In natural language or typed logic, at most 8,000 characters; may be empty if there is a query.
        query: The query as the user edited it, as long at most; None to have the question read.
        k: Passages to return.
        words: Weight of words against vectors.
        exclusion: What happens to passages that an excluded term leaves out: "drop", "strict", "certain" or "rank".
        min_relevance: Least relevance of a passage.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)

    question: str = Field(default="", max_length=LONGEST)
    query: str | None = Field(default=None, max_length=LONGEST)
    k: int = Field(default=5, ge=1, le=MOST)
    words: float = Field(default=0.5, ge=0.0, le=1.0)
    exclusion: Exclusion = "drop"
    min_relevance: float = Field(default=0.0, ge=0.0, le=1.0)

    @classmethod
    def read(cls, body: bytes) -> PlayQuestion:
        """Read the JSON that the page sent.

        Raises:
            InvalidArgumentError: It is not a question of the page.
        """
        try:
            return cls.model_validate_json(body)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise InvalidArgumentError(
                f"The request cannot be read: {where + ': ' if where else ''}{first['msg']}.",
                hint="Reload the page; its link may be of another version.",
            ) from None


class Playground:
    """A retriever, and what the page shows of its collection.

    Args:
        retriever: Answers the questions.
        name: The name of the collection.
        examples: Questions to begin with.
    """

    def __init__(self, retriever: LogicalRetriever, *, name: str, examples: Sequence[str] = ()) -> None:
        self.retriever = retriever
        self._collection = {"name": name, "examples": examples, "most": MOST}
        self._read = lru_cache(maxsize=32)(retriever.transformer.transform)  # sliders repeat a question

    def about(self) -> dict[str, Any]:
        """Return the collection's name, size, examples, and the fields that conditions can name."""
        store = self.retriever.store
        fields = {name: str(field) for name, field in discover_fields(store).items()}
        return {**self._collection, "count": store.count(), "fields": fields}

    def ask(self, question: PlayQuestion) -> dict[str, Any]:
        """Answer a question.

        Raises:
            LogicalRetrieverError: The question cannot be answered.
        """
        if question.query is None:
            check_question(question.question)
            reading = self._read(question.question)
        else:
            query = read_query(question.query)
            reading = ReadQuestion(question.question if question.question.strip() else str(query), query, "given")
        explanation = self.retriever.but(
            words=question.words,
            exclusion=question.exclusion,
            min_relevance=question.min_relevance or None,
        ).explain(reading, k=question.k)
        return answer(explanation, question.k)


def answer(explanation: Explanation, k: int) -> dict[str, Any]:
    """Return both rankings for the page, with the evidence for each document and term, and the decisions on it.

    A decision is shown where it leaves the document out, or where the document names the excluded term and stays.
    """
    reading, result = explanation.read, explanation.result
    out = {left.id for left in result.left_out}

    def shown(document: RankedDocument) -> dict[str, Any]:
        sources = {term: document.sources.get(term) for term in document.truth_values}
        return {
            "id": str(document.id),
            "text": document.text[:SHOWN_TEXT],
            "length": len(document.text),
            "metadata": _metadata(document),
            "relevance": document.relevance,
            "score": document.score,
            "leave_out": any(decision.leave_out for decision in document.decisions.values()),
            "decisions": [
                {"term": term, "leave_out": decision.leave_out, "reason": str(decision)}
                for term, decision in document.decisions.items()
                if decision.leave_out or decision.sentence
            ],
            "terms": [
                {
                    "text": term,
                    "truth": document.truth_values[term],
                    "strength": document.evidence.get(term),
                    "vectors": document.evidence.get(term) if source is None else source.vectors,
                    "words": 0.0 if source is None else source.words,
                    "matched": explanation.matched(document, term),
                }
                for term, source in sources.items()
            ],
        }

    scored = {document.id: document for document in (*result.documents, *explanation.not_shown)}
    return {
        "query": str(reading.query),
        "read_by": MADE_BY.get(reading.method, reading.method),
        "problem": reading.problem,
        "routed": explanation.routed,
        "completeness": result.completeness,
        "candidates": result.cost.scored,
        "excluded": list(negative_terms(parse(explanation.searched))),
        "documents": [
            {**shown(document), "dense": explanation.dense_rank(document.id)} for document in result.documents
        ],
        "left_out": [{**shown(left.document), "dense": explanation.dense_rank(left.id)} for left in result.left_out],
        "plain": [
            {
                **shown(scored.get(document.id, replace(document, evidence={}, truth_values={}, sources={}))),
                "cosine": document.score,
                "out": document.id in out,
            }
            for document in explanation.dense[:k]
        ],
    }


def _metadata(document: RankedDocument) -> dict[str, str]:
    """Return the first twelve values of a document's metadata as texts."""
    texts = {
        str(key): ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in list(document.metadata.items())[:12]
    }
    return {key[:SHOWN_METADATA]: text[:SHOWN_METADATA] for key, text in texts.items() if text}
