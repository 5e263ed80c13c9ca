"""An encoder whose vectors a test chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import InvalidArgumentError


class GivenEmbedder:
    """Gives every text the vector it was given, of any length; "a: b" has the sum of those of a and of b.

    Args:
        vectors: Text to vector, all of one dimension d.

    Examples:
        >>> GivenEmbedder({"tea": [3.0, 4.0]}).embed_queries(["tea"]).tolist()
        [[3.0, 4.0]]
    """

    def __init__(self, vectors: Mapping[str, npt.ArrayLike]) -> None:
        self.vectors = {text: np.asarray(vector, dtype=np.float32) for text, vector in vectors.items()}

    def embed_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (T, d), float32."""
        return self._given(texts)

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Shape (N, d), float32."""
        return self._given(texts)

    def _given(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        if text in self.vectors:
            return self.vectors[text]
        wish, colon, term = text.partition(": ")
        if colon:
            return self._vector(wish) + self._vector(term)
        raise InvalidArgumentError(
            f"No vector was given for the text {text!r}.", hint="Name it in GivenEmbedder(vectors)."
        )
