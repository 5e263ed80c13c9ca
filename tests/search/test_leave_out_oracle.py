"""Leaving out is exact: the k documents are those of scoring every document, judging each and taking the best."""

import chromadb
import duckdb
import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from random_queries import queries
from remote_store import RemoteStore

from logical_retriever import LogicalRetriever
from logical_retriever.query import Term, negative_terms, to_nnf
from logical_retriever.search.exclusion import blocking_terms
from logical_retriever.search.request import open_ended
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
    ids, texts, parts = (
        [one.id for one in documents],
        [one.text for one in documents],
        [one.metadata for one in documents],
    )
    vectors = EMBEDDER.embed_documents(texts)
    wide = {"hnsw": {"space": "cosine", "ef_search": len(ids), "ef_construction": len(ids)}}
    client = chromadb.PersistentClient(str(tmp_path_factory.mktemp("chroma")))
    collection = client.create_collection("docs", embedding_function=None, configuration=wide)
    collection.add(ids, vectors, [dict(part) for part in parts], texts)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, text VARCHAR, vector FLOAT[64], part INTEGER)")
        rows = [(*row, part["part"]) for *row, part in zip(ids, texts, vectors.tolist(), parts, strict=True)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?)", rows)
        yield {
            "memory": over(InMemoryStore, documents),
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
        one.id: blocking_terms(
            to_nnf(query),
            {term: np.array([truth]) for term, truth in one.truth_values.items()},
            {term: np.array([term in one.about]) for term in negative_terms(query)},
        )[0]
        for one in every("calibrated")
    }
    ranked = every(semantics)
    best = [one for one in ranked[:k] if one.relevance >= least]

    filter = among if part is None or isinstance(other.store, InMemoryStore) else {"part": part}
    result = other.but(semantics=semantics).search(query, k=k, min_relevance=least, filter=filter)
    stays = [one.id for one in ranked if gone[one.id] is None and one.relevance >= least]
    if not result.exact:
        shown = {one.id for one in result.documents}
        assert len(shown - set(stays[: 2 * k])) <= k // 2, result.completeness
        return
    assert [one.id for one in result.documents] == stays[:k], result.completeness
    out = [(one.id, str(Term(gone[one.id]))) for one in best if gone[one.id] is not None]
    assert [(one.id, one.term) for one in result.left_out] == out
    assert result.too_low == sum(gone[one.id] is None for one in ranked[:k] if one.relevance < least)
    assert ("left out, being about what is excluded" in result.note) == bool(out)


FEW = st.sampled_from(WORDS[:3])
ASKED = {
    "query": st.one_of(
        queries(FEW, max_leaves=5),
        st.permutations(WORDS[:3]).map(lambda words: Term(words[0]) & ~Term(words[1])),
    ),
    "k": st.integers(1, 6),
    "semantics": st.sampled_from(["calibrated", "calibrated", "product", "itlr"]),
    "least": st.sampled_from([0.0, 0.0, 0.2, 0.6]),
}
CORPORA = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), st.integers(1, COPIES)),
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


@pytest.mark.parametrize("name", ["memory", "Chroma", "DuckDB"])
@settings(max_examples=25, deadline=None)
@given(part=st.sampled_from([None, 0, 1, 2]), **ASKED)
def test_random_queries_of_real_stores(retrievers, name, **asked):
    assert_as_cut_by_hand(retrievers["memory"], retrievers[name], **asked)
