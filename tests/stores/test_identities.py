"""Keys that cannot be told apart are refused, and whatever a store's keys are, frameworks get them as texts."""

from datetime import datetime
from decimal import Decimal

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.results import id_order
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.base import checked_ids


@pytest.mark.parametrize("key", [np.nan, Decimal("NaN"), None, [1], {}, np.zeros(2), np.datetime64("NaT")], ids=repr)
def test_a_key_by_which_nothing_can_be_found_is_refused_and_shown(key):
    with pytest.raises(InvalidArgumentError, match="cannot be the identity") as caught:
        StoredDocument(key, "text")
    assert type(key).__name__ in str(caught.value)
    with pytest.raises(InvalidArgumentError):
        checked_ids(["fine", key])


@pytest.mark.parametrize("key", ["", 0, -1, 0.0, False, b"", (1, "a"), Decimal("-0"), datetime(1970, 1, 1)], ids=repr)
def test_empty_and_zero_are_keys(key):
    store = InMemoryStore([StoredDocument(key, "text"), StoredDocument("other", "o")], [[1.0, 0.0], [0.0, 1.0]])
    assert store.search(np.array([[1.0, 0.1]], np.float32), 1)[0] == [[key]]
    assert store.fetch([key]).documents[0].text == "text"


def test_equal_keys_of_two_types_are_one_key():
    with pytest.raises(InvalidArgumentError, match="Two documents have the id 1"):
        InMemoryStore([StoredDocument(1, "a"), StoredDocument(1.0, "b")], [[1.0], [1.0]])


def test_bytes_that_are_no_text_are_a_store_error(click):
    table = f"{click.database}.bytes"
    click.connection.query(f"CREATE TABLE {table} (id String, text String, vector Array(Float32)) ENGINE = Memory")
    click.connection.query(f"INSERT INTO {table} VALUES (unhex('ff00'), 't', [1, 0, 0]), ('é', 'u', [0, 1, 0])")
    with pytest.raises(StoreError, match="ClickHouse could not run a query: UnicodeDecodeError"):
        click.store(table="bytes").search(np.eye(1, 3, dtype=np.float32), 2)


def test_identities_of_several_types_have_an_order():
    keys = ["b", 2, b"a", 10, "a", -1, (2, "x"), 1.5]
    assert sorted(keys, key=id_order) == [b"a", 1.5, -1, 2, 10, "a", "b", (2, "x")]
