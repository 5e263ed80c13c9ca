"""The group of commands, with the language model and the encoder replaced by small ones."""

import json

import pytest
from typer.testing import CliRunner

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.evaluation import load_dataset
from logical_retriever.lab import commands
from logical_retriever.lab.calibrate import Logistic
from logical_retriever.testing import HashingEmbedder

PAIRS = [
    {"term": "green tea", "text": "green tea and its health effects", "label": 1},
    {"term": "green tea", "text": "a history of jazz", "label": 0},
    {"term": "black coffee", "text": "black coffee in the morning", "label": 1},
    {"term": "black coffee", "text": "green fields of wheat", "label": 0},
]


@pytest.fixture
def run(monkeypatch, corpus, world_model, tmp_path):
    """The commands over the world of the synthesis, whose model has the name world:model."""

    def chat_model_from_name(name):
        if name != "world:model":
            raise InvalidArgumentError(f"There is no model {name!r}.", hint="Use world:model.")
        return world_model()

    monkeypatch.setattr(commands, "chat_model_from_name", chat_model_from_name)
    monkeypatch.setattr(commands, "SentenceTransformerEmbedder", lambda model: HashingEmbedder(384))
    records = ({"_id": d.id, "title": d.title, "text": d.text} for d in corpus)
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return lambda *arguments: CliRunner().invoke(commands.app, [str(argument) for argument in arguments])


def test_both_pipelines_make_sets_that_the_evaluation_reads(run, tmp_path):
    common = ("--llm", "world:model", "--queries", "14")
    itlr = run("synthesize", "itlr", tmp_path, "--output", tmp_path / "a", "--seed", "3", *common)
    assert itlr.exit_code == 0, itlr.output
    assert " of 14 queries, 24 documents" in itlr.stdout
    comlq = run("synthesize", "comlq", tmp_path / "corpus.jsonl", "--output", tmp_path / "b", "--workers", "3", *common)
    assert comlq.exit_code == 0, comlq.output
    assert len({question.type for question in load_dataset(tmp_path / "b").questions}) == 14
    written = run("synthesize", "itlr", tmp_path, "--output", tmp_path / "c", "--documents", "written", *common)
    assert written.exit_code == 0, written.output
    assert all(question.candidates for question in load_dataset(tmp_path / "c").questions)


def test_exit_statuses_of_a_synthesis(run, tmp_path):
    common = ("--output", tmp_path / "set", "--llm", "world:model")
    assert run("synthesize", "comlq", tmp_path, "--queries", "3", "--max-calls", "2", *common).exit_code == 3
    for arguments in (("itlr", tmp_path, "--queries", "0"), ("other", tmp_path)):
        assert run("synthesize", *arguments, *common).exit_code == 2
    assert run("synthesize", "comlq", tmp_path, "--documents", "written", *common).exit_code == 2
    assert isinstance(run("synthesize", "itlr", tmp_path / "none", *common).exception, CorpusError)
    common = ("--output", tmp_path / "other", "--llm", "nobody:none")
    assert isinstance(run("synthesize", "itlr", tmp_path, *common).exception, InvalidArgumentError)
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "tax law alone"}\n')
    nothing = run("synthesize", "itlr", tmp_path, "--queries", "1", "--output", tmp_path / "x", "--llm", "world:model")
    assert nothing.exit_code == 2
    assert "Dropped queries: 3 (too_few_topics 3)" in nothing.stdout


def test_a_curve_is_fitted(run, tmp_path):
    pairs, curve = tmp_path / "pairs.jsonl", tmp_path / "curve.json"
    pairs.write_text("".join(f"{json.dumps(pair)}\n" for pair in PAIRS))
    fitted = run("calibrate", pairs, "--output", curve)
    assert fitted.exit_code == 0, fitted.output
    assert "4 pairs, 2 about their term" in fitted.stdout
    assert "100.0% on the right side" in fitted.stdout
    assert 0 < Logistic.load(curve).tau < 1


@pytest.mark.parametrize(
    ("name", "rows", "shown"),
    [("ablation", 6, "x * y"), ("optimisation", 11, "nsfl, hybrid")],
)
def test_tables_of_the_papers(run, tmp_path, name, rows, shown):
    result = run("experiment", name, "--limit", "4", "--json", tmp_path / "rows.json")
    assert result.exit_code == 0, result.output
    assert len(json.loads((tmp_path / "rows.json").read_text())) == rows
    assert shown in result.stdout
    assert "paper" in result.stdout
