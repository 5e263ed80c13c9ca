"""Shards of a store as they are asked: at once, for a limited time, and what is made of those that do not answer."""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

import numpy as np

from logical_retriever.errors import (
    EmbeddingError,
    InvalidArgumentError,
    LogicalRetrieverError,
    ShardError,
    VectorMismatchError,
)
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import Capabilities, Store
from logical_retriever.stores.notes import current_notes
from logical_retriever.stores.timed import TimedRequests, is_refusal
from logical_retriever.vectors import StoredVectors, Vectors, unit

T = TypeVar("T")
Encode = Callable[[Sequence[str]], Vectors]

COMPARED = 5
"""Documents of a shard that are encoded again to see whether its vectors are of the same encoder."""
LEAST_ALIKE = 0.5
"""Least cosine, in the middle of these, of a text's vector with the one that is stored. Vectors of two encoders have
nothing to do with one another; those of one differ by what was written before or after the text."""
SHOWN = 200
"""Characters of a reason that are repeated."""


class Shards:
    """Asks shards and keeps to one rule for those that do not answer.

    In a search that can tell its user, an absent shard is noted, and not asked again by that search; else, or where all
    shards are required, or none is left, it is an error. What a shard refuses is an error in any case.

    Args:
        stores: The shards, at least one.
        timeout: Seconds that a shard has for one request.
        require_all: Whether an answer without one of them is none.
        encode: The encoder of documents, if each shard's vectors are to be compared with its own before it is asked.

    Raises:
        InvalidArgumentError: There is no shard, one is no store or is there twice, or the time is no positive number.
    """

    def __init__(self, stores: Sequence[Store], timeout: float, *, require_all: bool, encode: Encode | None) -> None:
        self.stores = tuple(stores) if isinstance(stores, Iterable) else ()
        if not self.stores or not all(map(_is_store, self.stores)):
            raise InvalidArgumentError(
                "A sharded store needs a list of stores, at least one.",
                hint="For example ShardedStore([DuckDBStore.from_table(...), DuckDBStore.from_table(...)]).",
            )
        if len({id(store) for store in self.stores}) < len(self.stores):
            raise InvalidArgumentError("One store is given as two shards.", hint="Give each shard once.")
        if (
            isinstance(timeout, bool)
            or not isinstance(timeout, (int, float))
            or not 0 < timeout <= threading.TIMEOUT_MAX
        ):
            raise InvalidArgumentError(
                f"The time for a shard must be a number of seconds above 0, got {timeout!r}.", hint="Set timeout=30."
            )
        self.require_all = require_all
        self.last_counts: dict[int, int | None] = {}
        self._requests = TimedRequests(timeout)
        self._encode = encode
        self._compared: set[int] = set()

    def __len__(self) -> int:
        return len(self.stores)

    def name(self, part: int) -> str:
        """A shard in messages."""
        return f"shard {part + 1} of {len(self.stores)}"

    def ask(
        self,
        request: Callable[[int, Store], T],
        only: Iterable[int] | None = None,
        examine: Callable[[Mapping[int, T], Mapping[int, Exception]], None] | None = None,
    ) -> dict[int, T]:
        """Ask shards at once.

        Args:
            request: What is asked of each; it may be made twice.
            only: Those that are asked; None for all.
            examine: Looks at what came back and what failed, where some did, before these are taken to be absent.

        Returns:
            The answers by shard, in order; those that are absent in this search are left out.

        Raises:
            ShardError: One is absent, and there is no search to say so, or all are required, or no other is left.
            LogicalRetrieverError: A shard refused the request.
        """
        notes = current_notes()
        absent = notes.absent_parts(self) if notes is not None else set()
        asked = [part for part in (range(len(self.stores)) if only is None else only) if part not in absent]
        answers, failed = self._requests.answers({part: partial(self._request, request, part) for part in asked})
        for part, error in failed.items():
            if is_refusal(error) and isinstance(error, LogicalRetrieverError):
                raise self._named(error, part) from error
        if failed and examine is not None:
            examine(answers, failed)
        if failed and (notes is None or self.require_all):
            raise self._unanswered(failed)
        if len(absent) + len(failed) == len(self.stores):
            if failed:
                raise self._unanswered(failed)
            raise ShardError(
                "None of the shards answered.", hint="Check that they run.", shards=tuple(range(1, len(self) + 1))
            )
        for part, error in failed.items():
            assert notes is not None
            notes.note_absent(self, part, self._absence(part, error))
        return answers

    def require_one_dimension(self, vectors: Mapping[int, StoredVectors]) -> None:
        """Compare vectors of several shards.

        Raises:
            VectorMismatchError: They are of several dimensions.
        """
        dimensions = {part: rows.shape[1] for part, rows in vectors.items() if len(rows)}
        counted = sorted(dimensions.values(), key=list(dimensions.values()).count)
        for part, dimension in dimensions.items():
            if dimension != counted[-1]:
                raise VectorMismatchError(
                    f"{self.name(part).capitalize()} has vectors of dimension {dimension}, others of {counted[-1]}.",
                    hint="Encode all documents of all shards with one model.",
                )

    def duplicate(self, id: DocumentId, one: int, other: int) -> ShardError:
        """The error of a document that two shards have."""
        both = sorted((one + 1, other + 1))
        return ShardError(
            f"Shards {both[0]} and {both[1]} of {len(self)} both have a document {id!r}.",
            hint='If they are different documents, give ShardedStore(..., ids="qualified"); else delete one.',
            shards=(both[0], both[1]),
        )

    def _request(self, request: Callable[[int, Store], T], part: int) -> T:
        if self._encode is not None and part not in self._compared:
            self._compare(part, self._encode)
        return request(part, self.stores[part])

    def _compare(self, part: int, encode: Encode) -> None:
        """See whether a shard's vectors are the encoder's, once for each shard that has any."""
        sample = self.stores[part].sample(COMPARED, 0)
        rows = [row for row, document in enumerate(sample.documents) if document.text.strip()]
        if not rows:
            return
        texts = [sample.documents[row].text for row in rows]
        try:
            again = np.asarray(encode(texts), dtype=np.float32)
        except LogicalRetrieverError:
            raise
        except Exception as error:
            raise EmbeddingError(
                f"Texts of a shard could not be encoded: {type(error).__name__}: {error}",
                hint="Give encode=embedder.embed_documents, or leave it out.",
            ) from error
        stored = sample.vectors[rows]
        if again.shape != stored.shape:
            what = f"of dimension {stored.shape[1]}, not {again.shape[-1]}"
        else:
            alike = float(np.median(np.einsum("nd,nd->n", unit(again), unit(stored))))
            what = "" if alike >= LEAST_ALIKE else f"of cosine {alike:.2f} with those of the encoder for the same texts"
        if what:
            raise VectorMismatchError(
                f"Its vectors are {what}.", hint="Encode the documents of this shard with the model of the others."
            )
        self._compared.add(part)

    def _named(self, error: LogicalRetrieverError, part: int) -> LogicalRetrieverError:
        """The same error, saying whose it is."""
        named = copy.copy(error)
        named.message = f"{self.name(part).capitalize()}: {error.message}"
        return named

    def _absence(self, part: int, error: Exception) -> str:
        size = self.last_counts.get(part)
        counted = "" if size is None else f", {size} documents when last counted,"
        said = error.message if isinstance(error, LogicalRetrieverError) else str(error)
        kind = "" if isinstance(error, (LogicalRetrieverError, TimeoutError)) and said else f"{type(error).__name__}: "
        reason = " ".join(f"{kind}{said}".split())
        shown = reason if len(reason) <= SHOWN else f"{reason[:SHOWN]}..."
        return f"{self.name(part)}{counted} did not answer ({shown})"

    def _unanswered(self, failed: Mapping[int, Exception]) -> ShardError:
        reasons = "; ".join(self._absence(part, error) for part, error in failed.items())
        hint = "Check that it runs, or give it more time with timeout=..."
        if self.require_all and len(failed) < len(self):
            hint += "; require_all=False answers from the others, and says so."
        error = ShardError(f"{reasons[:1].upper()}{reasons[1:]}.", hint=hint, shards=tuple(part + 1 for part in failed))
        error.__cause__ = next(iter(failed.values()))
        return error


def weakest(capabilities: Sequence[Capabilities]) -> Capabilities:
    """All that several stores can do alike."""
    facts: dict[str, Any] = {}
    for field in fields(Capabilities):
        values = [getattr(can, field.name) for can in capabilities]
        if isinstance(values[0], bool):
            facts[field.name] = all(values)
        elif isinstance(values[0], frozenset):
            facts[field.name] = frozenset.intersection(*values)
    limits = [can.max_results for can in capabilities if can.max_results is not None]
    words = [can.words for can in capabilities if can.words is not None]
    facts["name"] = f"{len(capabilities)} shards of {' and '.join(dict.fromkeys(can.name for can in capabilities))}"
    facts["max_results"] = min(limits) if limits else None
    facts["words"] = " and ".join(dict.fromkeys(words)) if len(words) == len(capabilities) else None
    return Capabilities(**facts)


def shares(counts: Sequence[int | None], n: int) -> list[int]:
    """How many of n documents to draw from each shard: in proportion to what it has, by largest remainders.

    Examples:
        >>> shares([90, 9, 1, 0], 10)
        [9, 1, 0, 0]
        >>> shares([None, 50], 5)
        [3, 2]
    """
    known = [count for count in counts if count is not None]
    typical = sum(known) / len(known) if sum(known) else 1.0
    sizes = [typical if count is None else float(count) for count in counts]
    total = sum(sizes)
    if total <= n and None not in counts:
        return [int(size) for size in sizes]
    if not total:
        return [0 for _ in sizes]
    exact = [n * size / total for size in sizes]
    found = [math.floor(share) for share in exact]
    order = sorted(range(len(exact)), key=lambda part: (found[part] - exact[part], part))
    for part in order[: n - sum(found)]:
        found[part] += 1
    return found


def _is_store(store: object) -> bool:
    """Whether it has a store's methods; its capabilities are not looked at, for which some ask their engine."""
    return all(callable(getattr(store, name, None)) for name in ("count", "search", "fetch", "sample", "scan"))
