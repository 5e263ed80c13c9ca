"""The page without a server answers what the retriever answers, computed by a real browser."""

import numpy as np
import pytest

from logical_retriever.play.answers import answer
from logical_retriever.play.static import bundle
from logical_retriever.query import parse
from logical_retriever.semantics import CalibratedConstants, CalibratedSemantics
from logical_retriever.transform import Transformation

SETTINGS = [
    {"k": 5, "words": 0.5, "threshold": 6.0, "drop": True},
    {"k": 3, "words": 0.0, "threshold": 6.0, "drop": True},
    {"k": 8, "words": 1.0, "threshold": 3.0, "drop": 0.6},
    {"k": 60, "words": 0.25, "threshold": 9.0, "drop": False},
    {"k": 12, "words": 0.8, "threshold": 0.0, "drop": 0.3},
]
QUERIES = [
    '"vitamin d" AND NOT ("bone health" OR "cancer")',
    '("coffee" AND NOT "brewing") OR ("dogs" AND NOT "children")',
    'NOT "jazz"',
    'NOT NOT "coffee"',
    '"coffee" AND ("coffee" AND "history")',
    '"dogs" AND NOT "dogs"',
    'NOT ("dogs" AND NOT "children") AND "breeds"',
    '"immunity" OR NOT "health"',
    "apollo AND NOT apollo 13",
]


@pytest.fixture(scope="module")
def data(demo_retriever):
    return bundle(demo_retriever.embedder)


@pytest.fixture(scope="module")
def opened(chromium, data, tmp_path_factory):
    from logical_retriever.play.page import page

    file = tmp_path_factory.mktemp("static") / "play.html"
    file.write_text(page(data)[0], encoding="utf-8")
    chromium.get(file.as_uri())
    return chromium


def both(opened, retriever, made, asked, query=None):
    """The page's answer and the retriever's."""
    semantics = CalibratedSemantics(CalibratedConstants(threshold=asked["threshold"]), words=asked["words"])
    expected = answer(
        retriever.but(semantics=semantics, drop_excluded=asked["drop"]).explain(made, k=asked["k"]), asked["k"]
    )
    question = "" if query is not None else made.question
    there = opened.execute_async_script(
        "const [asked, done] = arguments; window.playground.ask(asked).then(done, (error) => done(String(error)))",
        {**asked, "question": question, "query": query},
    )
    assert isinstance(there, dict), there
    return there, expected


def assert_equal(there, expected):
    for list_ in ("documents", "left_out"):
        assert [one["id"] for one in there[list_]] == [one["id"] for one in expected[list_]]
        for mine, theirs in zip(there[list_], expected[list_], strict=True):
            for name in ("score", "relevance", *(["share"] if list_ == "left_out" else [])):
                assert mine[name] == pytest.approx(theirs[name], abs=1e-5)
            known = {one["text"]: one for one in mine["terms"]}
            assert set(known) == {one["text"] for one in theirs["terms"]}
            for one in theirs["terms"]:
                for name in ("truth", "strength", "vectors", "words"):
                    assert known[one["text"]][name] == pytest.approx(one[name], abs=1e-5)
                assert known[one["text"]]["matched"] == one["matched"]
    assert there["excluded"] == expected["excluded"]


@pytest.mark.parametrize("asked", SETTINGS, ids=str)
def test_answers_to_the_demo_s_questions_are_the_retriever_s(opened, demo_retriever, data, asked):
    for question, reading in data["readings"].items():
        made = Transformation(question, parse(reading["query"]), "given" if reading["written"] else "recorded")
        there, expected = both(opened, demo_retriever, made, asked)
        assert_equal(there, expected)
        assert [one["id"] for one in there["plain"]] == [one["id"] for one in expected["plain"]]
        cosines = [[one["cosine"] for one in side["plain"]] for side in (there, expected)]
        np.testing.assert_allclose(*cosines, atol=1e-5)
        assert [one["out"] for one in there["plain"]] == [one["out"] for one in expected["plain"]]
        assert [one["dense"] for one in there["documents"]] == [one["dense"] for one in expected["documents"]]


@pytest.mark.parametrize("asked", SETTINGS, ids=str)
@pytest.mark.parametrize("query", QUERIES)
def test_answers_to_edited_queries_are_the_retriever_s(opened, demo_retriever, data, asked, query):
    assert set(parse(query).terms()) <= set(data["texts"])
    there, expected = both(opened, demo_retriever, parse(query), asked, query)
    assert_equal(there, expected)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"question": "Where do penguins live?"}, "cannot read a new question"),
        ({"question": "", "query": '"penguins" AND NOT "jazz"'}, 'no vector of "penguins"'),
        ({"question": "constructor", "query": '"constructor"'}, 'no vector of "constructor"'),
    ],
)
def test_the_page_says_what_it_cannot_do_without_a_server(opened, asked, said):
    there = opened.execute_async_script(
        "const [asked, done] = arguments; window.playground.ask(asked).then(done)",
        {"query": None, **SETTINGS[0], **asked},
    )
    assert any(said in line for line in there["asides"])
    assert there["plain"] == []


def test_the_page_without_a_server_is_small_and_asks_nobody(opened, data):
    assert len(opened.page_source) < 2_000_000
    assert opened.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert "has no server" in opened.find_element("id", "collection").text


def test_it_opens_with_an_answer_to_look_at(opened, data):
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(opened, 30).until(lambda page: page.find_elements("css selector", "#found .card"))
    assert opened.find_element("id", "question").get_attribute("value") == data["about"]["examples"][0]
