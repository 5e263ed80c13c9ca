"""A question to a user's file: the answer, the kept collection, and everything that can be wrong."""

import json

import chromadb
import pytest

QUESTION = "What is vitamin D good for, other than bones?"


TIMES = ("milliseconds", "store_milliseconds")


def untimed(result):
    """The data of a run, but for what differs between two runs of the same."""
    return {name: value for name, value in json.loads(result.stdout).items() if name not in TIMES}


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_answers_from_a_file(run, encoder, corpus):
    result = run("ask", QUESTION, "--corpus", corpus, "--k", 3)
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    assert 'AND NOT "bones"' in flat
    assert "by cue rules" in flat
    assert {flat.count(name) for name in ("mood Vitamin", "cold Vitamin")} == {1}
    assert "bone Vitamin" not in flat
    assert '1 document was left out, being about what is excluded: "bones"' in flat
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert result.stderr == ""


def test_json_is_the_explanation_and_honours_the_exclusion(run, encoder, corpus):
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 2, "--json").stdout)
    assert {d["id"] for d in told["documents"]} == {"mood", "cold"}
    assert told["dense"][0]["id"] == "bone"
    assert told["method"] == "cue"
    assert told["exact"] is True
    assert told["documents"][0]["text"].startswith("Vitamin D and ")
    assert sorted(encoder.documents)[0] == "Miles Davis recorded Kind of Blue in 1959."


def test_what_was_seen_and_not_understood_is_said(run, encoder, corpus):
    result = run("ask", "vitamin D förutom skelettet", "--corpus", corpus)
    assert "Problem The rules saw 'förutom'" in " ".join(result.stdout.split())
    told = json.loads(run("ask", "vitamin D förutom skelettet", "--corpus", corpus, "--json").stdout)
    assert (told["signs"], "förutom" in told["problem"]) == (["förutom"], True)


def test_a_model_that_must_be_asked_must_be_named(run, encoder, corpus):
    result = run("ask", QUESTION, "--corpus", corpus, "--read", "always_llm")
    assert result.exit_code == 2
    assert "there is no model" in result.stderr


def test_semantics_is_used(run, encoder, corpus):
    def scores(name):
        told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--semantics", name, "--json").stdout)
        return [d["score"] for d in told["documents"]]

    assert scores("product") != scores("godel")


def test_a_kept_collection_encodes_only_what_changed(run, encoder, corpus, tmp_path, write):
    def ask_again():
        encoder.documents.clear()
        result = run("ask", QUESTION, "--corpus", corpus, "--path", tmp_path / "kept", "--json")
        assert result.exit_code == 0, result.stderr
        return untimed(result), result.stderr, list(encoder.documents)

    told, said, encoded = ask_again()
    assert len(encoded) == 4
    assert "4 new, 0 changed, 0 removed, 0 unchanged" in said

    again, said, encoded = ask_again()
    assert encoded == []
    assert "matches the file" in said
    assert again == told

    bone, mood, cold, jazz = rows(corpus)
    write(corpus, [jazz, cold, mood, bone])
    assert ask_again()[1:] == (said, [])

    new = {"id": 5, "text": "Vitamin D is made in the skin."}
    write(corpus, [bone, {**mood, "text": "Vitamin D does not change the mood."}, jazz, new])
    told, said, encoded = ask_again()
    assert sorted(encoded) == [
        "Vitamin D and mood. Vitamin D does not change the mood.",
        "Vitamin D is made in the skin.",
    ]
    assert "1 new, 1 changed, 1 removed, 2 unchanged" in said
    assert {d["id"] for d in told["documents"]} == {"mood", "jazz", "5"}

    write(corpus, [bone, jazz])
    told, said, encoded = ask_again()
    assert encoded == []
    assert "0 new, 0 changed, 2 removed, 2 unchanged" in said
    assert {d["id"] for d in told["documents"]} == {"jazz"}


def test_an_interrupted_encoding_is_taken_up_where_it_stopped(run, encoder, corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("logical_retriever.commands.collection.BATCH", 1)
    whole = encoder.embed_documents

    def interrupted(texts):
        if len(encoder.documents) == 2:
            raise KeyboardInterrupt
        return whole(texts)

    encoder.embed_documents = interrupted
    arguments = ("ask", QUESTION, "--corpus", corpus, "--path", tmp_path / "kept")
    result = run(*arguments)
    assert result.exit_code == 130
    assert result.stdout == ""
    encoder.embed_documents = whole
    assert "2 new, 0 changed, 0 removed, 2 unchanged" in run(*arguments).stderr
    assert len(encoder.documents) == 4


def test_an_interrupted_change_is_noticed_even_if_the_file_is_put_back(
    run, encoder, corpus, tmp_path, monkeypatch, write
):
    monkeypatch.setattr("logical_retriever.commands.collection.BATCH", 1)
    arguments = ("ask", QUESTION, "--corpus", corpus, "--path", tmp_path / "kept")
    run(*arguments)
    original = rows(corpus)
    write(corpus, [{**row, "text": row["text"] + " Indeed."} for row in original])
    whole, encoder.documents = encoder.embed_documents, []

    def interrupted(texts):
        if encoder.documents:
            raise KeyboardInterrupt
        return whole(texts)

    encoder.embed_documents = interrupted
    assert run(*arguments).exit_code == 130
    encoder.embed_documents = whole
    write(corpus, original)
    assert "0 new, 1 changed, 0 removed, 3 unchanged" in run(*arguments).stderr


def test_a_kept_collection_needs_no_file(run, encoder, corpus, tmp_path):
    first = run("ask", QUESTION, "--corpus", corpus, "--path", tmp_path / "kept", "--json")
    second = run("ask", QUESTION, "--path", tmp_path / "kept", "--json")
    assert untimed(second) == untimed(first)
    assert len(encoder.documents) == 4
    assert second.stderr == ""


def test_a_kept_collection_names_its_model(run, encoder, corpus, tmp_path):
    kept = tmp_path / "kept"
    run("ask", QUESTION, "--corpus", corpus, "--path", kept, "--model", "mine")
    assert run("ask", QUESTION, "--path", kept).exit_code == 0
    assert encoder.loaded == ["mine", "mine"]
    for arguments in ((), ("--corpus", corpus)):
        result = run("ask", QUESTION, "--path", kept, "--model", "another", *arguments)
        assert result.exit_code == 2
        assert f"Error: The collection in {kept} was encoded with 'mine', not with 'another'." in result.stderr
    assert encoder.loaded == ["mine", "mine"]


def test_a_collection_of_something_else_is_left_alone(run, encoder, corpus, tmp_path):
    client = chromadb.PersistentClient(str(tmp_path), settings=chromadb.Settings(anonymized_telemetry=False))
    foreign = client.create_collection("logical-retriever", embedding_function=None)
    foreign.add(ids=["theirs"], embeddings=[[1.0, 0.0]])
    for arguments in ((), ("--corpus", corpus)):
        result = run("ask", QUESTION, "--path", tmp_path, *arguments)
        assert result.exit_code == 2
        assert "was not made by 'ask'" in result.stderr
    assert foreign.get()["ids"] == ["theirs"]
    assert encoder.documents == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "There are no passages to ask."),
        (["--path", "{tmp}/none"], "There is no folder"),
        (["--path", "{tmp}/empty"], "has no collection made by 'ask'"),
        (["--path", "{tmp}/corpus.jsonl"], "There is no folder"),
        (["--corpus", "{tmp}/corpus.jsonl", "--path", "{tmp}/corpus.jsonl"], "Chroma cannot open the folder"),
        (["--corpus", "{tmp}/none.jsonl"], "none.jsonl: cannot be read"),
        (["--corpus", "{tmp}/bad.jsonl"], "bad.jsonl, line 2: expected a string as text, found no text"),
        (["--corpus", "{tmp}/corpus.jsonl", "--semantics", "prodct"], "Did you mean 'product'?"),
        (["--corpus", "{tmp}/corpus.jsonl", "--llm", "gpt"], "not of the form PROVIDER:MODEL"),
        (["--corpus", "{tmp}/corpus.jsonl", "--k", "0"], "--k"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_encoded(run, encoder, corpus, tmp_path, arguments, said, write):
    (tmp_path / "empty").mkdir()
    write(tmp_path / "bad.jsonl", [{"_id": 1, "text": "x"}, {"_id": 2}])
    result = run("ask", QUESTION, *(a.format(tmp=tmp_path) for a in arguments))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert encoder.documents == encoder.loaded == []
    assert not (tmp_path / "none").exists()
    assert not list((tmp_path / "empty").iterdir())


def test_in_a_narrow_terminal_passages_have_its_whole_width(run, encoder, corpus, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    shown = run("ask", QUESTION, "--corpus", corpus, "--k", 2).stdout
    assert max(map(len, shown.splitlines())) <= 40
    assert "1. relevance 0." in shown
    assert "mood  Vitamin D and mood. Vitamin D may" in shown


def test_a_condition_that_nothing_fulfils_is_no_empty_collection(run, encoder, corpus):
    result = run("ask", QUESTION, "--corpus", corpus, "--where", 'titel = "jazz"')
    assert "No passage fulfils the conditions." in result.stdout
    assert "has a field 'titel'. Did you mean 'title'? Fields: title." in result.stderr


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
    told = json.loads(run("ask", QUESTION, "--corpus", corpus, "--k", 99, "--keep-excluded", "--json").stdout)
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


def test_conditions_and_the_store_s_own_filter_narrow_what_is_found(run, tmp_path, encoder):
    table = tmp_path / "films.csv"
    table.write_text("text,year\nGreen tea calms,1990\nGreen tea wakes,2005\nGreen tea heals,2010\n", "utf-8")
    path = tmp_path / "c"

    def found(*options):
        told = json.loads(run("ask", "green tea", "--path", path, "--json", *options).stdout)
        assert {one["id"] for one in told["documents"]} <= {one["id"] for one in told["dense"]}
        return [one["text"] for one in told["documents"]]

    assert len(found("--corpus", table)) == 3
    assert set(found("--where", "year >= 2000")) == {"Green tea wakes", "Green tea heals"}
    assert found("--where", "[year >= 2000] AND NOT [year = 2005]") == ["Green tea heals"]
    assert found("--where", "year >= 2000", "--filter", '{"year": {"$lt": 2010}}') == ["Green tea wakes"]
    assert found("--where", "year > 3000") == []
    assert found("--mode", "deo", "--k", 1, "--where", "year < 2000") == ["Green tea calms"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--where", '"tea" AND [year > 1]'), "--where has a term, 'tea'"),
        (("--where", "tea"), "The condition has no operator"),
        (("--filter", "year"), "--filter is not a JSON object"),
        (("--filter", "[]"), "--filter is not a JSON object: it is no object"),
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
    assert "Passed over 1 file of other kinds: b.png" in result.stderr
    assert [one["id"] for one in json.loads(result.stdout)["documents"]] == ["a.md"]
