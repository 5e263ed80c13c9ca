"""Any other vector store: candidates by its own query, vectors by encoding the candidates' texts again."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import MetadataFilters, VectorStoreQuery

from llama_index.retrievers.logical._convert import embed_text, to_stored
from logical_retriever.embedding import Embedder
from logical_retriever.errors import EmbeddingError, LogicalRetrieverError, StoreCapabilityError, StoreError
from logical_retriever.stores import AtBest, Batch, Capabilities, VectorBatch
from logical_retriever.vectors import Vectors

REMEMBERED = 10_000
"""Nodes, and vectors of texts, that are kept."""
SAMPLE_LIMIT = 200
"""Most documents of a sample: each may cost a call to the embedding model."""
NEIGHBOURS = 20
"""Documents taken from around each random direction."""

V = TypeVar("V")


class ReembeddingStore:
    """The core's view of an index whose vector store does not give its vectors.

    What the store says about similarity orders the candidates and is not used further: in LlamaIndex it is a cosine, a
    distance or a rescaled score, depending on the store. Vectors come with the nodes where the store fills them in,
    else from ``embed_documents`` of the text that the index embeds (``MetadataMode.EMBED``), remembered by text.

    Args:
        index: The index; only read.
        embedder: What the index was built with.

    Attributes:
        encoded: How many texts have been encoded.
        reused: How many encodings were spared because the text had been encoded before.
    """

    def __init__(self, index: VectorStoreIndex, embedder: Embedder) -> None:
        self.index = index
        self.embedder = embedder
        self.encoded = 0
        self.reused = 0
        self._lock = threading.Lock()
        self._nodes: _Recent[BaseNode] = _Recent(REMEMBERED)
        self._vectors: _Recent[Vectors] = _Recent(REMEMBERED)

    @AtBest(Capabilities("any other vector store", exact_search=False, stored_vectors=False, scan=False))
    def capabilities(self) -> dict[str, Any]:
        """Under the class's own name."""
        return {"name": type(self.index.vector_store).__name__, "live_verified": False}

    @property
    def cost(self) -> str:
        """What vectors have cost so far, in words."""
        return (
            f"encoding texts again, since {self.capabilities.name} does not give its own "
            f"({self.encoded} encoded, {self.reused} remembered so far)"
        )

    @property
    def countable(self) -> bool:
        """Whether the index keeps texts itself, and so knows its nodes; no method of vector stores counts."""
        return not self.index.vector_store.stores_text

    def count(self) -> int | None:
        """Number of nodes; None where the store keeps them to itself."""
        return len(self._known) if self.countable else None

    def search(self, vectors: Vectors, n: int, filter: MetadataFilters | None = None) -> list[list[str]]:
        """The n nearest nodes of each vector, in the store's order."""
        return [self._query(vector, n, filter) for vector in vectors]

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Nodes and vectors by id, in the order asked; ids that are not there are left out."""
        nodes = self._read(ids)
        present = [(id, nodes[id]) for id in ids if id in nodes]
        vectors = self._vectors_of([node for _, node in present])
        return Batch(tuple(to_stored(node, id=id) for id, node in present), vectors)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to ``SAMPLE_LIMIT`` nodes: any that the index knows, else the nearest ones of random directions."""
        rng = np.random.default_rng(seed)
        wanted = min(n, SAMPLE_LIMIT)
        if known := sorted(self._known.values()):
            return self.fetch([known[i] for i in rng.permutation(len(known))[:wanted]])
        dimension = np.asarray(self.embedder.embed_queries(["documents"])).shape[1]
        directions = rng.normal(size=(-(-wanted // NEIGHBOURS), dimension)).astype(np.float32)
        found = (id for ids in self.search(directions, NEIGHBOURS) for id in ids)
        return self.fetch(list(dict.fromkeys(found))[:wanted])

    def scan(self, filter: MetadataFilters | None = None) -> Iterator[VectorBatch]:  # noqa: ARG002  the protocol's
        """Not possible.

        Raises:
            StoreCapabilityError: Always.
        """
        raise StoreCapabilityError(
            f"{self.capabilities.name} cannot be walked through.",
            hint="Register an adapter for it with register_adapter().",
        )

    @property
    def _known(self) -> dict[str, str]:
        """Node ids by the store's ids, where the index keeps texts itself."""
        known: dict[str, str] = self.index.index_struct.nodes_dict if self.countable else {}
        return known

    def _query(self, vector: Vectors, n: int, filter: MetadataFilters | None) -> list[str]:
        query = VectorStoreQuery(query_embedding=vector.tolist(), similarity_top_k=n, filters=filter)
        try:
            result = self.index.vector_store.query(query)
        except Exception as error:
            raise StoreError(
                f"{self.capabilities.name}'s query failed: {type(error).__name__}: {error}",
                hint="Check that the store is reachable, that it was filled with the same embedding model, and that it "
                "knows the filters if there are any.",
            ) from error
        if result.nodes:
            with self._lock:
                for node in result.nodes:
                    self._nodes.put(node.node_id, node)
            return [node.node_id for node in result.nodes]
        known = self._known
        return [known[id] for id in result.ids or () if id in known]

    def _read(self, ids: Sequence[str]) -> dict[str, BaseNode]:
        """Nodes by id: as last seen in a query's result, from the docstore, or from the store."""
        with self._lock:
            nodes = {id: node for id in ids if (node := self._nodes.get(id)) is not None}
        for id in ids:
            if id not in nodes and (node := self.index.docstore.get_document(id, raise_error=False)) is not None:
                nodes[id] = node
        if missing := [id for id in dict.fromkeys(ids) if id not in nodes]:
            # Most stores do not implement it; then they are gone, as far as can be told.
            with contextlib.suppress(NotImplementedError):
                nodes.update((node.node_id, node) for node in self.index.vector_store.get_nodes(node_ids=missing))
        return nodes

    def _vectors_of(self, nodes: Sequence[BaseNode]) -> Vectors:
        texts = [None if node.embedding is not None else embed_text(node) for node in nodes]
        vectors = self._encoded(list(dict.fromkeys(text for text in texts if text is not None)))
        rows: list[Any] = [
            node.embedding if text is None else vectors[text] for node, text in zip(nodes, texts, strict=True)
        ]
        if not rows:
            return np.empty((0, 0), dtype=np.float32)
        try:
            return np.array(rows, dtype=np.float32)
        except ValueError as error:
            raise StoreError(
                f"{self.capabilities.name} gave vectors of another length than the embedding model.",
                hint="Use the embedding model that the store was filled with.",
            ) from error

    def _encoded(self, texts: list[str]) -> dict[str, Vectors]:
        with self._lock:
            vectors = {text: vector for text in texts if (vector := self._vectors.get(text)) is not None}
        new = [text for text in texts if text not in vectors]
        if new:
            try:
                rows = np.asarray(self.embedder.embed_documents(new), dtype=np.float32)
            except LogicalRetrieverError:
                raise
            except Exception as error:
                raise EmbeddingError(
                    f"The embedding model raised {type(error).__name__} for {len(new)} texts of "
                    f"{self.capabilities.name}: {error}",
                    hint="Check that the model is reachable and that the nodes are within its limits.",
                ) from error
            if rows.ndim != 2 or len(rows) != len(new):
                raise EmbeddingError(
                    f"The embedding model returned an array of shape {rows.shape} for {len(new)} texts.",
                    hint="An embedding model returns one vector of equal length per text.",
                )
            vectors.update(zip(new, rows, strict=True))
        with self._lock:
            self.encoded += len(new)
            self.reused += len(texts) - len(new)
            for text in new:
                self._vectors.put(text, vectors[text])
        return vectors


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
