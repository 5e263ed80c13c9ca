"""Postgres with pgvector, over an engine of SQLAlchemy with any driver: ``create_engine("postgresql+psycopg://...")``.

An HNSW index finds the nearest rows; a score is computed for every row.
"""

from logical_retriever.stores.sql.alchemy import connect
from logical_retriever.stores.sql.dialect import Dialect

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
