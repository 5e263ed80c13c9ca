"""Indexes of vectors in Postgres: whether there is one, and how far it is to look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

EXACT_INDEXES = ("btree", "hash", "gin", "gist", "brin", "spgist")
"""Access methods that come with Postgres; any other on the table is taken for an approximate index of vectors."""
MAX_EF_SEARCH = 1000
"""Most that pgvector allows."""


def approximate_indexes(table: str) -> Any:
    """A statement that counts the approximate indexes on a table.

    Args:
        table: Its qualified name, quoted.
    """
    from sqlalchemy import bindparam, text

    statement = text(
        "SELECT count(*) FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_am ON pg_am.oid = c.relam "
        "WHERE indrelid = CAST(:name AS regclass) AND NOT amname IN :exact"
    ).bindparams(bindparam("exact", expanding=True))
    return statement.bindparams(name=table, exact=EXACT_INDEXES)


def search_settings(settings: Sequence[str], n: int) -> list[Any]:
    """Statements after which an HNSW index gives n rows: by itself it stops after 40, and sooner under a filter.

    Args:
        settings: The caller's: ``hnsw.ef_search = 100``.
        n: Rows that are wanted.
    """
    from sqlalchemy import text

    # set_config with true is SET LOCAL: it ends with the transaction. An older pgvector has no iterative scans.
    return [
        *(text(f"SET LOCAL {setting}") for setting in settings),
        text(
            "SELECT set_config('hnsw.ef_search', greatest("
            "nullif(current_setting('hnsw.ef_search', true), '')::int, 40, :wanted)::text, true), "
            "(SELECT set_config('hnsw.iterative_scan', 'strict_order', true) FROM pg_extension "
            "WHERE extname = 'vector' AND string_to_array(extversion, '.')::int[] >= '{0,8}')"
        ).bindparams(wanted=min(n, MAX_EF_SEARCH)),
    ]
