"""The table of supported stores, printed from their capability records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from logical_retriever.stores.base import Capabilities

HEADER = ("store", "class", "search", "in order of cosine", "vectors", "scan", "filters", "tested with")


class Supported(NamedTuple):
    """A row of the table.

    Attributes:
        wrapper: The class of store that users have, as they import it.
        capabilities: What it can do at best.
        tested: What the conformance suite runs over.
    """

    wrapper: str
    capabilities: Capabilities
    tested: str


def support_table(rows: Iterable[Supported]) -> str:
    """A Markdown table, one row a store; the last line has no line break.

    Examples:
        >>> record = Capabilities(name="Mine", exact_search=True, stored_vectors=True, scan=False, cosine_order=True)
        >>> print(support_table([Supported("mine.Store", record, "a server")]).splitlines()[2])
        | Mine | `mine.Store` | exact | yes | stored | no | yes | a server |
    """
    lines = [HEADER, ("---",) * len(HEADER), *map(_cells, rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cells(row: Supported) -> tuple[str, ...]:
    can = row.capabilities
    return (
        can.name,
        f"`{row.wrapper}`",
        "exact" if can.exact_search else "approximate",
        _yes(can.cosine_order),
        "stored" if can.stored_vectors else "encoded again",
        _yes(can.scan),
        _yes(can.filters),
        row.tested if can.live_verified else f"{row.tested}; not verified live",
    )


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
