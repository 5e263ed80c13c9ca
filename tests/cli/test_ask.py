"""A question to a user's file or collection: the answer, and everything that can be wrong."""

import json

import pytest

QUESTION = "What is vitamin D good for, other than bones?"
UNSURE = '"vitamin D" AND NOT "bones" AND'


def test_answers_from_a_file(run, encoder, corpus):
    result = run("ask", QUESTION, "--corpus", corpus, "--k", 3)
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    assert 'AND NOT "bones"' in flat
    assert "by the tagger" in flat
    assert {flat.count(name) for name in ("mood Vitamin", "cold Vitamin")} == {1}
    assert "bone Vitamin" not in flat
    assert '1 document was left out, being about what is excluded: "bones"' in flat
    assert max(map(len, result.stdout.splitlines())) <= 80
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
    assert "Problem: It looks like typed logic and is none." in " ".join(result.stdout.split())
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
    assert (encoder.documents, encoder.loaded) == ([], ["mine"])
    assert sorted(path.name for path in collection.rglob("*")) == before
    named = ("--collection", "papers", "--where", "year >= 2002")
    told = json.loads(run("ask", QUESTION, "--path", collection, *named, "--json").stdout)
    assert {document["id"] for document in told["documents"]} == {"cold", "jazz"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "There are no passages to ask."),
        (["--path", "{tmp}/none"], "There is no folder"),
        (["--path", "{tmp}/empty"], "has no Chroma collection"),
        (["--path", "{tmp}/corpus.jsonl"], "There is no folder"),
        (["--path", "{tmp}/broken"], "Chroma cannot open the folder"),
        (["--path", "{tmp}/kept", "--collection", "paper"], "has no collection 'paper'"),
        (["--corpus", "{tmp}/corpus.jsonl", "--path", "{tmp}/kept"], "--corpus and --path are both given"),
        (["--corpus", "{tmp}/none.jsonl"], "none.jsonl: cannot be read"),
        (["--corpus", "{tmp}/bad.jsonl"], "bad.jsonl, line 2: expected a string as text, found no text"),
        (["--corpus", "{tmp}/corpus.jsonl", "--semantics", "prodct"], "Did you mean 'product'?"),
        (["--corpus", "{tmp}/corpus.jsonl", "--llm", "gpt"], "not of the form PROVIDER:MODEL"),
        (["--corpus", "{tmp}/corpus.jsonl", "--k", "0"], "--k"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_encoded(
    run, encoder, corpus, collection, tmp_path, arguments, said, write
):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "chroma.sqlite3").write_text("no database")
    write(tmp_path / "bad.jsonl", [{"_id": 1, "text": "x"}, {"_id": 2}])
    result = run("ask", QUESTION, *(a.format(tmp=tmp_path) for a in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert encoder.documents == encoder.loaded == []
    assert not (tmp_path / "none").exists()
    assert not list((tmp_path / "empty").iterdir())


def test_lines_are_as_wide_as_the_terminal(run, encoder, corpus, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    shown = run("ask", QUESTION, "--corpus", corpus, "--k", 2).stdout
    assert max(map(len, shown.splitlines())) <= 40
    assert "1. relevance 0." in shown
    assert "mood  Vitamin D and mood. Vitamin D may" in shown


def test_a_condition_that_nothing_fulfils_is_no_empty_collection(run, encoder, corpus):
    result = run("ask", QUESTION, "--corpus", corpus, "--where", 'titel = "jazz"')
    assert "No passage fulfils the conditions." in result.stdout
    assert "no passage that was looked at has titel. Fields: title." in result.stderr


@pytest.mark.parametrize("question", ["", " \t"])
def test_an_empty_question(run, encoder, corpus, question):
    result = run("ask", question, "--corpus", corpus)
    assert result.exit_code == 2
    assert "The question is empty" in result.stderr
    assert encoder.loaded == []


def test_more_passages_than_there_are(run, encoder, corpus):
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 99, "--json").stdout)
    assert len(told["documents"]) == 3
    assert [one["id"] for one in told["excluded"]] == ["bone"]
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 99, "--exclusion", "rank", "--json").stdout)
    assert len(told["documents"]) == 4
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 99, "--min-relevance", 0.5, "--json").stdout)
    assert {d["id"] for d in told["documents"]} == {"mood", "cold"}


def test_text_that_would_act_on_the_terminal_is_shown_as_text(run, encoder, tmp_path, write):
    path = write(
        tmp_path / "c.jsonl", [{"_id": "a\x1b[2J", "text": "red \x1b[31m [bold]x[/bold] :smile: " + "y" * 999}]
    )
    shown = run("ask", "x [/red] \x1b[2J", "--corpus", path).stdout
    assert "\x1b" not in shown
    assert "[bold]x[/bold] :smile:" in shown
    assert "x [/red]" in shown


def test_conditions_narrow_what_is_found(run, tmp_path, encoder):
    table = tmp_path / "films.csv"
    table.write_text("text,year\nGreen tea calms,1990\nGreen tea wakes,2005\nGreen tea heals,2010\n", "utf-8")

    def found(*options):
        told = json.loads(run("ask", "green tea", "--corpus", table, "--json", *options).stdout)
        assert {one["id"] for one in told["documents"]} <= {one["id"] for one in told["dense"]}
        return [one["text"] for one in told["documents"]]

    assert len(found()) == 3
    assert set(found("--where", "year >= 2000")) == {"Green tea wakes", "Green tea heals"}
    assert found("--where", "[year >= 2000] AND NOT [year = 2005]") == ["Green tea heals"]
    assert found("--where", "year > 3000") == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", '"tea" AND [year > 1]'), "--where has a term, 'tea'"),
        (("--where", "tea"), "The condition has no operator"),
    ],
)
def test_a_condition_that_cannot_be_one_is_said_before_anything_is_encoded(run, corpus, encoder, options, said):
    result = run("ask", "tea", "--corpus", corpus, *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert encoder.loaded == []


def test_files_of_other_kinds_are_named(run, tmp_path, encoder):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Tea\nGreen tea calms.")
    (tmp_path / "docs" / "b.png").write_text("")
    result = run("ask", "tea", "--corpus", tmp_path / "docs", "--json")
    assert "Files of other kinds, not read: 1 (b.png)" in result.stderr
    assert [one["id"] for one in json.loads(result.stdout)["documents"]] == ["a.md"]
