"""Elasticsearch and OpenSearch, unverified live: their real clients, and a local server that answers as documented."""

import pytest
import search_engine_server
from elasticsearch.helpers.vectorstore import DistanceMetric
from langchain_elasticsearch import DenseVectorScriptScoreStrategy, DenseVectorStrategy, SparseVectorStrategy
from langchain_elasticsearch.vectorstores import ElasticsearchStore
from opensearchpy import OpenSearch

from langchain_logical_retriever.stores import as_store
from langchain_logical_retriever.stores.search_engines import OpenSearchAdapter
from logical_retriever.errors import StoreError, UnsupportedStoreError
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import corpus
from logical_retriever.testing.store_suite import StoreSuite

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def server():
    with search_engine_server.serving() as server:
        yield server


class SearchEngine:
    vector_field = "vector"

    def load(self, server, name, documents, vectors):
        if documents:
            server.indexes[name] = {
                d.id: {"text": d.text, "metadata": dict(d.metadata), self.vector_field: vector.tolist()}
                for d, vector in zip(documents, vectors, strict=True)
            }
        return server.url

    @pytest.fixture(autouse=True)
    def _indexes(self, server):
        self.indexes = server.indexes

    def delete(self, store, ids):
        for id in ids:
            del self.indexes[store.index][id]

    def equals(self, key, value):
        return {"term": {f"metadata.{key}": value}}


class Elastic(SearchEngine):
    strategy = DenseVectorStrategy()

    @pytest.fixture
    def make_store(self, request, server, given_embeddings, new_name):
        def make(documents, vectors):
            name = new_name()
            url, embeddings = self.load(server, name, documents, vectors), given_embeddings(documents, vectors)
            vectorstore = ElasticsearchStore(name, embedding=embeddings, es_url=url, strategy=self.strategy)
            request.addfinalizer(vectorstore.close)
            return as_store(vectorstore)

        return make


class TestElasticsearch(Elastic, StoreSuite):
    pass


class TestElasticsearchByScript(Elastic, RankingSuite):
    strategy = DenseVectorScriptScoreStrategy()

    def test_it_is_exact(self, make_store):
        assert make_store(*corpus(str, 2)).capabilities.exact_search


class TestElasticsearchHybrid(Elastic, RankingSuite):
    strategy = DenseVectorStrategy(hybrid=True, distance=DistanceMetric.DOT_PRODUCT)

    def test_the_order_is_the_distances(self, make_store):
        assert not make_store(*corpus(str, 2)).capabilities.cosine_order

    def test_a_strategy_without_dense_vectors_is_refused(self, server):
        vectorstore = ElasticsearchStore("x", es_url=self.load(server, "x", [], []), strategy=SparseVectorStrategy())
        with pytest.raises(UnsupportedStoreError, match="no dense vectors"):
            as_store(vectorstore)
        vectorstore.close()


class Open(SearchEngine):
    vector_field = "vector_field"
    engine = "lucene"

    @pytest.fixture
    def make_store(self, request, server, new_name):
        def make(documents, vectors):
            name = new_name()
            client = OpenSearch(self.load(server, name, documents, vectors))
            request.addfinalizer(client.close)
            # What the adapter reads of an OpenSearchVectorSearch; its package would be one more for three attributes.
            return OpenSearchAdapter(type("Wrapper", (), {"client": client, "index_name": name, "engine": self.engine}))

        return make


class TestOpenSearch(Open, StoreSuite):
    @pytest.mark.parametrize(
        ("said", "what"),
        [
            ({"timed_out": True}, "ran out of time"),
            ({"timed_out": False, "_shards": {"total": 5, "successful": 4, "failed": 1}}, "1 of 5 shards failed"),
        ],
    )
    def test_an_answer_for_a_part_of_the_index_is_no_answer(self, make_store, server, monkeypatch, said, what):
        documents, vectors = corpus(lambda i: f"d{i}", 20)
        store = make_store(documents, vectors)
        assert len(store.fetch(["d1"]).ids) == 1
        monkeypatch.setattr(server, "said", said)
        for ask in (lambda: store.fetch(["d1"]), lambda: store.search(vectors[:1], 3)):
            with pytest.raises(StoreError, match=what):
                ask()


class TestOpenSearchWithoutFilters(Open):
    engine = "nmslib"

    def test_an_engine_that_cannot_filter_on_the_way_filters_results(self, make_store):
        documents, vectors = corpus(lambda i: f"d{i}", 20)
        [found] = make_store(documents, vectors).search(vectors[:1], 20, self.equals("kind", "odd"))[0]
        assert sorted(found) == sorted(d.id for d in documents if d.metadata["kind"] == "odd")
