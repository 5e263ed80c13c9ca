from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

from logical_retriever.errors import CorpusError
from logical_retriever.evaluation import evaluate, load_dataset
from logical_retriever.evaluation.methods import Method
from logical_retriever.evaluation.plots import save_plots
from logical_retriever.evaluation.report import read_outcome, render
from logical_retriever.evaluation.tables import print_tables, write_csv
from logical_retriever.testing import HashingEmbedder


@pytest.fixture
def data(write):
    corpus = '{"_id": "d1", "text": "vitamin d <b>immune</b> health"}\n{"_id": "d2", "text": "vitamin d bone health"}\n'
    folder = write(corpus_jsonl=corpus, qrels_tsv="q1\td1\t1\nq2\td2\t1\nq2\tgone\t1\n")
    dataset = load_dataset(folder, logical_forms=folder / "forms.tsv")
    return evaluate(dataset, ("dense", "itlr"), embedder=HashingEmbedder(), cutoffs=(1, 10)).to_dict()


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "path", "use", "rect"):
            self.open.append(tag)
        self.loaded += [value for key, value in attrs if key in ("src", "href", "xlink:href") and value]

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_is_whole_and_loads_nothing(data):
    text = render([data, data])
    page = Page(text)
    assert page.open == []
    assert page.loaded
    assert all(link.startswith("#") for link in page.loaded)
    assert "<script" not in text
    assert "@import" not in text
    assert text.count("<svg") == 6


def test_the_page_shows_wins_with_their_logical_form_and_documents(data):
    words = " ".join(Page(render([data])).words)
    assert '"vitamin d" AND NOT "bone health"' in words
    assert "1 wins" in words
    assert "d1 relevant" in words
    assert "d2 violates" in words
    assert "vitamin d <b>immune</b> health" in words
    assert "relevance judgements for unknown documents" in words


class Order(Method):
    """Ranks documents as it is told."""

    def __init__(self, name, ids):
        self.name, self.ids = name, ids

    def texts(self, prepared):
        return ()

    def score(self, prepared, view):
        return np.array([-float(self.ids.index(document.id)) for document in view.bench.dataset.documents])


def test_what_falls_out_of_sight_stands_beside_what_vanishes(write):
    dataset = load_dataset(write(qrels_tsv="q1\td1\t1\nq1\td3\t1\n"))  # and d2 is unwanted
    ranked = {"dense": "d2 d1 d4 d3", "good": "d3 d4 d1 d2", "bad": "d3 d2 d4 d1"}
    methods = [Order(name, ids.split()) for name, ids in ranked.items()]
    data = evaluate(dataset, methods, embedder=HashingEmbedder(), cutoffs=(1,)).to_dict()
    assert data["methods"]["dense"]["moved"] == {}
    moved = {"wanted": {"lost": 1, "gained": 1}, "unwanted": {"lost": 0, "gained": 0}}
    assert data["methods"]["bad"]["moved"] == {"k": 3, **moved}
    page = render([data])
    assert "Lost and gained among the best 3, against dense" in page
    assert "<tr><th>good</th><td>1</td><td>0</td><td>0</td><td>1</td></tr>" in page
    assert "<tr><th>bad</th><td>0</td><td>0</td><td>1</td><td>1</td></tr>" in page


def test_charts_take_the_colour_of_the_page(data):
    text = render([data])
    assert "currentColor" in text
    assert "#0a0b0c" not in text
    assert "prefers-color-scheme: dark" in text


def test_a_page_without_details_says_so(data):
    del data["details"]
    assert "Questions are compared where the file has details" in render([data])


@pytest.mark.parametrize("content", ["{", "[]", '{"dataset": "x"}'])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError):
        read_outcome(path)


def test_what_was_written_is_read(tmp_path, data):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read_outcome(path) == data


def test_tables_show_methods_groups_and_problems(data):
    out = StringIO()
    print_tables(data, Console(file=out, width=160))
    text = out.getvalue()
    for expected in ("tiny: 2 queries", "itlr", "nDCG@1 by number of negations", "relevance judgements for unknown"):
        assert expected in text


def test_csv_has_a_row_for_every_value(tmp_path, data):
    write_csv(data, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    values = {(row["method"], row["grouping"], row["group"], row["measure"]): row["value"] for row in rows}
    assert float(values["itlr", "overall", "", "nDCG@1"]) == data["methods"]["itlr"]["nDCG@1"]
    assert float(values["itlr", "by_negations", "1", "RR@10"]) == data["methods"]["itlr"]["by_negations"]["1"]["RR@10"]


def test_plots_are_images(tmp_path, data):
    paths = save_plots(data, tmp_path / "plots")
    assert [path.name for path in paths] == ["tiny.overall.png", "tiny.by_type.png", "tiny.by_negations.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
