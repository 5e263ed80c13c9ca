"""The page in a real browser: typing, editing, dragging, links, what is hostile, and what a screen reader is told."""

import json
from importlib.resources import files

import pytest

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.play.answers import Playground
from logical_retriever.play.server import make_app
from logical_retriever.testing.fakes import HashingEmbedder

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
Keys, ActionChains = webdriver.Keys, webdriver.ActionChains

pytestmark = pytest.mark.browser

QUESTION = "What are the benefits of vitamin D other than bone health?"
HOSTILE = '</script><img src=x onerror="window.stolen=1"><script>window.stolen=1</script> \u202egnp.exe <b>bold</b>'
BLOCKS = "[...document.querySelectorAll('#blocks input')].map((one) => one.value)"
MUCH_LEFT_OUT = """for (const [id, value] of [['strict', 2], ['k', 30]]) {
  const one = document.getElementById(id); one.value = value; one.dispatchEvent(new Event('input')); }"""
SETTLED = "!document.body.classList.contains('busy') && document.querySelector('#found > li') !== null"


def ids_found(browser, side="#found"):
    ids = "return [...document.querySelectorAll(arguments[0])].map((o) => o.textContent)"
    return browser.execute_script(ids, f"{side} .id bdi")


def retype(field, text):
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)
    field.send_keys(text)


@pytest.fixture
def asked(browser, wait, serve, playground):
    """The served page with the answer to the first question."""
    browser.get(serve(playground))
    wait("document.querySelectorAll('#examples button').length")
    browser.find_element("id", "question").send_keys(QUESTION, Keys.ENTER)
    wait(SETTLED)
    return browser


def test_a_question_is_typed_and_answered_beside_plain_dense(asked, wait, demo_retriever):
    assert "token" not in asked.current_url
    told = demo_retriever.explain(QUESTION, k=5)
    assert ids_found(asked) == [one.id for one in told.result.documents]
    dense = ids_found(asked, "#dense")
    assert dense == [one.id for one in told.dense[:5]]
    assert asked.find_element("id", "query").get_attribute("value") == str(told.read.query)
    assert asked.execute_script(f"return {BLOCKS}") == ["What are the benefits of vitamin D", "bone health"]
    assert asked.find_element("id", "reader").text == "by the tagger"
    assert asked.find_elements("css selector", "#found mark")
    gone = [one.text for one in asked.find_elements("css selector", "#dense .gone .id bdi")]
    goes = {one.id for one in told.not_shown if one.decisions["bone health"].leave_out}
    assert gone == [id for id in dense if id in goes]
    count = asked.find_element("id", "plain-count").text
    assert count == (f"{len(gone)} of 5 would be left out" if gone else "5 passages")
    assert not asked.find_elements("css selector", "#found .gone")
    asked.execute_script(MUCH_LEFT_OUT)
    wait("!document.getElementById('out').hidden && " + SETTLED)
    reasons = [one.text for one in asked.find_elements("css selector", "#left-out .why")]
    told = demo_retriever.explain(QUESTION, k=30, exclusion="strict")
    assert reasons == [f"bone health – {out.reason}" for out in told.result.left_out]


def test_a_passage_that_says_it_has_none_stays_and_the_page_says_why(browser, wait, serve):
    texts = ["A house with a heated pool", "A house with a large garden, no pool", "A house by the river"]
    browser.get(serve(Playground(LogicalRetriever.from_texts(texts, HashingEmbedder()), name="Homes")))
    browser.find_element("id", "question").send_keys('"house" AND NOT "pool"', Keys.ENTER)
    wait(SETTLED)
    stays, goes = browser.find_element("css selector", "#found .why.stays"), "#left-out .why"
    assert stays.text == f"pool – says it has none: '{texts[1]}'"
    assert browser.find_element("css selector", goes).text == f"pool – has it: '{texts[0]}'"


def test_blocks_and_text_say_the_same(asked, wait, demo_retriever):
    query = asked.find_element("id", "query")
    asked.find_element("css selector", "#blocks .unwanted .not").click()
    wait(SETTLED)
    assert query.get_attribute("value") == '"What are the benefits of vitamin D" AND "bone health"'
    asked.find_element("css selector", "#blocks .connective").click()
    assert query.get_attribute("value") == '"What are the benefits of vitamin D" OR "bone health"'
    retype(query, 'vitamin d AND NOT (cancer OR "heart")')
    wait("document.getElementById('reader').textContent === 'as you edited it' && " + SETTLED)
    assert asked.execute_script(f"return {BLOCKS}") == ["vitamin d", "cancer", "heart"]
    retype(asked.find_elements("css selector", "#blocks input")[2], "immunity")
    asked.find_element("css selector", "#blocks [data-focus='add-1']").click()
    asked.switch_to.active_element.send_keys("diabetes")
    expected = '"vitamin d" AND NOT ("cancer" OR "immunity" OR "diabetes")'
    assert query.get_attribute("value") == expected
    wait(SETTLED)
    found = [one.id for one in demo_retriever.search(expected, k=5).documents]
    wait(
        "JSON.stringify([...document.querySelectorAll('#found .id bdi')].map((o) => o.textContent)) === arguments[0]",
        json.dumps(found, separators=(",", ":")),
    )
    asked.find_element("id", "unedited").click()
    wait("document.getElementById('reader').textContent === 'by the tagger'")
    assert asked.execute_script(f"return {BLOCKS}") == ["What are the benefits of vitamin D", "bone health"]


def test_a_mistake_is_said_where_it_is_and_the_answer_stays(asked, wait):
    before = ids_found(asked)
    query = asked.find_element("id", "query")
    retype(query, '"vitamin D" AND NOT (')
    assert "A term is missing at the end" in asked.find_element("id", "mistake").text
    assert query.get_attribute("aria-invalid") == "true"
    assert len(before) == 5
    retype(query, '"vitamin D" AND [year ~ 3]')  # its shape is right, and the server reads what is inside
    wait("document.getElementById('mistake').textContent.includes('year ~ 3')")


def test_sliders_answer_while_they_are_dragged(asked, wait, demo_retriever):
    slider = asked.find_element("id", "strict")
    asked.execute_script(MUCH_LEFT_OUT)
    wait("!document.getElementById('out').hidden && " + SETTLED)
    asked.execute_script("window.seen = 0; const ask = fetch; window.fetch = (...a) => (window.seen++, ask(...a))")
    drag = ActionChains(asked).click_and_hold(slider)
    for _ in range(12):
        drag = drag.move_by_offset(-17, 0).pause(0.03)
    drag.perform()  # not let go
    wait("document.getElementById('out').hidden && " + SETTLED)
    assert asked.execute_script("return window.seen") >= 1
    ActionChains(asked).release().perform()
    assert slider.get_attribute("value") == "0"
    assert "nothing is left out" in slider.get_attribute("aria-valuetext")
    words = asked.find_element("id", "words")
    words.send_keys(Keys.HOME)
    wait("document.getElementById('words-says').textContent === 'vectors alone' && " + SETTLED)
    wait(
        "document.querySelectorAll('#found .byword').length && "
        "[...document.querySelectorAll('#found .byword')].every((one) => one.style.width === '0%')"
    )


def test_the_python_shown_gives_the_same_and_so_does_the_link(asked, wait, demo_retriever, browser, capsys):
    asked.execute_script(
        "for (const [id, value] of [['strict', 2], ['words', 30], ['least', 1], ['k', 7]]) {"
        "  const one = document.getElementById(id); one.value = value; one.dispatchEvent(new Event('input')); }"
    )
    wait("document.querySelectorAll('#found .card').length >= 6 && " + SETTLED)
    lines = asked.find_element("id", "python").text
    names = {"LogicalRetriever": LogicalRetriever, "store": demo_retriever.store, "embedder": demo_retriever.embedder}
    exec(compile(lines, "python.py", "exec"), names)
    assert [document.id for document in names["documents"]] == ids_found(asked)
    assert names["documents"][0].text[:20] in capsys.readouterr().out
    wait("location.hash.includes('strict=2') && location.hash.includes('least=1')")
    link, before = asked.current_url, ids_found(asked)
    assert "token" not in link
    asked.switch_to.new_window("tab")
    try:
        asked.get(link)
        wait(SETTLED)
        assert ids_found(asked) == before
        assert asked.find_element("id", "strict").get_attribute("value") == "2"
    finally:
        asked.close()
        asked.switch_to.window(asked.window_handles[0])
    assert ids_found(asked) == before


def test_hostile_texts_and_ten_thousand_results_are_shown_as_text(browser, wait, serve):
    embedder = HashingEmbedder(64)
    texts = [f"tea {HOSTILE}", "tea " * 250_000, "שלום tea עולם", "tea " + "\u0000\ufffe\ud7ff", *["tea"] * 10_000]
    ids = [HOSTILE, *range(1, len(texts))]
    documents = [StoredDocument(id, text, {"title": HOSTILE}) for id, text in zip(ids, texts, strict=True)]
    retriever = LogicalRetriever(InMemoryStore(documents, embedder.embed_documents(texts)), embedder)
    browser.get(serve(Playground(retriever, name=HOSTILE, examples=[HOSTILE])))
    wait("document.querySelectorAll('#examples button').length")
    assert browser.find_element("css selector", "#collection bdi").text.startswith("</script><img")
    browser.find_element("css selector", "#examples button").click()
    wait(SETTLED)
    many = "const k = document.getElementById('k'); k.value = 10000; k.dispatchEvent(new Event('input'))"
    browser.execute_script(many)
    wait("document.querySelector('#found .more') !== null && " + SETTLED)
    assert len(browser.find_elements("css selector", "#found .card")) == 50
    more = browser.find_element("css selector", "#found .more button")
    browser.execute_script("arguments[0].click()", more)
    assert len(browser.find_elements("css selector", "#found .card")) == 100
    assert browser.execute_script("return window.stolen") is None
    assert browser.find_elements("css selector", "main img, main b") == []
    assert browser.execute_script("return document.body.textContent").count("<b>bold</b>") >= 3


def test_a_link_that_is_hostile_or_broken_does_no_harm(browser, wait, serve, playground):
    address = serve(playground)
    browser.get(address)
    browser.get(f"{address}#q=tea&k=-5&strict=1e9&words=x&query=%22tea%22%20AND&__proto__=1")
    wait("document.getElementById('mistake').textContent !== ''")
    assert browser.find_element("id", "k").get_attribute("value") == "1"
    assert browser.find_element("id", "words").get_attribute("value") == "50"


def test_without_the_token_or_the_server_the_page_says_what_to_do(browser, wait, playground, on_a_port):
    application = make_app(playground)
    with on_a_port(application) as address:
        browser.delete_all_cookies()
        browser.get(address)
        wait("document.getElementById('trouble').textContent.includes('no token')")
        browser.get(f"{address}/?token={application.state.token}#q=coffee")
        wait(SETTLED)
    browser.find_element("id", "ask").submit()
    wait("document.getElementById('trouble').textContent.includes('does not answer')")
    assert len(ids_found(browser)) == 5  # what was found stays


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious_and_a_phone_needs_no_sideways_scrolling(asked, wait, dark, width):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    asked.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    asked.execute_script("document.documentElement.dataset.theme = arguments[0]", "dark" if dark else "light")
    asked.execute_script(files(axe.__name__).joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = asked.execute_async_script("const done = arguments[0]; axe.run().then((one) => done(one.violations))")
    assert [one for one in found if one["impact"] in ("serious", "critical")] == []
    assert asked.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_everything_can_be_done_with_the_keyboard(asked, wait):
    asked.find_element("id", "question").send_keys("")
    visited = set()
    for _ in range(60):
        asked.switch_to.active_element.send_keys(Keys.TAB)
        visited |= {asked.switch_to.active_element.get_attribute(name) for name in ("id", "data-focus")}
    assert {"query", "strict", "words", "k", "share", "copy-python", "not-1", "text-0", "op--1", "add-"} <= visited
    assert asked.find_element("id", "status").get_attribute("role") == "status"
    assert "5 passages found" in asked.find_element("id", "status").get_attribute("textContent")
