"""Runs are nested and named, and the logical query is an event."""

import json

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers import BaseTracer
from vitamin_texts import QUERY, QUESTION

from langchain_logical_retriever import LogicalQueryTransformer, LogicalRetriever


class Recorder(BaseCallbackHandler):
    """Starts and custom events, with names, parents and tags."""

    def __init__(self):
        self.runs, self.events, self.errors = {}, [], []

    def _start(self, serialized, input, *, run_id, parent_run_id=None, tags=None, metadata=None, name=None, **kwargs):
        # A chat model's name comes with its serialised form.
        self.runs[run_id] = (name or serialized["name"], parent_run_id, tags or [], metadata or {})

    on_chain_start = on_chat_model_start = on_retriever_start = _start

    def on_custom_event(self, name, data, *, run_id, tags=None, metadata=None, **kwargs):
        self.events.append((name, data, run_id))

    def on_chain_error(self, error, *, run_id, **kwargs):
        self.errors.append((self.runs[run_id][0], error))

    on_retriever_error = on_chain_error

    def path(self, name):
        """Names from the root down to the run of that name."""
        run_id = next(id for id, run in self.runs.items() if run[0] == name)
        names = []
        while run_id is not None:
            names.insert(0, self.runs[run_id][0])
            run_id = self.runs[run_id][1]
        return names


NESTED = ["LogicalRetriever", "LogicalQueryTransformer", "ScriptedModel"]


async def test_runs_are_nested_and_named(in_memory, model, ask):
    transformer = LogicalQueryTransformer(llm=model(QUERY), cache=0)
    retriever, recorder = LogicalRetriever.from_vectorstore(in_memory, transformer=transformer), Recorder()
    config = {"callbacks": [recorder], "tags": ["mine"], "metadata": {"user": 7}}
    await ask(retriever, QUESTION, config)
    assert recorder.path("ScriptedModel") == NESTED
    for _, _, tags, metadata in recorder.runs.values():
        assert tags.count("mine") == 1
        assert metadata["user"] == 7
    [(name, data, run_id)] = recorder.events
    assert name == "logical_query"
    assert recorder.runs[run_id][0] == "LogicalRetriever"
    assert data == {
        "question": QUESTION,
        "logical_query": QUERY,
        "method": "llm",
        "problem": None,
        "confidence": None,
        "standalone": None,
        "searched": QUERY,
    }
    assert json.loads(json.dumps(data)) == data
    recorder = Recorder()
    retriever.explain(QUESTION, config={"callbacks": [recorder]})
    assert recorder.path("ScriptedModel") == NESTED[1:]


class Tracer(BaseTracer):
    """Runs as traces keep them, when they have ended."""

    def _persist_run(self, run):
        self.root = run


async def test_the_metadata_of_the_run_say_what_was_read(in_memory, ask):
    retriever, tracer, mine = LogicalRetriever.from_vectorstore(in_memory), Tracer(), {"user": 7}
    config = {"callbacks": [tracer], "metadata": mine}
    await ask(retriever, QUESTION, config)
    said = tracer.root.extra["metadata"]["logical_search"]
    assert said["scored"] == 6
    assert said["completeness"] == "exact: every document was scored"
    assert json.loads(json.dumps(said)) == said
    assert mine == {"user": 7}
    assert all("logical_search" not in child.extra["metadata"] for child in tracer.root.child_runs)
    assert "logical_problem" not in tracer.root.extra["metadata"]


@pytest.mark.parametrize("question", [QUESTION, "vitamin D", '"vitamin D" AND [theme = "vitamin"]'])
async def test_the_event_says_what_is_searched_with_what_is_always_excluded(in_memory, ask, question):
    retriever, recorder = LogicalRetriever(in_memory, metadata=True), Recorder()
    found = await ask(retriever, question, {"callbacks": [recorder]}, always_exclude=["coffee"])
    [(_, said, _)] = recorder.events
    assert said["searched"].endswith('AND NOT "coffee"')
    assert {document.metadata["logical_query"] for document in found} == {said["searched"]}


async def test_a_not_that_was_not_understood_is_in_the_run_and_the_event(in_memory, ask):
    retriever, tracer, recorder = LogicalRetriever(in_memory), Tracer(), Recorder()
    config = {"callbacks": [tracer, recorder]}
    await ask(retriever, "no spoilers please: what is Dune about", config)
    problem = tracer.root.extra["metadata"]["logical_problem"]
    assert "not sure whether this excludes something" in problem
    assert recorder.events[0][1]["problem"] == problem


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_questions_of_a_batch_have_runs_of_their_own_and_one_fails_alone(in_memory, asynchronous):
    retriever = LogicalRetriever.from_vectorstore(in_memory, k=2)
    asked, recorder = [QUESTION, " ", "coffee"], Recorder()
    tracers = [Tracer() for _ in asked]
    configs = [{"callbacks": [recorder, tracer], "metadata": {"user": i}} for i, tracer in enumerate(tracers)]
    if asynchronous:
        found = await retriever.abatch(asked, configs, return_exceptions=True)
    else:
        found = retriever.batch(asked, configs, return_exceptions=True)
    assert [found[0], found[2]] == [retriever.invoke(QUESTION), retriever.invoke("coffee")]
    assert isinstance(found[1], ValueError)
    assert recorder.path("QuestionReader") == ["LogicalRetriever", "QuestionReader"]
    assert [recorder.runs[run_id][0] for _, _, run_id in recorder.events] == ["LogicalRetriever"] * 2
    assert [error for _, error in recorder.errors] == [found[1]]
    for i, tracer in enumerate(tracers):
        assert tracer.root.extra["metadata"]["user"] == i
        assert (tracer.root.error is not None) == (i == 1)
        assert ("logical_search" in tracer.root.extra["metadata"]) == (i != 1)
    with pytest.raises(ValueError, match="empty"):
        await retriever.abatch(asked) if asynchronous else retriever.batch(asked)
