"""Both generations of langchain-postgres: ``PGVector`` and ``PGVectorStore``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_logical_retriever.stores._common import IndexedAdapter
from logical_retriever.adapters import (
    POSTGRES,
    SqlFilter,
    SqlStore,
    UnsupportedStoreError,
    capabilities_property,
    described,
    filter_of,
    run_through,
)

OPERATORS = {"l2_distance": "<->", "cosine_distance": "<=>", "max_inner_product": "<#>"}
"""pgvector's operator for each distance function of ``PGVector``."""
EXAMPLE = 'filter={"year": {"$gt": 2000}}'


class PGVectorAdapter(IndexedAdapter, SqlStore):
    """The core's view of a ``PGVector``: one collection in the table that all collections share."""

    capabilities = capabilities_property(replace(SqlStore.capabilities, name="PGVector"))(SqlStore.facts)
    filter_example = EXAMPLE

    def __init__(self, vectorstore: Any) -> None:
        IndexedAdapter.__init__(self, vectorstore)
        if vectorstore.async_mode:
            raise UnsupportedStoreError(
                "A PGVector with async_mode=True refuses every synchronous call.",
                hint="Pass a second PGVector of the collection with async_mode=False; ainvoke runs it in a thread.",
            )
        run: Any = POSTGRES.connect(vectorstore._engine)
        table, collections = vectorstore.EmbeddingStore.__table__, vectorstore.CollectionStore.__table__
        own = f"collection_id = (SELECT uuid FROM {POSTGRES.quoted(collections.name)} WHERE name = :lr_collection)"
        SqlStore.__init__(
            self,
            POSTGRES,
            run,
            described(POSTGRES, run, table.name, "id", "document", "embedding", "cmetadata"),
            name="PGVector",
            within=SqlFilter(own, {"lr_collection": vectorstore.collection_name}),
            operator=OPERATORS[vectorstore.distance_strategy.__name__],
        )

    def filter_of(self, filters: Mapping[str, Any]) -> SqlFilter | None:
        """Return the wrapper's own reading of its filter as a condition; None for no filter."""
        with self.errors("read the filter"):
            return filter_of(self.vectorstore._create_filter_clause(filters["filter"])) if filters["filter"] else None


class PGVectorStoreAdapter(IndexedAdapter, SqlStore):
    """The core's view of a ``PGVectorStore``: a table of its own."""

    capabilities = capabilities_property(replace(SqlStore.capabilities, name="PGVectorStore"))(SqlStore.facts)
    filter_example = EXAMPLE

    def __init__(self, vectorstore: Any) -> None:
        IndexedAdapter.__init__(self, vectorstore)
        if vectorstore._engine._loop is None:
            raise UnsupportedStoreError(
                "The PGEngine of the PGVectorStore has no event loop of its own for synchronous calls.",
                hint="Make it with PGEngine.from_connection_string(), or from_engine(engine, loop=...).",
            )
        # The wrapper has no public way to its table or columns.
        inner = self._inner = vectorstore._PGVectorStore__vs
        run, json, hybrid = run_through(self._execute), inner.metadata_json_column or None, inner.hybrid_search_config
        name, metadata = (inner.schema_name, inner.table_name), [*([json] if json else []), *inner.metadata_columns]
        own = inner.id_column, inner.content_column, inner.embedding_column
        worded = hybrid is not None and hybrid.tsv_column
        SqlStore.__init__(
            self,
            POSTGRES,
            run,
            described(POSTGRES, run, name, *own, metadata, json),
            name="PGVectorStore",
            operator=inner.distance_strategy.operator,
            searched=(POSTGRES.quoted(worded), hybrid.tsv_lang or "simple") if worded else None,
        )

    def filter_of(self, filters: Mapping[str, Any]) -> SqlFilter | None:
        """Return the wrapper's own reading of its filter as a condition; None for no filter."""
        with self.errors("read the filter"):
            return SqlFilter(*self._inner._create_filter_clause(filters["filter"])) if filters["filter"] else None

    def _execute(self, statements: Sequence[Any]) -> Sequence[Any]:
        from sqlalchemy import text

        options = self._inner.index_query_options
        settings = [] if options is None else [text(f"SET LOCAL {setting}") for setting in options.to_parameter()]

        async def run() -> Any:
            async with self._inner.engine.connect() as connection:
                answers = [await connection.execute(statement) for statement in (*settings, *statements)]
                return answers[-1].all()

        return list(self.vectorstore._engine._run_as_sync(run()))
