"""Vectors and indexes that all methods of an evaluation share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from logical_retriever.embedding import Embedder, embed_passages, embed_texts
from logical_retriever.errors import require as required
from logical_retriever.evaluation.loading import Dataset, JudgedQuestion
from logical_retriever.vectors import Vectors, check_dimensions, unit

Array = npt.NDArray[np.float64]

require = partial(required, install='pip install "logical-retriever[evaluation]"')
"""Import of a module of the ``evaluation`` extra; the second argument names its purpose."""

BATCH = 512
"""Texts encoded between two steps of the progress."""
Track: TypeAlias = Callable[[Sequence[Any], str], Iterable[Any]]
"""Shows progress over a sequence, and yields its items; the text says what is being done."""


def untracked(items: Sequence[Any], what: str) -> Iterable[Any]:  # noqa: ARG001 - what a Track takes
    """Return the items, and show nothing."""
    return items


def bm25_of(texts: Sequence[str]) -> Callable[[str], Array]:
    """Index texts by bm25s with its defaults (Lucene's variant, k1 1.5, b 0.75), English stop words, no stemming.

    Returns:
        A function of a text: scores of the N texts, shape (N,), at least 0; 0 where none of its words occurs.

    Raises:
        MissingPackageError: bm25s is not installed.
    """
    package: Any = require("bm25s", "BM25")
    tokens = package.tokenize(list(texts), stopwords="en", show_progress=False)
    index = package.BM25()
    if tokens.vocab:  # bm25s cannot index texts without a single token
        index.index(tokens, show_progress=False)

    def scores(text: str) -> Array:
        words = package.tokenize([text], stopwords="en", return_ids=False, show_progress=False)[0]
        both = bool(tokens.vocab and words)
        return np.asarray(index.get_scores(words) if both else np.zeros(len(texts)), dtype=np.float64)

    return scores


class Workbench:
    """The corpus of a benchmark with everything that is computed once; an embedder with a memory.

    Attributes:
        document_vectors: Shape (N, d), rows of length 1.

    Args:
        dataset: The benchmark; its vectors are used if it has them.
        embedder: Encodes questions and terms, and the documents where the benchmark has no vectors.
        track: Shows the progress of encoding.

    Raises:
        EmbeddingError: The encoder failed.
    """

    def __init__(self, dataset: Dataset, embedder: Embedder, track: Track = untracked) -> None:
        self.dataset = dataset
        self.embedder = embedder
        self.track = track
        self.row_of = {document.id: row for row, document in enumerate(dataset.documents)}
        self.encoded = 0
        self.seconds_encoding = 0.0
        self._vectors: dict[tuple[str, bool], Vectors] = {}
        texts = [document.text for document in dataset.documents]
        self.document_vectors = self.embed_documents(texts) if dataset.vectors is None else unit(dataset.vectors)
        # Copies of a document must tie exactly. Matrix products do not guarantee it (the last bits depend on the row's
        # place in a block), so each distinct vector is multiplied once.
        self._distinct, places = np.unique(self.document_vectors, axis=0, return_inverse=True)
        self._place = places.ravel()  # of another shape in NumPy 2.0

    @cached_property
    def lexical(self) -> Callable[[str], Array]:
        """BM25 scorer of all documents: from a text to shape (N,); the index is built at the first use."""
        return bm25_of([document.text for document in self.dataset.documents])

    def encode(self, texts: Iterable[str], *, as_documents: bool = False) -> None:
        """Encode the texts without a vector, in batches of similar length.

        Raises:
            EmbeddingError: The encoder failed.
        """
        missing = sorted(
            {text for text in texts if (text, as_documents) not in self._vectors},
            key=lambda text: (len(text), text),
        )
        started = time.perf_counter()
        batches = [missing[start : start + BATCH] for start in range(0, len(missing), BATCH)]
        for batch in self.track(batches, "encoding texts") if batches else ():
            encoded = embed_passages(self.embedder, batch) if as_documents else embed_texts(self.embedder, batch)
            self._vectors.update(zip(((text, as_documents) for text in batch), unit(encoded), strict=True))
        self.encoded += len(missing)
        self.seconds_encoding += time.perf_counter() - started

    def vectors(self, texts: Sequence[str], *, as_documents: bool = False) -> Vectors:
        """Return vectors of texts, encoded now where necessary: shape (T, d), length 1."""
        self.encode(texts, as_documents=as_documents)
        return np.array([self._vectors[text, as_documents] for text in texts], dtype=np.float32)

    embed_queries = vectors

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of texts encoded as documents: shape (N, d), length 1."""
        return self.vectors(texts, as_documents=True)

    def view(self, question: JudgedQuestion) -> View:
        """Return the documents to rank for a question."""
        rows = range(len(self.row_of)) if question.candidates is None else map(self.row_of.get, question.candidates)
        return View(self, np.array([*rows], dtype=np.intp))

    def products(self, vectors: Vectors, rows: npt.NDArray[np.intp] | slice = slice(None)) -> Array:
        """Compute cosines of unit vectors (T, d) with documents: shape (T, n), float64, in [-1, 1].

        Raises:
            VectorMismatchError: The vectors have another dimension than the documents'.
        """
        check_dimensions(vectors, self._distinct)
        cosines: Array = np.clip((vectors @ self._distinct.T)[:, self._place[rows]], -1.0, 1.0).astype(np.float64)
        return cosines


@dataclass(frozen=True)
class View:
    """The n documents of one question: the whole corpus, its own small one, or a pool of candidates.

    Attributes:
        bench: The whole corpus.
        rows: Rows of the corpus, shape (n,).
    """

    bench: Workbench
    rows: npt.NDArray[np.intp]

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the documents, in order."""
        return [str(self.bench.dataset.documents[row].id) for row in self.rows]

    def cosines(self, texts: Sequence[str]) -> Array:
        """Return the cosines of texts with the documents: shape (T, n), in [-1, 1]."""
        return self.bench.products(self.bench.vectors(texts), self.rows)
