"""What a verifier may cost, what is remembered of it, and arguments that are none."""

import asyncio
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from packages import run_with, write_package
from verifying import QUERY, TEXTS, Recording, ids, over

from logical_retriever.errors import CacheFileError, InvalidArgumentError
from logical_retriever.search import SearchOptions
from logical_retriever.verify import FunctionVerifier, VerdictFile, Verification


def test_no_more_documents_are_shown_than_the_budget_says():
    verifier = Recording()
    result = over(verifier, k=12, between=(0.0, 1.0), documents=2).search(QUERY)
    assert sum(map(len, verifier.calls)) == 2
    assert "No more than 2 documents" in result.note


def test_no_more_tokens_are_shown_than_the_budget_says():
    verifier = Recording()
    result = over(verifier, k=12, tokens=20).search(QUERY)
    assert sum(map(len, verifier.calls)) == 1
    assert "No more than about 20 tokens" in result.note


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


def test_verdicts_are_remembered_by_term_passage_and_verifier(tmp_path):
    path = tmp_path / "verdicts.sqlite"
    first, second, other = Recording(), Recording(), Recording()
    other.name = "other"
    before = over(first, cache=path).search(QUERY)
    after = over(second, cache=path).search(QUERY)
    assert ids(before) == ids(after)
    assert second.calls == []
    assert after.second_opinion.remembered == sum(map(len, first.calls))
    over(other, cache=path).search(QUERY)
    assert other.calls == first.calls


def test_a_file_of_verdicts_is_bounded_and_keeps_no_text(tmp_path):
    path = tmp_path / "verdicts.sqlite"
    file = VerdictFile(path, max_entries=3)
    over(Recording(), cache=file, documents=99, between=(0.0, 1.0), k=20).search(QUERY)
    assert len(file) == 3
    assert b"tea" not in path.read_bytes()


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("no database of mine " * 100)
    with pytest.raises(CacheFileError):
        Verification(Recording(), cache=path)


def test_a_verifier_without_a_name_is_not_remembered(tmp_path):
    with pytest.raises(InvalidArgumentError, match="has none"):
        Verification(FunctionVerifier(lambda *_: True), cache=tmp_path / "verdicts.sqlite")


def test_many_threads_share_one_file(tmp_path):
    verifier = Recording()
    retriever = over(verifier, cache=tmp_path / "verdicts.sqlite")
    alone = ids(over(Recording()).search(QUERY))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: ids(retriever.search(QUERY)), range(24)))
    assert found == [alone] * 24
    assert len(verifier.calls) <= 8


def test_many_questions_in_one_loop_share_one_file(tmp_path):
    verifier = Recording()
    retriever = over(verifier, cache=tmp_path / "verdicts.sqlite", k=8)

    async def main():
        return await asyncio.gather(*(retriever.asearch(QUERY) for _ in range(12)))

    assert [ids(result) for result in asyncio.run(main())] == [ids(over(Recording(), k=8).search(QUERY))] * 12
    asked = len(verifier.calls)
    retriever.search(QUERY)
    assert len(verifier.calls) == asked


def test_a_verifier_of_another_package_has_a_name(tmp_path):
    source = """
        class Always:
            name = "always"
            def verify(self, terms, passages):
                return [True] * len(terms)

        def broken():
            return 3
    """
    entries = {"always": "my_verifiers:Always", "broken": "my_verifiers:broken"}
    write_package(tmp_path, "my-verifiers", source, {"logical_retriever.verifiers": entries})
    code = """
        from logical_retriever.errors import PluginError
        from logical_retriever.search import SearchOptions
        verification = SearchOptions(verify="always").verify
        print(verification.shown_as, verification.verifier.verify(["price"], ["tea"]))
        try:
            SearchOptions(verify="broken")
        except PluginError as error:
            print(error.message)
    """
    assert run_with(tmp_path, code).splitlines() == [
        "always [True]",
        "What is named 'broken' in logical_retriever.verifiers makes int, which is no verifier.",
    ]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"verify": 3}, "has none"),
        ({"verify": Recording}, "has none"),
        ({"verify": "no-such"}, "no verifier 'no-such'"),
        ({"verify_wanted": True}, "there is no verifier"),
        ({"verify_wanted": "yes", "verify": Recording()}, "verify_wanted must be"),
    ],
)
def test_what_is_no_verifier_is_refused(settings, said):
    with pytest.raises(InvalidArgumentError, match=said):
        SearchOptions(**settings)


@pytest.mark.parametrize(
    "budget",
    [
        *({"documents": bad} for bad in (0, -1, 1.5, True, "3")),
        *({"tokens": bad} for bad in (0, None)),
        *({"milliseconds": bad} for bad in (0, -5, "1", float("nan"))),
        *({"margin": bad} for bad in (-1, 0.5)),
        *({"between": bad} for bad in ((0.9, 0.1), (0.1,), 0.5, (-0.1, 1), (0.1, float("nan")), ("a", "b"))),
    ],
)
def test_a_budget_of_another_kind_is_refused(budget):
    with pytest.raises(InvalidArgumentError):
        Verification(Recording(), **budget)


def test_a_file_of_verdicts_is_pickled_as_its_path(tmp_path):
    file = VerdictFile(tmp_path / "verdicts.sqlite")
    other = pickle.loads(pickle.dumps(file))
    over(Recording(), cache=file).search(QUERY)
    assert len(other) == len(file) > 0
