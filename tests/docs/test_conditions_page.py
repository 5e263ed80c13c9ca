"""The page on conditions: what it writes is in the language, and its example is answered."""

import re
from pathlib import Path

from logical_retriever import FieldInfo, InMemoryStore, LogicalRetriever, StoredDocument, parse
from logical_retriever.query import Condition, Fields
from logical_retriever.testing import HashingEmbedder

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "conditions.md").read_text(encoding="utf-8")


def test_every_condition_of_the_page_is_one():
    written = re.findall(r"`((?:NOT )?\[[^`]+\])`", PAGE)
    assert len(written) >= 8
    for text in written:
        assert [node for node in parse(text).walk() if isinstance(node, Condition)]


def test_the_example_is_answered():
    (query,) = re.findall(r'^("grief" AND .*)$', PAGE, re.MULTILINE)
    films = [("Blue", 1993, "France"), ("Magnolia", 1999, "United States"), ("Ikiru", 1952, "Japan")]
    embedder = HashingEmbedder()
    store = InMemoryStore(
        [StoredDocument(name, "a film about grief", {"year": year, "country": land}) for name, year, land in films],
        embedder.embed_documents(["a film about grief"] * 3),
    )
    fields = Fields([FieldInfo("year", "integer", "of release"), FieldInfo("country", "text")])
    found = LogicalRetriever(store, embedder, fields=fields).search(query)
    assert [document.id for document in found.documents] == ["Blue"]
    assert found.exact
