"""Which documents are about an excluded term, with the real encoder."""

import pytest

from logical_retriever import InMemoryStore, LogicalRetriever, SentenceTransformerEmbedder, StoredDocument
from logical_retriever.scoring import SEMANTICS
from logical_retriever.search.selection import ABOUT, NAMES

VITAMIN = ["Vitamin D lifts the mood.", "Vitamin D benefits bone health.", "Calcium is good for bone health."]
BONES = [
    "Vitamin D helps the gut absorb calcium and keeps bones strong.",
    "Enough vitamin D supports the immune system through the winter.",
    "Low vitamin D levels have been linked to tiredness and low mood.",
]


@pytest.fixture(scope="module")
def encoder():
    return SentenceTransformerEmbedder()


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
        (BONES, '"vitamin D" AND NOT "winter"', BONES[1:2]),
        (BONES, '"vitamin D" AND NOT "astronomy"', []),
        (BONES, '"vitamin D" AND NOT "the"', []),
        (BONES, f'"vitamin D" AND NOT "{"harbour cranes " * 500}"', []),
    ],
)
@pytest.mark.parametrize("exclusion", ["drop", "strict"])
def test_what_names_the_excluded_term_goes_however_good_it_is_for_the_wish(encoder, texts, query, out, exclusion):
    shown, left_out = searched(encoder, texts, query, exclusion=exclusion)
    assert shown == set(texts) - set(out)
    assert left_out == dict.fromkeys(out, NAMES)


@pytest.mark.parametrize("semantics", sorted(SEMANTICS))
def test_the_judgement_is_the_same_whatever_composes_the_scores(encoder, semantics):
    _, left_out = searched(encoder, VITAMIN, '"benefits of vitamin D" AND NOT "bone health"', semantics=semantics)
    assert set(left_out) == set(VITAMIN[1:])


def test_a_document_about_it_in_other_words_goes(encoder):
    texts = ["The orchestra rehearsed a symphony.", "A strong skeleton needs calcium.", "Trains run every hour."]
    _, left_out = searched(encoder, texts, '"music or health" AND NOT "bones"')
    assert left_out == {texts[1]: ABOUT}


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
