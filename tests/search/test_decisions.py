"""Which documents go for an excluded term, with the real encoder."""

import pytest
from verifying import Recording, encoder as minilm

from logical_retriever import InMemoryStore, LogicalRetriever, ReadQuestion, StoredDocument, Term, Verdict, parse
from logical_retriever.results import Decision
from logical_retriever.scoring.exclusion import exclusion_weights
from logical_retriever.testing import HashingEmbedder

VITAMIN = ["Vitamin D lifts the mood.", "Vitamin D benefits bone health.", "Calcium is good for bone health."]
BONES = [
    "Vitamin D helps the gut absorb calcium and keeps bones strong.",
    "Enough vitamin D supports the immune system through the winter.",
    "Low vitamin D levels have been linked to tiredness and low mood.",
]


HOMES = {
    "Detached home with a heated pool and a double garage.": "asserted",
    "Home near the lake, no pool, large garden.": "denied",
    "Terraced home with three bedrooms and a cellar.": "absent",
}


@pytest.fixture(scope="module")
def encoder():
    return minilm()


def searched(encoder, texts, query, **settings):
    result = LogicalRetriever.from_texts(texts, encoder, **{"k": len(texts), **settings}).search(query)
    return {document.text for document in result.documents}, {one.text: one.reason for one in result.left_out}


@pytest.mark.parametrize(
    ("texts", "query", "out"),
    [
        (VITAMIN, '"benefits of vitamin D" AND NOT "bone health"', VITAMIN[1:]),
        (VITAMIN, '"vitamin D" AND NOT "bones"', VITAMIN[1:]),
        (VITAMIN, '"vitamin D" AND NOT ("bone health" OR "calcium")', VITAMIN[1:]),
        (BONES, '"benefits of vitamin D" AND NOT "bones"', BONES[:1]),
        (BONES, '"vitamin D" AND NOT "calcium"', BONES[:1]),
        (BONES, '"vitamin D" AND NOT "astronomy"', []),
        (BONES, f'"vitamin D" AND NOT "{"harbour cranes " * 500}"', []),
    ],
)
@pytest.mark.parametrize("exclusion", ["drop", "strict"])
def test_what_asserts_the_excluded_term_goes_however_good_it_is_for_the_wish(encoder, texts, query, out, exclusion):
    shown, left_out = searched(encoder, texts, query, exclusion=exclusion)
    assert shown == set(texts) - set(out)
    assert left_out.keys() == set(out)
    assert all(reason in (f"has it: '{text}'", f"is about it: '{text}'") for text, reason in left_out.items())


def test_a_document_about_it_in_other_words_goes(encoder):
    texts = ["The orchestra rehearsed a symphony.", "A strong skeleton needs calcium.", "Trains run every hour."]
    _, left_out = searched(encoder, texts, '"music or health" AND NOT "bones"')
    assert left_out == {texts[1]: "is about it"}


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ('"home" AND NOT "pool"', "typed"),
        (ReadQuestion("a home without pool", parse("home AND NOT pool"), "llm", kinds={"pool": "lack"}), "lack"),
    ],
)
def test_what_asserts_it_goes_and_what_denies_or_does_not_name_it_stays(encoder, query, kind):
    result = LogicalRetriever.from_texts([*HOMES], encoder, k=3).search(query)
    assert [out.text for out in result.left_out] == [*HOMES][:1]
    cues = {one.text: one.decisions["pool"].cue for one in result.documents}
    assert all(cues[text] == cue for text, cue in HOMES.items() if text in cues)
    assert {one.decisions["pool"].kind for one in result.documents} == {kind}


def test_strict_leaves_out_at_least_what_drop_does(encoder):
    texts = [*VITAMIN, *BONES, *HOMES, "Bones can break.", "No bones were found.", "A skeleton hung in the hall."]
    for query in ('"vitamin D" AND NOT "bones"', 'NOT "pool"', '("home" AND NOT "pool") OR ("health" AND NOT "mood")'):
        out = {}
        for exclusion in ("drop", "strict"):
            result = LogicalRetriever.from_texts(texts, encoder, k=len(texts), exclusion=exclusion).search(query)
            least = getattr(exclusion_weights(), exclusion)
            out[exclusion] = {one.id for one in result.left_out}
            assert all(one.probability >= least for one in result.left_out)
            decisions = [one for document in result.documents for one in document.decisions.values()]
            assert all(one.leave_out == (one.probability >= least) for one in decisions)
        assert out["drop"] <= out["strict"]


@pytest.mark.parametrize("query", ['"home" AND NOT "pool"', '"home" AND NOT "pool" AND NOT "garden"'])
def test_without_words_no_text_is_read_and_nothing_is_quoted(encoder, query):
    result = LogicalRetriever.from_texts([*HOMES], encoder, k=3, words=0, verify=False).search(query)
    decisions = [one.decisions["pool"] for one in (*result.documents, *[out.document for out in result.left_out])]
    assert {(one.cue, one.sentence) for one in decisions} == {("absent", "")}
    assert len(decisions) == len(HOMES)


def test_what_is_about_it_and_denies_it_goes_as_a_topic_alone(encoder):
    texts = ["Vitamin D does not strengthen bones, a trial found.", "Vitamin D lifts the mood."]
    verifier = Recording(
        lambda _, passage: Verdict(0, "bones" in passage, 0, "bones" not in passage, "bones" in passage)
    )
    for kind, out in (("topic", texts[:1]), ("lack", [])):
        query = ReadQuestion("no bones", parse('"vitamin D" AND NOT "bones"'), "llm", kinds={"bones": kind})
        result = LogicalRetriever.from_texts(texts, encoder, k=2, verify=verifier).search(query)
        assert [one.text for one in result.left_out] == out


ODD = {
    "empty": "",
    "blank": " \n\t",
    "long": "The pool is heated. " * 2_500,
    "long and none": "A large garden. " * 3_000 + "There is no pool.",
    "table": "room,pool,price\n1,no,20\n2,yes,30\n",
    "code": "def pool(): return None  # no pool",
    "Thai": "บ้านไม่มีสระ",
    "bytes": "\x00\ud800 pool \ufeff",
}


@pytest.mark.parametrize("term", ["pool", "the", "not", "🏊", "no pool", "pool house " * 500, "is it at the"])
@pytest.mark.parametrize("exclusion", ["drop", "strict", "rank"])
def test_odd_passages_and_terms_are_decided_on_like_all_others(term, exclusion):
    texts, cannot_say = [*ODD.values(), *HOMES], Recording(lambda *_: None)
    for verify in (False, cannot_say):
        retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(64), k=20, exclusion=exclusion, verify=verify)
        result = retriever.search(parse('"home"') & ~Term(term))
        assert len(result.documents) + len(result.left_out) == len(texts)
        for document in (*result.documents, *(one.document for one in result.left_out)):
            decision = document.decisions[term]
            assert 0.0 <= decision.probability <= 1.0
            assert len(decision.sentence) <= 160


def test_a_tenant_s_documents_are_judged_among_themselves(encoder):
    texts = {"a": ["Vitamin D lifts the mood.", "Milk has some calcium."], "b": ["All about bone health and bones."]}
    documents = [StoredDocument(text, text, {"tenant": name}) for name, some in texts.items() for text in some]
    store = InMemoryStore(documents, encoder.embed_documents([document.text for document in documents]))
    alone = LogicalRetriever.from_texts(texts["a"], encoder, k=4)
    both = LogicalRetriever(store, encoder, k=4)
    for excluded in ("bone health", "calcium", "mood"):
        query = f'"vitamin D" AND NOT "{excluded}"'
        result = both.search(query, filter=lambda document: document.metadata["tenant"] == "a")
        assert {document.text for document in result.documents} == {one.text for one in alone.search(query).documents}


def test_relevance_is_no_higher_because_something_was_excluded(encoder):
    texts = [*(f"Sean Connery in a Bond film, number {number}" for number in range(4)), "Callable bonds pay interest."]
    retriever = LogicalRetriever.from_texts(texts, encoder, k=5)
    plain = {document.text: document.relevance for document in retriever.search('"Bond films"').documents}
    result = retriever.search('"Bond films" AND NOT "Sean Connery"')
    assert [document.text for document in result.documents] == texts[4:]
    assert result.documents[0].relevance <= plain[texts[4]] + 0.01


def test_a_denial_is_not_quoted_as_the_reason_for_having_it():
    sentence = "Large garden, no pool."
    out, stays = (Decision(0.9, leave_out, "lack", "denied", sentence) for leave_out in (True, False))
    assert str(out) == "is about it"
    assert str(stays) == f"says it has none: '{sentence}'"
    assert sentence in str(Decision(0.9, True, "topic", "denied", sentence))
