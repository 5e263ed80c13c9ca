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

from logical_retriever.query import LogicalQuery
from logical_retriever.results import DocumentId
from logical_retriever.stores.base import (
    ALL_OPERATORS,
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
from logical_retriever.stores.rows import found_nearest, pages
from logical_retriever.stores.spellings import Spelling, spellings
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
SEARCHED_CHARACTERS = 200_000
"""Postgres refuses to take the words from a text when they take more than a megabyte."""
WORDS = "Postgres' text search, those with the rarest words first, then the nearest"
"""How documents are found by their words."""
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
        searched_text: Column of type ``tsvector`` with the words of the text; None to take them from the text in each
            search.
        configuration: Of Postgres' text search, for the words: that of ``searched_text``, where there is one.
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
            conditions=ALL_OPERATORS,
        )
    )
    def capabilities(self) -> dict[str, Any]:
        """Exact while no approximate index lies on the table; by cosine where that is what the operator measures."""
        by_cosine = METRICS[self.operator] == "cosine"
        words = WORDS if self.searched_text is not None else f"{WORDS} (quick where the text has a trigram index)"
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
        return found_nearest(map(self._documents, self._nearest(vectors, n, filter, *self._whole)))

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
        """The n rows with the most and rarest words of each query, equal ones by vector, in one transaction.

        Words are read by the configuration of Postgres' text search; where that is "simple", which knows no forms of
        words, those count that begin with a word's stem. Of texts without a column of words, the first
        :data:`SEARCHED_CHARACTERS` count.
        """
        from sqlalchemy import Text, case, cast, func, literal, or_, select, union_all
        from sqlalchemy.dialects.postgresql import REGCONFIG

        lists: list[list[DocumentId]] = [[] for _ in queries]
        asked = {i: known for i, query in enumerate(queries) if (known := spellings(query))}
        if not asked:
            return lists
        configuration = cast(literal(self.configuration, Text), REGCONFIG)
        words = self.searched_text
        if words is None:
            words = func.to_tsvector(configuration, func.left(func.coalesce(self.text, ""), SEARCHED_CHARACTERS))
        everything = [word for some in asked.values() for word in some]
        # Text search knows no words inside of runs of letters, which those of Chinese, Japanese and Thai are.
        inside = list(dict.fromkeys(form for word in everything if word.inside for form in word.forms))
        apart = [word for word in everything if not word.inside]
        conditions = [self.text.icontains(form, autoescape=True) for form in inside]
        if apart and self.searched_text is None:  # quick to tell, and most texts have none of the rare words
            beginnings = "|".join(dict.fromkeys(form for word in apart for form in word.forms))
            conditions.append(self.text.op("~*", is_comparison=True)(literal(rf"\m(?:{beginnings})", Text)))
        elif apart:  # one condition, which an index of the column serves
            some_word = " | ".join(dict.fromkeys(map(self._asked, apart)))
            conditions.append(words.bool_op("@@")(func.to_tsquery(configuration, literal(some_word, Text))))
        condition = or_(*conditions)
        # Written down, so that no text is read again for each list or word.
        text = self.text if inside else literal("", Text)
        rows = select(self.id.label("id"), words.label("words"), self.vector.label("vector"), text.label("text"))
        found = self._where(rows, filter).where(condition).cte("lr_found").prefix_with("MATERIALIZED")

        def holds(word: Spelling) -> Any:
            if word.inside:
                return or_(*(found.c.text.icontains(form, autoescape=True) for form in word.forms))
            return found.c.words.bool_op("@@")(func.to_tsquery(configuration, literal(self._asked(word), Text)))

        parts = []
        for i, some in asked.items():
            distance = found.c.vector.op(self.operator)(literal(queries[i].vector.tolist(), self.vector.type))
            weights = [case((holds(word), word.weight), else_=0.0) for word in some]
            order = (sum(weights[1:], weights[0]).desc(), distance)
            place = func.row_number().over(order_by=order)
            part = select(found.c.id, literal(i).label("list"), place.label("place"))
            parts.append(part.where(or_(*map(holds, some))).subquery())
        whole = union_all(*(select(part).where(part.c.place <= n) for part in parts)).order_by("list", "place")
        rows_of = self.run([whole])[0]
        for id, (_, i, _) in zip(_keys(rows_of), rows_of, strict=True):
            lists[i].append(id)
        return lists

    def _asked(self, word: Spelling) -> str:
        """A word in the language of ``to_tsquery``: of word characters alone, in quotes."""
        prefix = ":*" if word.prefix and self.configuration == "simple" else ""
        return " | ".join(f"'{form}'{prefix}" for form in word.forms)

    def narrowed(self, filter: Any, condition: LogicalQuery) -> Any:
        """The filter and a condition on metadata, its values bound."""
        columns = {c.name: (c, self._types[c.name]) for c in self.metadata if c is not self.metadata_json}
        json = self.metadata_json
        own = None if json is None else (json, self._types[json.name])
        return PostgresConditions(columns, own).narrowed(filter, condition)

    def pushdown_target(self, filter: Any = None) -> PushdownTarget:  # noqa: ARG002  execute applies it
        """The rows of :meth:`execute`."""
        arguments = {
            "table": {"name": PASSING, "id": "id", "vector": "vector"},
            "vector_type": vector_type(self.vector),
            "index": METRICS[self.operator],
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
        settings = search_settings(self.settings, parameters["n"]) if "n" in parameters else ()
        found = self.run([whole], settings)[0]
        dialect: Any = postgresql.dialect  # SQLAlchemy has no type for it
        shown = whole.compile(dialect=dialect(paramstyle="named"))
        return PushdownAnswer(_keys(found), str(shown))

    def possible(self, ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """Values of the column's type."""
        kind = KEYS.get(self._type, object)
        return [id for id in ids if isinstance(id, kind)]

    def read(self, ids: list[DocumentId]) -> Iterable[tuple[StoredDocument, Any]]:
        """Documents by id."""
        from sqlalchemy import select

        wanted = self._among(ids)
        return self._documents(self.run([self._where(select(self.id, *self._whole), wanted)])[0])

    def read_texts(self, ids: list[DocumentId]) -> Iterable[StoredDocument]:
        """Documents by id, of rows that have a vector; it stays where it is."""
        from sqlalchemy import select

        statement = select(self.id, self.text, *self.metadata).where(self.vector.is_not(None))
        rows = self.run([self._where(statement, self._among(ids))])[0]
        return [self._document(id, row[1:]) for id, row in zip(_keys(rows), rows, strict=True)]

    @property
    def _whole(self) -> tuple[Any, ...]:
        """Columns of a document beside its identity."""
        return self.text, sent(self.vector).label("lr_vector"), *self.metadata

    def _documents(self, rows: Sequence[Any]) -> list[tuple[StoredDocument, Any]]:
        """Documents with their vectors, of rows that begin with an identity and :attr:`_whole`."""
        return [
            (self._document(id, (text, *metadata)), received(self.vector, vector))
            for id, (_, text, vector, *metadata) in zip(_keys(rows), rows, strict=True)
        ]

    def _document(self, id: DocumentId, row: Sequence[Any]) -> StoredDocument:
        """Of the columns of a text and metadata."""
        text, *metadata = row
        return StoredDocument(id, "" if text is None else text, self._merged(metadata))

    def passing(self, ids: Sequence[DocumentId], filter: Any) -> list[DocumentId]:
        """Those of some documents that pass a filter, in any order."""
        from sqlalchemy import select

        found: list[DocumentId] = []
        for page in pages(self.possible(ids), self.page):
            wanted = self._where(select(self.id), filter).where(self._among(page))
            found += _keys(self.run([wanted])[0])
        return found

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
