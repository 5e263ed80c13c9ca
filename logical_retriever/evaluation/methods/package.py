"""The package's own retriever, end to end, as a method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.workbench import Array, Vectors, View, Workbench
from logical_retriever.query import LogicalQuery
from logical_retriever.retriever import LogicalRetriever, effective_query
from logical_retriever.search import DEFAULT_FETCH_K, EvidenceSource, SearchMode
from logical_retriever.semantics import Semantics, get_semantics
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.transform import Transformation


class PackageRetriever(Method):
    """:class:`~logical_retriever.LogicalRetriever` over an in-memory store of the corpus, with one semantics.

    Plan, routing, calibration and lexical evidence are the retriever's own, so that what is measured is what users
    get, but for documents about what is excluded: they stand where their scores put them, so that rankings are whole
    (``benchmarks/answers.py`` measures what is left out). Its time includes explaining every result. Documents below
    the ``depth`` best are not retrieved. A question with a small corpus of its own is answered over the whole store,
    from which the scores of its documents are taken: a store's statistics need a store.

    Args:
        semantics: A semantics or its name.
        name: Name in tables; by default the semantics' own.
        depth: Documents asked of the retriever, at least 1.
        evidence: As :class:`~logical_retriever.LogicalRetriever` takes it: "dense" looks at vectors alone.
        mode: As :class:`~logical_retriever.LogicalRetriever` takes it; its own cost is part of the time.
        fetch_k: Candidates where not every document is scored, at least 1; raised to ``depth`` by the retriever.
    """

    def __init__(
        self,
        semantics: str | Semantics,
        name: str | None = None,
        depth: int = 200,
        evidence: EvidenceSource = "auto",
        mode: SearchMode = "exact",
        fetch_k: int = DEFAULT_FETCH_K,
    ) -> None:
        self.semantics = get_semantics(semantics)
        self.name = self.semantics.name if name is None else name
        self.depth = depth
        self.evidence = evidence
        self.mode: SearchMode = mode
        self.fetch_k = fetch_k
        self._retriever: LogicalRetriever | None = None

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Fill the store, and search once: a store's statistics are taken at the first search and no other."""
        del progress  # this takes a second
        self._retriever = LogicalRetriever(
            corpus_store(bench),
            BenchEmbedder(bench),
            semantics=self.semantics,
            evidence=self.evidence,
            mode=self.mode,
            fetch_k=self.fetch_k,
            drop_excluded=False,
        )
        if prepared:
            self._retriever.search(transformation_of(prepared[0]), k=1)

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The texts that the semantics asks for once the question is routed."""
        return self.semantics.texts(*searched(prepared, self.semantics))

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The retriever's scores, ``-inf`` for what it did not return."""
        if self._retriever is None:
            raise SemanticsError(f"{self.name} has no store yet.", hint="Call prepare before score.")
        everything = len(view.bench.dataset.documents)
        k = min(self.depth, everything) if view.rows is None else everything
        found = self._retriever.search(transformation_of(prepared), k=k).documents
        scores = np.full(everything, -np.inf)
        scores[[view.bench.row_of[document.id] for document in found]] = [document.score for document in found]
        return scores if view.rows is None else scores[view.rows]


class BenchEmbedder:
    """Gives the vectors that were encoded for all methods at once."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (T, d)."""
        return self._bench.vectors(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (N, d)."""
        return self._bench.vectors(texts, as_documents=True)


def corpus_store(bench: Workbench) -> InMemoryStore:
    """The benchmark's corpus as a store."""
    documents = [StoredDocument(document.id, document.text) for document in bench.dataset.documents]
    return InMemoryStore(documents, bench.document_vectors)


def searched(prepared: QuestionWithQuery, semantics: Semantics) -> tuple[LogicalQuery, str | None]:
    """The query that the retriever searches with, and the question; None where nobody asked one."""
    made = transformation_of(prepared)
    return effective_query(made, semantics), None if made.written else made.question


def transformation_of(prepared: QuestionWithQuery) -> Transformation:
    """The transformation that a transformer would have handed to the retriever for this question."""
    method = prepared.method if prepared.question.asked else "given"
    return Transformation(prepared.question.text, prepared.query, method=method)
