"""The contract of a store: what it must have, and what it may have.

A store must have the members of :class:`Store`: ``capabilities``, ``count``, ``search``, ``fetch``, ``sample`` and
``scan``. They exchange :class:`StoredDocument`, :class:`Batch` and :class:`VectorBatch`. Their names and types are all
that matters; there is no base class.

A store may have more, and ``capabilities`` announces it:

- ``search_words`` finds documents by their words (:class:`WordStore`, ``capabilities.word_search``);
- ``with_condition`` puts conditions on metadata into the store's filter (:class:`ConditionStore`,
  ``capabilities.conditions``);
- ``search_by_score`` has the engine score every document (:class:`ScoringStore`);
- ``cache_key`` lets several store objects share statistics and indexes of words: a key, hashable, that equals the key
  of every other store object over the same documents in this process; None where the store cannot tell.

All methods are synchronous. An asynchronous search runs them in a thread.
"""

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
class StoredDocument:
    """A document as the store has it.

    Attributes:
        id: The store's own key, with its own type.
        text: What was embedded, or what is shown to the user.
        metadata: The store's metadata; treat as read-only.
        native: The framework's own object (LangChain Document, LlamaIndex node), or None.
        encoded: Returns the text that was encoded, where that includes metadata; None where it is ``text``.

    Raises:
        InvalidArgumentError: The id is no usable key; see :func:`checked_ids`.
    """

    id: DocumentId
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    native: Any = None
    encoded: Callable[[], str] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        checked_ids((self.id,))


@dataclass(frozen=True)
class Batch:
    """Documents with their vectors.

    Attributes:
        documents: N documents.
        vectors: Shape (N, d), float32, as stored: of any length; zeros and NaN are allowed.
    """

    documents: tuple[StoredDocument, ...]
    vectors: Vectors

    def __post_init__(self) -> None:
        _check_rows(len(self.documents), self.vectors)

    @property
    def ids(self) -> tuple[DocumentId, ...]:
        """N ids, in the order of the documents."""
        return tuple(document.id for document in self.documents)


@dataclass(frozen=True)
class VectorBatch:
    """Vectors with the ids of their documents, without the documents.

    Attributes:
        ids: N ids: a tuple, or a range of consecutive numbers.
        vectors: Shape (N, d), float32, as stored: of any length; zeros and NaN are allowed.
        word_index: Returns the index of these documents' words, in the order of ``ids``, for a language of
            :data:`~logical_retriever.lexical.LANGUAGES`. None where the store keeps no such index.
        scales: Shape (N,): :func:`~logical_retriever.vectors.scales_of` the vectors, where the store keeps it.
    """

    ids: Sequence[DocumentId]
    vectors: Vectors
    word_index: Callable[[str], WordIndex] | None = None
    scales: Vectors | None = None

    def __post_init__(self) -> None:
        _check_rows(len(self.ids), self.vectors)


@runtime_checkable
class Store(Protocol):
    """A collection of documents with vectors: what every store must have.

    Every method knows a document by the same key: the store's own, with its own type. A number is a number in
    ``search`` and in ``fetch``, never its text.
    """

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this store."""

    def count(self) -> int | None:
        """Return the number of all documents, or None where the store cannot tell."""

    def search(self, vectors: Vectors, n: int, filter: Filter = None) -> tuple[list[list[DocumentId]], Batch]:
        """Find the n nearest documents of each vector by the store's own index.

        Args:
            vectors: Shape (T, d), float32.
            n: Most documents per vector, at least 1; a store with fewer returns what it has.
            filter: In the store's own language.

        Returns:
            T lists of ids, nearest first; and every document in them, once, as :meth:`fetch` returns it. The store's
            order chooses candidates; their scores are computed from the vectors.
        """

    def fetch(self, ids: Sequence[DocumentId], filter: Filter = None) -> Batch:
        """Read documents by id, in the order asked. Leave out those that are missing or fail the filter."""

    def sample(self, n: int, seed: int) -> Batch:
        """Draw up to n documents at random, without replacement; the same ones for the same seed and content."""

    def scan(self, filter: Filter = None) -> Iterator[VectorBatch]:
        """Read the vectors of all documents that pass the filter, in batches of any size.

        Raises:
            StoreCapabilityError: The store cannot list its documents.
        """


@dataclass(frozen=True)
class Capabilities:
    """Facts about a store. The support tables are printed from these records."""

    name: str
    """Name of the store in messages and tables."""
    exact_search: bool
    """Whether ``search`` returns the true nearest documents. False for HNSW and other approximate indexes."""
    stored_vectors: bool
    """Whether the vectors are those stored. False where they are encoded again from the texts."""
    scan: bool
    """Whether ``scan`` can read all documents."""
    in_process: bool = False
    """Whether the vectors lie in this process's memory, so that a scan transfers nothing."""
    cosine_order: bool = False
    """Whether ``search`` ranks by cosine, whatever the lengths of the vectors. False for inner products and Euclidean
    distances: they agree with cosine only among vectors of one length."""
    max_results: int | None = None
    """Most documents that ``search`` returns for one vector; None for no limit."""
    word_search: str | None = None
    """How :class:`WordStore` finds documents, in words for a report: "an index of words". None where it cannot."""
    conditions: Literal["all", "necessary"] | None = None
    """What a filter of :class:`ConditionStore` says: "all", exactly the condition; "necessary", something weaker, so
    that the results are checked again; None, nothing."""
    threads: bool = True
    """Whether several threads may use it at once, together with the caller's own requests to the same connection."""
    indexed_if_small: bool = False
    """Whether the words of a store of at most 2,000 documents are indexed unasked: it has no search by words."""


class capabilities_property:
    """A ``capabilities`` property: the best case on the class, this store's own facts on an instance.

    It decorates a method that returns the differences of this instance from the best case, as a mapping of names of
    :class:`Capabilities` to values.

    Args:
        best: The best case.

    Examples:
        >>> class Mine:
        ...     @capabilities_property(Capabilities("Mine", exact_search=True, stored_vectors=True, scan=True))
        ...     def capabilities(self):
        ...         return {"exact_search": False}
        >>> Mine.capabilities.exact_search, Mine().capabilities.exact_search
        (True, False)
    """

    def __init__(self, best: Capabilities) -> None:
        self._best = best

    def __call__(self, differences: Callable[[Any], Mapping[str, Any]]) -> capabilities_property:
        """Decorate the method."""
        self._differences = differences
        self.__doc__ = differences.__doc__
        return self

    def __get__(self, store: object, owner: type) -> Capabilities:
        return self._best if store is None else replace(self._best, **self._differences(store))


@dataclass(frozen=True, eq=False)
class WordQuery:
    """The words to find documents by.

    Attributes:
        words: Distinct words, at least one, the rarest first: case-folded, not stemmed.
        vector: Shape (d,), float32, of the text that the words are from. A store that can only test for words ranks the
            matches by it.
        weights: Weight of each word, above 0; () to weigh the words by their order.
        language: Of the words, one of :data:`~logical_retriever.lexical.LANGUAGES`.
    """

    words: tuple[str, ...]
    vector: Vectors
    weights: tuple[float, ...] = ()
    language: str = "en"


@runtime_checkable
class WordStore(Protocol):
    """A :class:`Store` that also finds documents by their words."""

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Filter = None) -> list[list[DocumentId]]:
        """Find documents that contain words of each query.

        Documents with the rarest word are among them, as far as n allows. Any character in a word is text to find,
        never the engine's syntax. The engine decides which forms of a word are the same, and ranks the documents, best
        first.

        Args:
            queries: Q queries.
            n: Most ids for each, at least 1.
            filter: In the store's own language.

        Returns:
            Q lists of distinct ids, of documents with at least one of the words.
        """


@runtime_checkable
class ConditionStore(Protocol):
    """A :class:`Store` whose own filters can express conditions on metadata."""

    def with_condition(self, filter: Filter, condition: LogicalQuery) -> Filter | None:
        """Return a filter that matches documents that pass both ``filter`` and the condition.

        With the capability "all" it matches no others. With "necessary" it may also match documents that fail the
        condition, but none that fail ``filter``.

        Args:
            filter: The caller's, in the store's own language; None for all documents.
            condition: Conditions, AND, OR and NOT, without terms. :func:`logical_retriever.query.holds` defines its
                meaning, missing fields included, on the metadata that :meth:`Store.fetch` returns.

        Returns:
            A filter in the store's own language; None where the language cannot express any of the condition.
        """


@dataclass(frozen=True, eq=False)
class ScoreExpression:
    """A query's score by vectors, for an engine to compute.

    Attributes:
        formula: Arithmetic in SQL (:func:`logical_retriever.scoring.formula.score_formula`) over ``lr_c0``,
            ``lr_c1``, ...: a document's cosines with the vectors, 0 where either vector has no direction.
        vectors: Shape (T, d), of any length.
    """

    formula: str
    vectors: Vectors


@dataclass(frozen=True)
class EngineRanking:
    """An engine's ranking by a score expression.

    Attributes:
        ids: Ids of its best documents, best first.
        statement: The statement that was sent, with the parameters' names in place of their values.
    """

    ids: tuple[DocumentId, ...]
    statement: str


@runtime_checkable
class ScoringStore(Protocol):
    """A :class:`Store` whose engine can compute a query's score for every document.

    It is used where ``capabilities.exact_search`` holds: an approximate index finds the nearest documents faster.
    """

    def search_by_score(self, expression: ScoreExpression, n: int, filter: Filter = None) -> EngineRanking:
        """Score every document that passes the filter, and return the best.

        Args:
            expression: The score.
            n: Most documents, at least 1; a store with fewer returns what it has.
            filter: In the store's own language.

        Raises:
            StoreError: The engine failed.
        """


def cache_key_of(store: Store) -> Hashable:
    """Return a store's ``cache_key``, or a key of this object alone where it has none."""
    key: Hashable = getattr(store, "cache_key", None)
    return id(store) if key is None else key


def checked_ids(ids: Iterable[DocumentId]) -> tuple[DocumentId, ...]:
    """Check that keys can identify documents.

    Raises:
        InvalidArgumentError: A key is None, is not hashable (a list), or does not equal itself (NaN): no document could
            be found by it.
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
