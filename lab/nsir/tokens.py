"""Texts to vectors of their tokens, with the sentence-transformers model that a store's documents were encoded with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import EmbeddingError

DEFAULT_BATCH: Final = 32
"""Texts encoded at once."""


@dataclass(frozen=True)
class TokenVectors:
    """A text as the vectors of its tokens.

    Attributes:
        tokens: Shape (m, d), float32, not normalised; m is 0 for a text without tokens. The marks that a model puts
            around a text ([CLS], [SEP]) are left out.
        offsets: Shape (m, 2): start and end of each token in the text, without the white space around it.
        sentence: Shape (d,): the model's vector of the whole text, ``h_cls`` of NS-IR. What a model pools is its own
            choice: the vector of [CLS], or the mean of all tokens.
    """

    tokens: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.intp]
    sentence: npt.NDArray[np.float32]


class SentenceTransformerTokens:
    """Token vectors of a sentence-transformers model, in batches.

    A text over the model's length (256 tokens for all-MiniLM-L6-v2) is read up to there.
    Batches are formed from the sorted distinct texts, so that the order of the texts changes no vector.

    Args:
        model: A loaded ``SentenceTransformer``.

    Raises:
        EmbeddingError: The model's tokenizer does not tell where tokens stand.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        if not getattr(self._model.tokenizer, "is_fast", False):
            raise EmbeddingError(
                "The model's tokenizer does not tell where its tokens stand in the text.",
                hint="Use a model with a fast tokenizer; every BERT-type model has one.",
            )

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Encode texts, in order; a text that occurs twice is encoded once.

        Raises:
            EmbeddingError: The model failed, or reads other tokens than its tokenizer says.
        """
        distinct = sorted({text.strip() for text in texts})
        if not distinct:
            return []
        try:
            tokenized = self._model.tokenizer(
                distinct,
                truncation=True,
                max_length=self._model.max_seq_length,
                return_offsets_mapping=True,
                return_special_tokens_mask=True,
            )
            # All outputs at once: the sentence vector comes from the same pass as the tokens'. No prompt: the offsets
            # are those of the text alone.
            encoded = self._model.encode(
                distinct, output_value=None, prompt="", batch_size=DEFAULT_BATCH, show_progress_bar=False
            )
        except Exception as error:
            raise EmbeddingError(
                f"The model raised {type(error).__name__} for {len(distinct)} texts: {error}",
                hint="Check that the texts are valid Unicode and that the model fits into memory.",
            ) from error
        by_text = {
            text: _read(text, features, {name: tokenized[name][row] for name in tokenized})
            for row, (text, features) in enumerate(zip(distinct, encoded, strict=True))
        }
        return [by_text[text.strip()] for text in texts]


def _read(text: str, features: Any, tokenized: Any) -> TokenVectors:
    ids = np.asarray(tokenized["input_ids"])
    mask = np.asarray(features["attention_mask"]).astype(bool)
    if not np.array_equal(np.asarray(features["input_ids"])[mask], ids):
        raise EmbeddingError(
            "The model reads other tokens than its tokenizer says.",
            hint="Give a SentenceTransformer whose first module uses its tokenizer as it is.",
        )
    own = ~np.asarray(tokenized["special_tokens_mask"], dtype=bool)
    offsets = np.asarray(tokenized["offset_mapping"], dtype=np.intp).reshape(-1, 2)[own]
    tokens = np.asarray(features["token_embeddings"], dtype=np.float32)[mask][own]
    sentence = np.asarray(features["sentence_embedding"], dtype=np.float32)
    if not np.isfinite(tokens).all() or not np.isfinite(sentence).all():
        raise EmbeddingError(
            f"The model returned NaN or infinite values for the text {text[:60]!r}.",
            hint="Check the model's weights and input limits.",
        )
    return TokenVectors(tokens, offsets, sentence)
