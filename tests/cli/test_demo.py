"""The demo on its real collection, against rankings and marks computed here from the vectors."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from logical_retriever.commands.demo import show
from logical_retriever.demo import load_passages, load_questions, load_topics
from logical_retriever.reading import QuestionReader


@pytest.fixture
def demo(run, encoder):
    """Runs the demo; pairs of a question and what it shows of it."""

    def rows(*arguments):
        data = json.loads(run("demo", "--json", *arguments).stdout)
        assert list(data) == ["questions"]
        return list(zip(load_questions(), data["questions"], strict=True))

    return rows


@pytest.mark.slow
def test_json_has_the_keys_and_the_true_dense_ranking(demo, encoder, real_encoder):
    passages, topics = load_passages(), load_topics()
    texts = {passage.id: passage.content for passage in passages}
    vectors = real_encoder.embed_documents(list(texts.values()))
    for entry, row in demo("--k", 7):
        assert list(row) == ["question", "logical_query", "dense", "logical", "lost"]
        assert row["question"] == entry.question
        cosines = (vectors @ real_encoder.embed_queries([entry.question]).T)[:, 0]
        best = np.argsort(-cosines, kind="stable")[:7]
        assert [hit["id"] for hit in row["dense"]] == [passages[i].id for i in best]
        assert [hit["score"] for hit in row["dense"]] == pytest.approx(cosines[best].tolist(), abs=1e-5)
        for hit in row["dense"] + row["logical"]:
            assert list(hit) == ["id", "text", "score", "unwanted", "wanted"]
            assert hit["text"] == texts[hit["id"]]
            assert hit["unwanted"] == bool(topics[hit["id"]] & set(entry.unwanted_topics))
            assert hit["wanted"] == (hit["id"] in entry.wanted)
        shown = {hit["id"] for hit in row["logical"]}
        assert row["lost"] == [hit["id"] for hit in row["dense"] if hit["wanted"] and hit["id"] not in shown]
        assert len(row["logical"]) == 7
    assert len(set(encoder.documents)) == 200  # eight of them twice: whether the vectors are this encoder's


def test_logical_retrieval_shows_fewer_unwanted_passages_as_the_readme_counts_them(demo):
    unwanted = []
    for entry, row in demo():
        dense, logical = (sum(hit["unwanted"] for hit in row[side]) for side in ("dense", "logical"))
        if entry.kind == "exclusion":
            assert logical < dense, entry.question
            unwanted.append((dense, logical, len(row["dense"])))
        if entry.kind in ("plain", "fact"):
            assert row["logical"][0]["id"] in [hit["id"] for hit in row["dense"]]
    numbers = {7: "seven", 0: "none", 1: "one", 2: "two", 3: "three"}
    dense, logical, places = map(sum, zip(*unwanted, strict=True))
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    assert (
        f"`make demo` asks {numbers[len(unwanted)]} exclusions of them: plain retrieval shows {dense} unwanted "
        f"passages among the first {places}, logical retrieval {numbers[logical]}."
    ) in readme


def test_queries_come_from_the_reader_and_are_what_is_searched_for(demo):
    reader = QuestionReader()
    for entry, row in demo():
        reading = reader.transform(entry.question)
        assert row["logical_query"] == str(reading.query)
        assert ("NOT" in row["logical_query"]) == (entry.kind == "exclusion")
        assert reading.written == (entry.kind == "either-or")
        if entry.kind != "exclusion":
            assert row["logical_query"] == entry.logical_query


@pytest.mark.parametrize("columns", [40, 120])
def test_the_table_is_readable_without_colour_at_any_width(run, encoder, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run("demo").stdout
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= columns
    flat = " ".join(shown.split())
    for entry in load_questions():
        assert entry.question in flat
    sums = [tuple(map(int, pair)) for pair in re.findall(r"plain dense (\d+), logical (\d+)", flat)]
    assert sum(sums[0]) == len(re.findall(r"✗ \d\.\d{3}", shown))
    assert sum(sums[1]) == len(re.findall(r"✓ \d+\.\d{3}", shown))
    for (dense, logical), (wanted_dense, wanted_logical) in (sums[:2], sums[2:]):
        assert logical < dense / 4
        assert wanted_dense < wanted_logical
    for text in ("in the top 10 of 7 exclusion questions", "fell out of sight", "no benchmark", "as typed"):
        assert text in flat


def test_a_wanted_passage_that_fell_out_of_sight_is_named():
    entry, (first, second, third) = load_questions()[0], load_passages()[:3]
    a, b, c = (
        {"id": passage.id, "text": passage.content, "score": 0.5, "unwanted": False, "wanted": passage is second}
        for passage in (first, second, third)
    )
    console = Console(width=200, record=True, file=io.StringIO())
    data = {"dense": [a, b], "logical": [a, c], "lost": [second.id]}
    show({2: [(entry, QuestionReader().transform(entry.question), data)]}, console)
    shown = console.export_text()
    assert "Plain dense: ✓ 1 wanted, none unwanted" in shown
    assert "Logical: ✓ 0 wanted" in shown
    assert f"1 fell out of sight: {second.title}." in shown
