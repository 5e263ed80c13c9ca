import json

import numpy as np
import pytest
from typer.testing import CliRunner

from logical_retriever.commands import evaluation
from logical_retriever.commands.evaluation import app
from logical_retriever.evaluation import load_dataset
from logical_retriever.testing import HashingEmbedder


def invoke(*arguments: object):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """The real command over an encoder that needs no model."""
    monkeypatch.setattr(evaluation, "SentenceTransformerEmbedder", lambda model: HashingEmbedder())


def test_json_is_alone_on_standard_output_and_a_set_without_forms_is_read(write):
    folder = write()
    arguments = (folder, "--methods", "dense,itlr", "--json", "-")
    without = invoke(*arguments)
    assert "no recorded logical forms" in without.stderr
    assert json.loads(without.stdout)["queries"] == 2
    assert json.loads(without.stdout)["transformer"]["name"] == "auto"
    result = invoke(*arguments, "--logical-forms", folder / "forms.tsv")
    assert "no recorded logical forms" not in result.stderr
    methods = json.loads(result.stdout)["methods"]
    assert list(methods) == ["dense", "itlr"]
    assert methods["itlr"]["by_negations"]["1"]["queries"] == 1


def test_bad_options_say_what_to_do(write):
    refused = invoke(write(), "--transformer", "quee")
    assert refused.exit_code == 2
    assert "'recorded', 'auto'" in refused.stderr


def test_measures_on_the_command_line_are_the_columns(write):
    folder = write()
    arguments = (folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv")
    shown = invoke(*arguments, "--measures", "P(rel=2,judged_only=True)@1, RR,LSNC@5").stdout
    heading = next(line for line in shown.splitlines() if "method" in line)
    assert heading.replace("┃", " ").split()[1:4] == ["P(rel=2,judged_only=True)@1", "RR", "LSNC@5"]


def test_vectors_may_be_those_of_an_earlier_run(write, tmp_path):
    folder = write()
    texts = [document.text for document in load_dataset(folder).documents]
    np.save(tmp_path / "v.npy", HashingEmbedder().embed_documents(texts))
    arguments = (folder, "--methods", "dense,dense+bm25", "--json", "-")
    first, second = invoke(*arguments), invoke(*arguments, "--vectors", tmp_path / "v.npy")
    assert json.loads(first.stdout)["details"] == json.loads(second.stdout)["details"]


def test_the_table_has_every_method_with_notes_and_the_file_the_same_data(write, tmp_path):
    folder = write(qrels_tsv="q1\td1\t1\nq2\td3\t2\nq2\tgone\t1\n", forms_tsv="q1\ttea [brackets\n")
    arguments = (folder, "--methods", "dense,itlr", "--logical-forms", folder / "forms.tsv")
    arguments += ("--measures", "nDCG@1,RR@1,WantedAboveUnwanted")
    lines = invoke(*arguments, "--json", tmp_path / "a.json").stdout.splitlines()
    assert lines[0].split() == ["tiny:", "2", "queries,", "4", "documents"]
    rows = [line.replace("│", " ").split()[:2] for line in lines if "itlr" in line or "dense  " in line]
    assert rows == [["dense", "0.500"], ["itlr", "0.500"]]
    assert "* differs from dense, p < 0.05 (Wilcoxon, Holm)" in lines
    assert "pairwise: share of questions whose best wanted document scores above the best unwanted one" in lines
    assert "1 relevance judgements for unknown documents (left out): q2 gone" in lines
    assert lines[-1].startswith("1 questions were not transformed (the plain question was used), first q1: ")
    data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert data["methods"]["dense"]["nDCG@1"] == 0.5
    for row in data["details"]["queries"]:
        assert {"nDCG@1", "RR@1", "top"} <= set(row["methods"]["itlr"])
