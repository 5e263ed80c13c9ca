"""A cache in a file: what it remembers, for whom, and what it does with files that it cannot use."""

import logging
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from logical_retriever.errors import CacheFileError, InvalidArgumentError
from logical_retriever.query import parse
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, QueryCacheFile, Transformation
from logical_retriever.transform.cache_file import MAX_ENTRY

QUESTION, ANSWER = "tea, no milk", '"tea" AND NOT "milk"'


@pytest.fixture
def opened(tmp_path):
    files = []

    def opened(name="queries.sqlite", *, model="m", **settings):
        files.append(QueryCacheFile(tmp_path / name, model=model, **settings))
        return files[-1]

    yield opened
    for file in files:
        file.close()


def made(question=QUESTION, answer=ANSWER):
    return Transformation(question, parse(answer), "llm", (answer,))


def test_another_process_asks_no_model(opened):
    first = LogicalQueryTransformer(ScriptedChatModel([ANSWER]), cache=opened()).transform(QUESTION)
    again = LogicalQueryTransformer(ScriptedChatModel([]), cache=opened()).transform(QUESTION)
    assert (again.query, again.answers, again.cached, first.cached) == (first.query, first.answers, True, False)


@pytest.mark.parametrize("other", [{"prompt": "itlr"}, {"examples": [("a", '"a"')]}])
def test_another_prompt_is_another_entry(opened, other):
    LogicalQueryTransformer(ScriptedChatModel([ANSWER]), cache=opened()).transform(QUESTION)
    model = ScriptedChatModel([ANSWER])
    LogicalQueryTransformer(model, cache=opened(), **other).transform(QUESTION)
    assert len(model.conversations) == 1


def test_another_model_and_another_conversation_are_other_entries(opened):
    opened().put(made(), "p")
    assert opened(model="another").get(QUESTION, "p") is None
    assert opened().get(QUESTION, "p and a conversation") is None
    assert opened().get(QUESTION, "p") is not None


def test_it_is_bounded_and_the_oldest_go_first(opened):
    cache = opened(max_entries=3)
    for number in range(10):
        cache.put(made(f"q{number}"), "p")
    assert len(cache) == 3
    assert [cache.get(f"q{number}", "p") is not None for number in range(10)] == [False] * 7 + [True] * 3
    cache.put(Transformation("huge", parse('"a"'), "llm", ("x" * MAX_ENTRY,)), "p")
    assert cache.get("huge", "p") is None
    cache.clear()
    assert len(cache) == 0


def test_the_first_answer_is_kept(opened):
    cache = opened()
    cache.put(made(), "p")
    cache.put(made(answer='"other"'), "p")
    assert str(cache.get(QUESTION, "p").query) == ANSWER


def test_threads_share_one_file(opened):
    cache = opened(max_entries=1_000)

    def work(number):
        cache.put(made(f"q{number % 50}"), "p")
        return cache.get(f"q{number % 50}", "p")

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(400)))
    assert all(str(one.query) == ANSWER for one in found)
    assert len(cache) == 50


def test_two_processes_share_one_file(tmp_path, opened):
    code = f"""
from logical_retriever.query import parse
from logical_retriever.transform import QueryCacheFile, Transformation
cache = QueryCacheFile({str(tmp_path / "queries.sqlite")!r}, model="m")
for number in range(100):
    cache.put(Transformation(f"q{{number}}", parse({ANSWER!r}), "llm", ("a",)), "p")
print(len(cache))
"""
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert max(int(process.communicate()[0]) for process in running) == 100
    assert [process.returncode for process in running] == [0, 0]
    assert len(opened()) == 100


@pytest.mark.parametrize("content", [b"a text of some length" * 99, b"SQLite format 3\0" + b"x" * 4000])
def test_a_damaged_file_is_a_typed_error_and_is_left_as_it_is(tmp_path, content):
    path = tmp_path / "queries.sqlite"
    path.write_bytes(content)
    with pytest.raises(CacheFileError, match="cannot be used as a cache") as caught:
        QueryCacheFile(path, model="m")
    assert "Delete the file" in caught.value.hint
    assert path.read_bytes() == content


def test_a_database_of_something_else_is_not_touched(tmp_path):
    path = tmp_path / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE entries (price INTEGER)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CacheFileError, match="something else"):
        QueryCacheFile(path, model="m")
    assert path.read_bytes() == before


def test_a_file_of_another_version_is_emptied_and_the_log_says_so(tmp_path, opened, caplog):
    cache = opened()
    cache.put(made(), "p")
    cache.close()
    connection = sqlite3.connect(tmp_path / "queries.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with caplog.at_level(logging.WARNING):
        assert len(opened()) == 0
    assert "version 99" in caplog.text


def test_a_file_that_fails_later_is_done_without_and_the_log_says_so_once(tmp_path, opened, caplog):
    cache = opened()
    cache.put(made(), "p")
    cache.close()
    (tmp_path / "queries.sqlite").write_bytes(b"damaged since" * 400)
    with caplog.at_level(logging.WARNING):
        transformer = LogicalQueryTransformer(ScriptedChatModel([ANSWER, ANSWER]), cache=cache)
        assert [str(transformer.transform(QUESTION).query) for _ in range(2)] == [ANSWER] * 2
    assert caplog.text.count("done without") == 1


def test_a_folder_that_is_not_there_and_wrong_arguments(tmp_path):
    with pytest.raises(CacheFileError, match="cannot be used"):
        QueryCacheFile(tmp_path / "no" / "such" / "folder.sqlite", model="m")
    for wrong in ({"model": ""}, {"model": 3}, {"model": "m", "max_entries": 0}):
        with pytest.raises(InvalidArgumentError):
            QueryCacheFile(tmp_path / "q.sqlite", **wrong)


class Named(ScriptedChatModel):
    """A model that says which one it is."""

    def __init__(self, name, answers):
        super().__init__(answers)
        self.model_name = name


def test_the_model_s_own_name_keeps_answers_apart(tmp_path):
    file = QueryCacheFile(tmp_path / "q.sqlite")
    asked = [Named(name, [ANSWER]) for name in ("one", "one", "other")]
    for model in asked:
        LogicalQueryTransformer(model, cache=file).transform(QUESTION)
    assert [len(model.conversations) for model in asked] == [1, 0, 1]


@pytest.mark.parametrize("model", [Named(None, []), ScriptedChatModel([])])
def test_a_model_without_a_name_needs_one(tmp_path, model):
    with pytest.raises(InvalidArgumentError, match="says none") as caught:
        LogicalQueryTransformer(model, cache=QueryCacheFile(tmp_path / "q.sqlite"))
    assert "model=" in caught.value.hint
    LogicalQueryTransformer(model, cache=QueryCacheFile(tmp_path / "q.sqlite", model="m"))
