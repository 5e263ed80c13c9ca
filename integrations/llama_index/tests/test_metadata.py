"""Nodes carry what they carried before: prompts stay as they were, and a NOT that was not understood is no secret."""

import pytest
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

from llama_index.retrievers.logical import LogicalPostprocessor, LogicalQueryEvent, LogicalRetriever

QUESTION = "vitamin D, excluding bone health"
UNREAD = '"vitamin D" AND ('
"""Looks like typed logic and is none, so that it is searched whole."""


@pytest.fixture
def seen():
    """Events as they come, without those of the models."""

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


async def test_the_last_stage_says_a_problem_in_copies_of_the_nodes(simple_index):
    postprocessor, plain = LogicalPostprocessor(simple_index), simple_index.as_retriever().retrieve(QUESTION)
    kept = postprocessor.postprocess_nodes(plain, query_str=UNREAD)
    for nodes in (kept, await postprocessor.apostprocess_nodes(plain, query_str=UNREAD)):
        assert all(node.metadata["logical_problem"] == "It looks like typed logic and is none." for node in nodes)
    assert "logical_problem" not in plain[0].metadata


@pytest.mark.parametrize("metadata", [False, True])
@pytest.mark.parametrize("question", [QUESTION, UNREAD])
@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "simple_summarize"])
def test_a_synthesizers_prompt_is_that_of_as_retriever(simple_index, scripted, metadata, question, mode):
    retriever = LogicalRetriever.from_index(simple_index, metadata=metadata)
    plain, logical = scripted(*["So."] * 9), scripted(*["So."] * 9)
    of_index = simple_index.docstore.get_node
    nodes = [NodeWithScore(node=of_index(one.node_id), score=one.score) for one in retriever.retrieve(question)]
    get_response_synthesizer(llm=plain, response_mode=mode).synthesize(question, nodes)
    synthesizer = get_response_synthesizer(llm=logical, response_mode=mode)
    RetrieverQueryEngine(retriever, response_synthesizer=synthesizer).query(question)
    assert logical.asked == plain.asked
    assert sum(map(len, logical.asked)) > 100
    assert "topic: " in logical.asked[0]


def test_texts_for_embedding_ids_and_hashes_are_as_they_were(simple_index):
    for question in (QUESTION, UNREAD):
        for node in LogicalRetriever.from_index(simple_index, metadata=True).retrieve(question):
            assert "logical" not in node.node.get_content(MetadataMode.EMBED)
            assert node.metadata["logical_relevance"] == node.score
    for node in LogicalRetriever.from_index(simple_index).retrieve(QUESTION):
        assert node.node.hash == simple_index.docstore.get_node(node.node_id).hash
        assert isinstance(node.node, TextNode)


def test_nodes_that_have_our_keys_already(embedding):
    own = {"logical_problem": "of an earlier question", "logical_score": "mine"}
    retriever = LogicalRetriever.from_documents([Document(text="tea", metadata=own)], embedding)
    [node] = retriever.retrieve("tea")
    assert node.metadata == {"logical_score": "mine"}
    assert "logical_score: mine" in node.node.get_content(MetadataMode.LLM)
    [node] = LogicalRetriever.from_index(retriever._index, metadata=True).retrieve("tea")
    assert isinstance(node.metadata["logical_score"], float)


async def test_the_event_comes_between_start_and_end(simple_index, seen):
    retriever = LogicalRetriever.from_index(simple_index)
    for question in (QUESTION, UNREAD):
        for ask in (retriever.retrieve, retriever.aretrieve):
            seen.clear()
            answer = ask(question)
            if not isinstance(answer, list):
                await answer
            kinds = [event.class_name() for event in seen]
            assert kinds == ["RetrievalStartEvent", "LogicalQueryEvent", "RetrievalEndEvent"]
            event, made = seen[1], retriever.transformer.transform(question)
            assert (event.question, event.problem, event.method) == (question, made.problem, made.method)
            assert event.logical_query == str(made.query)
            assert event.span_id is not None
            assert LogicalQueryEvent.model_validate_json(event.model_dump_json()) == event


async def test_the_postprocessor_dispatches_it_too(simple_index, seen):
    nodes, postprocessor = simple_index.as_retriever().retrieve(QUESTION), LogicalPostprocessor(simple_index)
    seen.clear()
    postprocessor.postprocess_nodes(nodes, query_str=QUESTION)
    await postprocessor.apostprocess_nodes(nodes, query_str=UNREAD)
    assert [event.problem is None for event in seen] == [True, False]


def test_the_callback_manager_of_the_index_is_told(nodes, embedding):
    debug = LlamaDebugHandler(print_trace_on_end=False)
    index = VectorStoreIndex(nodes, embed_model=embedding, callback_manager=CallbackManager([debug]))
    LogicalRetriever.from_index(index).retrieve(QUESTION)
    [(start, end)] = debug.get_event_pairs(CBEventType.RETRIEVE)
    assert start.payload["query_str"] == QUESTION
    assert end.payload["nodes"]
