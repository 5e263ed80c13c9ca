"""The suite finds what it is there to find: stores with one fault each fail the test of that fault."""

from types import MappingProxyType

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.stores import Batch, InMemoryStore, StoredDocument, VectorBatch
from logical_retriever.testing.known_gaps import never, notimpl, notyet
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


class Rounded(InMemoryStore):
    def scan(self, filter=None):
        for batch in super().scan(filter):
            yield VectorBatch(batch.ids, np.round(batch.vectors))


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


class Suite(StoreSuite):
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
        (Rounded, "test_answers_by_scan_are_the_oracles", ()),
        (Undeleted, "test_deletion_during_a_search", (True,)),
        (Needy, "test_fetch_leaves_out_ids_that_are_not_there", ()),
        (Needy, "test_deletion_during_a_search", (False,)),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_fault_fails_its_test(store, test, arguments):
    getattr(Suite(), test)(InMemoryStore, *arguments)
    with pytest.raises((AssertionError, KeyError)):
        getattr(Suite(), test)(store, *arguments)


@pytest.mark.parametrize("mark", [notimpl, notyet, never])
def test_a_gap_marks_the_subclass_alone_and_strictly(mark):
    class Gapped(Suite):
        gaps = MappingProxyType({"test_count": mark("because", raises=KeyError)})

    [xfail] = Gapped.test_count.pytestmark
    assert (xfail.kwargs["strict"], xfail.kwargs["raises"]) == (True, KeyError)
    assert "because" in xfail.kwargs["reason"]
    assert not hasattr(Suite.test_count, "pytestmark")
    Gapped().test_count(InMemoryStore)


def test_a_gap_of_no_test_is_refused_when_the_class_is_made():
    with pytest.raises(InvalidArgumentError, match="no test 'test_cuont'"):
        type("Gapped", (Suite,), {"gaps": {"test_cuont": never("")}})


def test_what_is_not_given_is_skipped_with_what_to_override():
    with pytest.raises(pytest.skip.Exception, match=r"override delete\(store, ids\)"):
        StoreSuite().test_deletion_during_a_scan(InMemoryStore)
    with pytest.raises(pytest.skip.Exception, match=r"override equals\(key, value\)"):
        StoreSuite().test_filters_hold_for_search_and_scan_alike(InMemoryStore)
