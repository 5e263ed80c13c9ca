"""One call gives an application all of an answer; one retriever serves many people at once."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from both_frameworks import LangChain
from langchain_core.messages import AIMessage
from langchain_core.runnables import ConfigurableField
from langchain_core.tools import create_retriever_tool
from vitamin_texts import QUESTION, TEXTS

import langchain_logical_retriever as langchain_side
from logical_retriever.errors import InvalidArgumentError

UNSURE = "no nonsense vitamin D and bones"
PROBLEM = "The reader is not sure whether this excludes something, so the question is searched whole."


@pytest.fixture
def retriever(framework, hashing):
    store = framework.store({id: (text, {}) for id, text in TEXTS.items()}, hashing)
    return framework.package.LogicalRetriever(store, **{framework.k: 5})


@pytest.mark.parametrize("question", [QUESTION, UNSURE, "vitamin D"])
async def test_an_answer_has_the_documents_of_a_search_what_was_left_out_and_the_problem(
    framework, retriever, question
):
    result, awaited = retriever.answer(question), await retriever.aanswer(question)
    assert [one.id for one in result.documents] == [one.id for one in awaited.documents]
    metadata = framework.ask(retriever, question)
    assert list(metadata) == [one.id for one in result.documents]
    natives = [getattr(one.native, "metadata", None) for one in result.documents]
    assert natives == list(metadata.values()) or framework.folder == "llama_index"
    assert bool(result.left_out) == bool(result.note) == (question == QUESTION)
    told = {one.get("logical_problem") for one in metadata.values()}
    assert told == {PROBLEM if question == UNSURE else None}
    assert (result.problem or "").startswith(PROBLEM) == (question == UNSURE)


def test_people_with_exclusions_of_their_own_ask_one_retriever_at_once(framework, retriever):
    wishes = [["bone health"], ["mood"], []] * 20
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda own: set(framework.ask(retriever, "vitamin D", always_exclude=own, **{framework.k: 9})), wishes
            )
        )
    assert answers == answers[:3] * 20
    assert ["bone" in answers[0], "mood" in answers[1], {"bone", "mood"} <= answers[2]] == [False, False, True]


async def test_a_chain_takes_the_exclusions_and_the_filter_of_a_person_from_its_config(hashing):
    store = LangChain().store({id: (text, {"of": id[0]}) for id, text in TEXTS.items()}, hashing)
    own = {name: ConfigurableField(id=name) for name in ("always_exclude", "filter")}
    chain = langchain_side.LogicalRetriever(store, k=9).configurable_fields(**own)
    people = [
        {"always_exclude": ["bone health"]},
        {"always_exclude": ["mood"], "filter": lambda document: document.metadata["of"] != "i"},
    ]
    asked = [chain.ainvoke("vitamin D", {"configurable": person}) for person in people * 10]
    answers = [{document.id for document in documents} for documents in await asyncio.gather(*asked)]
    assert answers == answers[:2] * 10
    assert "bone" not in answers[0]
    assert not {"mood", "immune"} & answers[1]
    assert {"immune", "mood"} <= answers[0]


@pytest.mark.parametrize(
    "history",
    [
        ["vitamin D"],
        [("human", "vitamin D"), ("ai", "It helps.")],
        [("user", "vitamin D")],
        [AIMessage("Hello."), "vitamin D"],
    ],
)
def test_a_conversation_may_have_any_shape_that_langchain_takes(hashing, history):
    store = LangChain().store({id: (text, {}) for id, text in TEXTS.items()}, hashing)
    result = langchain_side.LogicalRetriever(store).answer("but not the bone health please", history=history)
    assert result.searched == '"vitamin D" AND NOT "bone health"'


def test_two_names_of_one_threshold_may_not_differ(hashing):
    store = LangChain().store({id: (text, {}) for id, text in TEXTS.items()}, hashing)
    retriever = langchain_side.LogicalRetriever(store)
    assert retriever.invoke("vitamin D", min_relevance=0.0, score_threshold=0.0)
    with pytest.raises(InvalidArgumentError, match=r"min_relevance is 0\.1 and score_threshold is 0\.2"):
        retriever.invoke("vitamin D", min_relevance=0.1, score_threshold=0.2)


def test_langchains_own_tool_brings_the_problem_with_the_documents(hashing):
    store = LangChain().store({id: (text, {}) for id, text in TEXTS.items()}, hashing)
    tool = create_retriever_tool(
        langchain_side.LogicalRetriever(store), "search", "Search.", response_format="content_and_artifact"
    )
    message = tool.invoke({"type": "tool_call", "id": "1", "name": "search", "args": {"query": UNSURE}})
    assert {document.metadata["logical_problem"] for document in message.artifact} == {PROBLEM}
