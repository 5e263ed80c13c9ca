"""llama-index-vector-stores-postgres' ``PGVectorStore``: Postgres with pgvector."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex
from llama_index.core.vector_stores.types import MetadataFilters

from llama_index.retrievers.logical.stores._nodes import OfNodes
from llama_index.retrievers.logical.stores._sql_filters import condition
from logical_retriever.adapters import (
    POSTGRES,
    EngineRanking,
    Filter,
    ScoreExpression,
    SqlStore,
    UnsupportedStoreError,
    described,
    engine_errors,
    filter_of,
    wrapped_capabilities,
)


class PGVectorStoreAdapter(OfNodes):
    """The core's view of an index over a ``PGVectorStore``, through its engine.

    A missing table is made, as by the vector store's own first use. Filters mean the same as there, but their keys and
    values are bound parameters, so quotes in them do no harm.
    """

    capabilities = wrapped_capabilities(replace(SqlStore.capabilities, name="PGVectorStore"))

    def __init__(self, index: VectorStoreIndex) -> None:
        store: Any = index.vector_store
        if store._customize_query_fn is not None:
            raise UnsupportedStoreError(
                "The PGVectorStore has a customize_query_fn, which knows its own queries alone.",
                hint="Say the same by filters=MetadataFilters(...), over a PGVectorStore without it.",
            )
        with engine_errors("PGVectorStore", "connect"):
            store._initialize()
        table: Any = store._table_class.__table__
        run: Any = POSTGRES.connect(store.client)
        self._metadata = table.c.metadata_
        name = (table.schema, table.name) if table.schema else table.name
        columns = described(POSTGRES, run, name, "node_id", "text", "embedding", "metadata_")
        searched = ("text_search_tsv", store.text_search_config) if store.hybrid_search else None
        self.engine = SqlStore(POSTGRES, run, columns, name="PGVectorStore", searched=searched)
        super().__init__(index, self.engine)

    @property
    def cache_key(self) -> Hashable:
        """A key that is equal for adapters of one vector store; its retrievers share an index of words."""
        return type(self), id(self.index.vector_store)

    def search_by_score(self, expression: ScoreExpression, n: int, filter: Filter = None) -> EngineRanking:
        """Return the n nodes of greatest score, computed by the engine."""
        return self.engine.search_by_score(expression, n, self._translated(filter))

    def read_filters(self, filters: MetadataFilters) -> Any:
        """Translate filters to a condition on the column of metadata."""
        clause = condition(self._metadata, filters)
        return None if clause is None else filter_of(clause)
