"""NS-IR as a method: the dense retriever's candidates, ranked by how well their logic agrees with the question's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from lab.nsir.sentences import SentenceFormulas
from lab.nsir.signature import Signature, signature, similarity
from lab.nsir.tokens import DEFAULT_BATCH, SentenceTransformerTokens
from lab.nsir.translate import LLMFormulas, Translation, from_query
from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.evaluation import JudgedQuery, Method, View, Workbench, get_method
from logical_retriever.reading import ChatModel

POOL = 100
"""Candidates that are ranked: where the paper's figures stop gaining."""
Parts = Literal["both", "alignment", "constraint"]
Array = npt.NDArray[np.float64]


class NeuroSymbolic(Method):
    """The best 100 of the dense retriever, ranked by the logic of question and passage, and no others.

    Question and passages become first-order logic; a text and its formulas go through one encoder, and optimal
    transport aligns their tokens. Logic alignment makes one vector of that, connective constraint (in which ¬ pushes
    away) another; each is compared with the question's, and the score is the sum of the two, in [0, 2].

    A passage without formulas keeps its cosine s with the question, on the same scale: (s + 1)/2 for each part. Where
    the question has none, all candidates keep their cosines. All is translated and encoded before time is measured.

    Source: NS-IR (arXiv 2505.22299). Its program aligns formulas as they are spelled; here names are split into words
    first, since a vocabulary of word pieces splits ``CausesDisease`` into pieces that mean nothing.

    Args:
        parts: "both", or one of the two parts alone, as in the paper's ablation; the score is in [0, 1] then.
        llm: Writes the logic of questions and passages, as in the paper. None: that of questions is their logical
            query, that of passages is made by :class:`~lab.nsir.sentences.SentenceFormulas`.
        max_calls: Most calls of the language model, None for no bound.
    """

    def __init__(self, parts: Parts = "both", llm: ChatModel | None = None, max_calls: int | None = None) -> None:
        self.name = "nsir" if parts == "both" else f"nsir-{parts}"
        self.parts = parts
        self.formulas = None if llm is None else LLMFormulas(llm, max_calls=max_calls)
        self._dense = get_method("dense")

    def prepare(self, prepared: Sequence[JudgedQuery], bench: Workbench) -> None:
        """Translate and encode every question and each of its candidates."""
        own = bench.embedder
        embedder = own if isinstance(own, SentenceTransformerEmbedder) else SentenceTransformerEmbedder()
        self._encoder = SentenceTransformerTokens(embedder.sentence_transformer)
        views = [(question, bench.view(question.question)) for question in prepared]
        texts = sorted({text for question, view in views for text in _texts(view, self._pool(question, view))})
        passages = SentenceFormulas() if self.formulas is None else self.formulas
        self._passages = self._signatures(passages.passages(texts))
        self._questions = self._signatures([self._question(question) for question in prepared])
        self.llm_calls = 0 if self.formulas is None else self.formulas.calls

    def texts(self, prepared: JudgedQuery) -> tuple[str, ...]:
        """Return the question."""
        return self._dense.texts(prepared)

    def score(self, prepared: JudgedQuery, view: View) -> Array:
        """Return the scores of the candidates, ``-inf`` for all others."""
        cosines, pool = self._dense.score(prepared, view), self._pool(prepared, view)
        own, scores = self._questions.get(prepared.question.text), np.full(len(view.rows), -np.inf)
        for place, text in zip(pool, _texts(view, pool), strict=True):
            other = self._passages.get(text)
            pairs = [(own.alignment, other.alignment), (own.constraint, other.constraint)] if own and other else []
            parts = [float(similarity(*pair)[0, 0]) for pair in pairs] or [(cosines[place] + 1.0) / 2.0] * 2
            scores[place] = {"alignment": parts[0], "constraint": parts[1]}.get(self.parts, sum(parts))
        return scores

    def _pool(self, prepared: JudgedQuery, view: View) -> npt.NDArray[np.intp]:
        return np.sort(np.argsort(-self._dense.score(prepared, view), kind="stable")[:POOL])

    def _question(self, prepared: JudgedQuery) -> Translation:
        text = prepared.question.text
        return (
            Translation(text, (from_query(prepared.query),)) if self.formulas is None else self.formulas.question(text)
        )

    def _signatures(self, translations: Sequence[Translation]) -> dict[str, Signature]:
        """Encode texts with their formulas, by text; one without formulas or tokens is left out."""
        found: dict[str, Signature] = {}
        # Sorted, so that neither batches nor scores depend on the order of the candidates.
        distinct = {translation.text: translation for translation in translations if translation.formulas}
        usable = [distinct[text] for text in sorted(distinct)]
        for start in range(0, len(usable), DEFAULT_BATCH):
            batch = usable[start : start + DEFAULT_BATCH]
            vectors = self._encoder.encode_tokens([text for one in batch for text in (one.text, one.spelling.text)])
            for one, text, logic in zip(batch, vectors[::2], vectors[1::2], strict=True):
                if len(text.tokens) and len(logic.tokens):
                    found[one.text] = signature(text, logic, one.spelling.signs)
        return found


def _texts(view: View, positions: npt.NDArray[np.intp]) -> list[str]:
    return [view.bench.dataset.documents[row].text for row in view.rows[positions]]
