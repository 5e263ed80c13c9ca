"""Both generations of langchain-postgres: ``PGVector`` and ``PGVectorStore``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from logical_retriever.integration import (
    AtBest,
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    UnsupportedStoreError,
    VectorBatch,
    Vectors,
    VectorTable,
)

OPERATORS = {"l2": "<->", "cosine": "<=>", "inner": "<#>"}
"""pgvector's operator for each distance strategy of ``PGVector``."""


class _PostgresAdapter(VectorStoreAdapter):
    """What does not depend on the generation."""

    filter_example = 'filter={"year": {"$gt": 2000}}'
    table: VectorTable

    def _now(self) -> dict[str, Any]:
        """Exact while no approximate index lies on the table; by cosine where that is the distance strategy."""
        return {"exact_search": self.table.exact(), "cosine_order": self.table.operator == "<=>"}

    def count(self) -> int:
        """Number of rows."""
        return self.table.count()

    def search(self, vectors: Vectors, n: int, filter: dict[str, Any] | None = None) -> list[list[str]]:
        """The n nearest rows of each vector by the store's distance strategy, in one transaction.

        An HNSW index is told to look at as many rows as are asked for, where it would stop after 40.
        """
        return self.table.search(vectors, n, self._condition(filter))

    def pushdown_target(self, filter: dict[str, Any] | None = None) -> PushdownTarget:  # noqa: ARG002  execute applies it
        """The rows of the store."""
        return self.table.pushdown_target()

    def execute(
        self, statement: str, parameters: Mapping[str, Any], filter: dict[str, Any] | None = None
    ) -> PushdownAnswer:
        """Run a compiled statement over the rows that pass the filter."""
        return self.table.execute(statement, parameters, self._condition(filter))

    def fetch(self, ids: Sequence[str]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that are not there are left out."""
        return self.table.fetch(ids)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn by a hash of their ids, the same ones for the same seed and content."""
        return self.table.sample(n, seed)

    def scan(self, filter: dict[str, Any] | None = None) -> Iterator[VectorBatch]:
        """All vectors, page by page in the order of ids."""
        return self.table.scan(self._condition(filter))

    def _condition(self, filter: dict[str, Any] | None) -> Any:
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

    capabilities = AtBest(
        Capabilities("PGVector", exact_search=True, stored_vectors=True, scan=True, cosine_order=True)
    )(_PostgresAdapter._now)

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
        if vectorstore.async_mode:
            raise UnsupportedStoreError(
                "A PGVector with async_mode=True refuses every synchronous call.",
                hint="Pass a second PGVector of the collection with async_mode=False; ainvoke runs it in a thread.",
            )
        from sqlalchemy import select

        table, collections = vectorstore.EmbeddingStore.__table__, vectorstore.CollectionStore.__table__
        own = select(collections.c.uuid).where(collections.c.name == vectorstore.collection_name).scalar_subquery()
        strategy = vectorstore._distance_strategy
        self.table = VectorTable(
            id=table.c.id,
            text=table.c.document,
            metadata=(table.c.cmetadata,),
            metadata_json=table.c.cmetadata,
            vector=table.c.embedding,
            operator=OPERATORS[str(getattr(strategy, "value", strategy))],
            within=table.c.collection_id == own,
            run=self._run,
        )

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

    capabilities = AtBest(
        Capabilities("PGVectorStore", exact_search=True, stored_vectors=True, scan=True, cosine_order=True)
    )(_PostgresAdapter._now)

    def __init__(self, vectorstore: Any) -> None:
        super().__init__(vectorstore)
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
        table(inner.table_name, id, text, vector, *metadata, schema=inner.schema_name)
        options = inner.index_query_options
        self.table = VectorTable(
            id=id,
            text=text,
            metadata=metadata,
            metadata_json=json,
            vector=vector,
            operator=inner.distance_strategy.operator,
            within=None,
            run=self._run,
            settings=() if options is None else tuple(options.to_parameter()),
        )

    def _clause(self, filter: dict[str, Any]) -> Any:
        from sqlalchemy import text

        clause, parameters = self._inner._create_filter_clause(filter)
        return text(clause).bindparams(**parameters)

    def _run(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        async def run() -> list[list[Any]]:
            async with self._inner.engine.connect() as connection:
                for setting in settings:
                    await connection.execute(setting)
                return [list((await connection.execute(statement)).all()) for statement in statements]

        with self.errors("run a query"):
            rows: list[list[Any]] = self.vectorstore._engine._run_as_sync(run())
        return rows
