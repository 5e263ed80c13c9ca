"""Whether an engine is new enough for what a query needs."""

from __future__ import annotations

import re

from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError

Version = tuple[int, int]
"""Major and minor version."""


def parse_version(text: str) -> Version:
    """Major and minor version of a server, as it reports them.

    Raises:
        InvalidArgumentError: The text begins with no version.

    Examples:
        >>> parse_version("v1.14.1-dev")
        (1, 14)
    """
    found = re.match(r"v?(\d+)\.(\d+)", text.strip())
    if found is None:
        raise InvalidArgumentError(f"{text!r} is not a version.", hint="Give it as the server reports it: '1.14.0'.")
    return int(found[1]), int(found[2])


def require_version(engine: str, version: Version | None, since: Version, what: str) -> None:
    """Refuse a server that is too old; one whose version is not known is taken to be new enough.

    Raises:
        UnsupportedByEngineError: The server is older.
    """
    if version is not None and version < since:
        (major, minor), (least_major, least_minor) = version, since
        raise UnsupportedByEngineError(
            f"{engine} {major}.{minor} has no {what}; it came with {engine} {least_major}.{least_minor}.",
            hint="Upgrade the server, or search without pushing the query down.",
        )
