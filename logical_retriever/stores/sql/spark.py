"""Spark SQL, 4.3 or newer: a table or view whose vectors are a column of ``array<float>``, classic or by Connect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from logical_retriever.stores.sql.dialect import Dialect, Run, read_arrow


def connect(connection: Any) -> Run | None:
    """Run statements through the caller's session, which knows its temporary views.

    Returns:
        None for an object of another kind.
    """
    if not callable(getattr(connection, "sql", None)) or not hasattr(connection, "version"):
        return None

    def run(statement: str, parameters: Mapping[str, Any], nearest: int = 0) -> Mapping[str, Any]:  # noqa: ARG001
        # A list travels as one text: its values would become expressions, whose planning takes longer than reading.
        bound = {name: json.dumps(v) if isinstance(v, list) else v for name, v in parameters.items()}
        return read_arrow(connection.sql(statement, args=bound).toArrow())

    return run


SPARK = Dialect(
    name="Spark SQL",
    connect=connect,
    describe="DESCRIBE TABLE {table}",
    quote={"": "`", "`": "``"},
    parameter="CAST(:{name} AS {type})",
    types={"text": "STRING", "whole": "BIGINT", "real": "DOUBLE", "truth": "BOOLEAN"},
    kinds={"string": "text", "tinyint|smallint|int|bigint": "whole", "double": "real", "boolean": "truth"},
    ids={"string": "text", "tinyint|smallint|int|bigint": "whole"},
    vectors="array<(float|double)>",
    vector_hint="Where it holds numbers: select CAST({column} AS ARRAY<FLOAT>) in a view of {table}.",
    vector="CAST(split(translate(:{name}, '[]', ''), ',') AS ARRAY<FLOAT>)",
    cosine="coalesce(nanvl(CAST(vector_cosine_similarity(CAST({column} AS ARRAY<FLOAT>), {vector}) AS DOUBLE), 0e0), "
    "0e0)",
    among="{id} IN (SELECT try_cast(lr_text AS {type}) FROM (SELECT explode(from_json(:lr_ids, 'ARRAY<STRING>')) AS "
    "lr_text))",
    has="array_contains({list}, {value})",
    read_vector="CAST({} AS ARRAY<FLOAT>)",
    as_text="CAST({} AS STRING)",
    array="array<(.*)>",
    json="",
)
"""Spellings of Spark."""
