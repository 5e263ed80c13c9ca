"""Importing the packages of the ``evaluation`` extra where they are used."""

from __future__ import annotations

from typing import Any

from logical_retriever import errors

INSTALL = 'pip install "logical-retriever[evaluation]"'


def silent(*progress: object) -> None:
    """A progress callback that shows nothing."""


def require(module: str, what: str) -> Any:
    """Import a module of the ``evaluation`` extra.

    Args:
        module: Its import name.
        what: What it is needed for, the subject of the message.

    Raises:
        MissingPackageError: It is not installed.
    """
    return errors.require(module, what, install=INSTALL)
