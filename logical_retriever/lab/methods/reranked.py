"""The plain dense retriever, reranked by the package's own."""

from __future__ import annotations

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.methods.package import (
    BenchEmbedder,
    PackageRetriever,
    corpus_store,
    transformation_of,
)
from logical_retriever.evaluation.methods.plain import Dense
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.integration import SecondStage
from logical_retriever.semantics import Semantics
from logical_retriever.stores import InMemoryStore


class Reranked(PackageRetriever):
    """A pool of the documents nearest to the question, ranked by a semantics with all its evidence.

    What LangChain's compressor and LlamaIndex's postprocessor do. Statistics are the whole corpus's.

    Args:
        semantics: A semantics or its name.
        name: Name in tables.
        pool: Documents taken from the dense retriever, at least 1; a smaller corpus is taken whole.
    """

    def __init__(self, semantics: str | Semantics, name: str, pool: int = 200) -> None:
        super().__init__(semantics, name, depth=pool)
        self._first: Method = Dense()
        self._stage: SecondStage | None = None
        self._store: InMemoryStore | None = None

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Fill the store."""
        del prepared, progress  # the store is of the corpus
        self._store = corpus_store(bench)
        self._stage = SecondStage(BenchEmbedder(bench), semantics=self.semantics, origin=self._store)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question, and what the semantics asks for."""
        return tuple(dict.fromkeys((*self._first.texts(prepared), *super().texts(prepared))))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The semantics' scores in the pool, ``-inf`` outside."""
        if self._stage is None or self._store is None:
            raise SemanticsError(f"{self.name} has no store yet.", hint="Call prepare before score.")
        pool = np.argsort(-self._first.score(prepared, view), kind="stable")[: self.depth]
        documents = view.bench.dataset.documents
        found = self._store.fetch([documents[row].id for row in (pool if view.rows is None else view.rows[pool])])
        ranked = self._stage.over(found.documents, found.vectors).search(transformation_of(prepared)).documents
        scores = np.full(view.size, -np.inf)
        scores[[view.place_of[document.id] for document in ranked]] = [document.score for document in ranked]
        return scores
