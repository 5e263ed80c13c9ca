"""Tables and data frames of Spark with a column of vectors, through the caller's own session."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import PUSHED_OPERATORS, Capabilities, PushdownTarget, VectorBatch
from logical_retriever.stores.conditions import OTHER, FieldType, Kind
from logical_retriever.stores.rows import engine_errors
from logical_retriever.stores.sql_columns import Column, Quote, Where
from logical_retriever.stores.sql_conditions import Dialect
from logical_retriever.stores.sql_table import SqlTableStore

KEYS: tuple[tuple[str, type], ...] = (
    ("string", str),
    ("tinyint|smallint|int|bigint", int),
    ("float|double", float),
    (r"decimal\(.*\)", Decimal),
    ("binary", bytes),
    ("date", date),
    ("timestamp_ntz", datetime),
    ("boolean", bool),
)
"""Types of identities that Python has as well, and what they are there."""
KINDS: tuple[tuple[str, Kind], ...] = (
    ("string", "text"),
    ("tinyint|smallint|int|bigint", "whole"),
    ("float|double", "real"),
    ("boolean", "truth"),
    ("date", "day"),
    ("timestamp_ntz", "moment"),
)
"""Types of metadata that compare in Spark as they do in Python."""

FEW = 32
"""Identities that a statement names one by one."""


def field_type(name: str) -> FieldType:
    """Of a column whose type Spark calls so, or that holds arrays of it."""
    array = re.fullmatch(r"array<(.*)>", name)
    single = name if array is None else array[1]
    kinds = [kind for pattern, kind in KINDS if re.fullmatch(pattern, single)]
    return FieldType(kinds[0], array is not None) if kinds else OTHER


class SparkStore(SqlTableStore):
    """A table, view or data frame of Spark 4.3 or newer whose vectors are a column of type ``array<float>``.

    A column of struct or map may hold the metadata, and moments of type ``timestamp`` are in UTC without a zone. Made
    over a session, whose temporary views the statements read: a classic one, or one of Spark Connect::

        store = SparkStore.from_dataframe(spark.read.parquet("s3://.../docs"), text="body", vector="embedding")
        store = SparkStore.from_table(spark, ("lake", "papers", "docs"))
        retriever = LogicalRetriever(store, embedder)
        retriever.retrieve("...", filter={"year": 2024})
        retriever.retrieve("...", filter=SqlFilter("year > :year", {"year": 2000}))
    """

    capabilities = Capabilities(
        name="Spark SQL",
        exact_search=True,
        stored_vectors=True,
        scan=True,
        cosine_order=True,
        conditions=PUSHED_OPERATORS,
    )

    dialect = Dialect(
        type_of=field_type,
        value={"real": "CAST({} AS DOUBLE)"},
        parameter="CAST(:{} AS {type})",
        types={
            **{"text": "STRING", "whole": "BIGINT", "real": "DOUBLE", "truth": "BOOLEAN", "day": "DATE"},
            "moment": "TIMESTAMP_NTZ",
        },
        many="ARRAY<{}>",
        missing="({0} IS NULL OR isnan({0}))",
        has="array_contains({}, {})",
    )
    length = "size"
    quote = Quote("`", {"`": "``"})
    vector_type = re.compile(r"array<(float|double)>")
    vector_hint = "Where it holds numbers: select CAST({column} AS ARRAY<FLOAT>) in a view of {table}."

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        *,
        id: str = "id",
        text: str = "text",
        vector: str = "vector",
        metadata: str | Sequence[str] | None = None,
        unit: bool = False,
    ) -> SparkStore:
        """Read documents from a data frame, under a temporary view of a new name in its session.

        Cache the frame (``frame.cache()``) where its vectors fit into the executors' memory: each statement reads it.

        Args:
            frame: A ``pyspark.sql.DataFrame``.
            id: As of :meth:`from_table`, like the others.
            text: Column of texts.
            vector: Column of vectors.
            metadata: Columns of metadata.
            unit: Whether all vectors are known to have length 1 (or 0).

        Raises:
            InvalidArgumentError: It is no data frame of Spark, or as of :meth:`from_table`.
        """
        if not callable(getattr(frame, "createTempView", None)):
            raise InvalidArgumentError(
                f"A data frame of Spark is needed, got {type(frame).__name__}.",
                hint="Pass a pyspark.sql.DataFrame; a table's name goes to SparkStore.from_table(spark, name).",
            )
        view = f"lr_{uuid.uuid4().hex}"
        with engine_errors("Spark SQL", "name the data frame"):
            frame.createTempView(view)
        return cls.from_table(frame.sparkSession, view, id=id, text=text, vector=vector, metadata=metadata, unit=unit)

    @staticmethod
    def _types(connection: Any, table: str) -> dict[str, str]:
        if not (callable(getattr(connection, "sql", None)) and hasattr(connection, "version")):
            raise InvalidArgumentError(
                f"A session of Spark is needed, got {type(connection).__name__}.",
                hint="Pass a pyspark.sql.SparkSession, or a data frame to SparkStore.from_dataframe(frame).",
            )
        with engine_errors("Spark SQL", f"describe {table}"):
            return dict(connection.sql(f"SELECT * FROM {table}").dtypes)

    def _key(self, column: Column) -> str | None:
        kinds = [kind for pattern, kind in KEYS if re.fullmatch(pattern, column.type)]
        if not kinds:
            return None
        self._kind, self._type = kinds[0], column.type
        return column.quoted

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:
        """The rows of :meth:`execute`, and the type of their vectors."""
        target = super().pushdown_target(filter)
        element = self.columns.vector.type.removeprefix("array<").removesuffix(">")
        more = {"vector_type": element, "version": self.connection.version}
        return PushdownTarget(target.engine, {**target.arguments, **more})

    def _rows(self, statement: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with self.errors():
            found = self.connection.sql(statement, args=_bound(parameters)).collect()
        return [tuple(map(_plain, row)) for row in found]

    def _vectors(self, clauses: str, parameters: Mapping[str, Any]) -> VectorBatch:
        c = self.columns
        statement = (
            f"SELECT {self.key} AS lr_id, CAST({c.vector.quoted} AS ARRAY<FLOAT>) AS lr_vector FROM {c.table} {clauses}"
        )
        with self.errors():
            # As Arrow's columns: rows of Python's numbers take many times as long.
            table = self.connection.sql(statement, args=_bound(parameters)).toArrow()
        return self._batch(table)

    def _ids(self, shown: Iterable[Any]) -> tuple[DocumentId, ...]:
        return super()._ids(map(_plain, shown))

    def _present(self) -> Where:
        return Where(f"{self.columns.vector.quoted} IS NOT NULL")

    def _cosine(self, parameter: str) -> str:
        column = f"CAST({self.columns.vector.quoted} AS ARRAY<FLOAT>)"
        vector = f"CAST(split(:{parameter}, ',') AS ARRAY<FLOAT>)"
        # NULL of a vector of zeros; NaN would be the greatest number.
        return f"coalesce(nanvl(CAST(vector_cosine_similarity({column}, {vector}) AS DOUBLE), 0D), 0D)"

    def _as_text(self, column: Column) -> str:
        return column.quoted if column.type == "string" else f"CAST({column.quoted} AS STRING)"

    def _as_value(self, column: Column) -> str:
        if column.type == "timestamp":  # Python would be given the local time of this machine
            return f"CAST(to_utc_timestamp({column.quoted}, current_timezone()) AS TIMESTAMP_NTZ)"
        return column.quoted

    def _read(self, column: Column, value: Any) -> Any:  # noqa: ARG002  _plain has made it what it is
        return value

    def _hashed(self, seed: int) -> str:
        return f"xxhash64({self._as_text(self.columns.id)}, {seed}L)"

    def _among(self, ids: Sequence[DocumentId]) -> Where:
        if 0 < len(ids) <= FEW:  # without a join, and files are skipped that have none of them
            bound = {f"lr_id{i}": _written(id) for i, id in enumerate(ids)}
            return Where(f"{self.key} IN ({', '.join(self._typed(f':{name}') for name in bound)})", bound)
        # One text: a list becomes an expression for each of its values, and planning takes longer than reading.
        listed = f"SELECT {self._typed('lr_text')} FROM (SELECT explode(split(:lr_ids, ' ')) AS lr_text)"
        return Where(f"{self.key} IN ({listed})", {"lr_ids": " ".join(map(_written, ids))})

    def _after(self, id: DocumentId) -> Where:
        return Where(f"{self.key} > {self._typed(':lr_last')}", {"lr_last": _written(id)})

    def _typed(self, text: str) -> str:
        """SQL of what :func:`_written` made of an identity, as identities are compared."""
        return f"unhex({text})" if self._kind is bytes else f"try_cast(decode(unhex({text}), 'UTF-8') AS {self._type})"

    def _equal(self, column: Column, value: Any, parameter: str) -> Where:
        return Where(f"{column.quoted} <=> :{parameter}", {parameter: value})


def _written(id: Any) -> str:
    """An identity as hexadecimal digits of its bytes or its text, in which nothing is read as anything else."""
    if isinstance(id, bytes):
        return id.hex()
    text = f"{id:f}" if isinstance(id, Decimal) else id.isoformat(" ") if isinstance(id, datetime) else str(id)
    return text.encode(errors="surrogatepass").hex()


def _bound(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Values as Spark binds them: the vector as one text, for the same reason."""
    return {name: ",".join(map(repr, value)) if name == "lr_vector" else value for name, value in parameters.items()}


def _plain(value: Any) -> Any:
    """A value of a row as others have it: structs as mappings, bytes as bytes."""
    if hasattr(value, "asDict"):
        return value.asDict(recursive=True)
    return bytes(value) if isinstance(value, bytearray) else value
