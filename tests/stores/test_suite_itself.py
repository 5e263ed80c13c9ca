"""The suite finds what it is there to find: stores with one fault each fail the test of that fault."""

import unicodedata
from dataclasses import replace
from types import MappingProxyType

import duckdb
import numpy as np
import pytest
from pushdown_suite import PushdownSuite

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.query import Condition
from logical_retriever.stores import Batch, InMemoryStore, SqlStore, StoredDocument, VectorBatch
from logical_retriever.testing.identity_suite import TEXTS, WHOLE_64
from logical_retriever.testing.known_gaps import known_gap
from logical_retriever.testing.ranking_suite import DIMENSION
from logical_retriever.testing.store_suite import StoreSuite


class ByInnerProduct(InMemoryStore):
    def search(self, vectors, n, filter=None):
        found = []
        for vector in vectors:
            batch = self.fetch(super().search(vectors[:1], 1000, filter)[0])
            order = np.argsort(-(batch.vectors @ vector))[:n]
            found.append([batch.ids[i] for i in order])
        return found


class InOrderOfIds(InMemoryStore):
    def fetch(self, ids):
        return super().fetch(sorted(ids))


class Merging(InMemoryStore):
    """Equal texts are one document."""

    def search(self, vectors, n, filter=None):
        texts = {d.id: d.text for d in super().fetch([id for b in self.scan() for id in b.ids]).documents}
        return [list({texts[id]: id for id in ids}.values()) for ids in super().search(vectors, n, filter)]


class Unfiltered(InMemoryStore):
    def scan(self, filter=None):
        return super().scan(None)


class Twice(InMemoryStore):
    def scan(self, filter=None):
        for batch in super().scan(filter):
            yield batch
            yield VectorBatch(batch.ids[:1], batch.vectors[:1])


class Restless(InMemoryStore):
    def sample(self, n, seed):
        return super().sample(n, int(np.random.default_rng().integers(1 << 30)))


class Latin(InMemoryStore):
    def fetch(self, ids):
        batch = super().fetch(ids)
        return Batch(
            tuple(
                StoredDocument(d.id, d.text.encode("ascii", "replace").decode(), d.metadata) for d in batch.documents
            ),
            batch.vectors,
        )


class Turned(InMemoryStore):
    def scan(self, filter=None):
        for batch in super().scan(filter):
            yield VectorBatch(batch.ids, -batch.vectors)


class Undeleted(InMemoryStore):
    def delete(self, ids):
        pass


class Needy(InMemoryStore):
    """Refuses to fetch what is not there."""

    def fetch(self, ids):
        batch = super().fetch(ids)
        if len(batch.ids) < len(ids):
            raise KeyError(ids)
        return batch


class Fewer(InMemoryStore):
    """Leaves the last document out that a list named."""

    def fetch(self, ids):
        return super().fetch(ids[:-1] if len(ids) > 1 else ids)


class Other(InMemoryStore):
    """Brings another document in place of the first."""

    def fetch(self, ids):
        own = {d.id for b in self.scan() for d in super(Other, self).fetch(b.ids).documents}
        return super().fetch([next(iter(own - set(ids)), *ids[:1]), *ids[1:]])


class Exchanged(InMemoryStore):
    """Brings the next one's content under each id."""

    def fetch(self, ids):
        batch = super().fetch(ids)
        next_ones = (*batch.documents[1:], *batch.documents[:1])
        return Batch(
            tuple(replace(d, text=o.text) for d, o in zip(batch.documents, next_ones, strict=True)), batch.vectors
        )


class Double(InMemoryStore):
    def fetch(self, ids):
        return super().fetch([id for id in ids for _ in range(2)])


class Misshapen(InMemoryStore):
    def fetch(self, ids):
        batch = super().fetch(ids)
        return Batch(batch.documents, batch.vectors[:, :-1])


class NamingTexts(InMemoryStore):
    """Lists have the text of a key, which is taken for the key when documents are read."""

    def search(self, vectors, n, filter=None):
        return [list(map(str, ids)) for ids in super().search(vectors, n, filter)]

    def fetch(self, ids):
        keys = {str(id): id for batch in self.scan() for id in batch.ids}
        return super().fetch([keys.get(str(id), id) for id in ids])


class BringingTexts(InMemoryStore):
    def fetch(self, ids):
        batch = super().fetch(ids)
        return Batch(tuple(replace(d, id=str(d.id)) for d in batch.documents), batch.vectors)


class Normalising(InMemoryStore):
    """Texts that look alike are one key when documents are read."""

    def fetch(self, ids):
        keys = {unicodedata.normalize("NFKC", id): id for batch in self.scan() for id in batch.ids}
        return super().fetch([keys.get(unicodedata.normalize("NFKC", id), id) for id in ids])


class Digits(InMemoryStore):
    """Reads keys that look like a number without a sign alone."""

    def fetch(self, ids):
        return super().fetch([id for id in ids if str(id).isdigit()])


class WithNineDigits(InMemoryStore):
    def scan(self, filter=None):
        for batch in super().scan(filter):
            yield VectorBatch(tuple(float(f"{id:.9g}") for id in batch.ids), batch.vectors)


class WithoutMissing(InMemoryStore):
    """Has the three values of SQL: what has no such field is neither in nor out."""

    def narrowed(self, filter, condition):
        fields = [node.field for node in condition.walk() if isinstance(node, Condition)]
        whole = super().narrowed(filter, condition)
        return lambda document: all(field in document.metadata for field in fields) and whole(document)


class Widening(InMemoryStore):
    """Forgets the caller's filter."""

    def narrowed(self, filter, condition):
        return super().narrowed(None, condition)


class Wordless(InMemoryStore):
    """Says less than it promises."""

    def narrowed(self, filter, condition):
        said = any(isinstance(node, Condition) and node.operator == "contains" for node in condition.walk())
        return None if said else super().narrowed(filter, condition)


class Suite(StoreSuite):
    ids = MappingProxyType({"text": TEXTS, "whole": WHOLE_64, "float": WHOLE_64})

    def delete(self, store, ids):
        store.delete(ids)

    def equals(self, key, value):
        return lambda document: document.metadata[key] == value


@pytest.mark.parametrize(
    ("store", "test", "arguments"),
    [
        (ByInnerProduct, "test_vectors_of_any_length_are_ranked_as_the_capabilities_say", ()),
        (ByInnerProduct, "test_a_zero_vector_has_cosine_zero", ()),
        (InOrderOfIds, "test_fetch_keeps_the_order_asked", ()),
        (Merging, "test_equal_texts_with_different_ids_stay_apart", ()),
        (Unfiltered, "test_filters_hold_for_search_and_scan_alike", ()),
        (Unfiltered, "test_filtered_answers_are_the_best_of_those_that_pass", (True,)),
        (Twice, "test_scan_meets_every_document_once", ()),
        (Restless, "test_sample", ()),
        (Latin, "test_texts_and_metadata_come_back", ()),
        (Turned, "test_scan_meets_every_document_once", ()),
        (Undeleted, "test_deletion_during_a_search", (True,)),
        (Needy, "test_fetch_leaves_out_ids_that_are_not_there", ()),
        (Needy, "test_deletion_during_a_search", (False,)),
        (Fewer, "test_keys_come_back_as_they_are", ("text",)),
        (Other, "test_keys_come_back_as_they_are", ("text",)),
        (Exchanged, "test_keys_come_back_as_they_are", ("float",)),
        (Exchanged, "test_answers_by_index_are_the_oracles", ()),
        (Double, "test_keys_come_back_as_they_are", ("text",)),
        (Misshapen, "test_keys_come_back_as_they_are", ("text",)),
        (NamingTexts, "test_keys_come_back_as_they_are", ("whole",)),
        (NamingTexts, "test_the_text_of_a_key_is_another_key", ("float",)),
        (BringingTexts, "test_keys_come_back_as_they_are", ("whole",)),
        (BringingTexts, "test_answers_over_keys_are_the_oracles", ("float",)),
        (Normalising, "test_keys_come_back_as_they_are", ("text",)),
        (Digits, "test_keys_come_back_as_they_are", ("whole",)),
        (WithNineDigits, "test_keys_come_back_as_they_are", ("float",)),
        (WithoutMissing, "test_filters_say_what_python_says", ()),
        (WithoutMissing, "test_nested_conditions_mean_what_they_mean_in_python", ()),
        (Widening, "test_the_callers_filter_always_holds", ()),
        (Widening, "test_filters_are_narrowed_again_and_again", ()),
        (Wordless, "test_operators_are_those_of_the_capabilities", ()),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_fault_fails_its_test(store, test, arguments):
    getattr(Suite(), test)(InMemoryStore, *arguments)
    with pytest.raises((AssertionError, KeyError, StoreError)):
        getattr(Suite(), test)(store, *arguments)


def naming(change):
    class Naming(SqlStore):
        def rank(self, program, n, filter=None):
            answer = super().rank(program, n, filter)
            return replace(answer, ids=change(answer.ids))

        # Forgiving: what is named is found, whatever its type.
        def fetch(self, ids):
            return super().fetch(list(map(int, ids)))

        def compare(self, ids, vectors):
            return super().compare(list(map(int, ids)), vectors)

    return Naming


class Pushdown(PushdownSuite):
    ids = MappingProxyType({"BIGINT": WHOLE_64})

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
        lambda ids: (*ids[1:], 12345),
    ],
    ids=["fewer", "double", "as texts", "rounded", "other"],
)
def test_an_engine_that_names_wrongly_fails_the_suite(change):
    suite = Pushdown()
    suite.test_keys_come_back_as_they_are(suite.store_of(SqlStore), "BIGINT")
    with pytest.raises((AssertionError, StoreError)):
        suite.test_keys_come_back_as_they_are(suite.store_of(naming(change)), "BIGINT")


def test_a_gap_marks_the_subclass_alone_and_strictly():
    class Gapped(Suite):
        gaps = MappingProxyType({"test_count": known_gap("because", raises=KeyError)})

    [xfail] = Gapped.test_count.pytestmark
    assert (xfail.kwargs["strict"], xfail.kwargs["raises"]) == (True, KeyError)
    assert "because" in xfail.kwargs["reason"]
    assert not hasattr(Suite.test_count, "pytestmark")
    Gapped().test_count(InMemoryStore)


def test_a_gap_of_no_test_is_refused_when_the_class_is_made():
    with pytest.raises(InvalidArgumentError, match="no test 'test_cuont'"):
        type("Gapped", (Suite,), {"gaps": {"test_cuont": known_gap("")}})


def test_what_is_not_given_is_skipped_with_what_to_override():
    with pytest.raises(pytest.skip.Exception, match=r"override delete\(store, ids\)"):
        StoreSuite().test_deletion_during_a_scan(InMemoryStore)
    with pytest.raises(pytest.skip.Exception, match=r"override equals\(key, value\)"):
        StoreSuite().test_filters_hold_for_search_and_scan_alike(InMemoryStore)
