"""DuckDB: a table or view whose vectors are a column of type ``FLOAT[d]``, over ``duckdb.connect()``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logical_retriever.stores.sql.dialect import Dialect, Run, read_arrow


def connect(connection: Any) -> Run | None:
    """Run each statement in a cursor of its own, apart from pending results, transactions and other threads.

    Returns:
        None for an object of another kind.
    """
    if type(connection).__module__.partition(".")[0] not in ("duckdb", "_duckdb") or not hasattr(connection, "cursor"):
        return None

    def run(statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:  # noqa: ARG001
        with connection.cursor() as cursor:
            return read_arrow(cursor.sql(statement, params=dict(parameters)).to_arrow_table())

    return run


DUCKDB = Dialect(
    name="DuckDB",
    connect=connect,
    describe="SELECT column_name AS name, column_type AS type FROM (DESCRIBE {table})",
    quote={"": '"', '"': '""'},
    parameter="CAST(${name} AS {type})",
    types={"text": "VARCHAR", "whole": "BIGINT", "real": "DOUBLE", "truth": "BOOLEAN"},
    kinds={"VARCHAR": "text", "U?(TINY|SMALL|BIG)INT|U?INTEGER": "whole", "DOUBLE": "real", "BOOLEAN": "truth"},
    ids={"VARCHAR": "text", "U?(TINY|SMALL|BIG)INT|U?INTEGER|HUGEINT": "whole", "UUID": "uuid"},
    vectors=r"FLOAT\[(\d+)\]",
    vector_hint="Where it holds vectors of one length: ALTER TABLE {table} ALTER {column} TYPE FLOAT[384], with that "
    "length.",
    vector="CAST(${name} AS {type})",
    # DuckDB takes NaN for the greatest number: it would come first.
    cosine="coalesce(nullif(CAST(array_cosine_similarity({column}, {vector}) AS DOUBLE), 'nan'::DOUBLE), 0e0)",
    among="{id} IN (SELECT TRY_CAST(unnest($lr_ids) AS {type}))",
    has="list_contains({list}, {value})",
)
"""Spellings of DuckDB."""
