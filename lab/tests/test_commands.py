"""``python -m lab``, with the language model and the encoder replaced by small ones."""

import json
import subprocess
import sys

import pytest

from lab import __main__ as command
from lab.papers import EXPERIMENTS
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import load_dataset
from logical_retriever.testing import HashingEmbedder

PAIRS = [
    {"term": "green tea", "text": "green tea and its health effects", "label": 1},
    {"term": "green tea", "text": "a history of jazz", "label": 0},
    {"term": "black coffee", "text": "black coffee in the morning", "label": 1},
    {"term": "black coffee", "text": "green fields of wheat", "label": 0},
]


@pytest.fixture
def run(monkeypatch, capsys, corpus, world_model, tmp_path):
    """A command over the world of the synthesis, whose model has the name world:model: exit status and outputs."""

    def chat_model_from_name(name):
        if name != "world:model":
            raise InvalidArgumentError(f"There is no model {name!r}.", hint="Use world:model.")
        return world_model()

    monkeypatch.setattr(command, "chat_model_from_name", chat_model_from_name)
    monkeypatch.setattr(command, "SentenceTransformerEmbedder", lambda model: HashingEmbedder(384))
    lines = [json.dumps({"_id": one.id, "title": one.title, "text": one.text}) for one in corpus]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))

    def run(*arguments):
        try:
            status = command.main(list(map(str, arguments)))
        except SystemExit as ended:
            status = ended.code
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


def test_an_unknown_name_lists_the_known_ones():
    ended = subprocess.run([sys.executable, "-m", "lab", "nonsense"], capture_output=True, text=True)
    assert ended.returncode == 2
    assert all(name in ended.stderr for name in (*EXPERIMENTS, "synthesize", "calibrate"))


def test_both_pipelines_make_sets_that_the_evaluation_reads(run, tmp_path):
    common = ("--llm", "world:model", "--queries", "14")
    status, out, _ = run("synthesize", "itlr", tmp_path, "--output", tmp_path / "a", "--seed", "3", *common)
    assert status == 0
    assert " of 14 queries, 24 documents" in out
    comlq = ("synthesize", "comlq", tmp_path / "corpus.jsonl", "--output", tmp_path / "b", "--workers", "3")
    assert run(*comlq, *common)[0] == 0
    assert len({question.type for question in load_dataset(tmp_path / "b").questions}) == 14
    assert run("synthesize", "itlr", tmp_path, "--output", tmp_path / "c", "--written", *common)[0] == 0
    assert all(question.candidates for question in load_dataset(tmp_path / "c").questions)


def test_exit_statuses_of_a_synthesis(run, tmp_path):
    common = ("--output", tmp_path / "set", "--llm", "world:model")
    assert run("synthesize", "comlq", tmp_path, "--queries", "3", "--max-calls", "2", *common)[0] == 3
    for arguments in (("itlr", tmp_path, "--queries", "0"), ("other", tmp_path)):
        assert run("synthesize", *arguments, *common)[0] == 2
    assert "for itlr alone" in run("synthesize", "comlq", tmp_path, "--written", *common)[2]
    status, _, err = run("synthesize", "itlr", tmp_path / "none", *common)
    assert (status, "none" in err) == (2, True)
    status, _, err = run("synthesize", "itlr", tmp_path, "--output", tmp_path / "other", "--llm", "nobody:none")
    assert (status, "no model 'nobody:none'" in err) == (2, True)
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "tax law alone"}\n')
    more = ("--queries", "1", "--output", tmp_path / "x", "--llm", "world:model")
    status, out, _ = run("synthesize", "itlr", tmp_path, *more)
    assert (status, "Dropped queries: 3 (too_few_topics 3)" in out) == (2, True)


def test_a_curve_is_fitted(run, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text("".join(f"{json.dumps(pair)}\n" for pair in PAIRS))
    status, out, _ = run("calibrate", pairs)
    assert status == 0
    found = json.loads(out)
    assert (found["pairs"], found["right"]) == (4, 1.0)
    assert 0 < found["tau"] < 1
    assert run("calibrate", tmp_path / "none.jsonl")[0] == 2


@pytest.mark.parametrize(("name", "shown"), [("itlr", "itlr, 0"), ("operators", "AND x * y, OR x + y, NOT 1/x")])
def test_tables_of_the_papers(run, tmp_path, name, shown):
    status, out, _ = run(name, "--limit", "40", "--json", tmp_path / "rows.json")
    assert status == 0
    rows = {row["method"]: row for row in json.loads((tmp_path / "rows.json").read_text())}
    assert rows[shown]["paper"] == {"itlr": 0.99, "operators": 0.9}[name]
    assert shown in out


def test_a_missing_set_is_named(run, monkeypatch, tmp_path):
    monkeypatch.delenv("LOGICAL_RETRIEVER_DATA", raising=False)
    assert "LOGICAL_RETRIEVER_DATA is not set" in run("deo")[2]
    monkeypatch.setenv("LOGICAL_RETRIEVER_DATA", str(tmp_path))
    status, _, err = run("deo")
    assert (status, "negconstraint/corpus.jsonl: cannot be read" in err) == (2, True)
