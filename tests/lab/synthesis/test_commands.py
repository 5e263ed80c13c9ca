import json

import pytest
import typer
from typer.testing import CliRunner

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.evaluation.loading import load_dataset
from logical_retriever.lab.synthesis.commands import synthesize


@pytest.fixture
def run(monkeypatch, tmp_path, corpus, world_model):
    """The command over the world, with its model under the name world:model."""

    def chat_model_from_name(name):
        if name != "world:model":
            raise InvalidArgumentError(f"There is no model {name!r}.", hint="Use world:model.")
        return world_model()

    monkeypatch.setattr("logical_retriever.transform.chat_models.chat_model_from_name", chat_model_from_name)
    records = ({"_id": d.id, "title": d.title, "text": d.text} for d in corpus)
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    app = typer.Typer()
    app.command()(synthesize)

    def invoke(*arguments, llm="world:model"):
        output = ["--output", str(tmp_path / "set"), "--llm", llm]
        return CliRunner().invoke(app, [*arguments, *output])

    return invoke


def test_a_folder_and_the_itlr_pipeline(run, tmp_path):
    result = run(str(tmp_path), "--queries", "4", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert " of 4 queries, 24 documents" in result.stdout
    assert len(load_dataset(tmp_path / "set").questions) > 0


def test_a_file_and_the_comlq_pipeline(run, tmp_path):
    result = run(str(tmp_path / "corpus.jsonl"), "--pipeline", "comlq", "--queries", "14", "--workers", "3")
    assert result.exit_code == 0, result.output
    assert len({question.type for question in load_dataset(tmp_path / "set").questions}) == 14
    assert json.loads((tmp_path / "set" / "synthesis.json").read_text())["model"] == "world:model"


def test_written_documents(run, tmp_path):
    result = run(str(tmp_path), "--documents", "written", "--queries", "2")
    assert result.exit_code == 0, result.output
    assert all(question.candidates for question in load_dataset(tmp_path / "set").questions)


def test_the_bound_on_calls_has_its_own_exit_status(run, tmp_path):
    arguments = (str(tmp_path), "--pipeline", "comlq", "--queries", "3", "--max-calls", "2")
    first = run(*arguments)
    assert first.exit_code == 3
    assert "run the same command again to continue" in first.stdout
    assert run(*arguments).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "llm", "status"),
    [
        ([".", "--queries", "0"], "world:model", 2),
        ([".", "--pipeline", "other"], "world:model", 2),
        ([".", "--pipeline", "comlq", "--documents", "written"], "world:model", 2),
    ],
)
def test_mistakes(run, arguments, llm, status):
    result = run(*arguments, llm=llm)
    assert result.exit_code == status
    assert result.stderr


@pytest.mark.parametrize(
    ("path", "llm", "error"),
    [("nowhere.jsonl", "world:model", CorpusError), (".", "nobody:none", InvalidArgumentError)],
)
def test_errors_reach_the_group_of_commands(run, path, llm, error):
    assert isinstance(run(path, llm=llm).exception, error)


def test_a_run_without_a_query_is_an_error(run, tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d", "text": "tax law alone"}\n')
    result = run(str(tmp_path), "--queries", "1")
    assert result.exit_code == 2
    assert "Dropped queries: 3 (too_few_topics 3)" in result.stdout
