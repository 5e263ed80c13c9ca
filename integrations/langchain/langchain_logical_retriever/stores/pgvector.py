"""Both generations of langchain-postgres: ``PGVector`` and ``PGVectorStore``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    POSTGRES,
    AtBest,
    SqlFilter,
    SqlStore,
    UnsupportedStoreError,
    described,
    filter_of,
    run_through,
)

OPERATORS = {"l2": "<->", "cosine": "<=>", "inner": "<#>"}
"""pgvector's operator for each distance strategy of ``PGVector``."""


class _PostgresAdapter(VectorStoreAdapter, SqlStore):
    """The part that does not depend on the generation."""

    capabilities: AtBest
    filter_example = 'filter={"year": {"$gt": 2000}}'

    @property
    def identity(self) -> Hashable:
        """Of the documents of one vector store: their words are indexed once for all its retrievers."""
        return type(self), id(self.vectorstore)

    def filter_of(self, filters: Mapping[str, Any]) -> SqlFilter | None:
        """The wrapper's own reading of its filters, as a condition; None for no filter."""
        with self.errors("read the filter"):
            return self._clause(filters["filter"]) if filters["filter"] else None

    def _clause(self, filter: dict[str, Any]) -> SqlFilter:
        raise NotImplementedError


class PGVectorAdapter(_PostgresAdapter):
    """The core's view of a ``PGVector``: one collection in the table that all collections share.

    Args:
        vectorstore: The vector store; only read.

    Raises:
        UnsupportedStoreError: The store was made with ``async_mode=True``.
    """

    capabilities = AtBest(replace(SqlStore.capabilities, name="PGVector"))(SqlStore.facts)

    def __init__(self, vectorstore: Any) -> None:
        VectorStoreAdapter.__init__(self, vectorstore)
        if vectorstore.async_mode:
            raise UnsupportedStoreError(
                "A PGVector with async_mode=True refuses every synchronous call.",
                hint="Pass a second PGVector of the collection with async_mode=False; ainvoke runs it in a thread.",
            )
        run = run_through(self._execute)
        table, collections = vectorstore.EmbeddingStore.__table__, vectorstore.CollectionStore.__table__
        own = f"collection_id = (SELECT uuid FROM {POSTGRES.quoted(collections.name)} WHERE name = :lr_collection)"
        strategy = vectorstore._distance_strategy
        columns = described(POSTGRES, run, table.name, "id", "document", "embedding", "cmetadata")
        SqlStore.__init__(
            self,
            POSTGRES,
            run,
            columns,
            name="PGVector",
            within=SqlFilter(own, {"lr_collection": vectorstore.collection_name}),
            operator=OPERATORS[str(getattr(strategy, "value", strategy))],
        )

    def _clause(self, filter: dict[str, Any]) -> SqlFilter:
        return filter_of(self.vectorstore._create_filter_clause(filter))

    def _execute(self, statements: Sequence[Any]) -> Sequence[Any]:
        with self.errors("run a query"), self.vectorstore.session_maker() as session:
            answers: list[Sequence[Any]] = [session.execute(statement).all() for statement in statements]
            return answers[-1]


class PGVectorStoreAdapter(_PostgresAdapter):
    """The core's view of a ``PGVectorStore``: a table of its own.

    Args:
        vectorstore: The vector store; only read.

    Raises:
        UnsupportedStoreError: Its engine has no event loop of its own to run synchronous calls in.
    """

    capabilities = AtBest(replace(SqlStore.capabilities, name="PGVectorStore"))(SqlStore.facts)

    def __init__(self, vectorstore: Any) -> None:
        VectorStoreAdapter.__init__(self, vectorstore)
        if vectorstore._engine._loop is None:
            raise UnsupportedStoreError(
                "The PGEngine of the PGVectorStore has no event loop of its own for synchronous calls.",
                hint="Make it with PGEngine.from_connection_string(), or from_engine(engine, loop=...).",
            )
        # The wrapper has no public way to its table or columns.
        inner = self._inner = vectorstore._PGVectorStore__vs
        json = inner.metadata_json_column or None
        run, hybrid = run_through(self._execute), inner.hybrid_search_config
        columns = described(
            POSTGRES,
            run,
            (inner.schema_name, inner.table_name),
            inner.id_column,
            inner.content_column,
            inner.embedding_column,
            (*([json] if json else []), *inner.metadata_columns),
            json,
        )
        searched = None
        if hybrid is not None and hybrid.tsv_column:
            searched = (POSTGRES.quoted(hybrid.tsv_column), hybrid.tsv_lang or "simple")
        operator = inner.distance_strategy.operator
        SqlStore.__init__(self, POSTGRES, run, columns, name="PGVectorStore", operator=operator, searched=searched)

    def _clause(self, filter: dict[str, Any]) -> SqlFilter:
        return SqlFilter(*self._inner._create_filter_clause(filter))

    def _execute(self, statements: Sequence[Any]) -> Sequence[Any]:
        from sqlalchemy import text

        options = self._inner.index_query_options
        settings = () if options is None else options.to_parameter()

        async def run() -> Sequence[Any]:
            async with self._inner.engine.connect() as connection:
                for setting in settings:
                    await connection.execute(text(f"SET LOCAL {setting}"))
                answers: list[Sequence[Any]] = [(await connection.execute(one)).all() for one in statements]
                return answers[-1]

        with self.errors("run a query"):
            rows: Sequence[Any] = self.vectorstore._engine._run_as_sync(run())
        return rows
