"""Keys that cannot be told apart are refused, and whatever a store's keys are, frameworks get them as texts."""

from datetime import datetime, timezone
from decimal import Decimal

import numpy as np
import pytest

from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.results import id_order
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.stores.base import checked_ids

GIVEN = {"a": [1.0, 0.0, 0.0], "b": [0.0, 1.0, 0.0]}


@pytest.mark.parametrize(
    "key", [float("nan"), Decimal("NaN"), None, [1], {}, np.zeros(2), np.datetime64("NaT")], ids=repr
)
def test_a_key_by_which_nothing_can_be_found_is_refused_and_shown(key):
    with pytest.raises(InvalidArgumentError, match="cannot be the identity") as caught:
        StoredDocument(key, "text")
    assert type(key).__name__ in str(caught.value)
    with pytest.raises(InvalidArgumentError):
        checked_ids(["fine", key])


@pytest.mark.parametrize("key", ["", 0, -1, 0.0, False, b"", (1, "a"), Decimal("-0"), datetime(1970, 1, 1)], ids=repr)
def test_empty_and_zero_are_keys(key):
    store = InMemoryStore([StoredDocument(key, "text"), StoredDocument("other", "o")], [[1.0, 0.0], [0.0, 1.0]])
    assert store.search(np.array([[1.0, 0.1]], np.float32), 1) == [[key]]
    assert store.fetch([key]).documents[0].text == "text"


def test_equal_keys_of_two_types_are_one_key():
    with pytest.raises(InvalidArgumentError, match="Two documents have the id 1"):
        InMemoryStore([StoredDocument(1, "a"), StoredDocument(1.0, "b")], [[1.0], [1.0]])


def test_nan_in_a_column_of_keys_is_said(duck, pushed):
    duck.connection.execute("CREATE TABLE numbers (id DOUBLE, text VARCHAR, vector FLOAT[3])")
    duck.connection.execute("INSERT INTO numbers VALUES ('nan', 't', [1, 0, 0]), (1.5, 't', [0, 1, 0])")
    store = duck.store(table="numbers")
    for read in (lambda: list(store.scan()), lambda: pushed(store, "a AND NOT b", GIVEN)):
        with pytest.raises(InvalidArgumentError, match="nan, of type float"):
            read()


def test_columns_whose_values_are_no_keys_are_refused(filled):
    with pytest.raises(InvalidArgumentError, match=r"'list' of .* is of type .*, whose values cannot be identities"):
        filled.store(id="list")


def test_missing_keys_are_said(duck):
    duck.add("a", kind=None)
    with pytest.raises(InvalidArgumentError, match="None, of type NoneType"):
        duck.store(id="kind").search(np.eye(1, 3, dtype=np.float32), 1)


def test_bytes_that_are_no_text_are_keys_and_a_text_of_them_is_a_store_error(click, pushed):
    click.connection.query(
        f"CREATE TABLE {click.database}.bytes (id String, text String, vector Array(Float32)) "
        "ENGINE = MergeTree ORDER BY id"
    )
    click.connection.query(
        f"INSERT INTO {click.database}.bytes VALUES (unhex('ff00'), 't', [1, 0, 0]), ('é', 'u', [0, 1, 0])"
    )
    store = click.store(table="bytes")
    assert pushed(store, "a AND NOT b", GIVEN).ids == (b"\xff\x00", "é")
    assert store.search(np.eye(1, 3, dtype=np.float32), 2) == [[b"\xff\x00", "é"]]
    swapped = click.store(table="bytes", id="text", text="id")
    with pytest.raises(StoreError, match="ClickHouse could not run a query: UnicodeDecodeError"):
        swapped.fetch(["t"])


def test_moments_in_an_hour_that_a_clock_shows_twice_are_two_keys(click):
    click.connection.query(
        f"CREATE TABLE {click.database}.twice (id DateTime('Europe/Berlin'), text String, vector Array(Float32)) "
        "ENGINE = MergeTree ORDER BY id"
    )
    hours = (1603585800, 1603589400)  # both are 2:30 in Berlin
    for hour in hours:
        click.connection.query(f"INSERT INTO {click.database}.twice VALUES ({hour}, '{hour}', [1, 0, 0])")
    keys = [datetime.fromtimestamp(hour, timezone.utc) for hour in hours]
    assert [d.text for d in click.store(table="twice").fetch(keys).documents] == list(map(str, hours))


def test_identities_of_several_types_have_an_order():
    keys = ["b", 2, b"a", 10, "a", -1, (2, "x"), 1.5]
    assert sorted(keys, key=id_order) == [b"a", 1.5, -1, 2, 10, "a", "b", (2, "x")]
