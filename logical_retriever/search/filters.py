"""Conditions that every answer must fulfil: what the store's own filter says of them, and what is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from logical_retriever.query import LogicalQuery, decider
from logical_retriever.query.conditions import all_of, conjuncts
from logical_retriever.stores.base import Filter, NarrowingStore, Store, SupersetStore


@dataclass(frozen=True)
class Narrowing:
    """A filter for a condition, as far as the store can say it.

    Attributes:
        filter: In the store's own language: the caller's, and what could be said beside it.
        told: The condition that the filter says, or None.
        checked: The condition that is left to be decided on the documents' metadata, or None.
    """

    filter: Filter
    told: LogicalQuery | None = None
    checked: LogicalQuery | None = None

    @cached_property
    def passes(self) -> Callable[[Mapping[str, Any]], bool] | None:
        """Decides on metadata what the filter does not say; None where it says everything."""
        return None if self.checked is None else decider(self.checked)


def narrow(store: Store, filter: Filter, condition: LogicalQuery | None) -> Narrowing:
    """Have the store's filter say a condition, conjunct by conjunct.

    Args:
        store: The documents.
        filter: The caller's, in the store's own language. It is joined by AND with the condition, never changed.
        condition: Without terms; None for no condition.
    """
    if condition is None:
        return Narrowing(filter)
    told, checked = [], []
    for part in conjuncts(condition):
        narrower = store.narrowed(filter, part) if isinstance(store, NarrowingStore) else None
        if narrower is not None:
            filter = narrower
            told.append(part)
            continue
        checked.append(part)
        if isinstance(store, SupersetStore) and (wider := store.superset_filter(filter, part)) is not None:
            filter = wider
    return Narrowing(filter, all_of(told), all_of(checked))
