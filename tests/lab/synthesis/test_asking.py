import threading

import pytest

from logical_retriever.errors import CallLimitError, LLMCallError
from logical_retriever.lab.synthesis import Stop
from logical_retriever.lab.synthesis.asking import Asker, InvalidAnswer, run_jobs
from logical_retriever.lab.synthesis.journal import Journal
from logical_retriever.testing.fakes import ScriptedChatModel


def number(answer: str) -> int:
    if not answer.isdigit():
        raise InvalidAnswer("not_a_number", "it is no number.")
    return int(answer)


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal.jsonl", {}) as journal:
        yield journal


def asker(llm, journal, max_calls=10, **arguments):
    return Asker(llm, journal, model="m", max_calls=max_calls, **arguments)


def test_a_valid_answer_is_asked_for_once(journal):
    llm = ScriptedChatModel(["7"])
    first = asker(llm, journal)
    assert [first.ask("how many?", number) for _ in range(3)] == [7, 7, 7]
    assert (first.calls, first.reused, dict(first.invalid)) == (1, 0, {})
    later = asker(ScriptedChatModel([]), journal)
    assert later.ask("how many?", number) == 7
    assert (later.calls, later.reused) == (0, 1)


def test_an_invalid_answer_is_sent_back_with_the_problem_and_counted(journal):
    llm = ScriptedChatModel(["seven", "7"])
    asking = asker(llm, journal)
    assert asking.ask("how many?", number) == 7
    assert [m["role"] for m in llm.conversations[1]] == ["user", "assistant", "user"]
    assert llm.conversations[1][1]["content"] == "seven"
    again = "That answer cannot be used: it is no number.\nAnswer again, in the form asked for."
    assert llm.conversations[1][2]["content"] == again
    assert dict(asking.invalid) == {"not_a_number": 1}


def test_after_the_last_repair_the_answer_is_given_up(journal):
    llm = ScriptedChatModel(["", "still not", "7"])
    asking = asker(llm, journal)
    with pytest.raises(InvalidAnswer):
        asking.ask("how many?", number)
    assert llm.conversations[1][1]["content"] == "(no answer)"
    assert dict(asking.invalid) == {"not_a_number": 2}
    assert asker(llm, journal, max_repairs=2).ask("how many?", number) == 7


def test_the_bound_on_calls_holds_and_the_journal_is_free(journal):
    llm = ScriptedChatModel(["1", "2", "3"])
    asking = asker(llm, journal, max_calls=2)
    assert asking.ask("a", number) + asking.ask("b", number) == 3
    with pytest.raises(CallLimitError):
        asking.ask("c", number)
    assert asking.ask("a", number) == 1
    assert len(llm.conversations) == 2
    with pytest.raises(CallLimitError):
        asker(llm, journal, max_calls=0).ask("c", number)


def test_a_model_that_raises_is_an_error_that_says_what_is_kept(journal):
    asking = asker(ScriptedChatModel(["1", ValueError("no route")]), journal)
    asking.ask("a", number)
    with pytest.raises(LLMCallError, match=r"ValueError: no route \(call 2 of this run\)") as caught:
        asking.ask("b", number)
    assert "1 answers are kept" in caught.value.hint
    assert len(journal.answers) == 1


def test_a_model_that_returns_no_text_is_an_error(journal):
    class Numbers:
        def complete(self, messages):
            return 7

    with pytest.raises(LLMCallError, match="returned int, not text"):
        asker(Numbers(), journal).ask("a", number)


def test_threads_that_ask_the_same_thing_cause_one_call(journal):
    waiting, release = threading.Barrier(4), threading.Event()

    class Slow:
        calls = 0

        def complete(self, messages):
            Slow.calls += 1
            assert release.wait(10)
            return "7"

    asking = asker(Slow(), journal)

    def job(n):
        waiting.wait(10)
        if n == 3:
            release.set()
        return asking.ask("how many?", number)

    results, stop = run_jobs(job, 4, workers=4)
    assert (results, stop, Slow.calls, asking.calls) == ([7] * 4, Stop.FINISHED, 1, 1)


@pytest.mark.parametrize("workers", [1, 5])
def test_jobs_come_back_in_order_with_holes_where_the_bound_was_met(workers):
    seen = []

    def job(n):
        if n % 2:
            raise CallLimitError("used up", hint="wait")
        return n * 10

    results, stop = run_jobs(job, 5, workers=workers, progress=lambda *both: seen.append(both))
    assert results == [0, None, 20, None, 40]
    assert stop is Stop.CALL_LIMIT
    assert seen == [(n, 5) for n in range(1, 6)]


def test_an_error_in_a_job_ends_the_run():
    ran = []

    def job(n):
        ran.append(n)
        if n == 1:
            raise LLMCallError("down", hint="wait")

    with pytest.raises(LLMCallError):
        run_jobs(job, 1000, workers=1)
    assert ran == [0, 1]
