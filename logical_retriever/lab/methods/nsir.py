"""NS-IR as a method: the dense retriever's candidates, ranked by how well their logic agrees with the question's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.evaluation import Method, QuestionWithQuery, get_method
from logical_retriever.evaluation.workbench import Array, View, Workbench
from logical_retriever.lab.nsir import NSIR, Parts, SentenceTransformerTokens, Translation, from_query
from logical_retriever.lab.nsir.rerank import DEFAULT_K


class NeuroSymbolic(Method):
    """The best 100 of the dense retriever, ranked by :class:`~logical_retriever.lab.nsir.NSIR`, and no others.

    The question's logic is its logical query, converted; the passages' is rule-based. Passages are translated and
    encoded before anything is timed, by the benchmark's encoder where it is a sentence-transformers model, else by
    all-MiniLM-L6-v2.

    Args:
        parts: "both", or one of the paper's two parts alone, as its ablation.
    """

    def __init__(self, parts: Parts = "both") -> None:
        self.name = "nsir" if parts == "both" else f"nsir-{parts}"
        self.parts = parts
        self._dense = get_method("dense")

    def prepare(self, prepared: Sequence[QuestionWithQuery], bench: Workbench) -> None:
        """Translate and encode every candidate of every question."""
        embedder = bench.embedder
        own = embedder.sentence_transformer if isinstance(embedder, SentenceTransformerEmbedder) else DEFAULT_MODEL
        self._nsir = NSIR(encoder=SentenceTransformerTokens(own), parts=self.parts)
        views = [(question, bench.view(question.question)) for question in prepared]
        texts = sorted({text for question, view in views for text in _texts(view, self._candidates(question, view))})
        self._read = dict(zip(texts, self._nsir.read(texts), strict=True))

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question."""
        return self._dense.texts(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The second stage's scores in the pool, ``-inf`` outside."""
        pool = self._candidates(prepared, view)
        question = Translation(prepared.question.text, (from_query(prepared.query),))
        passages = [self._read[text] for text in _texts(view, pool)]
        result = self._nsir.rank(question, passages, first_stage=self._dense.score(prepared, view)[pool])
        scores = np.full(len(view.rows), -np.inf)
        for passage in result.passages:
            scores[pool[passage.index]] = passage.score
        return scores

    def _candidates(self, prepared: QuestionWithQuery, view: View) -> npt.NDArray[np.intp]:
        return np.sort(np.argsort(-self._dense.score(prepared, view), kind="stable")[:DEFAULT_K])


def _texts(view: View, positions: npt.NDArray[np.intp]) -> list[str]:
    return [view.bench.dataset.documents[row].text for row in view.rows[positions]]
