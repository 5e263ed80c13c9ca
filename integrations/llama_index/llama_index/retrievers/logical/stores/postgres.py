"""llama-index-vector-stores-postgres' ``PGVectorStore``: Postgres with pgvector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

from llama_index.retrievers.logical.stores._nodes import as_nodes
from llama_index.retrievers.logical.stores._sql_filters import condition
from logical_retriever.integration import (
    AtBest,
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    StoreError,
    UnsupportedStoreError,
    VectorBatch,
    Vectors,
    VectorTable,
)


class PGVectorStoreAdapter:
    """The core's view of an index over a ``PGVectorStore``, through its engine.

    The table is made if it does not exist, as the vector store itself does when it is first used. Filters mean what
    they mean there, but their keys and values are bound parameters here, so that quotes in them do no harm.

    Args:
        index: The index; only read.

    Raises:
        UnsupportedStoreError: The vector store rewrites its own queries by a ``customize_query_fn``.
    """

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        if store._customize_query_fn is not None:
            raise UnsupportedStoreError(
                "The PGVectorStore has a customize_query_fn, which knows its own queries alone.",
                hint="Say the same by filters=MetadataFilters(...), over a PGVectorStore without it.",
            )
        self.index = index
        table = store._table_class.__table__
        self._metadata = table.c.metadata_
        self._table = VectorTable(
            id=table.c.node_id,
            text=table.c.text,
            metadata=(table.c.metadata_,),
            metadata_json=table.c.metadata_,
            vector=table.c.embedding,
            operator="<=>",
            within=None,
            run=self._run,
        )

    @AtBest(Capabilities(name="PGVectorStore", exact_search=True, stored_vectors=True, scan=True, cosine_order=True))
    def capabilities(self) -> dict[str, Any]:
        """Exact while no approximate index lies on the table."""
        return {"exact_search": self._table.exact()}

    def count(self) -> int:
        """Number of nodes."""
        return self._table.count()

    def search(self, vectors: Vectors, n: int, filter: MetadataFilters | None = None) -> list[list[str]]:
        """The n nodes of greatest cosine per vector, in one transaction."""
        return self._table.search(vectors, n, condition(self._metadata, filter))

    def pushdown_target(self, filter: MetadataFilters | None = None) -> PushdownTarget:  # noqa: ARG002  execute applies it
        """The rows of the table."""
        return self._table.pushdown_target()

    def execute(
        self, statement: str, parameters: Mapping[str, Any], filter: MetadataFilters | None = None
    ) -> PushdownAnswer:
        """Run a compiled statement over the nodes that pass the filter."""
        return self._table.execute(statement, parameters, condition(self._metadata, filter))

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Nodes and vectors by id, in the order asked; ids that are not there are left out."""
        return as_nodes(self._table.fetch(ids))

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n nodes drawn by a hash of their ids, the same ones for the same seed and content."""
        return as_nodes(self._table.sample(n, seed))

    def scan(self, filter: MetadataFilters | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page in the order of ids."""
        return self._table.scan(condition(self._metadata, filter))

    def _run(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        store: Any = self.index.vector_store
        try:
            store._initialize()
            with store._session() as session:
                for setting in settings:
                    session.execute(setting)
                return [list(session.execute(statement).all()) for statement in statements]
        except Exception as error:
            raise StoreError(
                f"PGVectorStore could not run a query: {type(error).__name__}: {error}",
                hint="Check that the server can be reached, and the filter's fields and types if there is one.",
            ) from error
