"""ClickHouse: a table or view whose vectors are an ``Array(Float32)``, in this process (chdb) or on a server."""

from logical_retriever.stores.sql.clickhouse_clients import connect
from logical_retriever.stores.sql.dialect import Dialect

CLICKHOUSE = Dialect(
    name="ClickHouse",
    connect=connect,
    describe="DESCRIBE TABLE {table}",
    quote={"": "`", "\\": "\\\\", "`": "\\`"},
    parameter="{{{name}:{type}}}",
    types={"text": "String", "whole": "Int64", "real": "Float64", "truth": "Bool"},
    # Metadata are read as JSON, where dates are texts.
    kinds={"String": "text", r"U?Int\d+": "whole", "Float64": "real", "Bool": "truth"},
    ids={"String": "text", r"U?Int\d+": "whole", "UUID": "uuid"},
    vectors=r"Array\((Float32|Float64)\)",
    vector_hint="Where it holds numbers: ALTER TABLE {table} MODIFY COLUMN {column} Array(Float32).",
    vector="{{{name}:Array(Float32)}}",
    # All terms share the length of the column: cosineDistance would take six times as long, reading aside.
    cosine="greatest(-1., least(1., ifNotFinite(dotProduct({column}, {vector}) / L2Norm({column}), 0)))",
    among="{id} IN (SELECT accurateCastOrNull(arrayJoin({{lr_ids:Array(String)}}), '{type}'))",
    has="has({list}, {value})",
    present="notEmpty({})",
    read_vector="CAST({}, 'Array(Float32)')",
    as_text="toString({})",
    array=r"Array\((.*)\)",
    json=".*",
    as_json="toJSONString({})",
    wrapper=r"(?:Nullable|LowCardinality)\((.*)\)",
    threads=False,
)
"""Spellings of ClickHouse."""
