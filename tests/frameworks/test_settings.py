"""Settings that are wrong, or that there are not, are refused alike, on a retriever and for a call."""

from functools import partial

import pytest
from vitamin_texts import QUERY, QUESTION

from logical_retriever.errors import InvalidArgumentError

TEXTS = {"mood": ("vitamin D benefits for mood", {}), "tea": ("green tea and brewing water", {})}


@pytest.fixture
def store(framework, hashing):
    return framework.store(TEXTS, hashing)


def ways(framework, retriever, settings):
    """A call of each kind, with the settings."""
    return [
        partial(framework.ask, retriever, QUESTION, **settings),
        partial(retriever.search, QUERY, **settings),
        partial(retriever.explain, QUESTION, **settings),
    ]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        *[(name, value, "must be") for name in ("k", "fetch_k") for value in (0, -1, True, 1.5, "3")],
        *[("min_relevance", value, "must be a number from 0 to 1") for value in ("0.5", 2, float("nan"), True)],
        *[("words", value, "must be") for value in (2, -1)],
        ("exclusion", "none", "A search has no exclusion"),
        ("semantics", "produkt", "no semantics 'produkt'"),
    ],
)
async def test_a_wrong_setting_is_refused_before_a_model_is_paid(framework, store, name, value, said):
    settings = {framework.k if name == "k" else name: value}
    llm = framework.llm(QUERY)
    with pytest.raises(InvalidArgumentError, match=said) as caught:
        framework.package.LogicalRetriever(store, **settings)
    assert caught.value.hint
    asks = framework.package.LogicalRetriever(store, transformer=framework.package.LogicalQueryTransformer(llm))
    for use in ways(framework, asks, settings):
        with pytest.raises(InvalidArgumentError, match=said):
            use()
    with pytest.raises(InvalidArgumentError, match=said):
        await framework.aask(asks, QUESTION, **settings)
    assert llm.asked == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *[(name, "k") for name in ("top_k", "limit", "n_results")],
        *[(name, "exclusion") for name in ("drop_excluded", "exlusion")],
        ("minrelevance", "min_relevance"),
        ("temperature", None),
    ],
)
async def test_an_unknown_setting_is_an_error_that_names_all_and_guesses(framework, store, name, meant):
    retriever = framework.package.LogicalRetriever(store)
    meant = framework.k if meant == "k" else meant
    for use in (
        partial(framework.package.LogicalRetriever, store, **{name: 1}),
        *ways(framework, retriever, {name: 1}),
    ):
        with pytest.raises(InvalidArgumentError, match=f"'{name}'") as caught:
            use()
        assert "min_relevance, " in caught.value.hint
        assert ("Did you mean" in caught.value.hint) == (meant is not None)
        assert meant is None or f"Did you mean {meant!r}?" in caught.value.hint
    with pytest.raises(InvalidArgumentError, match=f"'{name}'"):
        await framework.aask(retriever, QUESTION, **{name: 1})
