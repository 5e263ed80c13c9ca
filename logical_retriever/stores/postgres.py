"""A table of Postgres with vectors of pgvector, under the adapters of all wrappers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol
from uuid import UUID

from logical_retriever.lexical import analyser
from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    PUSHED_OPERATORS,
    AtBest,
    Batch,
    Capabilities,
    PushdownAnswer,
    PushdownTarget,
    StoredDocument,
    WordQuery,
    checked_ids,
)
from logical_retriever.stores.paged import PagedStore
from logical_retriever.stores.postgres_conditions import PostgresConditions
from logical_retriever.stores.postgres_index import approximate_indexes, search_settings
from logical_retriever.stores.postgres_vectors import received, sent, vector_type
from logical_retriever.stores.rows import nearest_with_documents
from logical_retriever.vectors import Vectors

PASSING = "lr_passing"
"""Name of the rows that pass the filter in a statement."""
METRICS = {"<=>": "cosine", "<#>": "inner product", "<->": "euclidean"}
"""Measures of pgvector's operators."""
KEYS: Mapping[str, type] = MappingProxyType(
    {
        **dict.fromkeys(("text", "character varying", "character", "citext"), str),
        **dict.fromkeys(("smallint", "integer", "bigint"), int),
        **dict.fromkeys(("real", "double precision"), float),
        "numeric": Decimal,
        "uuid": UUID,
        "bytea": bytes,
        "boolean": bool,
        "date": date,
        **dict.fromkeys(("time without time zone", "time with time zone"), time),
        **dict.fromkeys(("timestamp without time zone", "timestamp with time zone"), datetime),
        "interval": timedelta,
    }
)
"""Types of identities and their types in Python; identities of another type are asked for as they are."""
WORDS = "Postgres' text search, those with the rarest words first, then the nearest"
"""How documents are found by their words."""
PREFIX_FROM = 5
"""Letters of a stem from which, where text search knows no stems, every word that begins with it counts."""
PARAMETER = re.compile(r"%\((\w+)\)s")


class Run(Protocol):
    """Runs statements in one transaction."""

    def __call__(self, statements: Sequence[Any], settings: Sequence[Any] = ()) -> list[list[Any]]:
        """Rows of each statement; the settings go before and have none to give."""
        ...


@dataclass(frozen=True)
class VectorTable(PagedStore):
    """A table, or a part of one, with vectors in it: a store whose filters are conditions of SQLAlchemy.

    Attributes:
        name: Name in messages and tables.
        id: Column of identities; a document's id is the value as the driver gives it.
        text: Column of contents.
        metadata: Columns of metadata.
        metadata_json: The one among them that holds a JSON object of metadata, or None.
        vector: Column of vectors.
        operator: pgvector's operator that orders a search.
        within: Condition that a row belongs to the store, or None where all do.
        run: Runs statements.
        settings: Of the caller, for each search: ``ivfflat.probes = 10``.
        searched_text: Column of type ``tsvector`` with the words of the text; None where there is none.
        configuration: Of Postgres' text search, that ``searched_text`` was made with.
    """

    page = 2000

    name: str
    id: Any
    text: Any
    metadata: tuple[Any, ...]
    metadata_json: Any
    vector: Any
    operator: str
    within: Any
    run: Run
    settings: tuple[str, ...] = ()
    searched_text: Any = None
    configuration: str = "simple"

    @AtBest(
        Capabilities(
            name="Postgres",
            exact_search=True,
            stored_vectors=True,
            scan=True,
            cosine_order=True,
            reads_nearest=True,
            words=WORDS,
            conditions=PUSHED_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact while no approximate index lies on the table; by cosine where that is what the operator measures."""
        by_cosine = METRICS[self.operator] == "cosine"
        words = None if self.searched_text is None else WORDS
        return {"name": self.name, "exact_search": self.exact(), "cosine_order": by_cosine, "words": words}

    def count(self) -> int:
        """Number of documents."""
        from sqlalchemy import func, select

        statement = self._where(select(func.count()).select_from(self.id.table))
        return int(self.run([statement])[0][0][0])

    def exact(self) -> bool:
        """Whether no approximate index lies on the table, so that a search compares with every row."""
        return bool(self.run([approximate_indexes(self._qualified)])[0][0][0] == 0)

    def search(self, vectors: Vectors, n: int, filter: Any = None) -> list[list[DocumentId]]:
        """Ids of the n nearest rows of each vector, in one transaction.

        An HNSW index is told to look at as many rows as are asked for, where it would stop after 40.
        """
        return [list(_keys(rows)) for rows in self._nearest(vectors, n, filter)]

    def read_nearest(self, vectors: Vectors, n: int, filter: Any = None) -> tuple[list[list[DocumentId]], Batch]:
        """The same with the documents, in one statement."""
        return nearest_with_documents(map(self._documents, self._nearest(vectors, n, filter, *self._whole)))

    def _nearest(self, vectors: Vectors, n: int, filter: Any, *brought: Any) -> list[list[Any]]:
        """Rows of the n nearest of each vector, with their identities and other columns."""
        from sqlalchemy import Float, Integer, literal, select, union_all

        # Columns of metadata lie beside these, and may be called "list" or "distance".
        place, distance, parts = "lr_list", "lr_distance", []
        for number, vector in enumerate(vectors.tolist()):
            far = self.vector.op(self.operator, return_type=Float())(literal(vector, self.vector.type)).label(distance)
            nearest = self._where(select(self.id, *brought, far), filter).order_by(far).limit(n).subquery()
            parts.append(select(literal(number, Integer).label(place), nearest))
        lists: list[list[Any]] = [[] for _ in parts]
        if parts:  # an engine may work at several at once, and give their rows as they come
            whole = union_all(*parts).order_by(place, distance)
            for number, *row, _ in self.run([whole], search_settings(self.settings, n))[0]:
                lists[number].append(row)
        return lists

    def search_words(self, queries: Sequence[WordQuery], n: int, filter: Any = None) -> list[list[DocumentId]]:
        """The n rows with the most and rarest words of each query, equal ones by vector.

        Words are read by the configuration of Postgres' text search; where that is "simple", which knows no forms of
        words, those count that begin with a word's stem.
        """
        from sqlalchemy import Text, case, cast, func, literal, or_, select
        from sqlalchemy.dialects.postgresql import REGCONFIG

        configuration = cast(literal(self.configuration, Text), REGCONFIG)
        lists: list[list[DocumentId]] = []
        for query in queries:
            weights = self._lexemes(query)
            asked = {word: func.to_tsquery(configuration, literal(word, Text)) for word in weights}
            tests = {word: self.searched_text.bool_op("@@")(one) for word, one in asked.items()}
            if not tests:
                lists.append([])
                continue
            score = sum(case((test, weights[word]), else_=0.0) for word, test in tests.items())
            distance = self.vector.op(self.operator)(literal(query.vector.tolist(), self.vector.type))
            rows = self._where(select(self.id), filter).where(or_(*tests.values()))
            lists.append(list(_keys(self.run([rows.order_by(score.desc(), distance).limit(n)])[0])))
        return lists

    def _lexemes(self, query: WordQuery) -> dict[str, float]:
        """Words in the language of ``to_tsquery``, of word characters alone and in quotes, with their weights."""
        read = analyser(query.language)
        weights = query.weights if query.weights else [1.0 / place for place in range(1, len(query.words) + 1)]
        lexemes: dict[str, float] = {}
        for given, weight in zip(query.words, weights, strict=True):
            for word in read.spellings(given):
                if (stem := read.stem(word)) is None:
                    continue
                shared = next(stem[:size] for size in range(len(stem), -1, -1) if word.startswith(stem[:size]))
                prefix = self.configuration == "simple" and len(shared) >= PREFIX_FROM
                lexemes.setdefault(f"'{shared}':*" if prefix else f"'{word}' | '{stem}'", float(weight))
        return lexemes

    def narrowed(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter and a condition on metadata, its values bound."""
        return self._conditions.narrowed(filter, condition)

    def superset_filter(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter, and of a condition that SQL cannot say, what all of its documents fulfil."""
        return self._conditions.superset_narrowed(filter, condition)

    @property
    def _conditions(self) -> PostgresConditions:
        columns = {c.name: (c, self._types[c.name]) for c in self.metadata if c is not self.metadata_json}
        json = self.metadata_json
        return PostgresConditions(columns, None if json is None else (json, self._types[json.name]))

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:  # noqa: ARG002  execute applies it
        """The rows of :meth:`execute`."""
        arguments = {
            "table": {"name": PASSING, "id": "id", "vector": "vector"},
            "vector_type": vector_type(self.vector),
        }
        return PushdownTarget("pgvector", arguments)

    def execute(self, statement: str, parameters: Mapping[str, Any], filter: Any = None) -> PushdownAnswer:
        """Run a compiled statement over the rows that have a vector and pass the filter.

        Args:
            statement: For psycopg, over a table of the name of :meth:`pushdown_target`.
            parameters: Values that it names.
            filter: A condition, or None.
        """
        from sqlalchemy import bindparam, column, select, text
        from sqlalchemy.dialects import postgresql
        from sqlalchemy.types import NullType

        rows = select(self.id.label("id"), self.vector.label("vector")).where(self.vector.is_not(None))
        # Merged into the statement, or no index would serve it.
        passing = self._where(rows, filter).cte(PASSING).prefix_with("NOT MATERIALIZED")
        # Without a type of their own, parameters take those of the places where they stand.
        bound = [bindparam(name, value, type_=NullType()) for name, value in parameters.items()]
        whole = text(_named(statement)).bindparams(*bound).columns(column("id"), column("score")).add_cte(passing)
        rows_of = self.run([whole])[0]
        dialect: Any = postgresql.dialect  # SQLAlchemy has no type for it
        shown = whole.compile(dialect=dialect(paramstyle="named"))
        return PushdownAnswer(_keys(rows_of), str(shown))

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Values of the column's type."""
        kind = KEYS.get(self._type, object)
        return [id for id in ids if isinstance(id, kind)]

    def read(self, ids: list[DocumentId], filter: Any = None) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id."""
        from sqlalchemy import select

        statement = self._where(select(self.id, *self._whole), filter).where(self._among(ids))
        return self._documents(self.run([statement])[0])

    @property
    def _whole(self) -> tuple[Any, ...]:
        """Columns of a document beside its identity."""
        return self.text, sent(self.vector).label("lr_vector"), *self.metadata

    def _documents(self, rows: Sequence[Any]) -> list[tuple[StoredDocument, Any]]:
        """Documents with their vectors, of rows that begin with an identity and :attr:`_whole`."""
        return [
            (StoredDocument(id, "" if text is None else text, self._merged(metadata)), received(self.vector, vector))
            for id, (_, text, vector, *metadata) in zip(_keys(rows), rows, strict=True)
        ]

    def sample(self, n: int, seed: int) -> Batch:
        """Up to n documents in the order of a hash of id and seed: the same ones for the same seed and content."""
        from sqlalchemy import Text, cast, func, select

        shuffled = func.md5(func.concat(cast(self.id, Text), f"/{seed}"))
        rows = self.run([self._where(select(self.id)).order_by(shuffled).limit(n)])[0]
        return self.fetch(_keys(rows))

    def walk(self, filter: Any, *, vectors: bool) -> Iterator[Iterable[tuple[DocumentId, Any]]]:
        """Page by page in the order of ids, each page from where the last one ended."""
        from sqlalchemy import and_, select

        after, columns = filter, (self.id, sent(self.vector)) if vectors else (self.id,)
        while True:
            rows = self.run([self._where(select(*columns), after).order_by(self.id).limit(self.page)])[0]
            ids = _keys(rows)
            yield zip(ids, (received(self.vector, row[1]) for row in rows) if vectors else ids, strict=True)
            if len(ids) < self.page:
                return
            beyond = self.id > self._bound(ids[-1])
            after = beyond if filter is None else and_(filter, beyond)

    def _where(self, statement: Any, condition: Any = None) -> Any:
        for part in (self.within, condition):
            if part is not None:
                statement = statement.where(part)
        return statement

    @property
    def _qualified(self) -> str:
        table = self.id.table
        parts = [name for name in (table.schema, table.name) if name is not None]
        return ".".join('"' + name.replace('"', '""') + '"' for name in parts)

    @property
    def _type(self) -> str:
        """Name of the type of identities."""
        return self._types[str(self.id.name)]

    @cached_property
    def _types(self) -> dict[str, str]:
        """Names of the types of columns, by the names of these."""
        from sqlalchemy import text

        statement = text(
            "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = CAST(:name AS regclass) "
            "AND attnum > 0 AND NOT attisdropped"
        )
        rows = self.run([statement.bindparams(name=self._qualified)])[0]
        return {str(name): str(kind) for name, kind in rows}

    def _among(self, ids: Sequence[DocumentId]) -> Any:
        """The condition that a row is one of some documents; identities are bound as by :meth:`_bound`."""
        from sqlalchemy import bindparam
        from sqlalchemy.types import NullType

        if self._type == "real":
            return self.id.in_([self._bound(id) for id in ids])
        # Many at once: parameters of their own would be made, compared and named one by one.
        return self.id.in_(bindparam(None, list(ids), type_=NullType(), expanding=True))

    def _bound(self, id: DocumentId) -> Any:
        """An identity as a parameter; without a type of its own, it takes the column's, whatever that is."""
        from sqlalchemy import REAL, bindparam, cast
        from sqlalchemy.types import NullType

        bound = bindparam(None, id, type_=NullType())
        # A number of single precision is read by its shortest digits, which are another number in double precision.
        return cast(bound, REAL) if self._type == "real" else bound

    def _merged(self, values: Sequence[Any]) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for column, value in zip(self.metadata, values, strict=True):
            if column is self.metadata_json:
                merged.update(value if value is not None else {})
            else:
                merged[column.name] = value
        return merged


def _keys(rows: Sequence[Any]) -> tuple[DocumentId, ...]:
    """Identities in the first column; one driver gives bytes as a view of memory."""
    return checked_ids(bytes(row[0]) if isinstance(row[0], memoryview) else row[0] for row in rows)


def _named(statement: str) -> str:
    """A statement for psycopg as SQLAlchemy writes it, for any driver: ``:name`` in place of ``%(name)s``."""
    pieces = PARAMETER.split(statement)
    pieces[::2] = [piece.replace("%%", "%").replace(":", "\\:") for piece in pieces[::2]]
    pieces[1::2] = [f":{name}" for name in pieces[1::2]]
    return "".join(pieces)
