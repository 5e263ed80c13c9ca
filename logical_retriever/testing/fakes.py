"""Stand-ins for models in tests: two encoders, and a chat model with prepared answers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.reading import Message


class HashingEmbedder:
    """An encoder that hashes words to d signed components: texts with shared words are similar, others are not.

    Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009). It knows no meanings. All
    texts without words have one vector.

    Args:
        dimension: d, at least 1.
    """

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Encode N texts: shape (N, d), float32, rows of length 1."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()) or [""]:
                digest = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                row[digest % self.dimension] += 1.0 if digest & 0x8000_0000 else -1.0
        rows[~rows.any(axis=1), 0] = 1.0  # words that cancelled out
        unit: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    embed_queries = embed_documents


class GivenEmbedder:
    """An encoder with a given vector for each text.

    Args:
        vectors: Vectors of one dimension d and any length, by text.

    Examples:
        >>> GivenEmbedder({"tea": [3.0, 4.0]}).embed_queries(["tea"]).tolist()
        [[3.0, 4.0]]
    """

    def __init__(self, vectors: Mapping[str, npt.ArrayLike]) -> None:
        self.vectors = dict(vectors)

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Look up N texts: shape (N, d), float32."""
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    embed_queries = embed_documents


class ScriptedChatModel:
    """A chat model that returns prepared answers, in order, and records the messages of each call.

    Safe to use from several threads: calls get the answers in the order of their arrival.

    Args:
        answers: One per call: a text is returned, an exception is raised.

    Attributes:
        conversations: The messages of each call, oldest first.
    """

    def __init__(self, answers: Sequence[str | BaseException]) -> None:
        self.conversations: list[tuple[Message, ...]] = []
        self._answers = iter(answers)

    def complete(self, messages: Sequence[Message]) -> str:
        """Return or raise the next answer.

        Raises:
            RuntimeError: No answers are left.
        """
        # A copy: the caller may change its messages later.
        self.conversations.append(tuple(Message(role=m["role"], content=m["content"]) for m in messages))
        answer = next(self._answers, RuntimeError(f"The script has no answer for call {len(self.conversations)}."))
        if isinstance(answer, BaseException):
            raise answer
        return answer
