"""A verifier in a search: what it is given to read, and what its answers change."""

import asyncio
import threading

import numpy as np
import pytest
from verifying import MONEY, QUERY, TEXTS, Recording, ids, is_about_money, of_money, over

from logical_retriever import LogicalRetriever, ReadQuestion, Verdict
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.options import SearchOptions
from logical_retriever.query import parse, without_exclusions
from logical_retriever.reading.passages import VerifierCalls
from logical_retriever.scoring import SEMANTICS
from logical_retriever.testing import HashingEmbedder

WISH = without_exclusions(parse(QUERY))


def passages(verifier):
    return [passage for call in verifier.calls for _, passage in call]


def test_it_reads_the_best_documents_first_until_enough_of_them_stay():
    ranked = over(k=17).search(WISH).documents
    verifier = Recording(lambda _, passage: passage in (ranked[0].text, ranked[3].text))
    result = over(verifier, k=4).search(QUERY)
    assert [len(call) for call in verifier.calls] == [4, 8]
    assert passages(verifier) == [document.text for document in ranked[:12]]
    assert {term for call in verifier.calls for term, _ in call} == {"price"}
    assert (result.second_opinion.calls, result.second_opinion.documents) == (2, 12)
    assert ids(result) == [ranked[place].id for place in (1, 2, 4, 5)]


@pytest.mark.parametrize("query", ['"green tea"', '"green tea" OR "price"', '"green tea" AND "price"'])
def test_a_question_without_exclusion_costs_nothing(query):
    verifier = Recording()
    result = over(verifier).search(query)
    assert verifier.calls == []
    assert result.documents == over().search(query).documents
    assert result.second_opinion is None


@pytest.mark.parametrize("semantics", sorted(SEMANTICS))
@pytest.mark.parametrize("k", [3, 8, 17])
def test_nothing_that_it_reads_as_excluded_is_shown_and_no_pair_is_read_twice(semantics, k):
    verifier = Recording()
    result = over(verifier, semantics=semantics, k=k).search(QUERY)
    assert of_money(result) == set()
    assert len(passages(verifier)) == len(set(passages(verifier)))


def test_what_it_leaves_out_says_so():
    result = over(Recording(), k=17).search(QUERY)
    assert {int(one.id) for one in result.left_out} == MONEY
    assert {one.probability for one in result.left_out} == {1.0}
    assert {one.term for one in result.left_out} == {'"price"'}


@pytest.mark.parametrize(("terms", "documents"), [(1, 80), (3, 26), (60, 1)])
@pytest.mark.parametrize("k", [4, 150])
def test_at_most_eighty_pairs_are_read_whatever_k_is_and_that_is_said(terms, documents, k):
    texts = [f"green tea number {i}" for i in range(200)]
    retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(), k=k)
    verifier = Recording(lambda *_: True)
    query = " AND ".join(['"green tea"', *(f'NOT "thing{i}"' for i in range(terms))])
    result = retriever.search(query, verify=verifier)
    assert len(passages(verifier)) == terms * documents
    told = f"Only the best {documents} documents were considered for reading. Without a verdict the evidence"
    assert result.note.count(told) == 1
    assert not {document.text for document in result.documents} & set(passages(verifier))


def test_a_verdict_is_kept_with_the_document():
    has, denies = Verdict(1, 0, 0, 0, about=1), Verdict(0, 1, 0, 0, about=0)
    verifier = Recording(lambda term, passage: has if is_about_money(term, passage) else denies)
    result = over(verifier, k=17).search(QUERY)
    assert {int(one.id): one.verdict for one in result.left_out} == dict.fromkeys(MONEY, has)
    assert all(one.reason.startswith("has it") for one in result.left_out)
    for document in result.documents:
        decision = document.decisions["price"]
        assert (decision.verdict, decision.leave_out, str(decision)) == (denies, False, "says it has none")


def test_where_nothing_is_left_out_nobody_is_asked_but_about_standing_exclusions():
    verifier = Recording()
    over(verifier, exclusion="rank").search(QUERY)
    assert verifier.calls == []
    over(verifier, exclusion="rank", always_exclude=["inflation"]).search(QUERY)
    assert {term for call in verifier.calls for term, _ in call} == {"inflation"}


def test_it_reads_the_texts_where_words_count_nothing():
    verifier = Recording()
    assert of_money(over(verifier, words=0, k=8).search(QUERY)) == set()
    assert {passage for call in verifier.calls for _, passage in call} <= set(TEXTS)
    assert verifier.calls


def test_an_or_excuses_what_it_reads_as_excluded_by_its_other_part():
    query = '("green tea" AND NOT "price") OR "coffee on world markets"'
    assert "11" in ids(over(Recording(), k=8).search(query))


NONSENSE = [
    (RuntimeError("busy"), "raised RuntimeError: busy"),
    (SystemExit("bye"), "raised RuntimeError: SystemExit: bye"),
    (lambda terms: [], "gave 0 answers"),
    (lambda terms: [True] * (len(terms) + 1), "answers to"),
    (lambda terms: ["maybe"] * len(terms), "no verdicts"),
    (lambda terms: ["about"] * len(terms), "no verdicts"),
    (lambda terms: [(0.2, 0.2, 0.2, 0.4, 0.5)] * len(terms), "no verdicts"),
    (lambda terms: [Verdict(0.2, 0.2, 0.2, 0.2, 0.5)] * len(terms), "raised InvalidArgumentError: A verdict has five"),
    (lambda terms: [float("nan")] * len(terms), "no verdicts"),
    (lambda terms: [7] * len(terms), "no verdicts"),
]


@pytest.mark.parametrize(("answer", "said"), NONSENSE)
def test_where_it_fails_the_scores_stand_and_that_is_said(answer, said):
    class Answering:
        def verify(self, terms, passages):
            if isinstance(answer, BaseException):
                raise answer
            return answer(terms)

    result = over(Answering()).search(QUERY)
    assert ids(result) == ids(over().search(QUERY))
    assert said in result.note
    assert result.note.count("decides alone") == 1


@pytest.mark.parametrize("wrong", [["maybe"], [None, "maybe"], RuntimeError])
def test_a_problem_is_noted_once_over_several_calls(wrong):
    class Wrong(Recording):
        def verify(self, terms, passages):
            self.calls.append(passages)
            if wrong is RuntimeError:
                raise RuntimeError(f"call {len(self.calls)}")
            return (wrong * len(terms))[: len(terms)]

    verifier = Wrong()
    calls = VerifierCalls(verifier, "the evidence decides alone")
    for passages in ("ab", "cde"):
        assert calls.verdicts({(passage, "price"): ("price", passage) for passage in passages}) == {}
    assert len(verifier.calls) == calls.opinion.calls == 2
    assert calls.opinion.documents == 5
    assert len(calls.opinion.problems) == 1


def test_one_that_hangs_is_waited_for_no_longer_than_its_time():
    released = threading.Event()

    class Hanging:
        timeout = 0.1

        def verify(self, terms, passages):
            released.wait(60)
            return [True] * len(terms)

    result = over(Hanging()).search(QUERY)
    released.set()
    assert ids(result) == ids(over().search(QUERY))
    assert "0.1 seconds" in result.note


def test_a_coroutine_that_hangs_is_cancelled():
    cancelled = []

    class Hanging:
        timeout = 0.1

        def verify(self, terms, passages):
            raise AssertionError

        async def averify(self, terms, passages):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(len(terms))
                raise

    async def main():
        result = await over(Hanging()).asearch(QUERY)
        await asyncio.sleep(0)
        return result

    result = asyncio.run(main())
    assert "did not answer within 0.1 seconds" in result.note
    assert cancelled


def test_a_coroutine_runs_in_the_callers_own_loop():
    loops = []

    class Loops(Recording):
        async def averify(self, terms, passages):
            loops.append(asyncio.get_running_loop())
            return self.verify(terms, passages)

    async def main():
        return asyncio.get_running_loop(), await over(Loops(), k=8).asearch(QUERY)

    own, result = asyncio.run(main())
    assert set(loops) == {own}
    assert ids(result) == ids(over(Recording(), k=8).search(QUERY))


def test_an_explanation_says_what_was_read():
    verifier = Recording()
    story = over(verifier, k=8).explain("green tea, excluding price")
    assert f"recording looked at {sum(map(len, verifier.calls))} documents" in str(story)
    assert "is about it (1.00 to be left out)" in str(story)
    assert story.to_dict()["second_opinion"]["calls"] == len(verifier.calls)


def test_long_passages_are_cut_and_that_is_said():
    long = "Green tea and its fine taste are a sentence. " * 3_000
    verifier, texts = Recording(), [*TEXTS, long]
    result = over(verifier, texts, k=len(texts)).search(QUERY)
    (shown,) = {passage for call in verifier.calls for _, passage in call if len(passage) > 100}
    assert shown == long[:6_000]
    assert "Passages were shown up to their first 6,000 characters" in result.note


def test_equal_passages_are_read_once():
    verifier = Recording()
    result = over(verifier, [TEXTS[3]] * 5 + TEXTS, k=8).search(QUERY)
    pairs = [pair for call in verifier.calls for pair in call]
    assert pairs.count(("price", TEXTS[3])) <= 1
    assert not any(document.text == TEXTS[3] for document in result.documents)


@pytest.mark.parametrize(
    ("verify", "said"),
    [
        (3, "has none"),
        (Recording, "has none"),
        ("no-such", "PROVIDER:MODEL"),
        (True, "verify=True needs a language model"),
    ],
)
def test_what_is_no_verifier_is_refused(verify, said):
    with pytest.raises(InvalidArgumentError, match=said):
        SearchOptions(verify=verify)


@pytest.mark.parametrize("answer", [True, 1, 0.5, np.float32(0.9), np.True_])
def test_what_is_to_go_goes(answer):
    result = over(Recording(lambda *_: answer)).search(QUERY)
    assert result.documents == ()
    assert len(result.left_out) == len(TEXTS)
    assert result.second_opinion.problems == ()


def test_what_denies_the_thing_stays_whatever_the_evidence():
    result = over(Recording(lambda *_: Verdict(0, 1, 0, 0, about=0)), k=17).search(QUERY)
    assert len(result.documents) == 17


@pytest.mark.parametrize(("kind", "first"), [("lack", "denies"), (None, "denies"), ("topic", "silent")])
def test_what_denies_a_thing_to_lack_comes_before_what_may_have_it(kind, first):
    texts = {
        "silent": "The cabin by the lake sleeps four guests.",
        "denies": "The cabin by the lake has no sauna at all.",
    }
    states = {texts["silent"]: Verdict(0.45, 0, 0.1, 0.45, about=0), texts["denies"]: Verdict(0, 1, 0, 0, about=0)}
    verifier = Recording(lambda _, passage: states[passage])
    retriever = LogicalRetriever.from_texts([*texts.values()], HashingEmbedder(), verify=verifier)
    query = parse('"cabin" AND NOT "sauna"')
    read = ReadQuestion("a cabin without a sauna", query, "recorded", kinds=kind and {"sauna": kind})
    assert retriever.search(read).documents[0].text == texts[first]


@pytest.mark.parametrize("answer", [False, 0, 0.4])
def test_what_does_not_go_stays_where_the_wish_puts_it_whatever_the_evidence(answer):
    assert over().search(QUERY).left_out
    result = over(Recording(lambda *_: answer)).search(QUERY)
    assert ids(result) == ids(over().search(WISH))
    assert result.second_opinion.problems == ()


def test_where_it_cannot_say_the_evidence_decides():
    result = over(Recording(lambda *_: None)).search(QUERY)
    assert result.documents == over().search(QUERY).documents
    assert result.second_opinion.problems == ()
