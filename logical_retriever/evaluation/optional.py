"""Importing the packages of the ``evaluation`` extra where they are used."""

from __future__ import annotations

from functools import partial

from logical_retriever import errors

require = partial(errors.require, install='pip install "logical-retriever[evaluation]"')
"""Imports a module of the extra; the second argument says for what."""


def silent(*progress: object) -> None:
    """A progress callback that shows nothing."""
