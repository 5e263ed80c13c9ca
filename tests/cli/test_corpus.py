"""A user's file: what is read, and what is said about what cannot be."""

import json

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from logical_retriever.corpus import Passage, read_corpus
from logical_retriever.demo import load_passages, load_questions, load_topics
from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.query import parse

GOOD = b'{"_id": "1", "title": "T", "text": "x"}\n'


def read(tmp_path, data):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(data)
    return read_corpus(path)


def test_reads_ids_titles_and_texts(tmp_path):
    rows = b'{"_id": "a", "title": " Tea ", "text": " Green. ", "more": [1], "most": {}}\r\n\n'
    rows += b'{"id": 7, "text": "x", "title": null}'
    assert read(tmp_path, rows) == [Passage("a", "Green.", "Tea", {"more": [1]}), Passage("7", "x")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{not json}", "not JSON"),
        (b'{"_id": "", "text": "x"}', "the _id is blank"),
        (b'{"_id": true, "text": "x"}', "a string or an integer as _id, found a truth value"),
        (b'{"_id": 1.5, "text": "x"}', "a string or an integer as _id, found a number"),
        (b'{"_id": "2"}', "expected a string as text, found nothing"),
        (b'{"_id": "2", "text": {"a": 1}}', "expected a string as text, found an object"),
        (b'{"_id": "2", "text": " \\n"}', "the text is blank"),
        (b'{"_id": "2", "text": "x", "title": 3}', "expected a string as title, found a number"),
        (b'{"_id": "1", "text": "x"}', "corpus.jsonl, line 1."),
        (b'{"_id": 1, "text": "x"}', "corpus.jsonl, line 1."),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, said):
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, GOOD + b"\n" + line + b"\n" + GOOD.replace(b'"1"', b'"3"'))
    assert caught.value.line == 3
    assert caught.value.message.startswith(f"{tmp_path / 'corpus.jsonl'}, line 3: ")
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.csv", "missing.md"])
def test_a_file_that_cannot_be_read(tmp_path, name):
    with pytest.raises(CorpusError, match="cannot be read") as caught:
        read_corpus(tmp_path / name)
    assert caught.value.path == str(tmp_path / name)


def test_documents_as_langchain_and_llama_index_write_them(tmp_path):
    from langchain_core.documents import Document
    from llama_index.core.schema import TextNode

    metadata = {"title": "Tea", "year": 1990, "tags": ["green"], "nested": {"a": 1}, "nothing": None}
    rows = [
        Document(page_content="It grows.", metadata=metadata, id="x").model_dump(),
        Document(page_content="It grows.", metadata=metadata).model_dump(),
        TextNode(text="It grows.", metadata=metadata, id_="y").model_dump(),
    ]
    passages = read(tmp_path, "\n".join(json.dumps(row, default=str) for row in rows).encode())
    found = [(one.text, one.title, one.metadata["year"], one.metadata["tags"]) for one in passages]
    assert found == [("It grows.", "Tea", 1990, ["green"])] * 3
    assert not any({"nested", "nothing"} & one.metadata.keys() for one in passages)
    assert [one.id for one in passages][::2] == ["x", "y"]


def test_a_table(tmp_path):
    file = tmp_path / "films.csv"
    file.write_text('ID,Title,Body,year,score,code\n1,Jaws,"A shark,\nand a boat",1975,8.1,007\n2,,Duel,,,\n', "utf-8")
    jaws = Passage("1", "A shark,\nand a boat", "Jaws", {"year": 1975, "score": 8.1, "code": "007"})
    assert read_corpus(file) == [jaws, Passage("2", "Duel")]
    file.write_text("name,year\nJaws,1975\n", "utf-8")
    with pytest.raises(CorpusError, match=r"no column has the texts \(columns: name, year\)"):
        read_corpus(file)
    file.write_text(",text,year\n0,Jaws,1975\n", "utf-8")  # as pandas writes its index
    assert [(one.text, one.metadata) for one in read_corpus(file)] == [("Jaws", {"year": 1975})]


def test_a_folder_of_documents(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "no.txt").write_text("no")
    (tmp_path / "a.txt").write_text("First.\n\nSecond.\n")
    (tmp_path / "b.MD").write_text("Before.\n# One #\nText.\n```\n# no heading\n```\n## Two\n", "utf-8")
    (tmp_path / "deep" / "c.txt").write_text("Third: é.", "utf-8")
    (tmp_path / "deep" / "d.png").write_bytes(b"")
    (tmp_path / "e.jsonl").write_text('{"_id": "e", "text": "x"}')
    passed_over = []
    found = {one.id: one for one in read_corpus(tmp_path, passed_over)}
    assert passed_over == ["deep/d.png"]
    assert found["a.txt"] == Passage("a.txt", "First.\n\nSecond.", "", {"source": "a.txt"})
    parts = [(found[f"b.MD#{n}"].title, found[f"b.MD#{n}"].text) for n in (1, 2)]
    assert parts == [("", "Before."), ("One", "Text.\n```\n# no heading\n```")]
    assert found["deep/c.txt"] == Passage("deep/c.txt", "Third: é.", "", {"source": "deep/c.txt"})
    assert found["e"].text == "x"
    assert len(found) == 5


@pytest.mark.parametrize(
    "text", ["word " * 5_000, "x" * 5_000, "Ein Satz. " * 900, "a\n\nb\n\n" * 700, "東京は。" * 2_000]
)
def test_pieces_lose_nothing_and_are_short(tmp_path, text):
    (tmp_path / "a.txt").write_text(text, "utf-8")
    found = [passage.text for passage in read_corpus(tmp_path)]
    assert max(map(len, found)) <= 1_000
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_passage_size_joins_cuts_or_keeps_paragraphs_apart(tmp_path):
    (tmp_path / "a.md").write_text("# Tea\nGreen. Black.\n\nWhite.\n\n" + "Brewed slowly. " * 90, "utf-8")
    lengths = {size: [len(one.text) for one in read_corpus(tmp_path, passage_size=size)] for size in (0, 60, 1_000)}
    assert lengths[0][:3] == [13, 6, 989]
    assert max(lengths[60]) <= 60 < max(lengths[1_000])
    assert lengths[1_000][0] == len("Green. Black.\n\nWhite.")
    for size in (-1, 7, "x"):
        with pytest.raises(InvalidArgumentError, match="passage_size"):
            read_corpus(tmp_path, passage_size=size)


def test_a_pdf_is_read_page_by_page(tmp_path):
    writer = pypdf.PdfWriter()
    names = ("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica")
    font = DictionaryObject({NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in names})
    for line in ("Green tea keeps you awake.", "Brewing takes a while."):
        page, shown = writer.add_blank_page(300, 300), DecodedStreamObject()
        shown.set_data(f"BT /F 12 Tf 9 99 Td ({line}) Tj ET".encode())
        fonts = DictionaryObject({NameObject("/F"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        page[NameObject("/Contents")] = shown
    writer.write(tmp_path / "tea.pdf")
    assert [one.text for one in read_corpus(tmp_path, passage_size=0)] == [
        "Green tea keeps you awake.",
        "Brewing takes a while.",
    ]
    (tmp_path / "tea.pdf").write_bytes(b"no pdf")
    with pytest.raises(CorpusError, match=r"tea\.pdf: not a readable PDF"):
        read_corpus(tmp_path / "tea.pdf")
    (tmp_path / "milk.txt").write_text("Milk.")
    passed_over = []
    assert [one.text for one in read_corpus(tmp_path, passed_over)] == ["Milk."]
    assert passed_over == ["tea.pdf"]


def test_an_empty_folder_and_a_document_twice(tmp_path):
    with pytest.raises(CorpusError, match="no passage in it") as caught:
        read_corpus(tmp_path)
    assert ".md" in caught.value.hint
    (tmp_path / "a.jsonl").write_text('{"_id": "1", "text": "x"}')
    (tmp_path / "b.jsonl").write_text('{"_id": "1", "text": "x"}')
    assert len(read_corpus(tmp_path)) == 1
    (tmp_path / "b.jsonl").write_text('{"_id": "1", "text": "y"}')
    with pytest.raises(CorpusError, match=r"already given in .*a\.jsonl, line 1"):
        read_corpus(tmp_path)


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
        assert asked.wanted
        assert not any(topics[id] & set(asked.unwanted_topics) for id in asked.wanted)
        assert bool(asked.unwanted_topics) == (asked.kind == "exclusion") == (" NOT " in asked.logical_query)
    assert len({json.dumps(q.question) for q in questions}) == len(questions) >= 10
