"""NS-IR: the dense retriever's candidates, ranked by how well their logic agrees with the question's."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from logical_retriever.encoders import DEFAULT_MODEL, SentenceTransformerEmbedder
from logical_retriever.errors import SemanticsError
from logical_retriever.evaluation.methods.base import Advance, Method, Questions, QuestionWithQuery
from logical_retriever.evaluation.methods.plain import Dense
from logical_retriever.evaluation.workbench import Array, Rows, View, Workbench
from logical_retriever.lab.nsir import (
    DEFAULT_K,
    NSIR,
    Parts,
    PassageTranslator,
    SentenceTransformerTokens,
    TokenEncoder,
    Translation,
    from_query,
)

_SHARED: WeakKeyDictionary[Workbench, NSIR] = WeakKeyDictionary()


class NeuroSymbolic(Method):
    """The best 100 of the dense retriever, ranked by :class:`~logical_retriever.lab.nsir.NSIR`, and no others.

    The question's logic is its logical query, converted; the passages' is rule-based unless another translator is
    given. Passages are translated and encoded before anything is timed, and once for all methods of a run, since their
    vectors depend on no question. What is timed is the question's own part and the comparison.

    Args:
        parts: "both", or one of the paper's two parts alone, as its ablation.
        pool: Candidates, at least 1.
        passages: Makes the logic of passages.
        encoder: Encodes tokens; by default the model of the benchmark's encoder where it is a sentence-transformers
            model, else all-MiniLM-L6-v2.
    """

    def __init__(
        self,
        parts: Parts = "both",
        *,
        pool: int = DEFAULT_K,
        passages: PassageTranslator | None = None,
        encoder: TokenEncoder | None = None,
    ) -> None:
        self.name = "nsir" if parts == "both" else f"nsir-{parts}"
        self.parts = parts
        self.pool = pool
        self._passages = passages
        self._encoder = encoder
        self._first = Dense()
        self._nsir: NSIR | None = None

    def prepare(self, prepared: Questions, bench: Workbench, progress: Advance) -> None:
        """Translate and encode every candidate of every question."""
        bench.encode(text for one in prepared for text in self.texts(one))
        views = [(one, bench.view(one.question)) for one in prepared]
        texts = sorted({text for one, view in views for text in self._texts(view, self._candidates(one, view))})
        if self._passages is None and self._encoder is None:
            self._nsir = _SHARED.get(bench)
        if self._nsir is None:
            encoder = _encoder(bench) if self._encoder is None else self._encoder
            self._nsir = NSIR(passages=self._passages, encoder=encoder, k=self.pool, keep=len(texts))
            if self._passages is None and self._encoder is None:
                _SHARED[bench] = self._nsir
        self._nsir.warm(texts, progress=lambda _, done, total: progress(done, total))

    def texts(self, prepared: QuestionWithQuery) -> tuple[str, ...]:
        """The question."""
        return self._first.texts(prepared)

    def score(self, prepared: QuestionWithQuery, view: View) -> Array:
        """The second stage's scores in the pool, ``-inf`` outside."""
        if self._nsir is None:
            raise SemanticsError(f"{self.name} has no passages yet.", hint="Call prepare before score.")
        first = self._first.score(prepared, view)
        pool = self._candidates(prepared, view)
        question = Translation(prepared.question.text, (from_query(prepared.query),), "query")
        result = self._nsir.rank(question, self._texts(view, pool), first_stage=first[pool])
        scores = np.full(view.size, -np.inf)
        for passage in result.passages:
            scores[pool[passage.index]] = passage.of(self.parts)
        return scores

    def _candidates(self, prepared: QuestionWithQuery, view: View) -> Rows:
        first = self._first.score(prepared, view)
        return np.sort(np.argsort(-first, kind="stable")[: self.pool])

    def _texts(self, view: View, positions: Rows) -> list[str]:
        documents = view.bench.dataset.documents
        rows = positions if view.rows is None else view.rows[positions]
        return [documents[row].text for row in rows]


def _encoder(bench: Workbench) -> TokenEncoder:
    embedder = bench.embedder
    own = embedder.sentence_transformer if isinstance(embedder, SentenceTransformerEmbedder) else DEFAULT_MODEL
    return SentenceTransformerTokens(own)
