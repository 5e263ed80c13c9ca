"""The fields of a collection: how they are described, what is discovered, and what conditions are held to."""

from datetime import date, datetime
from types import SimpleNamespace

import pytest

from logical_retriever import FieldInfo, InMemoryStore, LogicalRetriever, StoredDocument, discover_fields, parse
from logical_retriever.errors import FieldError, InvalidArgumentError
from logical_retriever.query import Condition, Fields, discovered
from logical_retriever.testing import HashingEmbedder

FIELDS = Fields(
    [
        FieldInfo("year", "integer", "of release"),
        FieldInfo("country", "string", values=("France", "Italy")),
        FieldInfo("genres", "list[string]", values=("noir", "drama")),
        FieldInfo("seen", "bool"),
        FieldInfo("shown", "date"),
        FieldInfo("at", "datetime"),
        FieldInfo("rating", "float", examples=(0, 10)),
    ]
)
GOOD = [
    *("[year >= 1990]", "[year = 1990.5]", "[seen = true]", "[shown < 2020-01-01]", "[at < 2020-01-01]"),
    *("[rating > 3]", '[country = "France"] AND "tea"', '[country in ["France", "Italy"]]'),
    '[genres contains "noir"] OR NOT [genres exists]',
]


def test_what_goes_with_the_fields_stays_and_texts_become_dates():
    for text in GOOD:
        assert FIELDS.checked(parse(text)) == parse(text)
    assert FIELDS.checked(parse('[shown = "2020-01-31"]')) == parse("[shown = 2020-01-31]")
    assert FIELDS.checked(Condition("at", "in", ["2020-01-31T10:00", date(2020, 1, 1)])) == Condition(
        "at", "in", [datetime(2020, 1, 31, 10), date(2020, 1, 1)]
    )


TWICE = [FieldInfo("a", "text"), FieldInfo("a", "list")]
BAD = [
    ("[budget < 3]", "no field 'budget'", "Fields: year"),
    ("[yaer < 3]", "no field 'yaer'", "Did you mean 'year'"),
    ('[year = "1990"]', "year is not compared with 1990", "Give a number"),
    ("[year = true]", "not compared with true", "Give a number"),
    ("[year contains 3]", "contains does not go with year", "Operators"),
    ("[country = 3]", "country is not compared with 3", "Give a text"),
    ('[country = "france"]', "country is never france", "Did you mean 'France'"),
    ('[country not in ["France", "Spain"]]', "country is never Spain", "Values: France, Italy"),
    ('[genres = "noir"]', "= does not go with genres", r"\[genres contains"),
    ('[genres contains "western"]', "genres is never western", "Values: noir"),
    ('[seen = "yes"]', "seen is not compared with yes", "true or false"),
    ('[shown = "soon"]', "shown is not compared with soon", "Give a date"),
    ("[at > 3]", "at is not compared with 3", "Give a time"),
]


@pytest.mark.parametrize(("text", "message", "hint"), BAD)
def test_what_does_not_is_an_error(text, message, hint):
    with pytest.raises(FieldError, match=message) as caught:
        FIELDS.checked(parse(f'"tea" AND {text}'))
    assert caught.match(hint)


def test_fields_as_frameworks_describe_them():
    theirs = [SimpleNamespace(name="year", description="of release", type="integer")]
    info = SimpleNamespace(content_info="films", metadata_info=theirs)
    for given_fields in (theirs, info, [FieldInfo("year", "integer", "of release")]):
        assert str(Fields.of(given_fields)) == "- year (integer): of release"
    assert str(Fields.of([FieldInfo("rating", "float", examples=(0, 10))])) == "- rating (number; such as 0, 10)"
    assert Fields.of(None) is None
    assert Fields.of(FIELDS) is FIELDS


@pytest.mark.parametrize("fields", ["year", 3, {"year": "integer"}, ["year"], TWICE])
def test_what_is_no_fields_is_refused(fields):
    with pytest.raises(InvalidArgumentError):
        Fields.of(fields)
    with pytest.raises(InvalidArgumentError, match="has the type"):
        FieldInfo("a", "vector")


def test_fields_of_a_sample():
    first = {"year": 1990, "seen": True, "shown": "2020-01-31", "mixed": 3, "tags": ["b", 2], "x": None}
    second = {"year": 2001.5, "seen": False, "shown": "2019-01-31", "mixed": "three", "tags": []}
    metadata = [{**first, "at": datetime(2020, 1, 1)}, {**second, "long": "word " * 40}]
    fields = discovered(metadata)
    types = {"year": "number", "seen": "boolean", "shown": "date", "tags": "list", "at": "time", "long": "text"}
    assert {name: field.type for name, field in fields.items()} == types
    assert fields["year"].examples == (1990, 2001.5)
    assert fields["tags"].examples == (2, "b")
    assert fields["long"].examples == ()
    assert fields.sampled
    assert discovered({"n": n} for n in range(30))["n"].examples == (0, 29)
    store = InMemoryStore([StoredDocument(str(i), "tea", m) for i, m in enumerate(metadata)], [[1.0, 0.0]] * 2)
    assert str(discover_fields(store)) == str(fields)
    assert discovered([]) == {}


def test_a_retriever_with_fields_refuses_conditions_on_others():
    embedder = HashingEmbedder()
    store = InMemoryStore([StoredDocument("a", "tea", {"year": 1990})], embedder.embed_documents(["tea"]))
    retriever = LogicalRetriever(store, embedder, fields=FIELDS)
    assert [d.id for d in retriever.search('"tea" AND [year = 1990]').documents] == ["a"]
    for asked in (retriever, retriever.but(k=2)):
        with pytest.raises(FieldError, match="no field 'yaer'"):
            asked.search('"tea" AND [yaer = 1990]')
