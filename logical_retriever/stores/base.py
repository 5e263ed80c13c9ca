"""The protocol of a store of documents, and the record of its capabilities."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, runtime_checkable

from logical_retriever.errors import InvalidArgumentError, VectorMismatchError
from logical_retriever.lexical import WordIndex
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.vectors import Vectors

Filter = Any
"""A filter in the store's own language, passed through untouched; None for all documents."""


@dataclass(frozen=True)
class Capabilities:
    """Facts about a store. The support tables are printed from these records."""

    name: str
    """Name of the store in messages and tables."""
    exact_search: bool
    """Whether ``search`` returns the true nearest documents (False for HNSW and other approximate indexes)."""
    stored_vectors: bool
    """Whether ``fetch`` and ``scan`` return the vectors as stored; False: they are encoded again from the text."""
    scan: bool
    """Whether ``scan`` can walk through all documents."""
    in_process: bool = False
    """Whether vectors lie in this process's memory, so that scanning costs no transfer."""
    filters: bool = True
    """Whether ``filter`` is honoured by search and scan alike."""
    cosine_order: bool = False
    """Whether ``search`` ranks by cosine whatever the lengths of the vectors. False where it ranks by inner product
    or Euclidean distance, which agree with cosine only among vectors of one length."""
    max_results: int | None = None
    """Most documents that ``search`` returns for one vector; None where it returns as many as are asked for."""
    words: str | None = None
    """How the store finds documents by their words (:class:`WordStore`), as a plan says it: "an index of words"; None
    where it cannot."""
    conditions: Literal["all", "necessary"] | None = None
    """Whether its filters express conditions on metadata (:class:`NarrowingStore`): "all", exactly; "necessary", more
    weakly, so that what comes back is checked again; None, not at all."""
    threads: bool = True
    """Whether several threads may ask it at once, the caller's own requests to the same connection among them."""


class AtBest:
    """Makes ``capabilities`` of a method: the class has the best case, an instance what the method changes of it.

    The method returns a mapping of names of :class:`Capabilities` to the values that this instance has.

    Args:
        best: What the class can do at best.

    Examples:
        >>> class Mine:
        ...     @AtBest(Capabilities("Mine", exact_search=True, stored_vectors=True, scan=True))
        ...     def capabilities(self):
        ...         return {"exact_search": False}
        >>> Mine.capabilities.exact_search, Mine().capabilities.exact_search
        (True, False)
    """

    def __init__(self, best: Capabilities) -> None:
        self._best = best

    def __call__(self, differing: Callable[[Any], Mapping[str, Any]]) -> AtBest:
        """Take the method."""
        self._differing = differing
        self.__doc__ = differing.__doc__
        return self

    def __get__(self, store: object, owner: type) -> Capabilities:
        if store is None:
            return self._best
        return replace(self._best, **self._differing(store))


@dataclass(frozen=True)
class StoredDocument:
    """A document as the store has it.

    Attributes:
        id: Identity within the store: its own key, with its own type.
        text: What was embedded, or shown to the user.
        metadata: The store's metadata; treat as read-only.
        native: The framework's own object (LangChain Document, LlamaIndex node), or None.
        encoded: Gives the text that was encoded for it, where metadata are part of that; None where it is ``text``.

    Raises:
        InvalidArgumentError: The id cannot be told apart from others; see :func:`checked_ids`.
    """

    id: DocumentId
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    native: Any = None
    encoded: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        checked_ids((self.id,))


@dataclass(frozen=True)
class VectorBatch:
    """Vectors with the identities of their documents.

    Attributes:
        ids: N identities: a tuple, or a range where they are numbers in a row.
        vectors: Shape (N, d), float32, as stored (not necessarily of length 1; may hold zeros or NaN).
        words: Gives an index of the words of these documents, in their order, for a language of
            :data:`~logical_retriever.lexical.LANGUAGES`; made when first asked for. None where the store keeps none.
        scales: Shape (N,): what :func:`~logical_retriever.vectors.scales_of` gave for them, where the store keeps it.
    """

    ids: Sequence[DocumentId]
    vectors: Vectors
    words: Callable[[str], WordIndex] | None = None
    scales: Vectors | None = None

    def __post_init__(self) -> None:
        _check_rows(len(self.ids), self.vectors)


@dataclass(frozen=True)
class Batch:
    """Documents with their vectors.

    Attributes:
        documents: N documents.
        vectors: Shape (N, d), float32, as stored (not necessarily of length 1; may hold zeros or NaN).
    """

    documents: tuple[StoredDocument, ...]
    vectors: Vectors

    def __post_init__(self) -> None:
        _check_rows(len(self.documents), self.vectors)

    @property
    def ids(self) -> tuple[DocumentId, ...]:
        """Identities of the documents, in order."""
        return tuple(document.id for document in self.documents)


@runtime_checkable
class Store(Protocol):
    """A collection of documents with vectors.

    A document is known by the store's own key with its own type, the same in every method: an engine's number is a
    number in ``search`` and in ``fetch``, never its text. Adapters implement the synchronous methods; asynchronous
    twins are optional and found by name (``asearch``, ``afetch``), else a thread runs the synchronous ones.
    """

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this store."""

    def count(self) -> int | None:
        """Number of documents, filters aside; None where the store cannot tell."""

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n nearest documents of each vector by the store's own index.

        Args:
            vectors: Shape (T, d), float32.
            n: Most documents per vector, at least 1; a store with fewer returns what it has.
            filter: In the store's own language.

        Returns:
            T lists of ids, nearest first, and the documents of all of them, each once, as :meth:`fetch` gives them. The
            order is the store's; scores are computed from vectors alone.
        """

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Documents and vectors by id, in the order asked, of those that exist and pass the filter."""

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents drawn at random without replacement, the same ones for the same seed and content."""

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Vectors of all documents that pass the filter, in batches of the store's choosing.

        Raises:
            StoreCapabilityError: The store cannot be walked through.
        """


@dataclass(frozen=True, eq=False)
class WordQuery:
    """Words that documents are looked for by.

    Attributes:
        words: Distinct words, case-folded, as they stand in texts and no stems, at least one; the rarest first.
        vector: Shape (d,), float32, of the text that they are of: for stores that can tell which documents have a word,
            and rank by vectors alone.
        weights: How much each word says, above 0, one for each; () where the rarest says most, and the others less.
        language: Of the words, one of :data:`~logical_retriever.lexical.LANGUAGES`.
    """

    words: tuple[str, ...]
    vector: Vectors
    weights: tuple[float, ...] = ()
    language: str = "en"


@runtime_checkable
class WordStore(Protocol):
    """A store that finds documents by their words; ``capabilities.words`` says how. It is a :class:`Store` as well."""

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """Find documents that have words of each query: one that holds the rarest comes back, if there is room.

        Whatever characters the words are made of, they are words to be found and never the engine's syntax. Which forms
        of a word count as the same is the engine's choice; so is the order, best first.

        Args:
            queries: Q queries.
            n: Most ids for each, at least 1.
            filter: In the store's own language.

        Returns:
            Q lists of distinct ids; none of a document without any of the words.
        """


@dataclass(frozen=True, eq=False)
class Program:
    """A query's score by vectors, as data.

    Attributes:
        formula: Arithmetic in SQL (:func:`logical_retriever.semantics.formula.score_formula`) over ``lr_c0``,
            ``lr_c1``, ...: a document's cosines with the vectors, 0 where either has no direction.
        vectors: Shape (T, d), of any length.
    """

    formula: str
    vectors: Vectors


@dataclass(frozen=True)
class PushdownAnswer:
    """An engine's answer.

    Attributes:
        ids: Identities of its best documents, best first.
        scores: Theirs.
        statement: What was sent, as it can be shown: parameters by name, without their values.
    """

    ids: tuple[DocumentId, ...]
    scores: tuple[float, ...]
    statement: str


@runtime_checkable
class PushdownStore(Protocol):
    """A store whose engine can compute a query's score itself. It is a :class:`Store` as well."""

    def rank(self, program: Program, n: int, filter: Filter = None) -> PushdownAnswer:
        """Score every document that passes the filter.

        Args:
            program: The score.
            n: Most documents, at least 1; a store that has fewer returns fewer.
            filter: In the store's own language.

        Raises:
            StoreError: The engine failed.
        """


@runtime_checkable
class NarrowingStore(Protocol):
    """A store whose own filters can say conditions on metadata. It is a :class:`Store` as well."""

    def narrowed(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """A filter that lets through what ``filter`` lets through and the condition holds of.

        With the capability "all", nothing else; otherwise others may pass as well, though none that ``filter`` stops.

        Args:
            filter: In the store's own language, the caller's; None for all documents.
            condition: Conditions, AND, OR and NOT, without terms. Its meaning, missing fields among it, is
                :func:`logical_retriever.query.holds` of a document's metadata as :meth:`Store.fetch` gives it.

        Returns:
            A filter of the same language; None where it can say nothing of the condition.
        """


def identity_of(store: Store) -> Hashable:
    """Tells a store's documents apart from all others in this process: by its ``identity``, if it has one."""
    identity: Hashable = getattr(store, "identity", None)
    return id(store) if identity is None else identity


def checked_ids(ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
    """Keys as identities.

    Raises:
        InvalidArgumentError: A key is missing, has no hash (a list), or does not equal itself (NaN): nothing could be
            found by it.
    """
    keys = tuple(ids)
    for key in keys:
        try:
            usable = key is not None and hash(key) is not None and bool(key == key)
        except (TypeError, ValueError):
            usable = False
        if not usable:
            raise InvalidArgumentError(
                f"{key!r}, of type {type(key).__name__}, cannot be the identity of a document.",
                hint="Identities are hashable and equal themselves: texts, numbers, dates, bytes, UUIDs; not None, NaN "
                "or a list.",
            )
    return keys


def _check_rows(documents: int, vectors: Vectors) -> None:
    if vectors.ndim != 2 or len(vectors) != documents:
        raise VectorMismatchError(
            f"{documents} documents came with an array of vectors of shape {vectors.shape}.",
            hint="A store returns exactly one vector per document, all of one length; check its adapter.",
        )
