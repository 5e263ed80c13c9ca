"""A port of this machine, and an application on it until the process is told to end."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Any

import uvicorn

from logical_retriever.errors import InvalidArgumentError

HOST = "127.0.0.1"
"""This machine alone."""
GRACE_S = 2
"""Seconds that connections get to end in when the server is stopped."""


def listen(port: int, host: str = HOST) -> socket.socket:
    """A listening socket.

    Raises:
        InvalidArgumentError: The port cannot be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        # Its own text repeats the address.
        reason = str(error) if error.errno is None else os.strerror(error.errno)
        raise InvalidArgumentError(
            f"Port {port} cannot be listened to: {reason}.",
            hint="Give another --port; 0 takes any free one.",
        ) from error


def serve_http(application: Any, listening: socket.socket) -> None:
    """Serve any number of clients, until the process is told to end."""
    config = uvicorn.Config(
        application, log_level="warning", access_log=False, ws="none", timeout_graceful_shutdown=GRACE_S
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
