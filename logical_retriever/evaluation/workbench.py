"""Vectors and indexes that all methods share, so that differences between methods are the methods' own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever import errors
from logical_retriever.embedding import Embedder, embed_passages, embed_terms
from logical_retriever.evaluation.loading import Dataset, Question
from logical_retriever.vectors import unit

Array = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]

require = partial(errors.require, install='pip install "logical-retriever[evaluation]"')
"""Imports a module of the ``evaluation`` extra; the second argument says for what."""

BATCH = 512
"""Texts given to the encoder at once, so that progress can be shown."""


def silent(*progress: object) -> None:
    """A progress callback that shows nothing."""


class LexicalIndex:
    """BM25 with bm25s: its defaults (Lucene's variant, k1 1.5, b 0.75), English stop words, no stemming.

    Raises:
        MissingPackageError: bm25s is not installed.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._bm25s: Any = require("bm25s", "BM25")
        self._size = len(texts)
        tokens = self._bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        # bm25s cannot index a corpus without a single token; every score is 0 there.
        self._index = self._bm25s.BM25() if tokens.vocab else None
        if self._index is not None:
            self._index.index(tokens, show_progress=False)

    def scores(self, text: str) -> Array:
        """Scores of all documents: shape (N,), at least 0; 0 where no word of the text occurs."""
        words = self._bm25s.tokenize([text], stopwords="en", return_ids=False, show_progress=False)[0]
        if self._index is None or not words:
            return np.zeros(self._size)
        return np.asarray(self._index.get_scores(words), dtype=np.float64)


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
        self.dimension: int | None = None
        self._vectors: dict[tuple[str, bool], Vectors] = {}
        texts = [document.text for document in dataset.documents]
        vectors = self.vectors(texts, as_documents=True) if dataset.vectors is None else unit(dataset.vectors)
        self.dimension = vectors.shape[1]
        # Copies of a document must tie exactly. Matrix products do not guarantee it (the last bits depend on the row's
        # place in a block), so each distinct vector is multiplied once.
        places: dict[bytes, int] = {}
        self._place: Rows = np.array([places.setdefault(row.tobytes(), len(places)) for row in vectors], dtype=np.intp)
        self._distinct: Vectors = vectors[np.unique(self._place, return_index=True)[1]]

    @cached_property
    def document_vectors(self) -> Vectors:
        """Shape (N, d), rows of length 1."""
        return self._distinct[self._place]

    @cached_property
    def lexical(self) -> Callable[[str], Array]:
        """BM25 scores of all documents for a text: shape (N,). The index is built at the first use."""
        return LexicalIndex([document.text for document in self.dataset.documents]).scores

    @cached_property
    def _whole(self) -> View:
        return View(self, np.arange(len(self.row_of)))

    def encode(self, texts: Iterable[str], *, as_documents: bool = False) -> None:
        """Encode the texts that have no vector yet, in batches of similar length.

        Raises:
            EmbeddingError: The encoder failed.
            VectorMismatchError: Its vectors have another dimension than the documents'.
        """
        missing = sorted(
            {text for text in texts if (text, as_documents) not in self._vectors}, key=lambda text: (len(text), text)
        )
        started = time.perf_counter()
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            encoded = embed_passages(self.embedder, batch) if as_documents else embed_terms(self.embedder, batch)
            if self.dimension not in (None, encoded.shape[1]):
                raise errors.VectorMismatchError(
                    f"The encoder gives vectors of dimension {encoded.shape[1]}, the documents have {self.dimension}.",
                    hint="Use the model that the documents were encoded with, or leave --vectors out.",
                )
            self._vectors.update(zip(((text, as_documents) for text in batch), unit(encoded), strict=True))
            self.progress(start + len(batch), len(missing))
        self.encoded += len(missing)
        self.seconds_encoding += time.perf_counter() - started

    def vectors(self, texts: Sequence[str], *, as_documents: bool = False) -> Vectors:
        """Vectors of texts, encoded now where that was not done before: shape (T, d), length 1."""
        self.encode(texts, as_documents=as_documents)
        stacked = [self._vectors[text, as_documents] for text in texts]
        return np.stack(stacked) if stacked else np.empty((0, self.dimension or 0), dtype=np.float32)

    embed_queries = vectors

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Shape (N, d): the bench is an encoder, of what was encoded for all methods at once."""
        return self.vectors(texts, as_documents=True)

    def view(self, question: Question) -> View:
        """The documents among which this question is answered."""
        if question.candidates is None:
            return self._whole
        return View(self, np.array([self.row_of[document] for document in question.candidates], dtype=np.intp))

    def products(self, vectors: Vectors, rows: Rows | None = None) -> Array:
        """Cosines of unit vectors (T, d) with documents: shape (T, n), float64, in [-1, 1]."""
        scored = (vectors @ self._distinct.T)[:, self._place if rows is None else self._place[rows]]
        return np.asarray(np.clip(scored, -1.0, 1.0), dtype=np.float64)


class View:
    """The n documents of one question: the whole corpus, its own small one, or a pool of candidates.

    Attributes:
        rows: Rows of the corpus, shape (n,).
    """

    def __init__(self, bench: Workbench, rows: Rows) -> None:
        self.bench = bench
        self.rows = rows

    @property
    def size(self) -> int:
        """Number of documents, n."""
        return len(self.rows)

    @cached_property
    def ids(self) -> Sequence[str]:
        """Ids of the documents, in order."""
        return [self.bench.dataset.documents[row].id for row in self.rows]

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """Place of each document among the n, by id."""
        return {id: place for place, id in enumerate(self.ids)}

    def cosines(self, texts: Sequence[str]) -> Array:
        """Cosines of texts with the documents: shape (T, n), in [-1, 1]."""
        return self.bench.products(self.bench.vectors(texts), self.rows)

    def similar_to(self, vector: npt.NDArray[np.floating]) -> Array:
        """Cosines of one vector, of any length but 0, with the documents: shape (n,), in [-1, 1]."""
        scored: Array = self.bench.products(unit(vector), self.rows)[0]
        return scored

    def lexical(self, text: str) -> Array:
        """BM25 scores of the documents: shape (n,), at least 0. Statistics are those of the whole corpus."""
        return self.bench.lexical(text)[self.rows]

    def pool(self, positions: Rows) -> View:
        """The documents at some positions of this view."""
        return View(self.bench, self.rows[positions])
