"""The suite finds what it is there to find: stores with one fault each fail the test of that fault."""

import unicodedata
from dataclasses import replace
from fnmatch import fnmatch
from itertools import count
from types import MappingProxyType

import numpy as np
import pytest
from changing import ChangingInMemory
from engine_scoring_suite import EngineScoringSuite

from logical_retriever.errors import StoreError
from logical_retriever.query import Condition
from logical_retriever.stores import Batch, InMemoryStore, SqlStore, VectorBatch
from logical_retriever.testing.samples import DIMENSION
from logical_retriever.testing.store_suite import StoreSuite

duckdb = pytest.importorskip("duckdb")

SEEDS = count()
FETCH, SEARCH = InMemoryStore.fetch, InMemoryStore.search
SCAN, NARROWED = InMemoryStore.scan, InMemoryStore.with_condition


def fetches(ids_of=lambda store, ids: ids, change=lambda document: {}):
    """Reads other ids, or changes the documents that it brings."""

    def fetch(self, ids, filter=None):
        batch = FETCH(self, ids_of(self, list(ids)))
        return Batch(tuple(replace(one, **change(one)) for one in batch.documents), batch.vectors)

    return {"fetch": fetch}


def scans(change):
    def scan(self, filter=None):
        for batch in SCAN(self, filter):
            yield from change(batch)

    return {"scan": scan}


def keys(store):
    return [id for batch in SCAN(store) for id in batch.ids]


def searches(lists_of):
    """Finds other documents than the nearest."""

    def search(self, vectors, n, filter=None):
        lists = lists_of(self, vectors, n, filter)
        return lists, self.fetch(list(dict.fromkeys(id for ids in lists for id in ids)))

    return {"search": search}


def by_inner_product(self, vectors, n, filter):
    lists = []
    for vector in vectors:
        batch = SEARCH(self, vectors[:1], 1000, filter)[1]
        lists.append([batch.ids[i] for i in np.argsort(-(batch.vectors @ vector))[:n]])
    return lists


def merging(self, vectors, n, filter):
    texts = {d.id: d.text for d in FETCH(self, keys(self)).documents}
    return [list({texts[id]: id for id in ids}.values()) for ids in SEARCH(self, vectors, n, filter)[0]]


def exchanged(self, ids, filter=None):
    batch = FETCH(self, ids)
    after = (*batch.documents[1:], *batch.documents[:1])
    return Batch(tuple(replace(d, text=o.text) for d, o in zip(batch.documents, after, strict=True)), batch.vectors)


def needy(self, ids, filter=None):
    batch = FETCH(self, ids)
    if len(batch.ids) < len(ids):
        raise KeyError(ids)
    return batch


def alike(form):
    """Reads a key for another that has the same form."""

    def read(store, ids):
        known = {form(id): id for id in keys(store)}
        return [known.get(form(id), id) for id in ids]

    return read


def finds(holds):
    """Finds documents whose text holds words in some other sense."""

    def search_words(self, queries, n, filter=None):
        texts = {one.id: one.text.casefold() for one in FETCH(self, keys(self)).documents}
        return [[id for id, text in texts.items() if holds(text, query.words)][:n] for query in queries]

    return {"search_words": search_words}


def without_missing(self, filter, condition):
    """Has the three values of SQL: what has no such field is neither in nor out."""
    fields = [node.field for node in condition.walk() if isinstance(node, Condition)]
    whole = self._passes(NARROWED(self, filter, condition))
    return lambda document: all(field in document.metadata for field in fields) and whole(document.id)


def wordless(self, filter, condition):
    """Says less than it promises."""
    told = any(isinstance(node, Condition) and node.operator == "contains" for node in condition.walk())
    return None if told else NARROWED(self, filter, condition)


CONTENT, KEYS_ = "test_documents_come_back_as_they_are_in_the_order_asked", "test_keys_come_back_as_they_are"
LISTS, FILTERS = "test_lists_and_answers_are_of_the_nearest_documents", "test_a_filter_holds_and_never_adds"
SAMPLES, SIZES = "test_a_scan_and_samples_meet_every_document_once", "test_few_documents_and_k_over_the_size"
SAYS, DELETED = "test_filters_let_through_what_python_does", "test_documents_deleted_between_two_questions_are_gone"
CHANGED = "test_a_document_changed_between_two_questions_is_seen_changed"
WORDS, HOSTILE = "test_a_filter_holds_for_words_as_well", "test_hostile_words_match_themselves_alone"
FOUND = "test_documents_with_words_are_those_that_plain_python_finds"
LAWS = "test_random_answers_keep_the_laws"
MANY = "test_many_at_once_are_answered_as_one_by_one"


class Suite(ChangingInMemory, StoreSuite):
    ids = MappingProxyType({"text": "text", "whole": "int64", "float": "float"})


def remembering(self, ids, filter=None):
    """Reads each document once, and never again."""
    memory = self.__dict__.setdefault("memory", {})
    memory.update({one.id: one for one in FETCH(self, [id for id in ids if id not in memory]).documents})
    batch = FETCH(self, ids)
    return Batch(tuple(memory[id] for id in batch.ids), batch.vectors)


def tired(self, vectors, n, filter):
    """Answers the first three searches alone."""
    self.__dict__["searches"] = searches = self.__dict__.get("searches", 0) + 1
    return [ids if searches <= 3 else ids[n // 2 :] for ids in SEARCH(self, vectors, n, filter)[0]]


@pytest.mark.parametrize(
    ("faults", "test", "arguments"),
    [
        (searches(by_inner_product), LISTS, ("any",)),
        (fetches(lambda store, ids: sorted(ids, key=str)), CONTENT, ()),
        (fetches(change=lambda one: {"text": one.text.encode("ascii", "replace").decode()}), CONTENT, ()),
        (fetches(change=lambda one: {"metadata": {"kind": "x"}}), CONTENT, ()),
        ({"fetch": needy}, CONTENT, ()),
        (searches(merging), SIZES, (True, 2)),
        ({"scan": lambda self, filter=None: SCAN(self)}, FILTERS, ()),
        ({"search": lambda self, vectors, n, filter=None: SEARCH(self, vectors, n)}, FILTERS, ()),
        ({"scan": lambda self, filter=None: SCAN(self)}, LAWS, ()),
        ({"search_words": lambda self, q, n, f=None: InMemoryStore.search_words(self, q, n)}, WORDS, ()),
        (finds(lambda text, words: any(fnmatch(text, f"*{word}*") for word in words)), HOSTILE, ()),
        (finds(lambda text, words: set(words) <= set(text.split())), FOUND, ()),
        (scans(lambda batch: [batch, VectorBatch(batch.ids[:1], batch.vectors[:1])]), SAMPLES, ()),
        (scans(lambda batch: [VectorBatch(batch.ids[1:], batch.vectors[1:])]), SAMPLES, ()),
        ({"sample": lambda self, n, seed: InMemoryStore.sample(self, n, next(SEEDS))}, SAMPLES, ()),
        (scans(lambda batch: [VectorBatch(batch.ids, -batch.vectors)]), KEYS_, ("text",)),
        ({"delete": lambda self, ids: None}, DELETED, (True,)),
        ({"fetch": remembering}, CHANGED, (True,)),
        (searches(tired), MANY, (False,)),
        (fetches(lambda store, ids: ids[:-1] if len(ids) > 1 else ids), KEYS_, ("text",)),
        (fetches(lambda store, ids: [next(iter(set(keys(store)) - set(ids)), *ids[:1]), *ids[1:]]), KEYS_, ("text",)),
        ({"fetch": exchanged}, KEYS_, ("float",)),
        ({"fetch": lambda *of: Batch((read := FETCH(*of)).documents, read.vectors[:, :-1])}, KEYS_, ("text",)),
        ({**searches(lambda *of: [list(map(str, ids)) for ids in SEARCH(*of)[0]]), **fetches(alike(str))}, KEYS_,
         ("whole",)),
        (fetches(alike(lambda id: unicodedata.normalize("NFKC", id))), KEYS_, ("text",)),
        (scans(lambda b: [VectorBatch(tuple(float(f"{id:.9g}") for id in b.ids), b.vectors)]), KEYS_, ("float",)),
        ({"with_condition": without_missing}, SAYS, (False,)),
        ({"with_condition": lambda self, filter, condition: NARROWED(self, None, condition)}, SAYS, (True,)),
        ({"with_condition": wordless}, SAYS, (False,)),
    ],
)  # fmt: skip
def test_a_fault_fails_its_test(faults, test, arguments):
    getattr(Suite(), test)(InMemoryStore, *arguments)
    with pytest.raises((AssertionError, KeyError, StoreError)):
        getattr(Suite(), test)(type("Faulty", (InMemoryStore,), faults), *arguments)


def naming(change):
    class Naming(SqlStore):
        def search_by_score(self, expression, n, filter=None):
            answer = super().search_by_score(expression, n, filter)
            return replace(answer, ids=change(answer.ids))

        # Forgiving: what is named is read, whatever its type.
        def fetch(self, ids):
            return super().fetch(list(map(int, ids)))

    return Naming


class Pushdown(EngineScoringSuite):
    ids = MappingProxyType({"BIGINT": "int64"})

    def store_of(self, kind):
        def make(documents, vectors):
            connection = duckdb.connect()
            connection.execute(f"CREATE TABLE docs (id BIGINT, text VARCHAR, vector FLOAT[{DIMENSION}])")
            rows = [(d.id, d.text, vector.tolist()) for d, vector in zip(documents, vectors, strict=True)]
            connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
            return kind.from_table(connection, "docs")

        return make


@pytest.mark.parametrize(
    "change",
    [
        lambda ids: ids[:-1],
        lambda ids: (*ids, ids[0]),
        lambda ids: tuple(map(str, ids)),
        lambda ids: tuple(map(float, ids)),
    ],
    ids=["fewer", "double", "as texts", "rounded"],
)
def test_an_engine_that_names_wrongly_fails_the_suite(change):
    suite = Pushdown()
    suite.test_keys_come_back_as_they_are(suite.store_of(SqlStore), "BIGINT")
    with pytest.raises((AssertionError, StoreError)):
        suite.test_keys_come_back_as_they_are(suite.store_of(naming(change)), "BIGINT")


def test_what_is_not_given_is_skipped_with_what_to_override():
    for test, override in (
        ("test_deletion_during_a_scan", r"override delete\(store, ids\)"),
        (FILTERS, r"override equals\(key, value\)"),
        (CHANGED, r"override change\(store, document, vector\)"),
    ):
        arguments = (True,) if test == CHANGED else ()
        with pytest.raises(pytest.skip.Exception, match=override):
            getattr(StoreSuite(), test)(InMemoryStore, *arguments)
