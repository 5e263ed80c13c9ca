"""Laws of every search, over random queries of several stores; those that a store can break are in its suite."""

import asyncio
import math
import zlib
from concurrent.futures import ThreadPoolExecutor

import chromadb
import oracle
import pytest
from hypothesis import assume, given, settings, strategies as st
from random_queries import possible, queries
from remote_store import RemoteStore

from logical_retriever import LogicalRetriever, ReadQuestion, Verdict
from logical_retriever.query import Term
from logical_retriever.search.question import open_ended
from logical_retriever.stores import ChromaStore, InMemoryStore, SqlStore, StoredDocument
from logical_retriever.testing import HashingEmbedder

WORDS = ("tea", "milk", "sugar", "health", "trade", "water")
COPIES = 18
PARTS = (  # whatever stays of some questions comes behind copies that are clearly about both of their words
    ["tea milk"] * COPIES + [f"{word} {word} number{i}" for word in WORDS[3:] for i in range(4)],
    ["milk sugar"] * COPIES + [f"{a} {b} {c}" for a in WORDS for b in WORDS for c in WORDS if a < b < c],
    ["sugar tea"] * COPIES + [f"nothing of number{i} at all" for i in range(20)],
    [f"word{i} word{i + 1} word{2 * i}" for i in range(200)],
)
EMBEDDER = HashingEmbedder(64)


def documents_of(parts):
    told = [(text, {"part": part}) for part, texts in enumerate(parts) for text in texts]
    return [StoredDocument(f"d{i:04}", text, metadata) for i, (text, metadata) in enumerate(told)]


def over(store, documents=(), **asked):
    if documents:
        store = store(documents, EMBEDDER.embed_documents([one.text for one in documents]))
    return LogicalRetriever(store, EMBEDDER, **asked)


@pytest.fixture(scope="module")
def retrievers(tmp_path_factory):
    """Over stores of the same documents."""
    documents = documents_of(PARTS)
    ids = [one.id for one in documents]
    texts = [one.text for one in documents]
    parts = [one.metadata for one in documents]
    vectors = EMBEDDER.embed_documents(texts)
    remote = RemoteStore(documents, vectors)
    wide = {"hnsw": {"space": "cosine", "ef_search": len(ids), "ef_construction": len(ids)}}
    client = chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
    collection = client.create_collection("docs", embedding_function=None, configuration=wide)
    collection.add(ids, vectors, [dict(part) for part in parts], texts)
    with pytest.importorskip("duckdb").connect() as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[64], part INTEGER)")
        rows = [(*row, part["part"]) for *row, part in zip(ids, texts, vectors.tolist(), parts, strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?)", rows)
        yield {
            "memory": over(InMemoryStore, documents),
            "remote": over(remote),
            "Chroma": over(ChromaStore(collection)),
            "DuckDB": over(SqlStore.from_table(connection, "docs")),
        }


def assert_as_cut_by_hand(memory, other, query, k, semantics, least, part=None):
    """Compare an exact answer with what stays of all documents' ranking, in memory, with nothing left out."""
    among = None if part is None else lambda one: one.metadata["part"] == part

    def every(semantics):
        all_of_them = memory.but(semantics=semantics, k=memory.store.count(), exclusion="rank")
        return all_of_them.search(query, filter=among).documents

    gone = {  # leaving out is by calibrated evidence whatever the semantics
        one.id: oracle.excluded(query, one.truth_values, [term for term, its in one.decisions.items() if its.leave_out])
        for one in every("calibrated")
    }
    ranked = every(semantics)
    best = {one.id for one in ranked[:k] if one.relevance >= least}

    result = other.but(semantics=semantics).search(query, k=k, min_relevance=least, filter=inside(other, part))
    stays = [one.id for one in ranked if gone[one.id] is None and one.relevance >= least]
    if not result.exact:
        shown = {one.id for one in result.documents}
        assert len(shown - set(stays[: 2 * k])) <= k // 2, result.completeness
        return
    assert [one.id for one in result.documents] == stays[:k], result.completeness
    assert [(one.id, one.excluded) for one in result.left_out] == [(one.id, gone[one.id]) for one in result.left_out]
    out, last = {one.id for one in result.left_out}, result.documents[-1].relevance if len(result.documents) == k else 0
    assert {id for id in best if gone[id] is not None} <= out
    assert all(one.document.relevance >= (least if one.id in best else max(least, last)) for one in result.left_out)
    assert len(out) == len(result.left_out) <= 3 * k
    reached = [one for one in ranked if gone[one.id] is not None and one.relevance >= max(least, last)]
    assert sum(result.left_out_counts.values()) >= len(reached)
    assert result.too_low == sum(gone[one.id] is None for one in ranked[:k] if one.relevance < least)
    assert ("left out for what is excluded" in result.note) == bool(out)


FEW = st.sampled_from(WORDS[:3])
ASKED = {
    "query": st.one_of(
        queries(FEW, max_leaves=5),
        st.permutations(WORDS[:3]).map(lambda words: Term(words[0]) & ~Term(words[1])),
        st.permutations(WORDS[:3]).map(lambda words: (Term(words[0]) & ~Term(words[1])) | Term(words[2])),
    ),
    "k": st.integers(1, 6),
    "semantics": st.sampled_from(["calibrated", "calibrated", "product", "itlr"]),
    "least": st.sampled_from([0.0, 0.0, 0.2, 0.6]),
}
PHRASES = st.sampled_from([*WORDS, "no milk", "without sugar", "sugar: none"])
CORPORA = st.lists(
    st.tuples(st.lists(PHRASES, min_size=1, max_size=4).map(" ".join), st.integers(1, COPIES)),
    min_size=1,
    max_size=8,
).map(lambda some: [text for text, copies in some for _ in range(copies)])


@settings(max_examples=20, deadline=None)
@given(texts=CORPORA, remote=st.booleans(), **ASKED)
def test_random_corpora_in_memory_and_behind_a_connection(texts, remote, **asked):
    assume(not remote or not open_ended(asked["query"]))
    documents = documents_of([texts, PARTS[-1]])
    memory = over(InMemoryStore, documents)
    assert_as_cut_by_hand(memory, over(RemoteStore, documents) if remote else memory, **asked)


class Scripted:
    """A verifier with an answer for each pair, whatever it is asked with: a share of them says "goes"."""

    def __init__(self, share, verdicts):
        self.share, self.verdicts, self.pairs = share, verdicts, 0

    def verify(self, terms, passages):
        self.pairs += len(terms)
        return [self.answer(zlib.crc32(f"{pair}".encode()) / 2**32) for pair in zip(terms, passages, strict=True)]

    def answer(self, drawn):
        if not self.verdicts:
            return drawn < self.share
        has = Verdict(drawn < self.share, 0.0, 0.0, drawn >= self.share, about=drawn < self.share)
        return None if drawn > 0.95 else has


VERIFIERS = st.none() | st.builds(Scripted, st.sampled_from([0.1, 0.5, 0.9, 1.0]), st.booleans())


@settings(max_examples=60, deadline=None)
@given(
    texts=CORPORA,
    query=ASKED["query"],
    read=st.booleans(),
    remote=st.booleans(),
    verifier=VERIFIERS,
    exclusion=st.sampled_from(["drop", "strict"]),
    words=st.sampled_from([0.0, 0.5]),
)
def test_the_first_four_of_ten_are_the_four_and_scores_fall(texts, query, read, remote, verifier, exclusion, words):
    assume(not remote or not open_ended(query))
    documents = documents_of([[f"{text} number{i}" for i, text in enumerate(texts)], PARTS[-1]])
    kind = RemoteStore if remote else InMemoryStore
    retriever = over(kind, documents, exclusion=exclusion, verify=verifier or False, words=words)
    query = ReadQuestion("tea without milk, and nothing about sugar", query, "recorded") if read else query
    shown = {}
    for k in (4, 10, len(documents)):
        before = verifier.pairs if verifier else 0
        result = retriever.search(query, k=k)
        shown[k] = [one.id for one in result.documents]
        assert not set(shown[k]) & {one.id for one in result.left_out}
        assert not verifier or verifier.pairs - before <= 80
    assert shown[4] == shown[10][:4]
    assert remote or shown[10] == shown[len(documents)][:10]
    scores = [one.score for one in result.documents]
    assert scores == sorted(scores, reverse=True)


STORES = pytest.mark.parametrize("name", ["memory", "remote", "Chroma", "DuckDB"])
PLACE = st.sampled_from([None, 0, 1, 2])


def inside(retriever, part):
    """The filter for one part of the documents."""
    native = (
        {"part": part} if not isinstance(retriever.store, InMemoryStore) else lambda one: one.metadata["part"] == part
    )
    return None if part is None else native


def closed(query):
    """The query, where an exclusion alone does not answer it: a store of lists can be asked for it."""
    query = Term("tea") & query if open_ended(query) else query
    assume(possible(query & ~Term("sugar") & ~Term("milk")))
    return query


@STORES
@settings(max_examples=20, deadline=None)
@given(query=queries(FEW, max_leaves=4), part=PLACE)
def test_an_exclusion_never_raises_a_score(retrievers, name, query, part):
    retriever, query = retrievers[name].but(semantics="product", k=400, exclusion="rank"), closed(query)
    scores = {one.id: one.score for one in retriever.search(query).documents}
    excluding = retriever.search(query & ~Term("sugar"), filter=inside(retriever, part))
    for document in excluding.documents:
        assert document.score <= scores.get(document.id, math.inf) + 1e-6
        assert part is None or document.metadata["part"] == part


@STORES
@settings(max_examples=20, deadline=None)
@given(query=queries(FEW, max_leaves=4), part=PLACE)
def test_what_one_k_leaves_out_no_other_shows_and_all_of_it_passes_the_filter(retrievers, name, query, part):
    retriever, query = retrievers[name], closed(query) & ~Term("milk")
    results = [retriever.search(query, k=k, filter=inside(retriever, part)) for k in (1, 4, 30)]
    shown = {one.id for result in results for one in result.documents}
    left_out = {one.id for result in results for one in result.left_out}
    assert not shown & left_out
    passing = {one.id for one in documents_of(PARTS) if part is None or one.metadata["part"] == part}
    assert shown | left_out <= passing


@pytest.mark.parametrize("name", ["memory", "Chroma"])
@pytest.mark.slow
def test_200_at_once_from_threads_and_tasks_are_answered_as_one_by_one(retrievers, name):
    texts = [f'"{a}" AND NOT "{b}"' for a in WORDS for b in WORDS if a != b]
    retriever, alone = retrievers[name], {}
    for text in texts:
        alone[text] = answer(retriever.search(text))
    many = (texts * 7)[:200]
    expected = [alone[text] for text in many]

    async def tasks():
        return await asyncio.gather(*map(retriever.asearch, many))

    with ThreadPoolExecutor(32) as pool:
        for results in (pool.map(retriever.search, many), retriever.search_many(many), asyncio.run(tasks())):
            assert list(map(answer, results)) == expected


def answer(result):
    return [(one.id, round(one.score, 5)) for one in result.documents], [one.id for one in result.left_out]
