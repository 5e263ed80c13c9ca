"""Stand-ins for what tests must not call: two encoders without a model, and a chat model with prepared answers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.transform import Message

WORD = re.compile(r"\w+", re.UNICODE)


class HashingEmbedder:
    """Bag of words hashed to d signed components: texts that share words are similar, others nearly orthogonal.

    Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009). No semantics beyond shared
    words; a text without any word gets a fixed vector of its own.

    Args:
        dimension: d, at least 1.
    """

    def __init__(self, dimension: int = 256) -> None:
        self.dimension = dimension

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d), float32, rows of length 1."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in WORD.findall(text.casefold()) or [""]:
                digest = zlib.crc32(word.encode("utf-8", "surrogatepass"))
                row[digest % self.dimension] += 1.0 if digest & 0x8000_0000 else -1.0
            if not row.any():  # words that cancelled out
                row[0] = 1.0
            row /= np.linalg.norm(row)
        return rows

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d), float32, rows of length 1: as for documents."""
        return self.embed_documents(texts)


class GivenEmbedder:
    """Gives every text the vector it was given, of any length.

    Args:
        vectors: Text to vector, all of one dimension d.

    Examples:
        >>> GivenEmbedder({"tea": [3.0, 4.0]}).embed_queries(["tea"]).tolist()
        [[3.0, 4.0]]
    """

    def __init__(self, vectors: Mapping[str, npt.ArrayLike]) -> None:
        self.vectors = dict(vectors)

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d), float32."""
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d), float32."""
        return self.embed_documents(texts)


class ScriptedChatModel:
    """A chat model that gives prepared answers, in order, and remembers the messages of each call.

    Several threads may call it; the answers go to the calls in the order in which these arrive.

    Args:
        answers: One entry per call: a text is returned, an exception is raised.

    Attributes:
        conversations: The messages of each call, oldest first.
    """

    def __init__(self, answers: Sequence[str | BaseException]) -> None:
        self.conversations: list[tuple[Message, ...]] = []
        self._answers = list(answers)

    def complete(self, messages: Sequence[Message]) -> str:
        """Give the next answer.

        Raises:
            RuntimeError: The script is at its end.
        """
        # Copied, so that a caller that changes its messages later does not change the record.
        self.conversations.append(tuple(Message(role=m["role"], content=m["content"]) for m in messages))
        if not self._answers:
            raise RuntimeError(f"The script is at its end; this is call {len(self.conversations)}.")
        answer = self._answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return self.complete(messages)
