"""Any other LangChain vector store: candidates by its own search, vectors by encoding the candidates' texts again."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.errors import EmbeddingError, StoreCapabilityError, UnsupportedStoreError
from logical_retriever.stores import AtBest, Batch, Capabilities, StoredDocument, VectorBatch
from logical_retriever.stores.rows import in_order
from logical_retriever.vectors import Vectors

REMEMBERED = 10_000
"""Documents, and vectors of texts, that are kept."""
SAMPLE_LIMIT = 200
"""Most documents of a sample: each may cost a call to the embedding model."""
NEIGHBOURS = 20
"""Documents taken from around each random direction."""

V = TypeVar("V")


class FallbackAdapter(VectorStoreAdapter):
    """The core's view of a ``VectorStore`` of which nothing is known but that it searches by vector.

    Its own scores are not used: whether a number is a cosine, a distance or a rescaled score differs from store to
    store. Vectors are ``embed_documents`` of ``page_content``, remembered by text. A document without an id is known
    by a hash of its content and metadata.

    Args:
        vectorstore: The vector store; only read.
        embeddings: What it was filled with; those that it holds unless given.

    Attributes:
        encoded: How many texts have been encoded.
        reused: How many encodings were spared because the text had been encoded before.

    Raises:
        UnsupportedStoreError: It does not search by vector, or holds no embeddings.
    """

    def __init__(self, vectorstore: VectorStore, embeddings: Embeddings | None = None) -> None:
        super().__init__(vectorstore)
        cls = type(vectorstore)
        if cls.similarity_search_by_vector is VectorStore.similarity_search_by_vector:
            raise _unsupported(cls, "it does not search by vector")
        chosen = vectorstore.embeddings if embeddings is None else embeddings
        if not isinstance(chosen, Embeddings):
            raise _unsupported(cls, "it holds no embeddings to encode its texts with")
        self.embeddings: Embeddings = chosen
        self.encoded = 0
        self.reused = 0
        self._reads_ids = cls.get_by_ids is not VectorStore.get_by_ids
        self._lock = threading.Lock()
        self._documents: _Recent[Document] = _Recent(REMEMBERED)
        self._vectors: _Recent[Vectors] = _Recent(REMEMBERED)

    @AtBest(Capabilities("any other VectorStore", exact_search=False, stored_vectors=False, scan=False))
    def capabilities(self) -> dict[str, Any]:
        """Under the class's own name."""
        return {"name": type(self.vectorstore).__name__}

    @property
    def name(self) -> str:
        """The class's own name."""
        return type(self.vectorstore).__name__

    @property
    def cost(self) -> str:
        """What vectors have cost so far, in words."""
        return (
            f"encoding texts again, since {self.name} does not give its vectors "
            f"({self.encoded} encoded, {self.reused} remembered so far)"
        )

    def read_search_kwargs(self, search_kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """All arguments, for the store's own search to judge."""
        return {name: value for name, value in search_kwargs.items() if value is not None} or None

    def count(self) -> None:
        """None: a ``VectorStore`` has no way to count."""

    def search(self, vectors: Vectors, n: int, filter: Mapping[str, Any] | None = None) -> list[list[str]]:
        """The n nearest documents of each vector, in the store's order.

        Args:
            vectors: Shape (T, d).
            n: At least 1.
            filter: Keyword arguments of the store's ``similarity_search_by_vector``.
        """
        arguments = {} if filter is None else dict(filter)
        found = []
        for vector in vectors:
            with self.errors("search"):
                documents = self.vectorstore.similarity_search_by_vector(vector.tolist(), k=n, **arguments)
            found.append(list(dict.fromkeys(self._remember(document) for document in documents)))
        return found

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        documents = self._read(list(dict.fromkeys(ids)))
        vectors = self._encoded(list(dict.fromkeys(document.page_content for document in documents.values())))
        return in_order(
            ids,
            {
                id: (StoredDocument(id, d.page_content, d.metadata, native=d), vectors[d.page_content])
                for id, d in documents.items()
            },
        )

    def sample(self, n: int, seed: int) -> Batch:
        """Up to ``SAMPLE_LIMIT`` documents, the nearest ones of random directions; less random than a true sample."""
        wanted = min(n, SAMPLE_LIMIT)
        [probe] = self._encode(["documents"])
        directions = np.random.default_rng(seed).normal(size=(-(-wanted // NEIGHBOURS), len(probe)))
        found = (id for ids in self.search(directions.astype(np.float32), NEIGHBOURS) for id in ids)
        return self.fetch(list(dict.fromkeys(found))[:wanted])

    def scan(self, filter: Mapping[str, Any] | None = None) -> Iterator[VectorBatch]:  # noqa: ARG002  the protocol's
        """Not possible.

        Raises:
            StoreCapabilityError: Always.
        """
        raise StoreCapabilityError(
            f"{self.name} cannot be walked through.", hint="Register an adapter for it with register_adapter()."
        )

    def _remember(self, document: Document) -> str:
        id = _content_hash(document) if document.id is None else document.id
        with self._lock:
            self._documents.put(id, document)
        return id

    def _read(self, ids: list[str]) -> dict[str, Document]:
        """Documents by id: from the store where it can say what is still there, else as last seen."""
        with self._lock:
            seen = {id: document for id in ids if (document := self._documents.get(id)) is not None}
        if not self._reads_ids:
            return seen
        nameless = {id: document for id, document in seen.items() if document.id is None}
        named = [id for id in ids if id not in nameless]
        if not named:
            return nameless
        with self.errors("read documents by id"):
            try:
                now = {d.id: d for d in self.vectorstore.get_by_ids(named) if d.id is not None}
            except NotImplementedError:  # there in name only
                self._reads_ids = False
                return seen
        return {**nameless, **now}

    def _encoded(self, texts: list[str]) -> dict[str, Vectors]:
        with self._lock:
            vectors = {text: vector for text in texts if (vector := self._vectors.get(text)) is not None}
        new = [text for text in texts if text not in vectors]
        if new:
            vectors.update(zip(new, self._encode(new), strict=True))
        with self._lock:
            self.encoded += len(new)
            self.reused += len(texts) - len(new)
            for text in new:
                self._vectors.put(text, vectors[text])
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        try:
            rows = np.asarray(self.embeddings.embed_documents(texts), dtype=np.float32)
        except Exception as error:
            raise EmbeddingError(
                f"The embeddings of {self.name} raised {type(error).__name__} for {len(texts)} texts: {error}",
                hint="Check that the embedding model is reachable and that the documents are within its limits.",
            ) from error
        if rows.ndim != 2 or len(rows) != len(texts):
            raise EmbeddingError(
                f"The embeddings of {self.name} returned an array of shape {rows.shape} for {len(texts)} texts.",
                hint="embed_documents returns one vector of equal length per text.",
            )
        return rows


class _Recent(Generic[V]):
    """A mapping that forgets what was not used for longest."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._items: OrderedDict[str, V] = OrderedDict()

    def get(self, key: str) -> V | None:
        if key in self._items:
            self._items.move_to_end(key)
        return self._items.get(key)

    def put(self, key: str, value: V) -> None:
        self._items[key] = value
        self._items.move_to_end(key)
        while len(self._items) > self._size:
            self._items.popitem(last=False)


def _content_hash(document: Document) -> str:
    """Identity of a document that has none: the same for equal content and metadata, in whatever order."""
    content = json.dumps([document.page_content, document.metadata], sort_keys=True, default=repr)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _unsupported(cls: type, reason: str) -> UnsupportedStoreError:
    return UnsupportedStoreError(
        f"There is no adapter for {cls.__module__}.{cls.__qualname__}, and {reason}.",
        hint="Write a logical_retriever Store over it and pass that, or register it with register_adapter().",
    )
