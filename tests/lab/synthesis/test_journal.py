import json

import pytest

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.lab.synthesis.journal import Journal, answer_key

RUN = {"seed": 0}


def test_answers_come_back_after_reopening(tmp_path):
    path = tmp_path / "new" / "journal.jsonl"
    with Journal(path, RUN) as journal:
        journal.add("k1", "eins\nzwei\u2028drei\r")
        journal.add("k2", "")
    with Journal(path, RUN) as journal:
        assert journal.answers == {"k1": "eins\nzwei\u2028drei\r", "k2": ""}
        assert not journal.repaired
    assert path.read_text().count("\n") == 3


@pytest.mark.parametrize("cut", [1, 8, 25])
def test_a_line_cut_short_is_dropped_and_writing_goes_on_cleanly(tmp_path, cut):
    path = tmp_path / "journal.jsonl"
    with Journal(path, RUN) as journal:
        journal.add("k1", "one")
        journal.add("k2", "two")
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path, RUN) as journal:
        assert journal.repaired
        assert journal.answers == {"k1": "one"}
        journal.add("k3", "three")
    with Journal(path, RUN) as journal:
        assert journal.answers == {"k1": "one", "k3": "three"}


def test_a_journal_cut_in_its_first_line_starts_again(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text('{"format": "logical')
    with Journal(path, RUN) as journal:
        journal.add("k", "a")
    with Journal(path, RUN) as journal:
        assert journal.answers == {"k": "a"}


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"key": "k"}', "7"])
def test_damage_in_the_middle_is_an_error_with_its_line(tmp_path, line):
    path = tmp_path / "journal.jsonl"
    with Journal(path, RUN) as journal:
        journal.add("k1", "one")
    path.write_text(path.read_text() + line + "\n" + json.dumps({"key": "k2", "answer": "two"}) + "\n")
    with pytest.raises(CorpusError) as caught:
        Journal(path, RUN)
    assert caught.value.line == 3
    assert str(path) in str(caught.value)


def test_a_journal_of_another_run_is_refused(tmp_path):
    path = tmp_path / "journal.jsonl"
    Journal(path, {"seed": 0, "pipeline": "itlr"}).close()
    with pytest.raises(InvalidArgumentError, match="seed was 0, now 1"):
        Journal(path, {"seed": 1, "pipeline": "itlr"})


def test_a_file_of_another_form_is_refused(tmp_path):
    path = tmp_path / "journal.jsonl"
    path.write_text('{"format": "other", "run": {}}\n')
    with pytest.raises(InvalidArgumentError, match="'other'"):
        Journal(path, RUN)


def test_the_key_depends_on_model_and_conversation():
    hello = {"role": "user", "content": "hello"}
    keys = {
        answer_key("m", [hello]),
        answer_key("n", [hello]),
        answer_key("m", [hello, hello]),
        answer_key("m", [{"role": "assistant", "content": "hello"}]),
    }
    assert len(keys) == 4
    assert answer_key("m", [dict(hello)]) in keys
