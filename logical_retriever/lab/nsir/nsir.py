"""NS-IR: a second stage that compares the logic of a question with the logic of passages."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from logical_retriever.bounded import BoundedCache
from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.nsir.base import PassageTranslator, Progress, QuestionTranslator, Translation
from logical_retriever.lab.nsir.fol import Spelling
from logical_retriever.lab.nsir.from_query import QueryFormulas
from logical_retriever.lab.nsir.results import PARTS, Parts, RerankedPassage, RerankResult, RerankWarning
from logical_retriever.lab.nsir.sentences import SentenceFormulas
from logical_retriever.lab.nsir.signature import Signature, signature, similarity
from logical_retriever.lab.nsir.tokens import DEFAULT_BATCH, SentenceTransformerTokens, TokenEncoder
from logical_retriever.lab.nsir.transport import DEFAULT_REGULARIZATION, Transport, check_transport
from logical_retriever.transform import CueQueryTransformer
from logical_retriever.transform.base import check_count, check_question, shown

DEFAULT_K: Final = 100
"""Candidates looked at: where the paper's figures stop gaining."""
DEFAULT_KEPT: Final = 20_000
"""Signatures of passages kept in memory; at d = 384 one takes 9 kB."""

_Read = tuple[Signature | None, bool]


class NSIR:
    """Reranks passages by how well their logic agrees with the question's.

    Question and passages become first-order logic; a text and its formulas go through one encoder, and optimal
    transport aligns their tokens. Logic alignment makes one vector of that, connective constraint (in which ¬ pushes
    away) another; each is compared with the question's, and the final score is the sum of the two, in [0, 2].

    A passage without formulas (empty, unparsable after repair, a failed call, the budget used up) keeps its first-stage
    score, a cosine s, on the same scale: (s + 1)/2 for each part. It is counted in the result. Where the question
    itself has no formulas, all keep their order, with a :class:`RerankWarning`.

    The vectors of a passage do not depend on the question and are kept in memory, so that a corpus is encoded once.
    Safe to use from several threads.

    Source: "Logical Consistency is Vital: Neural-Symbolic Information Retrieval for Negative-Constraint Queries"
    (arXiv 2505.22299). Its program aligns formulas as they are spelled; here names are split into words first, since
    a vocabulary of word pieces splits ``CausesDisease`` into pieces that mean nothing.

    Args:
        questions: Makes the logic of questions: :class:`LLMFormulas`, or :class:`QueryFormulas` over a transformer;
            by default the latter over cue rules.
        passages: Makes the logic of passages: :class:`LLMFormulas`, or the rule-based :class:`SentenceFormulas`, which
            is the default.
        encoder: Encodes tokens; a model's name for a sentence-transformers model. It is loaded at the first use.
        k: Most candidates looked at, at least 1; the others follow in the order given. A smaller pool is taken whole.
        parts: "both", or one of "alignment" and "constraint" alone; the score is in [0, 1] then.
        transport: "exact" or "sinkhorn".
        regularization: Sinkhorn's.
        keep: Signatures of passages kept in memory, at least 0.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(
        self,
        questions: QuestionTranslator | None = None,
        passages: PassageTranslator | None = None,
        *,
        encoder: TokenEncoder | str = DEFAULT_MODEL,
        k: int = DEFAULT_K,
        parts: Parts = "both",
        transport: Transport = "exact",
        regularization: float = DEFAULT_REGULARIZATION,
        keep: int = DEFAULT_KEPT,
    ) -> None:
        check_transport(transport, regularization)
        check_count("k", k, 1)
        check_count("keep", keep)
        if parts not in PARTS:
            raise InvalidArgumentError(f"parts is {parts!r}.", hint=f"Known: {', '.join(PARTS)}.")
        self.questions = QueryFormulas(CueQueryTransformer()) if questions is None else questions
        self.passages = SentenceFormulas() if passages is None else passages
        _check_translator("questions", self.questions, QuestionTranslator)
        _check_translator("passages", self.passages, PassageTranslator)
        if not isinstance(encoder, str) and (isinstance(encoder, type) or not isinstance(encoder, TokenEncoder)):
            raise InvalidArgumentError(
                f"encoder is {encoder!r}.", hint="Give a model's name or SentenceTransformerTokens(...)."
            )
        self.k = k
        self.parts = parts
        self.transport = transport
        self.regularization = regularization
        self._encoder = encoder
        self._kept: BoundedCache[tuple[str, str], _Read] = BoundedCache(keep)
        self._lock = Lock()

    def rank(
        self,
        question: str | Translation,
        passages: Sequence[str],
        *,
        first_stage: npt.ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> RerankResult:
        """Rank passages.

        Args:
            question: The question, in natural language, or with its logic.
            passages: Texts of n candidates in the first stage's order, best first.
            first_stage: Its cosines, shape (n,), in [-1, 1]; by default those of the encoder's vectors of question
                and passage, for the passages that need one. Where given, they decide which k are looked at.
            progress: Called as the work goes on; see :func:`~logical_retriever.lab.nsir.progress.progress_bar`.

        Returns:
            All n passages; ties in the order given.

        Raises:
            InvalidArgumentError: ``passages`` or ``first_stage`` are not these.
            EmptyQuestionError: The question has no visible character.
            EmbeddingError: The encoder failed.
            MissingPackageError: A package of the extra ``rerank`` is missing.
        """
        texts, first = _checked(question, passages, first_stage)
        made = question if isinstance(question, Translation) else self.questions.question(question)
        order = _order(len(texts), first)
        if not made.formulas or not texts:
            return _unranked(made, order)
        pool = order[: self.k]
        translations = self.passages.passages([texts[i] for i in pool], progress)
        return self._ranked(made, order, translations, first, progress)

    async def arank(
        self,
        question: str | Translation,
        passages: Sequence[str],
        *,
        first_stage: npt.ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> RerankResult:
        """Asynchronous twin of :meth:`rank`; encoding runs in a thread."""
        texts, first = _checked(question, passages, first_stage)
        made = question if isinstance(question, Translation) else await self.questions.aquestion(question)
        order = _order(len(texts), first)
        if not made.formulas or not texts:
            return _unranked(made, order)
        translations = await self.passages.apassages([texts[i] for i in order[: self.k]], progress)
        return await asyncio.to_thread(self._ranked, made, order, translations, first, progress)

    def warm(self, passages: Sequence[str], *, progress: Progress | None = None) -> dict[str, int]:
        """Translate and encode passages before anything is asked, as many as are kept in memory.

        Returns:
            How many have no formulas, by problem.
        """
        translations = self.passages.passages(passages, progress)
        read = self._signatures([made for made in translations if made.formulas], progress)
        problems = ["empty" if made.formulas else str(made.problem) for made in translations if _lacks(made, read)]
        return {problem: problems.count(problem) for problem in dict.fromkeys(problems)}

    def _ranked(
        self,
        question: Translation,
        order: list[int],
        translations: Sequence[Translation],
        first: npt.NDArray[np.float64] | None,
        progress: Progress | None,
    ) -> RerankResult:
        read = self._signatures([made for made in translations if made.formulas], progress)
        own = self._fresh([(question.text, question.spelling)])[0][0]
        if own is None:  # the encoder knows no token of it
            return _unranked(question, order)
        found = []
        for index, made in zip(order, translations, strict=False):  # the pool alone is translated
            ours, truncated = read.get(made.text, (None, False))
            problem = None
            if ours is not None:
                alignment = float(similarity(own.alignment[None], ours.alignment[None])[0, 0])
                constraint = float(similarity(own.constraint[None], ours.constraint[None])[0, 0])
            else:
                cosine = float(first[index]) if first is not None else self._cosine(own, made.text)
                alignment = constraint = (cosine + 1.0) / 2.0
                problem = made.problem or "empty"
            scored = RerankedPassage(index, None, alignment, constraint, problem, truncated)
            found.append(replace(scored, score=scored.of(self.parts)))
        found.sort(key=lambda passage: (-_number(passage.score), passage.index))
        beyond = [RerankedPassage(index, None) for index in order[len(translations) :]]
        return RerankResult(question, (*found, *beyond))

    def _cosine(self, own: Signature, text: str) -> float:
        """The first-stage score of a passage that nobody gave one: 0 without a token."""
        encoded = self._tokens().encode_tokens([text])[0]
        if not len(encoded.tokens):
            return 0.0
        return float(2.0 * similarity(own.sentence[None], encoded.sentence[None])[0, 0] - 1.0)

    def _signatures(self, translations: Sequence[Translation], progress: Progress | None) -> dict[str, _Read]:
        """Signature, or None for a text without tokens, and whether it was cut, by text."""
        pairs = {made.text: made.spelling for made in translations}
        found: dict[str, _Read] = {}
        for text, spelling in pairs.items():
            if (kept := self._kept.get((text, spelling.text))) is not None:
                found[text] = kept
        # Sorted, so that neither batches nor scores depend on the order of the candidates.
        missing = sorted(text for text in pairs if text not in found)
        for start in range(0, len(missing), DEFAULT_BATCH):
            batch = missing[start : start + DEFAULT_BATCH]
            fresh = self._fresh([(text, pairs[text]) for text in batch])
            for text, read in zip(batch, fresh, strict=True):
                found[text] = read
                self._kept.put((text, pairs[text].text), read)
            if progress is not None:
                progress("encoding passages", start + len(batch), len(missing))
        return found

    def _fresh(self, pairs: Sequence[tuple[str, Spelling]]) -> list[_Read]:
        encoded = self._tokens().encode_tokens([part for text, spelling in pairs for part in (text, spelling.text)])
        read: list[_Read] = []
        for (_, spelling), text, logic in zip(pairs, encoded[::2], encoded[1::2], strict=True):
            truncated = text.truncated or logic.truncated
            made = None
            if len(text.tokens) and len(logic.tokens):
                made = signature(
                    text, logic, spelling.signs, transport=self.transport, regularization=self.regularization
                )
            read.append((made, truncated))
        return read

    def _tokens(self) -> TokenEncoder:
        with self._lock:
            if isinstance(self._encoder, str):
                self._encoder = SentenceTransformerTokens(self._encoder)
            return self._encoder


def _unranked(question: Translation, order: list[int]) -> RerankResult:
    if order and question.problem is not None:
        warnings.warn(
            f"The first stage's order is kept for {shown(question.text)}. {question.explanation}",
            RerankWarning,
            stacklevel=3,
        )
    return RerankResult(question, tuple(RerankedPassage(index, None) for index in order))


def _checked(
    question: str | Translation, passages: Sequence[str], first_stage: npt.ArrayLike | None
) -> tuple[list[str], npt.NDArray[np.float64] | None]:
    check_question(question.text if isinstance(question, Translation) else question)
    if isinstance(passages, (str, bytes)) or not isinstance(passages, Sequence):
        raise InvalidArgumentError(f"passages is {type(passages).__name__}.", hint="Give a list of texts.")
    for place, text in enumerate(passages, start=1):
        if not isinstance(text, str):
            raise InvalidArgumentError(
                f"Passage {place} is {type(text).__name__}, not text.", hint="Give the texts of the documents."
            )
    if first_stage is None:
        return list(passages), None
    first = np.asarray(first_stage, dtype=np.float64)
    if first.shape != (len(passages),) or not np.isfinite(first).all() or (np.abs(first) > 1.0 + 1e-6).any():
        raise InvalidArgumentError(
            f"first_stage of shape {first.shape} are no cosines of {len(passages)} passages.",
            hint="Give one cosine in [-1, 1] for each passage, or leave it out; a store's relevance score is none.",
        )
    return list(passages), np.clip(first, -1.0, 1.0)


def _order(count: int, first: npt.NDArray[np.float64] | None) -> list[int]:
    return list(range(count)) if first is None else [int(i) for i in np.argsort(-first, kind="stable")]


def _lacks(made: Translation, read: dict[str, _Read]) -> bool:
    return not made.formulas or read[made.text][0] is None


def _number(score: float | None) -> float:
    return -np.inf if score is None else score


def _check_translator(name: str, value: object, protocol: Any) -> None:
    if isinstance(value, type) or not isinstance(value, protocol):
        raise InvalidArgumentError(
            f"{name} is {value!r}.",
            hint="Give LLMFormulas(llm), "
            + ("QueryFormulas(transformer)." if name == "questions" else "SentenceFormulas()."),
        )
