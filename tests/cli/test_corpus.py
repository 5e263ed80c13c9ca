"""A user's file: what is read, and what is said about what cannot be."""

import json

import pytest

from logical_retriever.corpus import Passage, corpus_fingerprint, read_corpus
from logical_retriever.demo import load_passages, load_questions, load_topics
from logical_retriever.errors import CorpusError
from logical_retriever.query import parse

GOOD = b'{"_id": "1", "title": "T", "text": "x"}\n'


def read(tmp_path, data):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(data)
    return read_corpus(path)


def test_reads_ids_titles_and_texts(tmp_path):
    rows = b'{"_id": "a", "title": " Tea ", "text": " Green. ", "more": [1]}\r\n\n{"id": 7, "text": "x", "title": null}'
    assert read(tmp_path, rows) == [Passage("a", "Green.", "Tea"), Passage("7", "x")]


def test_a_zero_is_an_id_and_a_byte_order_mark_is_no_text(tmp_path):
    assert read(tmp_path, b'\xef\xbb\xbf{"_id": 0, "text": "\xc3\xa9"}') == [Passage("0", "é")]


def test_content_joins_title_and_text():
    assert Passage("1", "b", "a").content == "a. b"
    assert Passage("1", "b", "a?").content == "a? b"
    assert Passage("1", "b").content == "b"


def test_fingerprints_follow_content():
    one, two = Passage("1", "b", "a"), Passage("2", "c")
    assert one.fingerprint == Passage("9", "b", "a").fingerprint
    assert one.fingerprint != Passage("1", "a", "b").fingerprint
    assert corpus_fingerprint([one, two]) == corpus_fingerprint([two, one])
    assert corpus_fingerprint([one, two]) != corpus_fingerprint([one])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{not json}", "not JSON"),
        (b'{"_id": "2", "text": "x"', "not JSON"),
        (b'["2", "x"]', "expected a JSON object, found a list"),
        (b"null", "expected a JSON object, found null"),
        (b'{"text": "x"}', "found no _id"),
        (b'{"_id": "", "text": "x"}', "found an empty _id"),
        (b'{"_id": true, "text": "x"}', "found a truth value as _id"),
        (b'{"_id": 1.5, "text": "x"}', "found a number as _id"),
        (b'{"_id": "2"}', "expected a string as text, found no text"),
        (b'{"_id": "2", "text": {"a": 1}}', "expected a string as text, found an object"),
        (b'{"_id": "2", "text": " \\n"}', "the text is blank"),
        (b'{"_id": "2", "text": "x", "title": 3}', "expected a string as title, found a number"),
        (b'{"_id": "1", "text": "x"}', "the id '1' was already given in line 1"),
        (b'{"_id": 1, "text": "x"}', "the id '1' was already given in line 1"),
        (b'{"_id": "2", "text": "\xe9"}', "not UTF-8 (byte 23 of the line is 0xe9)"),
        (b'{"_id": "2", "text": "\\ud800"}', "half a character"),
        (b'{"_id": "\\udfff", "text": "x"}', "half a character"),
        (b'{"_id": "2", "text": ' + b"[" * 100_000, "not JSON"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, said):
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, GOOD + b"\n" + line + b"\n" + GOOD.replace(b'"1"', b'"3"'))
    assert caught.value.line == 3
    assert caught.value.message.startswith(f"{tmp_path / 'corpus.jsonl'}, line 3: ")
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file(tmp_path, data):
    with pytest.raises(CorpusError, match="no passage in it") as caught:
        read(tmp_path, data)
    assert caught.value.line is None


def test_a_file_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "missing.jsonl"):
        with pytest.raises(CorpusError, match="cannot be read") as caught:
            read_corpus(path)
        assert caught.value.path == str(path)


def test_the_demo_is_consistent():
    passages, topics, questions = load_passages(), load_topics(), load_questions()
    assert len(passages) == 200
    assert {p.id for p in passages} == set(topics)
    assert all(p.title and 80 < len(p.text) < 400 for p in passages)
    known = set().union(*topics.values())
    assert {"exclusion", "either-or", "both-and", "plain", "fact"} == {q.kind for q in questions}
    for asked in questions:
        assert str(parse(asked.logical_query)) == asked.logical_query
        assert set(asked.unwanted_topics) <= known
        assert bool(asked.unwanted_topics) == (asked.kind == "exclusion") == (" NOT " in asked.logical_query)
    assert len({json.dumps(q.question) for q in questions}) == len(questions) >= 10
