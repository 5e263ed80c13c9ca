"""Elasticsearch and OpenSearch, unverified live: LlamaIndex' vector stores, and a server that answers as documented."""

import pytest
import search_engine_server
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters
from llama_index.core.vector_stores.utils import node_to_metadata_dict

from llama_index.retrievers.logical.stores import as_store
from logical_retriever.errors import InvalidArgumentError, StoreCapabilityError, UnsupportedStoreError
from logical_retriever.testing.fakes import GivenEmbedder
from logical_retriever.testing.ranking_suite import RankingSuite
from logical_retriever.testing.samples import DIMENSION, corpus

elastic = pytest.importorskip(
    "llama_index.vector_stores.elasticsearch", reason="llama-index-vector-stores-elasticsearch is not installed"
)
opensearch = pytest.importorskip(
    "llama_index.vector_stores.opensearch", reason="llama-index-vector-stores-opensearch is not installed"
)

pytestmark = pytest.mark.engines


@pytest.fixture(scope="module")
def server():
    with search_engine_server.serving() as server:
        yield server


class Engine:
    """An index over a vector store; the server has what the vector store would have written to it."""

    @pytest.fixture
    def make_index(self, server, hashing, monkeypatch):
        monkeypatch.setattr("nest_asyncio.apply", lambda: None)  # it would change every event loop of this process
        server.indexes.clear()

        def make(documents, vectors, **options):
            nodes = [TextNode(id_=d.id, text=d.text, metadata=dict(d.metadata)) for d in documents]
            if documents:
                server.indexes["nodes"] = {
                    node.node_id: {
                        "content": node.text,
                        "embedding": vector.tolist(),
                        "metadata": node_to_metadata_dict(node, remove_text=True),
                    }
                    for node, vector in zip(nodes, vectors, strict=True)
                }
            store = self.vector_store(server.url, **options)
            return VectorStoreIndex.from_vector_store(store, embed_model=hashing(DIMENSION))

        return make

    @pytest.fixture
    def make_store(self, make_index):
        embedder = object.__new__(GivenEmbedder)  # must not be asked
        return lambda documents, vectors: as_store(make_index(documents, vectors), embedder)[0]

    def equals(self, key, value):
        return MetadataFilters(filters=[MetadataFilter(key=key, value=value)])


class Elastic(Engine):
    def vector_store(self, url, **options):
        return elastic.ElasticsearchStore("nodes", es_url=url, **options)


class Open(Engine):
    def vector_store(self, url, **options):
        return opensearch.OpensearchVectorStore(opensearch.OpensearchVectorClient(url, "nodes", DIMENSION, **options))


class TestElasticsearch(Elastic, RankingSuite):
    pass


class TestOpenSearch(Open, RankingSuite):
    pass


class TestElasticsearchAsked(Elastic):
    def test_documents_are_the_nodes_that_were_added(self, make_store):
        documents, vectors = corpus(lambda i: f"d{i}", 30)
        [first] = make_store(documents, vectors).fetch(["d4"]).documents
        assert (first.id, first.text, first.native.node_id) == ("d4", documents[4].text, "d4")
        assert first.metadata == documents[4].metadata

    def test_the_client_that_waits_asks_as_the_vector_store_does(self, make_index, server):
        store = as_store(make_index(*corpus(lambda i: f"d{i}", 5), es_user="reader", es_password="x"))[0]
        assert store.count() == 5
        assert server.asked_by == "Basic cmVhZGVyOng="

    def test_filters_that_its_vector_store_leaves_out_are_refused(self, make_store):
        store = make_store(*corpus(lambda i: f"d{i}", 5))
        one, two = (MetadataFilter(key="rank", value=i) for i in (1, 2))
        assert store.fetch(["d1", "d2"], MetadataFilters(filters=[one])).ids == ("d1",)
        with pytest.raises(InvalidArgumentError, match="joins by AND"):
            store.fetch(["d1"], MetadataFilters(filters=[one, two], condition=FilterCondition.OR))
        more = MetadataFilter(key="rank", value=1, operator=FilterOperator.GT)
        with pytest.raises(InvalidArgumentError, match="equality alone"):
            store.fetch(["d1"], MetadataFilters(filters=[more]))

    def test_a_strategy_without_dense_vectors_is_refused(self, make_index):
        index = make_index([], [])
        index.vector_store.retrieval_strategy = elastic.AsyncBM25Strategy()
        with pytest.raises(UnsupportedStoreError, match="no dense vectors"):
            as_store(index)


class TestOpenSearchAsked(Open):
    def test_an_engine_that_cannot_filter_on_the_way_filters_results(self, make_index):
        documents, vectors = corpus(lambda i: f"d{i}", 20)
        method = {"name": "hnsw", "engine": "jvector", "space_type": "l2"}
        store = as_store(make_index(documents, vectors, method=method))[0]
        [found] = store.search(vectors[:1], 20, self.equals("kind", "odd"))[0]
        assert sorted(found) == sorted(d.id for d in documents if d.metadata["kind"] == "odd")

    def test_what_it_cannot_do_is_refused(self, make_index):
        index = make_index(*corpus(lambda i: f"d{i}", 5))
        wrong = MetadataFilters(filters=[MetadataFilter(key="kind", value="odd")], condition=FilterCondition.NOT)
        with pytest.raises(InvalidArgumentError, match="cannot apply"):
            as_store(index)[0].fetch(["d1"], wrong)
        index.vector_store.client.is_aoss = True
        with pytest.raises(StoreCapabilityError, match="Serverless"):
            as_store(index)
