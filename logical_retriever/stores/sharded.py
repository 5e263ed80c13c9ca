"""Several stores as one: what they find is merged as if one store had all documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

import numpy as np

from logical_retriever.errors import StoreCapabilityError, StoreError, check_choice
from logical_retriever.interleave import interleaved
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    ALL_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    Filter,
    NarrowingStore,
    PushdownAnswer,
    PushdownStore,
    PushdownTarget,
    Store,
    StoredDocument,
    SupersetStore,
    VectorBatch,
    WordQuery,
    WordStore,
)
from logical_retriever.stores.merging import Ranked, ShardedId, ShardFilters, Walk, carried, filter_of, merged
from logical_retriever.stores.notes import remembered
from logical_retriever.stores.rows import in_order
from logical_retriever.stores.shards import Encode, Shards, shares, weakest
from logical_retriever.stores.spellings import spellings
from logical_retriever.vectors import Vectors, precise_cosines

Ids = Literal["unique", "qualified"]
TIMEOUT = 30.0
"""Seconds that a shard has for one request."""

_Row = tuple[StoredDocument, Vectors]


@dataclass
class _Search:
    """Remembered during one search.

    Attributes:
        found_in: Shard of each document that was found.
        capabilities: As they were when it began.
    """

    found_in: dict[DocumentId, int] = field(default_factory=dict)
    capabilities: Capabilities | None = None


class ShardedStore:
    """Stores whose documents are searched as if one store had them all.

    Shards are asked at once. Lists of nearest documents are merged by the cosines with the stored vectors, whatever
    order and scores the shards' engines have; lists of words by the words that documents have, each weighed by how rare
    it is in all shards; samples are drawn from each in proportion to its size. So the statistics that documents are
    scored by are those of all shards, and the same for each. It can do what the weakest of them can. Where one engine
    is told queries in one way in all shards, each computes its own best, and these are merged.

    A filter goes to every shard as it is, in the language that they share.

    In a search, a shard that raises (after one more try), or gives no answer in time, is left out until the search has
    ended: its result is not exact, and ``reason`` names the shard. Asked outside a search, the methods raise instead.

    Args:
        shards: The stores, of any kind; each has other documents, of vectors of the same encoder. They may be empty.
        timeout: Seconds that a shard has for one request.
        require_all: Whether an answer without one of them is an error.
        ids: "unique" where no two shards use the same id for a document, or "qualified", where a document's id is a
            :class:`ShardedId`.
        encode: The encoder of documents, as ``embedder.embed_documents``: a few documents of each shard are then
            encoded again, once, to see whether its vectors are of this encoder. Without, only dimensions are compared.

    Raises:
        InvalidArgumentError: An argument of another kind, or no shard.

    Examples:
        >>> from logical_retriever.stores import InMemoryStore
        >>> tea = InMemoryStore([StoredDocument("a", "tea")], [[1.0, 0.0]])
        >>> coffee = InMemoryStore([StoredDocument("b", "coffee")], [[0.0, 1.0]])
        >>> ShardedStore([tea, coffee]).search(np.array([[0.4, 0.5]], dtype=np.float32), n=2)
        [['b', 'a']]
    """

    def __init__(
        self,
        shards: Sequence[Store],
        *,
        timeout: float = TIMEOUT,
        require_all: bool = False,
        ids: Ids = "unique",
        encode: Encode | None = None,
    ) -> None:
        check_choice("A sharded store", "kind of ids", ids, Ids)
        self._shards = Shards(shards, timeout, require_all=require_all, encode=encode)
        self._qualified = ids == "qualified"
        self._known: dict[int, Capabilities] = {}

    @AtBest(
        Capabilities(
            name="ShardedStore",
            exact_search=True,
            stored_vectors=True,
            scan=True,
            in_process=True,
            cosine_order=True,
            words="the words of each shard",
            indexes_words=True,
            conditions=ALL_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """All that the shards can do alike; of one that is absent, what it could when it was last asked."""
        memory = self._search()
        if memory.capabilities is None:
            self._known.update(self._shards.ask(lambda _, store: store.capabilities))
            memory.capabilities = weakest([self._known[part] for part in sorted(self._known)])
        return vars(memory.capabilities)

    @property
    def shards(self) -> tuple[Store, ...]:
        """The stores."""
        return self._shards.stores

    @property
    def cost(self) -> str | None:
        """Of the shards that have to encode texts again; None where none has to."""
        costs = {part: getattr(store, "cost", None) for part, store in enumerate(self.shards)}
        said = [f"{self._shards.name(part)}: {cost}" for part, cost in costs.items() if isinstance(cost, str)]
        return "; ".join(said) if said else None

    def count(self) -> int | None:
        """Number of documents, with the last count of a shard that is absent; None where one cannot tell."""
        counts = self._counts()
        known = [count for count in counts if count is not None]
        return sum(known) if len(known) == len(counts) else None

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n nearest documents of each vector, of all shards' lists, by the cosines with their vectors.

        Raises:
            ShardError: Two shards have a document of one id.
        """

        def nearest(part: int, store: Store) -> list[Ranked]:
            lists = store.search(vectors, n, filter_of(filter, part))
            batch = _found(store, lists, len(vectors))
            rows = precise_cosines(vectors, batch.vectors) if batch.documents else np.empty((len(vectors), 0))
            return [
                (ids, carried(ids, dict(zip(batch.ids, row.tolist(), strict=True)), 1.0))
                for ids, row in zip(lists, rows, strict=True)
            ]

        return self._merged(self._shards.ask(nearest), len(vectors), n)

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """The n documents with the most and rarest words of each query, of all shards' lists.

        Raises:
            ShardError: Two shards have a document of one id.
        """
        words = [spellings(query) for query in queries]

        def having(part: int, store: Store) -> list[Ranked]:
            lists = cast("WordStore", store).search_words(queries, n, filter_of(filter, part))
            texts = {document.id: document.text for document in _found(store, lists, len(queries)).documents}
            return [
                (
                    ids,
                    carried(
                        ids,
                        {id: sum(w.weight for w in wanted if w.found_in(texts[id])) for id in ids if id in texts},
                        sum(w.weight for w in wanted),
                    ),
                )
                for ids, wanted in zip(lists, words, strict=True)
            ]

        return self._merged(self._shards.ask(having), len(queries), n)

    def fetch(self, ids: Sequence[DocumentId]) -> Batch:
        """Documents and vectors by id, in the order asked; ids that no shard has are left out.

        A shard is asked for what was found in it during this search, and every shard for what is not known, or not
        there any more.

        Raises:
            ShardError: Two shards have a document of one id.
        """
        wanted: dict[int, list[DocumentId]] = {part: [] for part in range(len(self._shards))}
        known = {id: part for id in dict.fromkeys(ids) if (part := self._home(id)) is not None}
        for id in dict.fromkeys(ids):
            for part in (known[id],) if id in known else () if self._qualified else wanted:
                wanted[part].append(id)
        found = self._fetched(wanted)
        moved = [] if self._qualified else [id for id in known if id not in found]
        if moved:
            found |= self._fetched({part: [id for id in moved if known[id] != part] for part in wanted})
        return in_order(ids, found)

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents, of each shard as many as it has its share of all, drawn as the shard draws them.

        Raises:
            ShardError: Two shards have a document of one id.
            VectorMismatchError: Shards have vectors of several dimensions.
        """
        wanted = shares(self._counts(), n)
        some = [part for part, share in enumerate(wanted) if share]
        drawn = self._shards.ask(lambda part, store: store.sample(wanted[part], seed), some) if some else {}
        found = self._rows(drawn)
        # Spread evenly, so that the first few, which statistics are watched by, are of all shards by their sizes.
        places = [
            ((at + 0.5) / len(batch.ids), part, id)
            for part, batch in drawn.items()
            for at, id in enumerate(self._outer(part, batch.ids))
        ]
        return in_order([id for *_, id in sorted(places, key=lambda place: place[:2])[:n]], found)

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter, one shard after the other, the first batch of each at once.

        Raises:
            VectorMismatchError: Shards have vectors of several dimensions.
        """
        walks = [Walk(store, filter_of(filter, part)) for part, store in enumerate(self.shards)]
        first = self._shards.ask(lambda part, _: walks[part].next())
        self._shards.require_one_dimension({part: batch.vectors for part, batch in first.items() if batch is not None})
        for part, batch in first.items():
            while batch is not None:
                yield replace(batch, ids=self._outer(part, batch.ids)) if self._qualified else batch
                batch = self._shards.ask(lambda part, _: walks[part].next(), (part,)).get(part)

    def pushdown_target(self, filter: Filter = None) -> PushdownTarget:
        """The target of every shard.

        Raises:
            StoreCapabilityError: A shard's engine computes no scores, or shards are told a query in different ways.
        """

        def target(part: int, store: Store) -> PushdownTarget:
            if not isinstance(store, PushdownStore):
                raise StoreCapabilityError(
                    "Its engine computes no scores.", hint="Search with pushdown='auto': documents are scored here."
                )
            return store.pushdown_target(filter_of(filter, part))

        (first, common), *others = self._shards.ask(target).items()
        for part, other in others:
            if other != common:
                raise StoreCapabilityError(
                    f"{self._shards.name(first).capitalize()} and {self._shards.name(part)} are not told a query in "
                    f"the same way ({common.engine}, {other.engine}).",
                    hint="Search with pushdown='auto': documents are scored here.",
                )
        return common

    def execute(self, statement: Any, parameters: Mapping[str, Any], filter: Filter = None) -> PushdownAnswer:
        """Send a compiled request to every shard; ``parts`` of the answer has the best of each.

        Raises:
            VectorMismatchError: A shard that failed has vectors of another dimension than one that did not.
            ShardError: Two shards have a document of one id.
        """
        answers = self._shards.ask(
            lambda part, store: cast("PushdownStore", store).execute(statement, parameters, filter_of(filter, part)),
            examine=self._compare_dimensions,
        )
        parts = tuple(self._outer(part, answer.ids) for part, answer in answers.items())
        self._remember(dict(zip(answers, parts, strict=True)))
        sent = next(iter(answers.values())).statement
        return PushdownAnswer(tuple(interleaved(parts)), f"-- to each of {len(answers)} shards\n{sent}", parts)

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> ShardFilters | None:
        """The filter of each shard, where every one of them can say the condition; see :class:`NarrowingStore`."""
        narrowed = self._narrowed(filter, condition)
        return None if any(one is None for one in narrowed) else ShardFilters(tuple(narrowed))

    def superset_filter(self, filter: Filter, condition: LogicalQuery) -> ShardFilters | None:
        """The filter of each shard with all that it can say of the condition; see :class:`SupersetStore`."""
        narrowed = self._narrowed(filter, condition)
        for part, store in enumerate(self.shards):
            if narrowed[part] is None and isinstance(store, SupersetStore):
                narrowed[part] = store.superset_filter(filter_of(filter, part), condition)
        if all(one is None for one in narrowed):
            return None
        return ShardFilters(tuple(filter_of(filter, i) if one is None else one for i, one in enumerate(narrowed)))

    def _narrowed(self, filter: Filter, condition: LogicalQuery) -> list[Filter]:
        """The narrowed filter of each shard; None for one that cannot say the condition."""
        return [
            store.narrowed(filter_of(filter, part), condition) if isinstance(store, NarrowingStore) else None
            for part, store in enumerate(self.shards)
        ]

    def _compare_dimensions(self, answers: Mapping[int, object], failed: Mapping[int, Exception]) -> None:
        """See whether a shard failed because of its dimension: engines say it in words of their own, if at all."""
        if not answers or not any(isinstance(error, StoreError) for error in failed.values()):
            return
        some = [next(iter(answers)), *(part for part, error in failed.items() if isinstance(error, StoreError))]
        found: dict[int, Vectors] = {}
        for part in some:
            try:
                found |= {at: one.vectors for at, one in self._shards.ask(lambda _, s: s.sample(1, 0), (part,)).items()}
            except StoreError:  # it is absent for whatever reason it gave
                continue
        self._shards.require_one_dimension(found)

    def _counts(self) -> list[int | None]:
        """Size of each shard, or what it was when it was last counted."""
        self._shards.last_counts.update(self._shards.ask(lambda _, store: store.count()))
        return [self._shards.last_counts.get(part) for part in range(len(self._shards))]

    def _search(self) -> _Search:
        """Memory of this search; nothing outside one."""
        return remembered(self, "search", _Search)

    def _home(self, id: DocumentId) -> int | None:
        """The shard that is known to have a document."""
        if not self._qualified:
            return self._search().found_in.get(id)
        inside = isinstance(id, ShardedId) and 1 <= id.shard <= len(self._shards)
        return id.shard - 1 if inside else None

    def _outer(self, part: int, ids: Sequence[DocumentId]) -> tuple[DocumentId, ...]:
        return tuple(ShardedId(part + 1, id) for id in ids) if self._qualified else tuple(ids)

    def _fetched(self, wanted: Mapping[int, Sequence[DocumentId]]) -> dict[DocumentId, _Row]:
        """Documents from shards by id."""
        inner = {part: [id.id if self._qualified else id for id in ids] for part, ids in wanted.items() if ids}
        return self._rows(self._shards.ask(lambda part, store: store.fetch(inner[part]), inner) if inner else {})

    def _rows(self, batches: Mapping[int, Batch]) -> dict[DocumentId, _Row]:
        """Documents and vectors of several shards by id."""
        self._shards.require_one_dimension({part: batch.vectors for part, batch in batches.items()})
        outer = {part: self._outer(part, batch.ids) for part, batch in batches.items()}
        self._remember(outer)
        return {
            id: (replace(document, id=id) if self._qualified else document, row)
            for part, batch in batches.items()
            for id, document, row in zip(outer[part], batch.documents, batch.vectors, strict=True)
        }

    def _remember(self, found: Mapping[int, Sequence[DocumentId]]) -> None:
        """Where documents were found, for the rest of this search.

        Raises:
            ShardError: One was found in two shards.
        """
        homes: dict[DocumentId, int] = {}
        for part, ids in found.items():
            for id in ids:
                if homes.setdefault(id, part) != part:
                    raise self._shards.duplicate(id, homes[id], part)
        if not self._qualified:
            self._search().found_in.update(homes)

    def _merged(self, answers: Mapping[int, list[Ranked]], count: int, n: int) -> list[list[DocumentId]]:
        """The first n of the shards' lists, list by list."""
        outer = {part: [(self._outer(part, ids), v) for ids, v in lists] for part, lists in answers.items()}
        self._remember({part: [id for ids, _ in lists for id in ids] for part, lists in outer.items()})
        return [merged([lists[i] for lists in outer.values()], n) for i in range(count)]


def _found(store: Store, lists: Sequence[Sequence[DocumentId]], count: int) -> Batch:
    """The documents of a shard's lists.

    Raises:
        StoreError: It did not give as many lists as were asked for.
    """
    if len(lists) != count:
        raise StoreError(f"It gave {len(lists)} lists where {count} were asked for.", hint="Check the adapter.")
    return store.fetch(list(dict.fromkeys(id for ids in lists for id in ids)))
