"""Questions of the page, and answers to them: the one form that the server and the page without a server share."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from logical_retriever.bounded import BoundedCache
from logical_retriever.embedding import Embedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.explain import MADE_BY, Explanation
from logical_retriever.lexical import distinct_words, matched_words
from logical_retriever.query import Term, has_logic, negative_terms, parse, positive_terms
from logical_retriever.results import RankedDocument
from logical_retriever.retriever import LogicalRetriever
from logical_retriever.semantics import CalibratedConstants, CalibratedSemantics
from logical_retriever.stores.base import Filter
from logical_retriever.stores.discovery import discover_fields
from logical_retriever.transform import Transformation
from logical_retriever.transform.base import check_question
from logical_retriever.vectors import Vectors

MOST = 10_000
"""Most passages of an answer."""
SHOWN_TEXT = 1_500
"""Characters of a passage that the page gets; how long it is, is said."""
OWN_FIELD = "fingerprint"
"""Metadata that the command line keeps with its passages; nobody else's."""
SHOWN_METADATA = 80
"""Characters of a value of metadata that the page gets."""
REMEMBERED = 16 * 2**20
"""Bytes of readings, and of vectors of texts, that are remembered while sliders move."""

_IMPORTS: Final = (
    "from logical_retriever import LogicalRetriever",
    "from logical_retriever.encoders import SentenceTransformerEmbedder",
    "from logical_retriever.semantics import CalibratedConstants, CalibratedSemantics",
)
DEMO_SETUP: Final = (
    "from logical_retriever import InMemoryStore, StoredDocument",
    "from logical_retriever.demo import load_passages",
    *_IMPORTS,
    "",
    "embedder = SentenceTransformerEmbedder()",
    "documents = [StoredDocument(passage.id, passage.content) for passage in load_passages()]",
    "store = InMemoryStore(documents, embedder.embed_documents([document.text for document in documents]))",
)
"""Python lines that make ``store`` and ``embedder`` of the demo's passages."""


def corpus_setup(corpus: str, model: str) -> list[str]:
    """The same for passages that are read from a folder or a file."""
    return [
        "from logical_retriever import InMemoryStore, StoredDocument",
        "from logical_retriever.corpus import read_corpus",
        *_IMPORTS,
        "",
        f"embedder = SentenceTransformerEmbedder({model!r})",
        f"passages = read_corpus({corpus!r})",
        "documents = [StoredDocument(passage.id, passage.content, passage.metadata) for passage in passages]",
        "store = InMemoryStore(documents, embedder.embed_documents([document.text for document in documents]))",
    ]


def chroma_setup(path: str, collection: str, model: str) -> list[str]:
    """The same for a Chroma collection in a folder."""
    return [
        "import chromadb",
        *_IMPORTS,
        "from logical_retriever.stores.chroma import ChromaStore",
        "",
        f"client = chromadb.PersistentClient({path!r})",
        f"store = ChromaStore(client.get_collection({collection!r}, embedding_function=None))",
        f"embedder = SentenceTransformerEmbedder({model!r})",
    ]


class Asked(BaseModel):
    """A question of the page.

    Attributes:
        question: In natural language, or typed logic; may be empty where there is a query.
        query: The query that the user edited; None to have the question read.
        k: Passages to return.
        words: Weight of words, of :class:`~logical_retriever.semantics.CalibratedSemantics`.
        threshold: Its constant of this name.
        drop: The search's ``drop_excluded``.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)

    question: str = ""
    query: str | None = None
    k: int = Field(default=5, ge=1, le=MOST)
    words: float = Field(default=0.5, ge=0.0, le=1.0)
    threshold: float = Field(default=CalibratedConstants.threshold, ge=-100.0, le=100.0)
    drop: bool | float = True

    @classmethod
    def read(cls, body: bytes) -> Asked:
        """Read what a page sent.

        Raises:
            InvalidArgumentError: It is no such question.
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


class _Remembering:
    """An encoder that encodes no text of a query twice while somebody plays with it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: BoundedCache[str, Vectors] = BoundedCache(
            REMEMBERED, weigh=lambda text, vector: sys.getsizeof(text) + vector.nbytes + 200
        )

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        rows = [
            self._known.made(text, lambda text: np.asarray(self._embedder.embed_queries([text]), np.float32)[0])
            for text in texts
        ]
        return np.stack(rows)

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return self._embedder.embed_documents(texts)


class Playground:
    """Answers the page's questions by a retriever.

    Args:
        retriever: Over the collection.
        name: Of the collection, for the page.
        setup: Python lines that make ``store`` and ``embedder``, for the lines that the page shows.
        examples: Questions to begin with.
        filter: In the store's own language; it always holds.
    """

    def __init__(
        self,
        retriever: LogicalRetriever,
        *,
        name: str,
        setup: Sequence[str],
        examples: Sequence[str] = (),
        filter: Filter = None,
    ) -> None:
        self._filter = filter
        self.retriever = retriever.but()
        self.retriever.embedder = _Remembering(retriever.embedder)
        self._about = {"name": name, "setup": list(setup), "examples": list(examples)}
        self._readings: BoundedCache[str, Transformation] = BoundedCache(
            REMEMBERED, weigh=lambda question, _: 4_000 + 3 * sys.getsizeof(question)
        )

    def about(self) -> dict[str, Any]:
        """The collection: its name and size, fields that conditions may name, and questions to begin with."""
        return {
            **self._about,
            "count": self.retriever.store.count(),
            "fields": {
                name: str(field) for name, field in discover_fields(self.retriever.store).items() if name != OWN_FIELD
            },
            "most": MOST,
        }

    def ask(self, asked: Asked) -> dict[str, Any]:
        """Answer.

        Raises:
            LogicalRetrieverError: The query is not in the grammar, the store does not answer, and so on.
        """
        made = self._made(asked)
        semantics = CalibratedSemantics(CalibratedConstants(threshold=asked.threshold), words=asked.words)
        retriever = self.retriever.but(semantics=semantics, drop_excluded=asked.drop)
        return answer(retriever.explain(made, k=asked.k, filter=self._filter), asked.k)

    def _made(self, asked: Asked) -> Transformation:
        if asked.query is None:
            check_question(asked.question)
            return self._readings.made(asked.question, self.retriever.transformer.transform)
        query = parse(asked.query)
        return Transformation(asked.question if asked.question.strip() else str(query), query, "given")


def answer(told: Explanation, k: int) -> dict[str, Any]:
    """An explanation as the page takes it: both rankings with the evidence for each document, term by term."""
    made, result = told.transformation, told.result
    searched = parse(told.searched)
    wanted, excluded = positive_terms(searched), negative_terms(searched)
    language = "en" if result.plan.language == "auto" else result.plan.language
    words = {
        text: frozenset(distinct_words(text, () if text in wanted else wanted, language=language))
        for text in searched.terms()
    }

    def shown(document: RankedDocument) -> dict[str, Any]:
        text = document.text[:SHOWN_TEXT]
        known = {term: document.sources.get(term) for term in document.truth_values}
        return {
            "id": str(document.id),
            "text": text,
            "length": len(document.text),
            "metadata": _metadata(document),
            "relevance": document.relevance,
            "score": document.score,
            "terms": [
                {
                    "text": term,
                    "truth": truth,
                    "strength": document.strengths.get(term),
                    "vectors": document.strengths.get(term) if sources is None else sources.vectors,
                    "words": 0.0 if sources is None else sources.words,
                    "matched": list(matched_words(text, words.get(term, frozenset()), language)),
                }
                for (term, truth), sources in zip(document.truth_values.items(), known.values(), strict=True)
            ],
        }

    scored = {document.id: document for document in (*result.documents, *told.left_out)}
    out = {one.id: one for one in result.left_out}
    return {
        "question": made.question,
        "query": str(made.query),
        "method": made.method,
        "read_by": MADE_BY.get(made.method, made.method),
        "logic": has_logic(made.query) or not isinstance(made.query, Term),
        "problem": made.problem,
        "signs": list(made.signs),
        "searched": told.searched,
        "routed": told.routed,
        "exact": told.exact,
        "completeness": result.completeness,
        "evidence": result.plan.evidence,
        "candidates": result.candidates,
        "note": result.note,
        "excluded": list(excluded),
        "clear": told.clear,
        "documents": [{**shown(one), "dense": told.dense_rank(one.id)} for one in result.documents],
        "left_out": [
            {**shown(scored[one.id]), "term": one.term, "share": one.truth_value, "dense": told.dense_rank(one.id)}
            for one in result.left_out
            if one.id in scored
        ],
        "plain": [
            {
                **shown(scored.get(one.id, replace(one, strengths={}, truth_values={}, sources={}))),
                "cosine": one.score,
                "out": out[one.id].term if one.id in out else None,
            }
            for one in told.dense[:k]
        ],
    }


def _metadata(document: RankedDocument) -> dict[str, str]:
    return {
        str(key)[:SHOWN_METADATA]: (", ".join(map(str, value)) if isinstance(value, list) else str(value))[
            :SHOWN_METADATA
        ]
        for key, value in list(document.metadata.items())[:12]
        if key != OWN_FIELD and value != ""
    }
