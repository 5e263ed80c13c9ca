"""The story of a question: what was left out and why, and the page that notebooks show."""

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from uuid import UUID

import pytest
from hypothesis import given, settings
from random_queries import queries
from verifying import Recording

from logical_retriever import LogicalRetriever, Verdict, parse
from logical_retriever.explain.html import to_html
from logical_retriever.scoring.exclusion import exclusion_weights
from logical_retriever.stores import InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

TEXTS = {
    "brewing": "green tea and brewing green tea",
    "kettle": "brewing green tea in a kettle",
    "health": "green tea and health",
    "garden": "a garden of green tea",
    "shop": "a shop for tea",
    "coffee": "coffee and sleep",
    "trains": "timetables of trains",
}
QUESTION = "green tea, excluding brewing"
VOID = {"br", "img", "hr", "meta", "link", "input"}


class Page(HTMLParser):
    """Elements, their classes and attributes, and the visible text of well-formed HTML."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.items = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        assert tag not in VOID
        self.open.append(tag)
        if tag == "li":
            self.items.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.text += data
        if "li" in self.open:
            self.items[-1] += f"{data}\n"


def over(texts, **options):
    embedder = HashingEmbedder()
    documents = [StoredDocument(id, text) for id, text in texts.items()]
    store = InMemoryStore(documents, embedder.embed_documents(list(texts.values())))
    return LogicalRetriever(store, embedder, **options)


def test_what_only_plain_retrieval_returns_is_left_out_with_its_evidence():
    retriever = over(TEXTS, k=1)
    story = retriever.explain(QUESTION)
    assert [document.id for document in story.result.documents] == ["health"]
    assert story.dense[0].id == "brewing"
    [left] = story.not_shown
    assert left.id == "brewing"
    assert any("'brewing'" in reason for reason in story.reasons(left))


@pytest.mark.parametrize("semantics", ["calibrated", "product", "itlr"])
def test_what_is_left_out_has_the_score_that_a_search_of_the_whole_store_gives_it(semantics):
    retriever = over(TEXTS, k=1, semantics=semantics, verify=False)
    story = retriever.explain(QUESTION)
    everything = retriever.search(story.read, k=len(TEXTS), exclusion="rank")
    scored = {document.id: document for document in everything.documents}
    assert story.not_shown
    for document in story.not_shown:
        assert document.score == pytest.approx(scored[document.id].score, abs=1e-9)
        assert document.truth_values == pytest.approx(scored[document.id].truth_values, abs=1e-9)


def test_nothing_is_left_out_of_a_plain_question_an_empty_store_or_a_full_answer():
    assert over(TEXTS, k=2).explain("green tea").not_shown == ()
    assert over({}).explain(QUESTION).not_shown == ()
    assert over(TEXTS, k=9, exclusion="rank").explain(QUESTION).not_shown == ()


def test_the_text_and_the_data_have_what_was_left_out():
    lower = over(TEXTS, k=1, exclusion="rank").explain(QUESTION)
    assert "Not among the answers, though plain dense retrieval returns them:" in str(lower)
    assert len(re.findall(r"brewing  \(relevance 0\.\d\d, dense rank 1\)", str(lower))) == 1
    [left] = lower.to_dict()["not_shown"]
    assert (left["id"], left["dense_rank"]) == ("brewing", 1)
    story = over(TEXTS, k=7).explain(QUESTION)
    assert {one.id: one.term for one in story.result.left_out} == {"brewing": '"brewing"', "kettle": '"brewing"'}
    assert [one.id for one in story.not_shown] == [one.id for one in story.result.left_out]
    assert 'Left out for what is excluded, "brewing":' in str(story)
    assert story.result.note in str(story)
    told = {one["id"]: one for one in story.to_dict()["excluded"]}
    for one in story.result.left_out:
        assert (told[one.id]["term"], told[one.id]["reason"]) == (one.term, one.reason)
        assert told[one.id]["probability"] == one.probability >= exclusion_weights().drop
    assert "No document was found." in Page(over({}).explain(QUESTION)._repr_html_()).text


@pytest.mark.parametrize("read", [False, lambda *_: Verdict(0.1, 0.7, 0.1, 0.1, about=0.4), lambda *_: 0.3])
def test_every_feature_of_a_decision_is_shown_with_its_part_of_the_sum(read):
    settings = {"verify": Recording(read)} if read else {"verify": False, "exclusion": "rank"}
    story = over(TEXTS, k=7, **settings).explain(QUESTION)
    told = {document["id"]: document for document in story.to_dict()["documents"]}
    for document in story.result.documents:
        decision, (_, line) = document.decisions["brewing"], story.reasons(document)
        assert line.startswith(f"'brewing': {decision} ({decision.probability:.2f} to be left out")
        assert all(f"{name} {part:+.1f}" in line for name, part in decision.parts.items() if abs(part) >= 0.05)
        assert told[document.id]["decisions"]["brewing"]["parts"] == decision.parts
        if read and decision.verdict is None:
            assert (decision.probability, decision.parts) == (0.3, {})
        else:
            assert 1 / (1 + math.exp(-sum(decision.parts.values()))) == pytest.approx(decision.probability)


@pytest.mark.parametrize(
    "question",
    ["green tea " * 2_000, "green tea " * 2_000 + "other than brewing", 'say "green" tea \\ ' * 1_000],
    ids=["words", "exclusion", "quotes"],
)
def test_a_question_of_any_length_that_is_retrieved_is_explained(question):
    retriever = over(TEXTS, k=2)
    assert len(question) > 10_000
    assert len(retriever.retrieve(question)) == 2
    story = retriever.explain(question)
    assert question in str(story)
    assert story.searched in str(story)
    assert json.loads(json.dumps(story.to_dict()))["question"] == question
    assert Page(story._repr_html_()).items


def test_identities_that_are_no_texts_are_explained():
    key = UUID(int=7)
    story = over({"tea": "green tea and health"}).explain(QUESTION)
    [ranked] = story.result.documents
    documents = (replace(ranked, id=key), replace(ranked, id=-3))
    story = replace(story, result=replace(story.result, documents=documents), dense=documents[:1])
    assert str(key) in str(story)
    assert [one["id"] for one in json.loads(json.dumps(story.to_dict()))["documents"]] == [str(key), -3]
    assert str(key) in Page(to_html(story)).text


def test_reasons_tell_what_came_from_words_and_which():
    story = over(TEXTS, k=7, exclusion="rank").explain(QUESTION)
    found = {document.id: document for document in (*story.result.documents, *story.not_shown)}
    kettle, trains = found["kettle"], found["trains"]
    assert story.matched(kettle, "green tea") == ("green", "tea")
    wanted, excluded = story.reasons(kettle)
    sources = kettle.sources["brewing"]
    assert "is about it: 'brewing green tea in a kettle'" in excluded
    assert wanted.endswith("by its words green, tea)")
    assert kettle.evidence["brewing"] == pytest.approx((sources.vectors**2 + sources.words**2) ** 0.5)
    assert not any("by its words" in line for line in story.reasons(trains))
    told = {document["id"]: document for document in story.to_dict()["documents"]}
    assert told["kettle"]["sources"]["green tea"]["matched"] == ["green", "tea"]
    unmatched = told["trains"]["sources"]["green tea"]
    assert unmatched["vectors"] == pytest.approx(trains.evidence["green tea"])
    assert (unmatched["words"], unmatched["matched"]) == (0.0, [])


def test_the_page_tells_the_whole_story():
    story = over(TEXTS, k=2).explain(QUESTION)
    source = story._repr_html_()
    page = Page(source)
    assert source.count('class="leaves"') == len(story.not_shown) == 2
    assert QUESTION in page.text
    assert str(story.read.query) in page.text
    assert "exact" in page.text
    assert story.result.reason in page.text
    assert str(story.result.cost) in page.text
    ranked = (*story.result.documents, *story.not_shown)
    assert len(page.items) == len(ranked) == 4
    for place, (document, item) in enumerate(zip(ranked, page.items, strict=True), start=1):
        lines = item.splitlines()
        assert lines[0] == (str(place) if place <= 2 else "–")
        assert lines[1] == f"dense {story.dense_rank(document.id)}"
        assert {document.id, f"score {document.score:.3f}", document.text, *story.reasons(document)} <= set(lines)


def test_the_page_runs_no_script_loads_nothing_and_escapes_every_text():
    attack = "</style></div><script>alert('x')</script><img src=x onerror=alert(1)> & \"tea\""
    retriever = over({attack: attack, "other": "tea"}, k=2, exclusion="rank")
    source = to_html(retriever.explain(parse(r'"<b>tea</b>" AND NOT "</p><script>tea</script>"')))
    page = Page(source)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert page.tags.count("b") == 2  # AND and NOT
    assert not any(name.startswith("on") or name in ("src", "href") for name, _ in page.attributes)
    assert "url(" not in source
    assert "@import" not in source
    assert any(attack in item for item in page.items)
    assert '"</p><script>tea</script>"' in page.text


def test_bars_are_as_long_as_the_evidence_and_stay_within_their_track():
    retriever = over(TEXTS, k=5, exclusion="rank")
    story = retriever.explain(QUESTION)
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", to_html(story))]
    strengths = [z for document in story.result.documents for z in document.evidence.values()]
    assert widths == pytest.approx([100 * min(1, max(0, z / 12)) for z in strengths], abs=0.06)
    product = over(TEXTS, k=5, semantics="product", exclusion="rank").explain(QUESTION)
    widths = [float(width) for width in re.findall(r"width:([\d.]+)%", to_html(product))]
    truths = [truth for document in product.result.documents for truth in document.truth_values.values()]
    assert widths == pytest.approx([100 * truth for truth in truths], abs=0.06)


@settings(max_examples=40, deadline=None)
@given(query=queries())
def test_every_query_is_spelled_as_its_canonical_text(query):
    retriever = over({"one": "tea", "two": "coffee"}, k=1)
    page = Page(to_html(retriever.explain(query)))
    assert str(query).replace("\r\n", "\n") in page.text.replace("\r\n", "\n")
