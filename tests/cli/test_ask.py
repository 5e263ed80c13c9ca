"""A question to a user's file or collection, the answer, and everything that can be wrong; a query that is parsed."""

import json

import pytest

QUESTION = "What is vitamin D good for, other than bones?"
UNSURE = '"vitamin D" AND NOT "bones" AND'


def test_answers_from_a_file(run, encoder, corpus, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    result = run("ask", QUESTION, "--corpus", corpus, "--k", 3)
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    assert 'AND NOT "bones"' in flat
    assert "by the tagger" in flat
    answers, left_out = flat.split('Left out for what is excluded, "bones":')
    assert {answers.count(name) for name in ("Vitamin D and mood.", "Vitamin D and colds.")} == {1}
    assert "Vitamin D and bones." not in answers
    assert "Vitamin D and bones." in left_out
    assert max(map(len, result.stdout.splitlines())) <= 40
    assert result.stderr == ""


def test_json_is_the_explanation_and_honours_the_exclusion(run, encoder, corpus):
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 2, "--json").stdout)
    assert {d["id"] for d in told["documents"]} == {"mood", "cold"}
    assert told["dense"][0]["id"] == "bone"
    assert told["method"] == "tagger"
    assert told["exact"] is True
    assert told["documents"][0]["text"].startswith("Vitamin D and ")
    assert sorted(encoder.documents)[0] == "Miles Davis recorded Kind of Blue in 1959."


def test_what_the_reader_is_not_sure_of_is_said(run, encoder, corpus):
    result = run("ask", UNSURE, "--corpus", corpus)
    assert "Problem It looks like typed logic and is none." in " ".join(result.stdout.split())
    told = json.loads(run("ask", UNSURE, "--corpus", corpus, "--json").stdout)
    assert "typed logic" in told["problem"]


def test_semantics_is_used(run, encoder, corpus):
    def scores(name):
        told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--semantics", name, "--json").stdout)
        return [d["score"] for d in told["documents"]]

    assert scores("product") != scores("godel")


def test_a_collection_is_asked_as_it_is(run, encoder, collection):
    before = sorted(path.name for path in collection.rglob("*"))
    told = json.loads(run("ask", QUESTION, "--path", collection, "--model", "mine", "--k", 3, "--json").stdout)
    assert {document["id"] for document in told["documents"]} == {"mood", "cold", "jazz"}
    assert [one["id"] for one in told["excluded"]] == ["bone"]
    assert encoder.loaded == ["mine"]
    assert sorted(path.name for path in collection.rglob("*")) == before
    typed = '"vitamin D" AND [year >= 2002]'
    told = json.loads(run("ask", typed, "--path", collection, "--collection", "papers", "--json").stdout)
    assert {document["id"] for document in told["documents"]} == {"cold", "jazz"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "There are no passages to ask."),
        (["--path", "{tmp}/none"], "There is no folder"),
        (["--path", "{tmp}/empty"], "has no Chroma collection"),
        (["--path", "{tmp}/broken"], "Chroma cannot open the folder"),
        (["--path", "{tmp}/kept", "--collection", "paper"], "has no collection 'paper'"),
        (["--corpus", "{tmp}/corpus.jsonl", "--path", "{tmp}/kept"], "--corpus and --path are both given"),
        (["--corpus", "{tmp}/none.jsonl"], "none.jsonl: cannot be read"),
        (["--corpus", "{tmp}/corpus.jsonl", "--semantics", "prodct"], "Did you mean 'product'?"),
        (["--corpus", "{tmp}/corpus.jsonl", "--llm", "gpt"], "not of the form PROVIDER:MODEL"),
        (["--corpus", "{tmp}/corpus.jsonl", "--k", "0"], "--k"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_encoded(run, encoder, corpus, collection, tmp_path, arguments, said):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "chroma.sqlite3").write_text("no database")
    result = run("ask", QUESTION, *(a.format(tmp=tmp_path) for a in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert encoder.documents == encoder.loaded == []
    assert not (tmp_path / "none").exists()
    assert not list((tmp_path / "empty").iterdir())


@pytest.mark.parametrize(
    ("settings", "ids"),
    [
        ((), {"mood", "cold", "jazz"}),
        (("--exclusion", "rank"), {"bone", "mood", "cold", "jazz"}),
        (("--min-relevance", 0.5), {"mood", "cold"}),
        (("--always-exclude", "Miles Davis"), {"mood", "cold"}),
    ],
)
def test_settings_decide_which_of_all_passages_are_shown(run, encoder, corpus, settings, ids):
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 99, *settings, "--json").stdout)
    assert {document["id"] for document in told["documents"]} == ids


def test_text_that_would_act_on_the_terminal_is_shown_as_text(run, encoder, tmp_path, write):
    path = write(tmp_path / "c.jsonl", [{"_id": "\x1b[2J", "text": "red \x1b[31m [bold]x[/bold] :smile: " + "y" * 999}])
    shown = run("ask", "x [/red] \x1b[2J", "--corpus", path).stdout
    assert "\x1b" not in shown
    assert "[bold]x[/bold] :smile:" in shown
    assert "x [/red]" in shown


def test_files_of_other_kinds_are_named(run, tmp_path, encoder):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Tea\nGreen tea calms.")
    (tmp_path / "docs" / "b.png").write_text("")
    result = run("ask", "tea", "--corpus", tmp_path / "docs", "--json")
    assert "Files that were not read: 1 (b.png)" in result.stderr
    assert [one["id"] for one in json.loads(result.stdout)["documents"]] == ["a.md"]


def test_parse_prints_a_query_or_a_picture_of_the_mistake_on_standard_error(run, monkeypatch):
    result = run("parse", 'vitamin D AND NOT ("bone health" OR skin)')
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == '"vitamin D" AND NOT ("bone health" OR "skin")\n'
    monkeypatch.setenv("COLUMNS", "30")
    result = run("parse", "some words before AND AND other words")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")
    assert "\nHint: " in result.stderr
    lines = result.stderr.splitlines()
    at = lines[2].index("^^^")
    assert lines[1][at : at + 3] == "AND"
    assert lines[1].index("AND") < at
