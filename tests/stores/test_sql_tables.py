"""What stores over tables of DuckDB, ClickHouse and Postgres refuse, and that nothing of a user's text is ever run."""

import numpy as np
import pytest
from hostile_texts import HOSTILE

from logical_retriever import LogicalRetriever
from logical_retriever.errors import InvalidArgumentError, StoreError
from logical_retriever.stores.sql import SqlFilter
from logical_retriever.testing import HashingEmbedder

pytestmark = pytest.mark.engines

VECTORS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]], np.float32)
AWKWARD = 'sel"ect `a\\b`'
"""Name of a column, made of what quoting must survive."""


def scanned(store, filter=None):
    return [id for batch in store.scan(filter) for id in batch.ids]


def test_hostile_texts_are_values_and_nothing_else(engine):
    texts = [text for text in HOSTILE if "\0" not in text or type(engine).__name__ != "Post"]  # which cannot hold it
    for i, text in enumerate(texts):
        engine.add(f"{i}{text}", kind=text, text=text)
    store = engine.store()
    for i, text in enumerate(texts):
        id = f"{i}{text}"
        assert store.search(VECTORS[:1], 100, {"kind": text})[0] == [[id]]
        assert store.search(VECTORS[:1], 100, {AWKWARD: text})[0] == [[id]]
        assert scanned(store, {"kind": text}) == [id]
        [found] = store.fetch([id]).documents
        assert (found.id, found.text, found.metadata["kind"]) == (id, text, text)
    assert store.search(VECTORS[:1], 5, {"kind": "x' OR '1'='1 "})[0] == [[]]
    assert store.fetch(HOSTILE).ids == ()
    assert store.count() == len(texts)


def test_hostile_names_of_tables_and_columns_are_not_found(filled):
    for name in HOSTILE:
        with pytest.raises((StoreError, InvalidArgumentError)):
            filled.store(table=name)
        with pytest.raises(InvalidArgumentError, match=r"no column|cannot be the name"):
            filled.store(id=name)
        with pytest.raises(InvalidArgumentError, match="names"):
            filled.store().search(VECTORS[:1], 1, {name: "x"})
    assert filled.store().count() == len(VECTORS)


def test_a_missing_table_or_column_and_one_of_another_type_are_named(filled):
    with pytest.raises(StoreError, match="nothing"):
        filled.store(table="nothing")
    with pytest.raises(InvalidArgumentError, match=r"Its columns: .*'vector'"):
        filled.store(vector="vectors")
    with pytest.raises(InvalidArgumentError, match="cannot be the name of a table"):
        filled.store(table="")
    for column in ("text", "year", "list"):
        with pytest.raises(InvalidArgumentError, match="is of type"):
            filled.store(vector=column, text="kind")
    for column in ("list", "day"):
        with pytest.raises(InvalidArgumentError, match=rf"'{column}' of .* is of type .*, whose values cannot be id"):
            filled.store(id=column)


def test_rows_without_a_vector_are_no_documents_even_by_an_alternative_in_a_filter(filled):
    filled.add("none", vector=None, year=9)
    store = filled.store()
    assert store.count() == len(VECTORS)
    assert "none" not in store.search(VECTORS[:1], 100)[0][0]
    assert "none" not in scanned(store)
    assert "none" not in store.sample(100, 0).ids
    assert store.fetch(["none", "d1"]).ids == ("d1",)
    assert scanned(store, SqlFilter("year = 1 OR year = 9")) == ["d1"]


def test_missing_texts_are_empty_and_metadata_are_pythons(filled):
    filled.add("z", text=None)
    [found] = filled.store().fetch(["z"]).documents
    assert found.text == ""
    assert (found.metadata["year"], found.metadata["more"], found.metadata["day"]) == (1, {"a": [1, 2]}, filled.day)


def test_metadata_is_what_was_asked_for(filled):
    def metadata(**columns):
        return filled.store(**columns).fetch(["d2"]).documents[0].metadata

    assert metadata(metadata=("year", "kind")) == {"year": 2, "kind": "even"}
    assert metadata(metadata=()) == {}
    assert metadata(metadata="more") == {"a": [1, 2]}
    with pytest.raises(StoreError, match="no object"):
        metadata(metadata="year")


def test_filters(filled):
    store = filled.store()
    assert scanned(store, {"kind": "odd", "year": 3}) == ["d3"]
    assert scanned(store, filled.newer) == ["d3", "d4"]
    assert store.search(VECTORS[:1], 9, filled.newer)[0] == [["d4", "d3"]]
    assert scanned(store, {}) == [f"d{i}" for i in range(5)]
    assert scanned(store, {"id": "d1"}) == ["d1"]
    with pytest.raises(InvalidArgumentError, match="must be a mapping or a SqlFilter, got str"):
        store.search(VECTORS[:1], 1, "year > 2")
    with pytest.raises(InvalidArgumentError, match="lr_v0"):
        store.search(VECTORS[:1], 1, SqlFilter("TRUE", {"lr_v0": 1}))
    for wrong in (SqlFilter("no_such_column = 1"), SqlFilter("year >"), {"year": "no number"}):
        with pytest.raises(StoreError, match="filter"):
            store.search(VECTORS[:1], 1, wrong)
    assert store.search(VECTORS[1:2], 1)[0] == [["d1"]]


def test_null_is_a_value_of_filters_and_no_identity(duck):
    duck.add("a", kind=None)
    duck.add("b", kind="x")
    assert scanned(duck.store(), {"kind": None}) == ["a"]
    with pytest.raises(InvalidArgumentError, match="None, of type NoneType"):
        duck.store(id="kind").search(VECTORS[:1], 2)


def test_identities_that_are_not_unique_are_refused(filled):
    with pytest.raises(StoreError, match="Two rows"):
        filled.store(id="kind").fetch(["odd"])


def test_ids_are_listed_page_by_page_and_numbers_by_their_size(engine, monkeypatch):
    monkeypatch.setattr("logical_retriever.stores.sql.store.SCAN_PAGE", 3)
    ids = [f"d{i:02}" for i in range(25)]
    for i, id in enumerate(ids):
        engine.add(id, year=i)
    assert list(engine.store().ids(None)) == ids
    assert scanned(engine.store(), engine.newer) == ids[3:]
    assert scanned(engine.store(id="year")) == list(range(25))


def test_columns_called_like_a_statements_own_are_the_tables(engine, pushed):
    engine.add("a", kind="b", year=1)
    engine.add("b", kind="a", year=2)
    store = engine.store(id="kind")
    given = {"a": VECTORS[0], "b": VECTORS[1]}
    assert store.search(VECTORS[:1], 5, SqlFilter("id = 'a'"))[0] == [["b"]]
    assert scanned(store, SqlFilter("id = 'a'")) == ["b"]
    assert pushed(store, "a AND NOT b", given, filter=SqlFilter("id = 'a'")).ids == ("b",)


@pytest.mark.parametrize("most", [0, 250_000])
def test_a_question_counts_the_table_no_more_often_than_its_statistics_do(duck, monkeypatch, most):
    monkeypatch.setattr("logical_retriever.stores.separate_word_index.MOST", most)
    for i, text in enumerate(["green tea", "black tea", "coffee", "milk"]):
        duck.add(f"d{i}", text=text)
    store, sent = duck.store(), []
    retriever = LogicalRetriever(store, HashingEmbedder(3))
    retriever.search("tea AND green AND NOT milk")
    run = store._run
    store._run = lambda statement, *rest: sent.append(statement) or run(statement, *rest)
    retriever.search("tea AND green AND NOT milk")
    assert 1 <= sum("count(*)" in statement for statement in sent) <= 2
