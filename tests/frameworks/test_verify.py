"""The frameworks' models as verifiers, and standing exclusions: in the retriever, the last stage and the tool."""

from functools import partial

import pytest
from verifying import judged, pairs_in
from vitamin_texts import TEXTS

from logical_retriever.errors import InvalidArgumentError

# No passage names it, and a bag of words knows no synonyms: without a verifier, every passage stays.
QUESTION = "vitamin D benefits other than skeletons"
OF_BONE_HEALTH = ("skeletons", "vitamin D benefits for bone health")


@pytest.fixture
def store(framework, hashing):
    return framework.store({id: (text, {}) for id, text in TEXTS.items()}, hashing)


@pytest.fixture
def llm(framework):
    return framework.llm(judged)


@pytest.fixture
def make(framework, store):
    """A retriever of three documents."""
    return lambda **settings: framework.package.LogicalRetriever(store, **{framework.k: 3, **settings})


@pytest.fixture
def left(framework, way, store):
    async def left(question=QUESTION, **settings):
        at_once, awaited = framework.last_stage(store, **settings)
        return at_once(question) if way == "sync" else await awaited(question)

    return left


async def test_a_model_itself_is_the_verifier_and_reads_what_would_be_shown(make, llm, ask):
    retriever = make(verify=llm)
    assert "bone" in await ask(retriever, QUESTION, verify=False)
    assert llm.asked == []
    assert "bone" not in await ask(retriever, QUESTION)
    assert OF_BONE_HEALTH in pairs_in(llm.asked[0])
    assert await ask(retriever, "vitamin D benefits") == await ask(make(), "vitamin D benefits")
    assert len(llm.asked) <= 2


async def test_true_is_the_retrievers_own_model(make, llm, ask):
    assert "bone" not in await ask(make(llm=llm, verify=True), '"vitamin D benefits" AND NOT "skeletons"')
    assert OF_BONE_HEALTH in pairs_in(llm.asked[-1]) + pairs_in(llm.asked[0])
    with pytest.raises(InvalidArgumentError, match="verify=True needs a language model"):
        make(verify=True)


async def test_a_call_brings_its_own_verifier_and_exclusions(make, llm, ask):
    retriever = make(always_exclude=["mood"])
    assert not {"bone", "mood", "coffee"} & set(await ask(retriever, QUESTION, verify=llm, always_exclude=["coffee"]))
    assert {term for term, _ in pairs_in(llm.asked[0])} >= {"skeletons"}
    assert "mood" not in await ask(retriever, "vitamin D mood", always_exclude=[])


def test_an_agents_tool_asks_the_verifier(framework, make, llm):
    _, call = framework.tool(make(verify=llm, always_exclude=["mood"]))
    said = call({"all_of": ["vitamin D benefits"], "none_of": ["skeletons"]})
    assert "for immunity" in said
    assert "for bone health" not in said
    assert 'Left out for "mood", which is never shown: 1 passage.' in said


async def test_the_last_stage_verifies_what_others_bring(left, llm):
    assert "bone" in await left()
    assert "bone" not in await left(verify=llm)
    assert OF_BONE_HEALTH in pairs_in(llm.asked[0])


async def test_the_last_stage_never_lets_through_what_is_always_excluded(left):
    for question in ("vitamin D benefits", "vitamin D for mood", QUESTION):
        kept = await left(question, always_exclude=["mood"])
        assert "mood" not in kept
        assert "immune" in kept
    assert await left("mood", always_exclude=["mood"]) == []


@pytest.mark.parametrize("bad", [{"verify": 3}, {"always_exclude": "mood"}])
def test_no_verifier_is_refused(framework, make, store, bad):
    for call in (make, partial(framework.last_stage, store), partial(framework.ask, make(), QUESTION)):
        with pytest.raises(InvalidArgumentError):
            call(**bad)
