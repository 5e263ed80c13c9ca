"""A verifier in a search: who is asked about what, and what its answers change."""

import asyncio
import copy
import threading

import numpy as np
import pytest
from verifying import QUERY, TEXTS, Answering, Recording, ids, is_about_money, of_money, over

from logical_retriever.results import Verdict
from logical_retriever.search.second_look import log_odds, share_after, weight_within
from logical_retriever.semantics import SEMANTICS
from logical_retriever.verify import FunctionVerifier, Verification


def test_only_documents_in_doubt_are_asked_about_and_in_one_call():
    verifier = Recording()
    plain, result = over().search(QUERY), over(verifier).search(QUERY)
    assert len(verifier.calls) == 1
    assert verifier.calls[0] == [("price", TEXTS[3])]
    assert of_money(plain) == set() or of_money(plain) == {3}
    assert of_money(result) == set()
    assert (result.second_opinion.calls, result.second_opinion.documents) == (1, 1)


@pytest.mark.parametrize("query", ['"green tea"', '"green tea" OR "price"', '"green tea" AND "price"'])
def test_a_question_without_exclusion_costs_nothing(query):
    verifier = Recording()
    asked, plain = over(verifier).search(query), over().search(query)
    assert verifier.calls == []
    assert asked.documents == plain.documents
    assert asked.second_opinion is None


def test_clear_scores_cost_nothing():
    verifier = Recording(lambda *_: "about")
    result = over(verifier, between=(0.99, 0.99)).search(QUERY)
    assert verifier.calls == []
    assert result.documents == over().search(QUERY).documents


@pytest.mark.parametrize("semantics", sorted(SEMANTICS))
def test_a_document_that_is_about_it_goes_and_another_takes_its_place(semantics):
    result = over(Recording(), semantics=semantics, between=(0.0, 0.98), k=8, documents=99).search(QUERY)
    assert len(result.documents) == 8
    assert of_money(result) == set()


def test_a_document_that_is_not_about_it_stays_and_rises():
    strict = {"drop_excluded": 0.3, "k": 12}
    goes = {one.id for one in over(**strict).search(QUERY).left_out}
    after = over(Recording(lambda *_: "not"), **strict).search(QUERY)
    assert goes & set(ids(after))
    moved = [document for document in after.documents if document.verdicts]
    assert moved
    assert all(document.score > document.unverified_score for document in moved)
    assert all(document.excluded == {"price": "not"} for document in moved)


def test_answers_are_looked_for_until_k_stay_and_nothing_is_asked_twice():
    verifier = Recording()
    result = over(verifier, k=9, margin=0, between=(0.0, 1.0)).search(QUERY)
    assert len(result.documents) == 9
    assert of_money(result) == set()
    assert len(verifier.calls) > 1
    asked = [pair for call in verifier.calls for pair in call]
    assert len(asked) == len(set(asked))


def test_left_out_documents_say_what_the_verifier_said():
    result = over(Recording(), k=8).search(QUERY)
    said = [one.verdicts["price"].label for one in result.left_out if one.verdicts]
    assert said
    assert set(said) == {"about"}


@pytest.mark.parametrize("semantics", ["calibrated", "product", "godel", "itlr"])
def test_verdicts_enter_the_score_of_both_kinds_of_terms(semantics):
    searched = over(semantics=semantics, drop_excluded=False)
    before, scores = {one.id: one.score for one in searched.search(QUERY, k=17).documents}, []
    for label, sign in (("about", -1), ("not", 1)):
        verifier = Recording(lambda *_, label=label: label)
        after = over(verifier, semantics=semantics, drop_excluded=False, documents=99).search(QUERY, k=17)
        moved = [one for one in after.documents if one.verdicts]
        assert moved
        assert all(sign * (one.score - before[one.id]) >= 0 for one in moved)
        scores += [one.score != before[one.id] for one in moved]
        assert [one.score for one in after.documents] == sorted((one.score for one in after.documents), reverse=True)
    assert any(scores)


def test_a_verdict_weighs_what_it_is_sure_of_and_no_more():
    weight = weight_within((0.5, 0.995))
    assert weight == pytest.approx(3.24)
    assert log_odds(Verdict("about"), weight) == weight == -log_odds(Verdict("mentions"), weight)
    assert log_odds(Verdict("about", 1.0), weight) == weight
    assert log_odds(Verdict("not", 0.0), weight) == -weight
    assert log_odds(Verdict("about", 0.5), weight) == 0.0
    assert share_after(0.6, Verdict("about", 0.5), weight) == 0.0
    assert share_after(0.9, Verdict("about", 0.5), weight) == 1.0
    assert share_after(0.9, Verdict("mentions"), weight) == 0.6


@pytest.mark.parametrize("kept", [False, True])
def test_a_document_passes_no_other_for_having_been_asked_about(kept):
    """Verdicts that agree with the scores leave the answer as it is, however many there are."""
    about = {one.text for one in over(k=17).search(QUERY).left_out}
    verifier = Recording(lambda _, passage: passage in about)
    settings = {"drop_excluded": not kept}
    result = over(verifier, between=(0.0, 1.0), documents=99, **settings).search(QUERY)
    plain = over(**settings).search(QUERY)
    assert result.second_opinion.documents > 6
    assert [(one.id, one.score) for one in result.documents] == [(one.id, one.score) for one in plain.documents]


@pytest.mark.parametrize("between", [(0.5, 0.995), (0.0, 1.0), (0.3, 0.9)])
def test_a_sure_verdict_decides_anywhere_between_the_bounds(between):
    weight = weight_within(between)
    assert [share_after(share, Verdict("about"), weight) for share in between] == [1.0, 1.0]
    assert [share_after(share, Verdict("not"), weight) for share in between] == [0.0, 0.0]


def test_a_verdict_does_not_overturn_what_is_clear():
    weight = weight_within((0.5, 0.9))
    assert share_after(0.2, Verdict("about"), weight) == 0.0
    assert share_after(0.2, Verdict("mentions"), weight) == 0.6


NONSENSE = [
    ([], "gave 0 answers"),
    (["not", "not"], "gave 2 answers"),
    (lambda terms: ["not"] * (len(terms) + 1), "answers to"),
    (lambda terms: ["perhaps"] * len(terms), "no verdicts, such as 'perhaps'"),
    (lambda terms: [None] * len(terms), "no verdicts, such as 'None'"),
    (lambda terms: [float("nan")] * len(terms), "no verdicts, such as 'nan'"),
    (lambda terms: [1.5] * len(terms), "no verdicts, such as '1.5'"),
    (lambda terms: [("about", 1)] * len(terms), "no verdicts"),
    (None, "raised TypeError"),
    (RuntimeError("no key"), "raised RuntimeError: no key"),
]


@pytest.mark.parametrize(("answer", "said"), NONSENSE)
def test_a_verifier_that_fails_leaves_the_scores_order(answer, said):
    verifier = Answering(answer)
    result = over(verifier).search(QUERY)
    assert ids(result) == ids(over().search(QUERY))
    assert said in result.note
    assert "the scores decide alone" in result.note.lower()
    assert verifier.calls == (1 if "no verdicts" in said else 2)


def test_it_is_asked_once_more_after_a_failure():
    verifier = Answering(RuntimeError("busy"), lambda terms: [True] * len(terms))
    result = over(verifier, k=8).search(QUERY)
    assert result.second_opinion.problems == ()
    assert any(one.verdicts for one in result.left_out)


def test_one_answer_that_is_none_leaves_the_others():
    verifier = Answering(lambda terms: [None, *[True] * (len(terms) - 1)])
    result = over(verifier, k=8, between=(0.0, 1.0)).search(QUERY)
    assert "1 of its" in result.note
    assert any(one.verdicts for one in result.left_out)


def test_a_verifier_that_hangs_is_waited_for_no_longer_than_its_time():
    released = threading.Event()

    class Hanging:
        def verify(self, terms, passages):
            released.wait(60)
            return [True] * len(terms)

    result = over(Hanging(), milliseconds=100).search(QUERY)
    released.set()
    assert ids(result) == ids(over().search(QUERY))
    assert "did not answer within 100 milliseconds" in result.note


def test_a_coroutine_that_hangs_is_cancelled():
    cancelled = []

    class Hanging:
        def verify(self, terms, passages):
            raise AssertionError

        async def averify(self, terms, passages):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(len(terms))
                raise

    async def main():
        found = await over(Hanging(), milliseconds=100).asearch(QUERY)
        await asyncio.sleep(0)
        return found

    result = asyncio.run(main())
    assert "did not answer within 100 milliseconds" in result.note
    assert cancelled


def test_a_coroutine_runs_in_the_callers_own_loop():
    loops = []

    async def look(term, passage):
        loops.append(asyncio.get_running_loop())
        return term in passage

    async def main():
        return asyncio.get_running_loop(), await over(FunctionVerifier(look)).asearch(QUERY)

    own, result = asyncio.run(main())
    assert loops
    assert set(loops) == {own}
    assert ids(result) == ids(over(FunctionVerifier(look)).search(QUERY))


def test_a_coroutine_function_is_run_where_a_loop_is_running():
    async def look(term, passage):
        return np.bool_(is_about_money(term, passage))

    async def main():
        return over(FunctionVerifier(look), milliseconds=None, k=8).search(QUERY)

    result = asyncio.run(main())
    assert result.second_opinion.problems == ()
    assert ids(result) == ids(over(Recording(), k=8).search(QUERY))


def test_an_excluded_term_that_is_wanted_too_is_searched_for():
    result = over(Recording(), between=(0.0, 1.0)).search('"price" AND NOT "price"')
    assert of_money(result) == set()


def test_a_call_can_do_without_the_verifier_or_bring_one():
    verifier = Recording()
    retriever = over(verifier)
    retriever.search(QUERY, verify=False)
    assert verifier.calls == []
    other = Recording()
    over().search(QUERY, verify=Verification(other, between=(0.3, 0.98)))
    assert len(other.calls) == 1


def test_a_retriever_with_a_verifier_is_copied():
    retriever = over(Recording())
    assert copy.deepcopy(retriever.options).verify is retriever.options.verify


def test_an_explanation_shows_verdicts_beside_the_scores_that_they_moved():
    assert "recording says: 'price' about (score" in str(over(Recording()).explain("green tea, excluding price"))
    verifier = Recording(lambda *_: 0.2)
    story = over(verifier).explain("green tea, excluding price")
    shown = str(story)
    assert "recording says: 'price' not (0.20) (the score stays)" in shown
    assert f"recording looked at {len(verifier.calls[0])} documents (1 call)." in shown
    data = story.to_dict()
    assert data["second_opinion"]["calls"] == 1
