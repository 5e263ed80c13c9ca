"""NS-IR: a second stage that compares the logic of a question with the logic of passages."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from logical_retriever.encoders import DEFAULT_MODEL
from logical_retriever.errors import InvalidArgumentError, check_count
from logical_retriever.lab.nsir.sentences import SentenceFormulas
from logical_retriever.lab.nsir.signature import Signature, signature, similarity
from logical_retriever.lab.nsir.tokens import DEFAULT_BATCH, SentenceTransformerTokens
from logical_retriever.lab.nsir.translate import LLMFormulas, Problem, QueryFormulas, Translation
from logical_retriever.transform import QuestionReader, check_question

DEFAULT_K: Final = 100
"""Candidates looked at: where the paper's figures stop gaining."""

Parts = Literal["both", "alignment", "constraint"]
"""Parts of the score: the sum of logic alignment and connective constraint, or one of the two alone."""


class RerankWarning(UserWarning):
    """A question has no logic, and the first stage's order is kept."""


@dataclass(frozen=True)
class ReadText:
    """A text with its logic, encoded: what is compared, and what does not depend on the other side.

    Attributes:
        translation: The text and its formulas.
        signature: Its vectors, or None where there are no formulas or the encoder knows no token.
    """

    translation: Translation
    signature: Signature | None = None


@dataclass(frozen=True)
class RerankedPassage:
    """A passage and its place.

    Attributes:
        index: Where it stood among the passages given, from 0.
        score: The final score; None for a passage beyond the k that are looked at, or where the question has no logic.
        alignment: Score of logic alignment, in [0, 1], or None with ``score``.
        constraint: Score of connective constraint, in [0, 1], or None with ``score``.
        problem: Why the passage keeps its first-stage score, which then stands for both parts, or None.
    """

    index: int
    score: float | None = None
    alignment: float | None = None
    constraint: float | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class RerankResult:
    """A ranking.

    Attributes:
        question: The question with its logic.
        passages: Every passage given, best first.
    """

    question: Translation
    passages: tuple[RerankedPassage, ...]


class NSIR:
    """Reranks passages by how well their logic agrees with the question's.

    Question and passages become first-order logic; a text and its formulas go through one encoder, and optimal
    transport aligns their tokens. Logic alignment makes one vector of that, connective constraint (in which ¬ pushes
    away) another; each is compared with the question's, and the final score is the sum of the two, in [0, 2].

    A passage without formulas (empty, unparsable after repair, a failed call, the budget used up) keeps its first-stage
    score, a cosine s, on the same scale: (s + 1)/2 for each part. Where the question itself has no formulas, all keep
    their order, with a :class:`RerankWarning`.

    Source: "Logical Consistency is Vital: Neural-Symbolic Information Retrieval for Negative-Constraint Queries"
    (arXiv 2505.22299). Its program aligns formulas as they are spelled; here names are split into words first, since
    a vocabulary of word pieces splits ``CausesDisease`` into pieces that mean nothing.

    Args:
        questions: Makes the logic of questions: :class:`LLMFormulas`, or :class:`QueryFormulas` over a transformer;
            by default the latter over the retriever's own reader.
        passages: Makes the logic of passages: :class:`LLMFormulas`, or the rule-based :class:`SentenceFormulas`, which
            is the default.
        encoder: Encodes tokens; a model's name for a sentence-transformers model. It is loaded at the first use.
        k: Most candidates looked at, at least 1; the others follow in the order given.
        parts: "both", or one of "alignment" and "constraint" alone; the score is in [0, 1] then.

    Raises:
        InvalidArgumentError: An argument is none of these.
    """

    def __init__(
        self,
        questions: LLMFormulas | QueryFormulas | None = None,
        passages: LLMFormulas | SentenceFormulas | None = None,
        *,
        encoder: SentenceTransformerTokens | str = DEFAULT_MODEL,
        k: int = DEFAULT_K,
        parts: Parts = "both",
    ) -> None:
        self.k = check_count("k", k)
        self.questions = QueryFormulas(QuestionReader()) if questions is None else questions
        self.passages = SentenceFormulas() if passages is None else passages
        if parts not in get_args(Parts):
            raise InvalidArgumentError(f"parts is {parts!r}.", hint=f"Known: {', '.join(get_args(Parts))}.")
        self.parts = parts
        self._encoder = encoder

    def read(self, passages: Sequence[str]) -> list[ReadText]:
        """Translate and encode passages, in order: the part that can be done before anything is asked.

        Raises:
            EmbeddingError: The encoder failed.
            MissingPackageError: A package of the extra ``rerank`` is missing.
        """
        return self._encoded(self.passages.passages(passages))

    def rank(
        self,
        question: str | Translation,
        passages: Sequence[str | ReadText],
        *,
        first_stage: npt.ArrayLike | None = None,
    ) -> RerankResult:
        """Rank passages.

        Args:
            question: The question, in natural language, or with its logic.
            passages: n candidates in the first stage's order, best first: texts, or what :meth:`read` made of them.
            first_stage: Its cosines, shape (n,), in [-1, 1]; by default those of the encoder's vectors of question
                and passage, for the passages that need one. Where given, they decide which k are looked at.

        Returns:
            All n passages; ties in the order given.

        Raises:
            InvalidArgumentError: ``passages`` or ``first_stage`` are not these.
            EmptyQuestionError: The question has no visible character.
            EmbeddingError: The encoder failed.
            MissingPackageError: A package of the extra ``rerank`` is missing.
        """
        candidates, first = _checked(question, passages, first_stage)
        translation = question if isinstance(question, Translation) else self.questions.question(question)
        order = list(range(len(candidates))) if first is None else [int(i) for i in np.argsort(-first, kind="stable")]
        own = self._encoded([translation])[0].signature if candidates else None
        if own is None:
            if order and translation.problem is not None:
                problem = f"The first stage's order is kept for {translation.text[:60]!r}. {translation.explanation}"
                warnings.warn(problem, RerankWarning, stacklevel=2)
            return RerankResult(translation, tuple(map(RerankedPassage, order)))
        pool = order[: self.k]
        texts = list(dict.fromkeys(text for index in pool if isinstance(text := candidates[index], str)))
        fresh = dict(zip(texts, self.read(texts), strict=True))
        ranked = []
        for index in pool:
            one = candidates[index]
            read = fresh[one] if isinstance(one, str) else one
            ranked.append(self._scored(index, own, read, None if first is None else float(first[index])))
        ranked.sort(key=lambda passage: (-float(passage.score or 0.0), passage.index))
        return RerankResult(translation, (*ranked, *map(RerankedPassage, order[self.k :])))

    def _scored(self, index: int, own: Signature, read: ReadText, first: float | None) -> RerankedPassage:
        other, problem = read.signature, None
        if other is not None:
            alignment = float(similarity(own.alignment[None], other.alignment[None])[0, 0])
            constraint = float(similarity(own.constraint[None], other.constraint[None])[0, 0])
        else:
            cosine = self._cosine(own, read.translation.text) if first is None else first
            alignment = constraint = (cosine + 1.0) / 2.0
            problem = read.translation.problem or "empty"
        score = {"alignment": alignment, "constraint": constraint}.get(self.parts, alignment + constraint)
        return RerankedPassage(index, score, alignment, constraint, problem)

    def _cosine(self, own: Signature, text: str) -> float:
        """The first-stage score of a passage that nobody gave one: 0 without a token."""
        encoded = self._tokens().encode_tokens([text])[0]
        if not len(encoded.tokens):
            return 0.0
        return float(2.0 * similarity(own.sentence[None], encoded.sentence[None])[0, 0] - 1.0)

    def _encoded(self, translations: Sequence[Translation]) -> list[ReadText]:
        read: dict[str, ReadText] = {}
        # Sorted, so that neither batches nor scores depend on the order of the candidates.
        distinct = {translation.text: translation for translation in translations if translation.formulas}
        usable = [distinct[text] for text in sorted(distinct)]
        for start in range(0, len(usable), DEFAULT_BATCH):
            batch = usable[start : start + DEFAULT_BATCH]
            vectors = self._tokens().encode_tokens(
                [text for translation in batch for text in (translation.text, translation.spelling.text)]
            )
            for one, text, logic in zip(batch, vectors[::2], vectors[1::2], strict=True):
                own = None
                if len(text.tokens) and len(logic.tokens):
                    own = signature(text, logic, one.spelling.signs)
                read[one.text] = ReadText(one, own)
        return [read.get(translation.text, ReadText(translation)) for translation in translations]

    def _tokens(self) -> SentenceTransformerTokens:
        if isinstance(self._encoder, str):
            self._encoder = SentenceTransformerTokens(self._encoder)
        return self._encoder


def _checked(
    question: str | Translation, passages: Sequence[str | ReadText], first_stage: npt.ArrayLike | None
) -> tuple[list[str | ReadText], npt.NDArray[np.float64] | None]:
    check_question(question.text if isinstance(question, Translation) else question)
    if isinstance(passages, (str, bytes)) or not isinstance(passages, Sequence):
        raise InvalidArgumentError(f"passages is {type(passages).__name__}.", hint="Give a list of texts.")
    for place, passage in enumerate(passages, start=1):
        if not isinstance(passage, (str, ReadText)):
            raise InvalidArgumentError(
                f"Passage {place} is {type(passage).__name__}, not text.", hint="Give the texts of the documents."
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
