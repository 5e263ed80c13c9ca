"""What is most about an excluded term is told by the cosines that the first scan computed."""

import numpy as np
import pytest

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument, parse
from logical_retriever.search.plan import plan_search
from logical_retriever.search.scan import first_pass
from logical_retriever.vectors import unit
from logical_retriever.vectors.approximate import ApproximateCosines, KeptCosines

DRAWN = np.random.default_rng(0)
TERMS = dict(zip("abcd", unit(DRAWN.standard_normal((4, 48))).astype(np.float32), strict=True))
N = 400


def drawn(text):
    """Of the background: about nothing that is asked for."""
    return unit(np.random.default_rng(list(text.encode())).standard_normal((1, 48))).astype(np.float32)[0]


class Given:
    def embed_queries(self, texts):
        return np.stack([TERMS[text] if text in TERMS else drawn(text) for text in texts])

    embed_documents = embed_queries


@pytest.fixture
def store():
    """Each tenth document about "a" as well, each twentieth about "b" beside it."""
    rows = DRAWN.standard_normal((N, 48)) / 7
    rows[::10] += 0.8 * TERMS["a"]
    rows[::20] += 0.9 * TERMS["b"]
    documents = [StoredDocument(f"d{row}", f"text {row}") for row in range(N)]
    return InMemoryStore(documents, unit(rows).astype(np.float32))


@pytest.fixture
def compared(monkeypatch):
    """How many texts were compared with how many documents, each time."""
    shapes, rough = [], first_pass.rough_cosines

    def counted(texts, vectors, scales):
        shapes.append((len(texts), len(vectors)))
        return rough(texts, vectors, scales)

    monkeypatch.setattr(first_pass, "rough_cosines", counted)
    return shapes


@pytest.mark.parametrize("evidence", ["dense", "auto"])
def test_documents_are_compared_once_for_an_exclusion(store, compared, evidence, monkeypatch):
    query = parse('"a" AND NOT "b"')
    retriever = LogicalRetriever(store, Given(), k=30, evidence=evidence)
    kept = retriever.search(query)
    once = list(compared)
    assert sum(documents == N for _, documents in once) == 1
    compared.clear()
    monkeypatch.setattr("logical_retriever.vectors.approximate.KEPT_MEMORY", 0)
    anew = retriever.search(query)
    assert sum(documents == N for _, documents in compared) == 2
    assert {one.excluded["b"] for one in kept.documents} == {"not", "perhaps"}
    assert (kept.documents, kept.left_out) == (anew.documents, anew.left_out)


def table(texts, documents):
    return ApproximateCosines(texts @ documents.T, np.full(len(documents), 1e-6, np.float32))


def test_nothing_is_known_before_all_documents_are():
    texts = np.stack(list(TERMS.values()))
    documents, of = unit(DRAWN.standard_normal((10, 48))).astype(np.float32), object()
    kept = KeptCosines(texts[[2, 1]])
    kept.begin(of, 10, texts)
    kept.keep(of, slice(0, 8), range(4), table(texts, documents[:8]))
    assert kept.known(of, texts[[1]]) is None
    kept.keep(of, slice(8, 16), range(4), table(texts, documents[8:]))
    found = kept.known(of, texts[[1, 2]])
    assert np.allclose(found.cosines, texts[[1, 2]] @ documents.T, atol=1e-6)
    assert kept.known(of, texts[[0]]) is None  # a text that was not asked for
    assert kept.known(object(), texts[[1]]) is None  # documents have changed since


def test_blocks_without_the_texts_that_are_kept_do_not_count():
    texts, of = np.stack(list(TERMS.values())), object()
    documents = unit(DRAWN.standard_normal((10, 48))).astype(np.float32)
    kept = KeptCosines(texts[[1]])
    kept.begin(of, 10, texts)
    kept.keep(of, slice(0, 10), [0, 2], table(texts[[0, 2]], documents))
    kept.keep(object(), slice(0, 10), range(4), table(texts, documents))
    assert kept.known(of, texts[[1]]) is None
    kept.keep(of, slice(0, 10), [3, 1], table(texts[[3, 1]], documents))
    assert np.allclose(kept.known(of, texts[[1]]).cosines, texts[[1]] @ documents.T, atol=1e-6)


@pytest.mark.parametrize("pushdown", ["auto", "never"])
def test_the_search_for_what_is_most_about_it_keeps_to_the_caller_s_pushdown(store, monkeypatch, pushdown):
    planned = []

    def spied(problem, store, options, **given):
        planned.append(options.pushdown)
        return plan_search(problem, store, options, **given)

    monkeypatch.setattr("logical_retriever.searcher.plan_search", spied)
    LogicalRetriever(store, Given(), k=30, pushdown=pushdown).search(parse('"a" AND NOT "b"'))
    assert planned == [pushdown, pushdown]
