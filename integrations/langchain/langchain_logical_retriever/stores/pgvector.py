"""Both generations of langchain-postgres: ``PGVector`` and ``PGVectorStore``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import AtBest, UnsupportedStoreError, VectorTable, WrappedEngine, capabilities_below

OPERATORS = {"l2": "<->", "cosine": "<=>", "inner": "<#>"}
"""pgvector's operator for each distance strategy of ``PGVector``."""


class _PostgresAdapter(WrappedEngine, VectorStoreAdapter):
    """The part that does not depend on the generation."""

    capabilities: AtBest
    filter_example = 'filter={"year": {"$gt": 2000}}'

    @property
    def identity(self) -> Hashable:
        """Of the documents of one vector store: their words are indexed once for all its retrievers."""
        return type(self), id(self.vectorstore)

    def inner_filter(self, filter: dict[str, Any] | None) -> Any:
        """The wrapper's own reading of its filters, as a condition; None for no filter."""
        if not filter:
            return None
        with self.errors("read the filter"):
            return self._clause(filter)

    def _clause(self, filter: dict[str, Any]) -> Any:
        raise NotImplementedError


class PGVectorAdapter(_PostgresAdapter):
    """The core's view of a ``PGVector``: one collection in the table that all collections share.

    Args:
        vectorstore: The vector store; only read.

    Raises:
        UnsupportedStoreError: The store was made with ``async_mode=True``.
    """

    capabilities = capabilities_below(replace(VectorTable.capabilities, name="PGVector"))

    def __init__(self, vectorstore: Any) -> None:
        VectorStoreAdapter.__init__(self, vectorstore)
        if vectorstore.async_mode:
            raise UnsupportedStoreError(
                "A PGVector with async_mode=True refuses every synchronous call.",
                hint="Pass a second PGVector of the collection with async_mode=False; ainvoke runs it in a thread.",
            )
        from sqlalchemy import select

        table, collections = vectorstore.EmbeddingStore.__table__, vectorstore.CollectionStore.__table__
        own = select(collections.c.uuid).where(collections.c.name == vectorstore.collection_name).scalar_subquery()
        strategy = vectorstore._distance_strategy
        whole = VectorTable(
            name=self.name,
            id=table.c.id,
            text=table.c.document,
            metadata=(table.c.cmetadata,),
            metadata_json=table.c.cmetadata,
            vector=table.c.embedding,
            operator=OPERATORS[str(getattr(strategy, "value", strategy))],
            within=table.c.collection_id == own,
            run=self._run,
        )
        super().__init__(whole)

    def _clause(self, filter: dict[str, Any]) -> Any:
        return self.vectorstore._create_filter_clause(filter)

    def _run(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        with self.errors("run a query"), self.vectorstore.session_maker() as session:
            for setting in settings:
                session.execute(setting)
            return [list(session.execute(statement).all()) for statement in statements]


class PGVectorStoreAdapter(_PostgresAdapter):
    """The core's view of a ``PGVectorStore``: a table of its own.

    Args:
        vectorstore: The vector store; only read.

    Raises:
        UnsupportedStoreError: Its engine has no event loop of its own to run synchronous calls in.
    """

    capabilities = capabilities_below(replace(VectorTable.capabilities, name="PGVectorStore"))

    def __init__(self, vectorstore: Any) -> None:
        VectorStoreAdapter.__init__(self, vectorstore)
        if vectorstore._engine._loop is None:
            raise UnsupportedStoreError(
                "The PGEngine of the PGVectorStore has no event loop of its own for synchronous calls.",
                hint="Make it with PGEngine.from_connection_string(), or from_engine(engine, loop=...).",
            )
        from pgvector.sqlalchemy import Vector  # type: ignore[import-untyped]
        from sqlalchemy import JSON, column, table

        # The wrapper has no public way to its table or columns.
        inner = self._inner = vectorstore._PGVectorStore__vs
        plain: list[Any] = [column(name) for name in inner.metadata_columns]
        json: Any = column(inner.metadata_json_column, JSON) if inner.metadata_json_column else None
        id: Any = column(inner.id_column)
        text: Any = column(inner.content_column)
        vector: Any = column(inner.embedding_column, Vector())
        # As in the wrapper, a column goes before a value of its name in the JSON object.
        metadata = (*([] if json is None else [json]), *plain)
        hybrid = inner.hybrid_search_config
        searched: Any = column(hybrid.tsv_column) if hybrid is not None and hybrid.tsv_column else None
        others = metadata if searched is None else (*metadata, searched)
        table(inner.table_name, id, text, vector, *others, schema=inner.schema_name)
        options = inner.index_query_options
        whole = VectorTable(
            name=self.name,
            id=id,
            text=text,
            metadata=metadata,
            metadata_json=json,
            vector=vector,
            operator=inner.distance_strategy.operator,
            within=None,
            run=self._run,
            settings=() if options is None else tuple(options.to_parameter()),
            searched_text=searched,
            configuration="simple" if searched is None or not hybrid.tsv_lang else hybrid.tsv_lang,
        )
        super().__init__(whole)

    def _clause(self, filter: dict[str, Any]) -> Any:
        from sqlalchemy import text

        clause, parameters = self._inner._create_filter_clause(filter)
        return text(f"({clause})").bindparams(**parameters)

    def _run(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        async def run() -> list[list[Any]]:
            async with self._inner.engine.connect() as connection:
                for setting in settings:
                    await connection.execute(setting)
                return [list((await connection.execute(statement)).all()) for statement in statements]

        with self.errors("run a query"):
            rows: list[list[Any]] = self.vectorstore._engine._run_as_sync(run())
        return rows
