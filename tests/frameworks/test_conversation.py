"""A conversation before the question: a model reads it in the same call; where it only excludes, none is needed."""

import pytest
from vitamin_texts import QUERY, TEXTS

from logical_retriever.errors import InvalidArgumentError

FOLLOW_UP = "and not the bone health?"
STANDALONE = "What does vitamin D do, bone health aside?"
ANSWER = f"Question: {STANDALONE}\nQuery: {QUERY}"
PLAIN = [{"role": "user", "content": "What does vitamin D do?"}]


@pytest.fixture
def store(framework, hashing):
    return framework.store({id: (text, {}) for id, text in TEXTS.items()}, hashing)


@pytest.mark.parametrize("modelled", [True, False])
@pytest.mark.parametrize("own", [True, False])
async def test_a_follow_up_is_read_with_the_conversation(framework, store, ask, own, modelled):
    llm, history = framework.llm(ANSWER), framework.history_of_its_own() if own else PLAIN
    arguments = {"llm": llm} if modelled else {}
    retriever = framework.package.LogicalRetriever(store, **arguments, **{framework.k: 2}, metadata=True)
    answer = await ask(retriever, FOLLOW_UP, history=history)
    assert answer.keys() == {"mood", "immune"}
    query = QUERY if modelled else '"What does vitamin D do" AND NOT "bone health"'
    assert {metadata["logical_query"] for metadata in answer.values()} == {query}
    assert retriever.explain(FOLLOW_UP, history=history).searched == query
    if modelled:
        assert "user: What does vitamin D do?" in llm.asked[0]
        assert ("assistant: It helps the mood" in llm.asked[0]) == own
        assert "helpful bot" not in llm.asked[0]
        assert "tool: " not in llm.asked[0]


async def test_the_model_says_the_question_in_words_that_stand_alone(framework):
    history = framework.history_of_its_own()
    here, there = (framework.package.LogicalQueryTransformer(framework.llm(ANSWER)) for _ in range(2))
    for reading in (
        framework.transform(here, FOLLOW_UP, history=history),
        await framework.atransform(there, FOLLOW_UP, history=history),
    ):
        assert (reading.question, reading.standalone, str(reading.query)) == (FOLLOW_UP, STANDALONE, QUERY)


def test_a_history_that_cannot_be_read_is_refused(framework, store):
    with pytest.raises(InvalidArgumentError, match="history"):
        framework.ask(framework.package.LogicalRetriever(store), FOLLOW_UP, history="What does vitamin D do?")
