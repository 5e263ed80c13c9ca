"""Documents that only their words find, over stores of each kind, and rankings with words against plain Python."""

from dataclasses import replace

import hypothesis
import numpy as np
import pytest
import searching
from hypothesis import settings, strategies as st
from languages import CORPORA

from logical_retriever import ReadQuestion
from logical_retriever.lexical import own_words
from logical_retriever.query import Term, negative_terms, parse, positive_terms
from logical_retriever.reading.passages import SoughtTerm
from logical_retriever.scoring import CalibratedConstants, CalibratedSemantics, Evidence
from logical_retriever.search.candidates import CUES
from logical_retriever.search.statistics import StoreStatistics
from logical_retriever.stores import InMemoryStore, StoredDocument, VectorBatch
from logical_retriever.testing.ranking_suite import WithoutScan

VOCABULARY = ("plum", "jam", "no jam", "bread", "tea", "common", "common", "common")
TERMS = ("plum common", "jam", "bread tea bread")
QUESTION = "a question with plum"
QUERIES = (
    '"plum common"',
    '"plum common" AND NOT "jam"',
    '"plum common" AND "jam" AND NOT "bread tea bread"',
    '("plum common" OR "jam") AND NOT "bread tea bread"',
    '"plum common" AND NOT ("jam" AND "plum common")',
    'NOT "jam"',
)
STRONG = CalibratedSemantics(CalibratedConstants(lexical=8.0, asked_lexical=1.0))


def corpus(count, rng):
    texts = [" ".join(rng.choice(VOCABULARY, size=rng.integers(0, 6))) for _ in range(count)]
    documents = [StoredDocument(i, text, {"odd": bool(i % 2)}) for i, text in enumerate(texts)]
    return documents, rng.normal(size=(count, 6)).astype(np.float32)


def find(text, store, given, *, question=None, semantics=STRONG, filter=None, **settings):
    query = parse(text) if question is None else ReadQuestion(question, parse(text), "recorded")
    return searching.find(query, store, given, semantics, filter=filter, **settings)


def by_hand(text, store, given, documents, vectors, *, question, semantics, k):
    """Every text read, every document composed, by the statistics that a search takes."""
    query, statistics = parse(text), StoreStatistics(store, None).current(store.count())
    if question is not None and semantics.searched_whole(query):
        query = Term(question)
    texts = semantics.texts(query, question)
    rows, unit = (np.array(some, dtype=np.float64) for some in ([given[text] for text in texts], vectors))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    nulls = statistics.null_model.of(rows.astype(np.float32))
    read = [document.text for document in documents]
    lexical = {
        bag: statistics.word_statistics.evidence(own_words(bag.text, bag.without, bag.keeping), read)
        for bag in semantics.bags(query, question)
    }
    known = {"cues": {}}
    for term in negative_terms(query):
        cue = SoughtTerm(term, () if term in positive_terms(query) else positive_terms(query))
        known["cues"][term] = np.array([CUES[cue.in_passage(text).cue] for text in read])
    scores = semantics.compose(query, Evidence(texts, rows @ unit.T, nulls, lexical, question, **known))
    return np.sort(scores)[::-1][:k]


def given(rng):
    return dict(zip((*TERMS, QUESTION), rng.normal(size=(4, 6)), strict=True))


@settings(max_examples=60, deadline=None)
@hypothesis.given(
    seed=st.integers(0, 1000),
    text=st.sampled_from(QUERIES),
    question=st.sampled_from([None, QUESTION]),
    semantics=st.sampled_from([CalibratedSemantics(), STRONG]),
    k=st.integers(1, 30),
    odd=st.booleans(),
)
def test_every_document_is_scored_by_its_words_in_memory(seed, text, question, semantics, k, odd):
    rng = np.random.default_rng(seed)
    documents, vectors = corpus(300, rng)
    store, texts = InMemoryStore(documents, vectors), given(rng)
    kept = [i for i in range(300) if i % 2 or not odd]
    options = {"question": question, "semantics": semantics, "k": k}
    passes = (lambda document: document.metadata["odd"]) if odd else None
    result = find(text, store, texts, filter=passes, **options)
    expected = by_hand(text, store, texts, [documents[i] for i in kept], vectors[kept], **options)
    assert result.exact
    assert result.cost.scored == len(kept)
    assert [document.score for document in result.documents] == pytest.approx(list(expected), rel=1e-6, abs=1e-6)
    assert result.cost.words == "its index of words"


@pytest.mark.parametrize("exclusion", ["drop", "strict", "rank"])
def test_a_scan_reads_the_documents_that_can_be_answers_and_no_others(exclusion):
    rng = np.random.default_rng(1)
    documents, vectors = corpus(3000, rng)
    result = find('"plum common" AND NOT "jam"', InMemoryStore(documents, vectors), given(rng), exclusion=exclusion)
    assert result.exact
    assert len(result.documents) == 5
    assert result.cost.vectors - 3000 < 600


def ophicleide(count=1500):
    """Documents of which one alone has a word, and is least like it by its vector."""
    rng = np.random.default_rng(3)
    documents, vectors = corpus(count, rng)
    documents[700] = StoredDocument(700, "the ophicleides of Paris", {"odd": False})
    vectors[:, 0] = np.abs(vectors[:, 0]) + 1
    vectors[700, 0] = 0.1
    texts = {"ophicleide": np.eye(6)[0], "jam": np.eye(6)[1], "nothing": np.eye(6)[2], "ophicleide?": np.eye(6)[0]}
    return InMemoryStore(documents, vectors), texts


@pytest.mark.parametrize("wrapped", [lambda store: store, WithoutScan], ids=["in memory", "by lists"])
@pytest.mark.parametrize("text", ['"ophicleide"', '"ophicleide" AND NOT "jam"', '"nothing" OR "ophicleide"'])
def test_a_document_that_only_its_words_find_comes_first(text, wrapped):
    store, texts = ophicleide()
    result = find(text, wrapped(store), texts, k=3, fetch_k=20)
    assert result.documents[0].id == 700
    assert find(text, wrapped(store), texts, k=3, fetch_k=20, words=0.0).documents[0].id != 700


class WithoutWords(WithoutScan):
    @property
    def capabilities(self):
        return replace(super().capabilities, word_search=None)


def test_a_store_that_cannot_be_searched_for_words_says_so():
    store, texts = ophicleide()
    result = find('"ophicleide"', WithoutWords(store), texts, k=3, fetch_k=20)
    assert result.documents[0].id != 700
    assert result.cost.words == "of the candidates alone"


def test_texts_of_stop_words_alone_ask_for_no_list_of_words():
    store, texts = ophicleide()
    result = find('"the" AND NOT "jam"', WithoutScan(store), {**texts, "the": np.eye(6)[3]}, k=3, fetch_k=20)
    assert len(result.documents) == 3


@pytest.mark.parametrize("wrapped", [lambda store: store, WithoutScan], ids=["in memory", "by lists"])
@pytest.mark.parametrize("language", sorted(CORPORA))
def test_words_are_read_by_the_language_of_the_store(language, wrapped):
    asked, rng = CORPORA[language], np.random.default_rng(5)
    others = [text for text in asked.texts if text != asked.texts[asked.answer]]
    texts = [*asked.texts, *(f"{text} {i}" for i in range(40) for text in others)]
    documents = [StoredDocument(i, text) for i, text in enumerate(texts)]
    store = wrapped(InMemoryStore(documents, rng.normal(size=(len(texts), 6)).astype(np.float32)))
    vectors = {asked.question: rng.normal(size=6)}
    result = find(str(Term(asked.question)), store, vectors, k=3)
    assert result.documents[0].id == asked.answer
    assert result.cost.language == language


class Wordless(InMemoryStore):
    """Scans without an index of words."""

    def scan(self, filter=None):
        for batch in super().scan(filter):
            yield VectorBatch(batch.ids, batch.vectors)


def test_a_scan_without_an_index_has_the_words_of_the_best_and_of_what_they_find():
    store, texts = ophicleide()
    wordless = Wordless(store._data.documents, store._data.vectors)
    result = find('"ophicleide" AND NOT "jam"', wordless, texts, k=3, fetch_k=20)
    assert result.documents[0].id == 700
    assert not result.exact
    assert "words were read of the best alone" in result.reason


def test_texts_that_come_and_go_are_found_by_their_words():
    store, texts = ophicleide()
    assert find('"ophicleide"', store, texts, k=1).documents[0].id == 700
    store.delete([700])
    assert "ophicleide" not in find('"ophicleide"', store, texts, k=1).documents[0].text
    store.add([StoredDocument("new", "an ophicleide")], np.eye(6, dtype=np.float32)[5:])
    assert find('"ophicleide"', store, texts, k=1).documents[0].id == "new"
