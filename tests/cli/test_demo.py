"""The demo on its real collection, against rankings and marks computed here from the vectors."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from logical_retriever.commands.demo import show, summary
from logical_retriever.demo import load_passages, load_questions, load_topics
from logical_retriever.transform import QuestionReader


@pytest.fixture(scope="module")
def vectors(real_encoder):
    return real_encoder.embed_documents([passage.content for passage in load_passages()])


def test_json_has_the_keys_and_the_true_dense_ranking(run, encoder, vectors, real_encoder):
    result = run("demo", "--json", "--k", 7)
    data = json.loads(result.stdout)
    assert list(data) == ["questions"]
    passages, topics, questions = load_passages(), load_topics(), load_questions()
    assert [row["question"] for row in data["questions"]] == [asked.question for asked in questions]
    for row, asked in zip(data["questions"], questions, strict=True):
        assert list(row) == ["question", "logical_query", "dense", "logical", "lost"]
        cosines = (vectors @ real_encoder.embed_queries([asked.question]).T)[:, 0]
        best = np.argsort(-cosines, kind="stable")[:7]
        assert [hit["id"] for hit in row["dense"]] == [passages[i].id for i in best]
        assert [hit["score"] for hit in row["dense"]] == pytest.approx(cosines[best].tolist(), abs=1e-5)
        texts = {passage.id: passage.content for passage in passages}
        for hit in row["dense"] + row["logical"]:
            assert list(hit) == ["id", "text", "score", "unwanted", "wanted"]
            assert hit["text"] == texts[hit["id"]]
            assert hit["unwanted"] == bool(topics[hit["id"]] & set(asked.unwanted_topics))
            assert hit["wanted"] == (hit["id"] in asked.wanted)
        shown = {hit["id"] for hit in row["logical"]}
        assert row["lost"] == [hit["id"] for hit in row["dense"] if hit["wanted"] and hit["id"] not in shown]
        assert len(row["logical"]) == 7
    assert len(set(encoder.documents)) == 200  # eight of them twice: whether the vectors are this encoder's


def test_logical_retrieval_shows_fewer_unwanted_passages(run, encoder):
    data = json.loads(run("demo", "--json").stdout)
    for row, asked in zip(data["questions"], load_questions(), strict=True):
        dense, logical = (sum(hit["unwanted"] for hit in row[side]) for side in ("dense", "logical"))
        if asked.kind == "exclusion":
            assert logical < dense, asked.question
        if asked.kind in ("plain", "fact"):
            assert row["logical"][0]["id"] in [hit["id"] for hit in row["dense"]]


def test_queries_come_from_the_reader_and_are_what_is_searched_for(run, encoder):
    data = json.loads(run("demo", "--json").stdout)
    reader = QuestionReader()
    for row, asked in zip(data["questions"], load_questions(), strict=True):
        made = reader.transform(asked.question)
        assert row["logical_query"] == str(made.query)
        assert ("NOT" in row["logical_query"]) == (asked.kind == "exclusion")
        assert made.written == (asked.kind == "either-or")
        if asked.kind != "exclusion":
            assert row["logical_query"] == asked.logical_query


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_table_is_readable_without_colour_at_any_width(run, encoder, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run("demo").stdout
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= columns
    flat = " ".join(shown.split())
    for asked in load_questions():
        assert asked.question in flat
    marks = len(re.findall(r"✗ \d\.\d{3}", shown))
    dense, logical = map(int, re.search(r"plain dense (\d+), logical (\d+)", flat).groups())
    assert marks == dense + logical
    assert dense > logical
    marks = len(re.findall(r"✓ \d+\.\d{3}", shown))
    sums = [tuple(map(int, pair)) for pair in re.findall(r"plain dense (\d+), logical (\d+)", flat)]
    dense, logical = sums[1]
    assert marks == dense + logical
    assert dense < logical
    assert "in the top 10 of 7 exclusion questions" in flat
    (dense, logical), (wanted_dense, wanted_logical) = sums[2:]
    assert logical < dense / 4
    assert wanted_dense < wanted_logical
    assert "none fell out of sight" in flat
    assert "no benchmark" in flat
    assert "as typed" in flat


def test_a_wanted_passage_that_fell_out_of_sight_is_named():
    asked, (first, second, third) = load_questions()[0], load_passages()[:3]
    a, b, c = (
        {"id": one.id, "text": one.content, "score": 0.5, "unwanted": False, "wanted": one is second}
        for one in (first, second, third)
    )
    console = Console(width=200, record=True, file=io.StringIO())
    data = {"dense": [a, b], "logical": [a, c], "lost": [second.id]}
    answers = [(asked, QuestionReader().transform(asked.question), data)]
    show(answers, console)
    console.print(summary({2: answers}, {True: "x", False: "+"}))
    shown = console.export_text()
    assert "Plain dense: ✓ 1 wanted, none unwanted" in shown
    assert "Logical: ✓ 0 wanted" in shown
    assert f"1 fell out of sight: {second.title}." in shown


def test_the_readme_counts_what_the_demo_shows(run, encoder):
    rows = json.loads(run("demo", "--json").stdout)["questions"]
    asked = load_questions()
    exclusions = [row for row, one in zip(rows, asked, strict=True) if one.kind == "exclusion"]
    dense, logical = ([hit["unwanted"] for row in exclusions for hit in row[side]] for side in ("dense", "logical"))
    numbers = {7: "seven", 0: "none"}
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    assert (
        f"`make demo` asks {numbers[len(exclusions)]} exclusions of them: plain retrieval shows {sum(dense)} unwanted "
        f"passages among the first {len(dense)}, logical retrieval {numbers[sum(logical)]}."
    ) in readme
