"""What the instrumentation dispatcher and the callbacks see."""

import pytest
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler

from llama_index.retrievers.logical import (
    LogicalQueryEvent,
    LogicalQueryTransformer,
    LogicalRerank,
    LogicalRetriever,
    LogicalSearchEvent,
)

QUESTION = "vitamin D, excluding bone health"


@pytest.fixture
def seen():
    """Events as they come, without those of the embedding model."""

    class Collecting(BaseEventHandler):
        @classmethod
        def class_name(cls):
            return "Collecting"

        def handle(self, event, **kwargs):
            if not event.class_name().startswith(("Embedding", "LLM")):
                events.append(event)

    events = []
    root = get_dispatcher()
    handler = Collecting()
    root.add_event_handler(handler)
    yield events
    root.event_handlers.remove(handler)


def kinds(events):
    return [event.class_name() for event in events]


async def test_the_query_is_told_between_start_and_end(simple_index, seen):
    retriever = LogicalRetriever.from_index(simple_index)
    wanted = ["RetrievalStartEvent", "LogicalQueryEvent", "LogicalSearchEvent", "RetrievalEndEvent"]
    retriever.retrieve(QUESTION)
    assert kinds(seen) == wanted
    seen.clear()
    await retriever.aretrieve(QUESTION)
    assert kinds(seen) == wanted
    event = seen[1]
    assert event.question == QUESTION
    assert event.logical_query == event.searched == '"vitamin D" AND NOT "bone health"'
    assert (event.method, event.problem) == ("tagger", None)
    assert event.span_id is not None
    assert event.json_form
    assert LogicalQueryEvent.model_validate_json(event.model_dump_json()).logical_query == event.logical_query
    done = seen[2]
    assert [*done.milliseconds][:3] == ["read", "encode", "background"]
    assert (done.scored, done.completeness) == (6, "exact: every document was scored")
    assert LogicalSearchEvent.model_validate_json(done.model_dump_json()).milliseconds == done.milliseconds


def test_a_question_without_logic_says_what_is_searched(simple_index, scripted, seen):
    LogicalRetriever.from_index(simple_index, transformer=LogicalQueryTransformer(scripted('"sleep"'))).retrieve(
        "What of sleep?"
    )
    assert seen[1].searched == '"What of sleep?"'


async def test_the_reranker_tells_it_too(simple_index, embedding, seen):
    nodes = simple_index.as_retriever(similarity_top_k=6).retrieve(QUESTION)
    rerank = LogicalRerank(embedding, top_n=2)
    for _ in range(2):
        seen.clear()
        if _ == 0:
            rerank.postprocess_nodes(nodes, query_str=QUESTION)
        else:
            await rerank.apostprocess_nodes(nodes, query_str=QUESTION)
        assert kinds(seen) == ["ReRankStartEvent", "LogicalQueryEvent", "ReRankEndEvent"]
        assert (seen[0].top_n, len(seen[0].nodes), len(seen[2].nodes)) == (2, 6, 2)


def test_the_callback_manager_of_the_index_is_told(nodes, embedding):
    from llama_index.core import VectorStoreIndex

    debug = LlamaDebugHandler(print_trace_on_end=False)
    index = VectorStoreIndex(nodes, embed_model=embedding, callback_manager=CallbackManager([debug]))
    LogicalRetriever.from_index(index).retrieve(QUESTION)
    [(start, end)] = debug.get_event_pairs(CBEventType.RETRIEVE)
    assert start.payload["query_str"] == QUESTION
    assert len(end.payload["nodes"]) == 4
