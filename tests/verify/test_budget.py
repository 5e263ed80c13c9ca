"""What a verifier may cost, and arguments that are none."""

import pytest
from verifying import QUERY, TEXTS, Recording, over

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import SearchOptions
from logical_retriever.verify import Verification


def test_no_more_documents_are_shown_than_the_budget_says():
    verifier = Recording()
    result = over(verifier, k=12, between=(0.0, 1.0), documents=2).search(QUERY)
    assert sum(map(len, verifier.calls)) == 2
    assert "No more than 2 documents" in result.note


def test_long_passages_are_cut_at_a_sentence_and_that_is_said():
    long = "Green tea and its price are a sentence. " * 3_000
    verifier = Recording()
    texts = [*TEXTS, long]
    result = over(verifier, texts, between=(0.0, 1.0), k=len(texts), documents=99).search(QUERY)
    assert len(long) > 100_000
    (shown,) = {passage for call in verifier.calls for _, passage in call if len(passage) > 100}
    assert len(shown) <= 6_000
    assert shown.endswith("sentence. ")
    assert "Passages were shown up to their first 6,000 characters" in result.note


def test_equal_passages_are_asked_about_once():
    verifier = Recording()
    result = over(verifier, [TEXTS[3]] * 5 + TEXTS, k=8).search(QUERY)
    asked = [pair for call in verifier.calls for pair in call]
    assert asked.count(("price", TEXTS[3])) == 1
    assert not any(document.text == TEXTS[3] for document in result.documents)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"verify": 3}, "has none"),
        ({"verify": Recording}, "has none"),
        ({"verify": "no-such"}, "no verifier 'no-such'"),
    ],
)
def test_what_is_no_verifier_is_refused(settings, said):
    with pytest.raises(InvalidArgumentError, match=said):
        SearchOptions(**settings)


@pytest.mark.parametrize(
    "budget",
    [
        *({"documents": bad} for bad in (0, -1, 1.5, True, "3")),
        *({"milliseconds": bad} for bad in (0, -5, "1", float("nan"))),
        *({"margin": bad} for bad in (-1, 0.5)),
        *({"between": bad} for bad in ((0.9, 0.1), (0.1,), 0.5, (-0.1, 1), (0.1, float("nan")), ("a", "b"))),
    ],
)
def test_a_budget_of_another_kind_is_refused(budget):
    with pytest.raises(InvalidArgumentError):
        Verification(Recording(), **budget)
