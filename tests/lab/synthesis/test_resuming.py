"""An interrupted run continues: nothing is asked twice, and the set is that of a run without interruption."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.loading import load_dataset
from logical_retriever.lab.synthesis import Stop, synthesize_templates, synthesize_typed

PIPELINES = {
    "itlr": (synthesize_templates, {"queries": 6, "pool_size": 6}),
    "written": (synthesize_templates, {"queries": 6, "documents": "written"}),
    "comlq": (synthesize_typed, {"queries": 14}),
}

KILLED = """
import os, runpy, signal, sys
conftest, output, name, after = sys.argv[1:]
world = runpy.run_path(conftest)
tests = runpy.run_path(os.path.join(os.path.dirname(conftest), "test_resuming.py"))

def spoil(call, kind):
    if call == int(after):
        os.kill(os.getpid(), signal.SIGKILL)

function, arguments = tests["PIPELINES"][name]
function(world["world_corpus"](), world["WorldModel"](spoil), output=output, max_calls=1000, **arguments)
"""


def made(folder):
    names = ("corpus.jsonl", "queries.jsonl", "qrels.tsv", "logical_forms.tsv", "violations.tsv")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL on this system")
@pytest.mark.parametrize("name", PIPELINES)
def test_a_killed_run_continues_where_it_was(tmp_path, corpus, world_model, name):
    function, arguments = PIPELINES[name]
    whole = world_model()
    full = function(corpus, whole, output=tmp_path / "whole", max_calls=1000, **arguments)
    after = len(whole.calls) // 2
    conftest = str(Path(__file__).with_name("conftest.py"))
    command = [sys.executable, "-c", KILLED, conftest, str(tmp_path / "killed"), name, str(after)]
    ended = subprocess.run(command, capture_output=True, timeout=120, check=False, env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert not (tmp_path / "killed" / "queries.jsonl").exists()

    again = world_model()
    result = function(corpus, again, output=tmp_path / "killed", max_calls=1000, **arguments)
    assert len(again.calls) == result.calls == len(whole.calls) - after
    assert result.reused == after
    assert made(tmp_path / "killed") == made(tmp_path / "whole")
    assert (result.invalid, result.dropped, result.candidates) == (full.invalid, full.dropped, full.candidates)


@pytest.mark.parametrize("name", PIPELINES)
def test_the_bound_on_calls_stops_keeps_a_readable_part_and_continues(tmp_path, corpus, world_model, name):
    function, arguments = PIPELINES[name]
    whole = world_model()
    function(corpus, whole, output=tmp_path / "whole", max_calls=1000, **arguments)
    wanted = arguments["queries"]
    asked, sizes, result = 0, [], None
    while result is None or result.stop is Stop.CALL_LIMIT:
        model = world_model()
        result = function(corpus, model, output=tmp_path / "parts", max_calls=9, workers=3, **arguments)
        assert len(model.calls) == result.calls <= 9
        asked += result.calls
        sizes.append(result.queries)
        if result.queries:
            dataset = load_dataset(tmp_path / "parts")
            assert len(dataset.questions) == result.queries
            assert not dataset.problems
        stopped = "Stopped at the limit" in str(result)
        assert stopped == (result.stop is Stop.CALL_LIMIT)
        assert json.loads((tmp_path / "parts" / "synthesis.json").read_text())["stop"] == result.stop.value
    assert len(sizes) > 1
    assert sizes == sorted(sizes)
    assert sizes[-1] <= wanted
    assert asked == len(whole.calls)
    assert made(tmp_path / "parts") == made(tmp_path / "whole")


def test_no_calls_allowed_is_zero_calls(tmp_path, corpus, world_model):
    model = world_model()
    result = synthesize_typed(corpus, model, output=tmp_path, queries=2, max_calls=0)
    assert (result.stop, result.calls, result.queries, model.calls) == (Stop.CALL_LIMIT, 0, 0, [])


def test_more_queries_continue_a_finished_set(tmp_path, corpus, world_model):
    first = synthesize_typed(corpus, world_model(), output=tmp_path, queries=5, max_calls=100)
    before = (tmp_path / "queries.jsonl").read_text()
    second = synthesize_typed(corpus, world_model(), output=tmp_path, queries=9, max_calls=100)
    assert second.reused == first.calls
    assert (tmp_path / "queries.jsonl").read_text().startswith(before)
    assert second.queries == 9


def test_another_model_is_asked_anew(tmp_path, corpus, world_model):
    first = synthesize_typed(corpus, world_model(), output=tmp_path, queries=3, max_calls=100, model="a:1")
    second = synthesize_typed(corpus, world_model(), output=tmp_path, queries=3, max_calls=100, model="a:2")
    assert (second.calls, second.reused) == (first.calls, 0)


def test_a_run_of_other_settings_is_not_mixed_in(tmp_path, corpus, world_model):
    synthesize_typed(corpus, world_model(), output=tmp_path, queries=1, max_calls=100)
    before = made(tmp_path)
    for other in ({"seed": 1}, {"types": ["1p"]}):
        with pytest.raises(InvalidArgumentError, match="another run"):
            synthesize_typed(corpus, world_model(), output=tmp_path, queries=1, **other)
    with pytest.raises(InvalidArgumentError, match="corpus was"):
        synthesize_typed(corpus[1:], world_model(), output=tmp_path, queries=1)
    with pytest.raises(InvalidArgumentError, match="pipeline was 'comlq', now 'itlr'"):
        synthesize_templates(corpus, world_model(), output=tmp_path, queries=1)
    assert made(tmp_path) == before
