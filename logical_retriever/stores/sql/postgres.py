"""Postgres with pgvector, over an engine of SQLAlchemy with any driver: ``create_engine("postgresql+psycopg://...")``.

An HNSW index finds the nearest rows; a score is computed for every row.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from logical_retriever.stores.sql.dialect import Dialect, Run, SqlFilter

INDEX = """SELECT set_config('hnsw.ef_search', greatest(nullif(current_setting('hnsw.ef_search', true), '')::int,
  40, :wanted)::text, true), (SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_extension
  WHERE extname = 'vector' AND string_to_array(extversion, '.')::int[] >= '{0,8}')"""
"""Lets an HNSW index return more than its default of 40 rows, also under a filter. Older versions of pgvector have no
iterative scans."""


def run_through(execute: Callable[[Sequence[Any]], Sequence[Any]]) -> Run:
    """Build a :class:`Run`.

    Args:
        execute: Executes statements in one transaction, and returns the rows of the last one.
    """

    def run(statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:
        from sqlalchemy import BindParameter, bindparam, text
        from sqlalchemy.types import NullType

        # No text of Postgres can hold \0, so no document has an id with it.
        values = {n: [id for id in v if "\0" not in id] if n == "lr_ids" else v for n, v in parameters.items()}
        # Without a type of its own, a parameter gets the type that its place in the statement needs.
        bound = [v if isinstance(v, BindParameter) else bindparam(n, v, NullType()) for n, v in values.items()]
        before = [text(INDEX).bindparams(wanted=min(nearest, 1000))] if nearest else []
        rows = execute([*before, text(statement).bindparams(*bound)])
        columns: dict[str, Any] = defaultdict(list)
        columns.update(zip(rows[0]._fields, map(list, zip(*rows, strict=True)), strict=True) if rows else ())
        if "lr_vector" in columns:
            columns["lr_vector"] = [np.frombuffer(vector, ">f4", offset=4) for vector in columns["lr_vector"]]
        return columns

    return run


def connect(connection: Any) -> Run | None:
    """Run each statement in a connection from the engine's pool; None for an object of another kind."""
    if not hasattr(connection, "dialect") or not callable(getattr(connection, "connect", None)):
        return None

    def execute(statements: Sequence[Any]) -> Sequence[Any]:
        with connection.connect() as open_connection:
            answers: list[Sequence[Any]] = [open_connection.execute(statement).all() for statement in statements]
        return answers[-1]

    return run_through(execute)


def filter_of(clause: Any) -> SqlFilter:
    """Convert a condition of SQLAlchemy to a filter."""
    from sqlalchemy import bindparam
    from sqlalchemy.dialects import postgresql

    dialect: Any = postgresql.dialect  # SQLAlchemy declares no type for it
    compiled = clause.compile(dialect=dialect(paramstyle="named"), compile_kwargs={"render_postcompile": True})
    types = {name: bind.type for name, bind in compiled.binds.items()}
    sql = re.sub(r"(:\w+)(?=::)", r"\1 ", str(compiled))  # :name::type would not be read as a parameter
    return SqlFilter(sql, {n: bindparam(n, v, types.get(n)) for n, v in compiled.params.items()})


POSTGRES = Dialect(
    name="Postgres",
    connect=connect,
    describe="SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute "
    "WHERE attrelid = CAST(:lr_table AS regclass) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    # SQLAlchemy takes a colon for the start of a parameter.
    quote={"": '"', '"': '""', ":": "\\:"},
    parameter="CAST(:{name} AS {type})",
    types={
        **{"text": "text", "whole": "bigint", "real": "double precision", "truth": "boolean", "json": "jsonb"},
    },
    kinds={
        **{"text|character varying": "text", "smallint|integer|bigint": "whole", "double precision": "real"},
        "boolean": "truth",
    },
    ids={"text|character varying|character|citext": "text", "smallint|integer|bigint": "whole", "uuid": "uuid"},
    vectors="vector|halfvec",
    vector_hint="Where it holds numbers: ALTER TABLE {table} ALTER {column} TYPE vector(384).",
    vector="CAST(CAST(:{name} AS text) AS {type})",
    cosine="coalesce(nullif(1 - ({column} <=> {vector}), 'NaN'), 0)",
    among="{id} = ANY(CAST(CAST(:lr_ids AS text[]) AS {type}[]))",
    # ANY would also look into lists of lists.
    has="(array_ndims({list}) = 1 AND {value} = ANY({list}))",
    read_vector="vector_send(CAST({} AS vector))",
    as_text="CAST({} AS text)",
    json="jsonb?",
    as_json="CAST({} AS text)",
    json_value="CAST({column} -> {key} AS jsonb)",
    far="{column} {operator} {vector}",
    # Parallel workers can scan below it, unlike below OFFSET 0 or a WITH: the planner sees the text as an expression.
    fence="OFFSET '0'",
    collation=' COLLATE "C"',
    approximate="SELECT count(*) AS lr_count FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a "
    "ON a.oid = c.relam WHERE indrelid = CAST(:lr_table AS regclass) "
    "AND amname NOT IN ('btree', 'hash', 'gin', 'gist', 'brin', 'spgist')",
    has_words="{column} @@ plainto_tsquery(CAST({configuration} AS regconfig), {query})",
)
"""Spellings of Postgres with pgvector."""
