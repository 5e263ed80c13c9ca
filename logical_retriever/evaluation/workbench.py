"""Vectors and indexes that all methods share, so that differences between methods are the methods' own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from logical_retriever.embedding import Embedder, embed_passages, embed_terms
from logical_retriever.errors import VectorMismatchError
from logical_retriever.evaluation.dataset import Dataset, Question
from logical_retriever.evaluation.lexical import LexicalIndex
from logical_retriever.evaluation.optional import silent
from logical_retriever.vectors import unit

Array = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]

BATCH = 512
"""Texts given to the encoder at once, so that progress can be shown."""


class Workbench:
    """The corpus of a benchmark with everything that is computed once.

    Args:
        dataset: The benchmark; its vectors are used if it has them.
        embedder: Encodes questions and terms, and the documents where the benchmark has no vectors.
        progress: Called with the number of texts encoded and to encode, after each batch.

    Raises:
        EmbeddingError: The encoder failed.
    """

    def __init__(self, dataset: Dataset, embedder: Embedder, progress: Callable[[int, int], None] = silent) -> None:
        self.dataset = dataset
        self.embedder = embedder
        self.progress = progress
        self.row_of = {document.id: row for row, document in enumerate(dataset.documents)}
        self.encoded = 0
        self.seconds_encoding = 0.0
        self._vectors: dict[tuple[str, bool], Vectors] = {}
        self._scored = self._documents() if dataset.vectors is None else dataset.vectors
        # Copies of a document must tie exactly. Matrix products do not guarantee it (the last bits depend on the row's
        # place in a block), so each distinct vector is multiplied once.
        self._distinct, self._row_to_distinct = _distinct(unit(self._scored))

    @property
    def dimension(self) -> int:
        """Length of the vectors, d."""
        return int(self._distinct.shape[1])

    @cached_property
    def document_vectors(self) -> Vectors:
        """Shape (N, d), rows of length 1."""
        return self._distinct[self._row_to_distinct]

    @cached_property
    def lexical(self) -> LexicalIndex:
        """BM25 over the whole corpus, built at the first use."""
        return LexicalIndex([document.text for document in self.dataset.documents])

    def encode(self, texts: Iterable[str], *, as_documents: bool = False) -> None:
        """Encode the texts that have no vector yet, in batches of similar length.

        Raises:
            EmbeddingError: The encoder failed.
            VectorMismatchError: Its vectors have another dimension than the documents'.
        """
        missing = sorted({text for text in texts if (text, as_documents) not in self._vectors}, key=_by_length)
        started = time.perf_counter()
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            encoded = embed_passages(self.embedder, batch) if as_documents else embed_terms(self.embedder, batch)
            if encoded.shape[1] != self.dimension:
                raise VectorMismatchError(
                    f"The encoder gives vectors of dimension {encoded.shape[1]}, the documents have {self.dimension}.",
                    hint="Use the model that the documents were encoded with, or leave --vectors out.",
                )
            for text, vector in zip(batch, unit(encoded), strict=True):
                self._vectors[text, as_documents] = vector
            self.progress(start + len(batch), len(missing))
        self.encoded += len(missing)
        self.seconds_encoding += time.perf_counter() - started

    def vectors(self, texts: Sequence[str], *, as_documents: bool = False) -> Vectors:
        """Vectors of texts, encoded now where that was not done before: shape (T, d), length 1."""
        self.encode(texts, as_documents=as_documents)
        stacked = [self._vectors[text, as_documents] for text in texts]
        return np.stack(stacked) if stacked else np.empty((0, self.dimension), dtype=np.float32)

    def view(self, question: Question) -> View:
        """The documents among which this question is answered."""
        if question.candidates is None:
            return View(self, None)
        return View(self, np.array([self.row_of[document] for document in question.candidates], dtype=np.intp))

    def products(self, vectors: Vectors, rows: Rows | None) -> Array:
        """Cosines of unit vectors (T, d) with documents: shape (T, n), float64, in [-1, 1]."""
        wanted = self._row_to_distinct if rows is None else self._row_to_distinct[rows]
        if rows is None:
            scored = vectors @ self._distinct.T
            # Without copies the two orders are the same, and gathering would be a second pass over memory.
            scored = scored if len(self._distinct) == len(wanted) else scored[:, wanted]
        else:
            scored = vectors @ self._distinct[wanted].T
        return np.asarray(np.clip(scored, -1.0, 1.0), dtype=np.float64)

    def _documents(self) -> Vectors:
        texts = [document.text for document in self.dataset.documents]
        started = time.perf_counter()
        vectors = encode_documents(texts, self.embedder, self.progress)
        self.encoded += len(texts)
        self.seconds_encoding += time.perf_counter() - started
        return vectors


def encode_documents(texts: Sequence[str], embedder: Embedder, progress: Callable[[int, int], None]) -> Vectors:
    """Encode N documents in batches: shape (N, d).

    Raises:
        EmbeddingError: The encoder failed.
    """
    parts: list[Vectors] = []
    for start in range(0, len(texts), BATCH):
        parts.append(embed_passages(embedder, texts[start : start + BATCH]))
        progress(min(start + BATCH, len(texts)), len(texts))
    return np.concatenate(parts)


class View:
    """The n documents of one question: the whole corpus, its own small one, or a pool of candidates.

    Attributes:
        rows: Rows of the corpus, or None for all of them in order.
    """

    def __init__(self, bench: Workbench, rows: Rows | None) -> None:
        self.bench = bench
        self.rows = rows

    @property
    def size(self) -> int:
        """Number of documents, n."""
        return len(self.bench.dataset.documents) if self.rows is None else len(self.rows)

    @property
    def place_of(self) -> Mapping[str, int]:
        """Place of each document among the n, by id."""
        if self.rows is None:
            return self.bench.row_of
        documents = self.bench.dataset.documents
        return {documents[row].id: place for place, row in enumerate(self.rows)}

    def cosines(self, texts: Sequence[str]) -> Array:
        """Cosines of texts with the documents: shape (T, n), in [-1, 1]."""
        return self.bench.products(self.bench.vectors(texts), self.rows)

    def similar_to(self, vector: npt.NDArray[np.floating]) -> Array:
        """Cosines of one vector, of any length but 0, with the documents: shape (n,), in [-1, 1]."""
        scored: Array = self.bench.products(unit(vector), self.rows)[0]
        return scored

    def lexical(self, text: str) -> Array:
        """BM25 scores of the documents: shape (n,), at least 0. Statistics are those of the whole corpus."""
        scores = self.bench.lexical.scores(text)
        return scores if self.rows is None else scores[self.rows]

    def pool(self, positions: Rows) -> View:
        """The documents at some positions of this view."""
        return View(self.bench, positions if self.rows is None else self.rows[positions])


def _distinct(vectors: Vectors) -> tuple[Vectors, Rows]:
    """Distinct rows in order of first occurrence, and for each row the place of its copy among them."""
    places: dict[bytes, int] = {}
    rows = np.array([places.setdefault(row.tobytes(), len(places)) for row in vectors], dtype=np.intp)
    if len(places) == len(vectors):
        return vectors, rows
    firsts = np.unique(rows, return_index=True)[1]
    return vectors[firsts], rows


def _by_length(text: str) -> tuple[int, str]:
    return len(text), text
