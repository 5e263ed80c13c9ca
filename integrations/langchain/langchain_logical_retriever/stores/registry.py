"""The registry of adapters, which imports no vector store itself."""

from __future__ import annotations

from logical_retriever.adapters import (
    AdapterFactory as AdapterFactory,  # its name for users
    AdapterRegistry,
    Store,
    UnsupportedStoreError,
    qualified_name,
)

_HERE = "langchain_logical_retriever.stores"
ADAPTERS = AdapterRegistry(
    {
        "langchain_core.vectorstores.in_memory.InMemoryVectorStore": f"{_HERE}.in_memory:InMemoryVectorStoreAdapter",
        "langchain_chroma.vectorstores.Chroma": f"{_HERE}.chroma:ChromaAdapter",
        "langchain_community.vectorstores.faiss.FAISS": f"{_HERE}.faiss:adapt",
        "langchain_qdrant.qdrant.QdrantVectorStore": f"{_HERE}.qdrant:QdrantAdapter",
        "langchain_postgres.vectorstores.PGVector": f"{_HERE}.pgvector:PGVectorAdapter",
        "langchain_postgres.v2.vectorstores.PGVectorStore": f"{_HERE}.pgvector:PGVectorStoreAdapter",
        "langchain_milvus.vectorstores.milvus.Milvus": f"{_HERE}.milvus:MilvusAdapter",
        "langchain_community.vectorstores.lancedb.LanceDB": f"{_HERE}.lancedb:LanceDBAdapter",
        "langchain_pinecone.vectorstores.PineconeVectorStore": f"{_HERE}.pinecone:PineconeAdapter",
        "langchain_weaviate.vectorstores.WeaviateVectorStore": f"{_HERE}.weaviate:WeaviateAdapter",
        "langchain_elasticsearch._sync.vectorstores.ElasticsearchStore": f"{_HERE}.search_engines:ElasticsearchAdapter",
        "langchain_elasticsearch.vectorstores.ElasticsearchStore": f"{_HERE}.search_engines:ElasticsearchAdapter",
        "langchain_community.vectorstores.opensearch_vector_search.OpenSearchVectorSearch": (
            f"{_HERE}.search_engines:OpenSearchAdapter"
        ),
        "langchain_core.vectorstores.base.VectorStore": f"{_HERE}.fallback:FallbackAdapter",
    }
)


register_adapter = ADAPTERS.register
"""Register the adapter of a class of vector stores and its subclasses; the factory gets the vector store."""
known_stores = ADAPTERS.names


def as_store(vectorstore: object) -> Store:
    """Return the adapter of a vector store, by its class or a base of it; return a core store unchanged.

    Raises:
        UnsupportedStoreError: An unknown class.
    """
    if isinstance(vectorstore, Store) and not isinstance(vectorstore, type):
        return vectorstore
    if (factory := ADAPTERS.factory(type(vectorstore))) is not None:
        return factory(vectorstore)
    raise UnsupportedStoreError(
        f"There is no adapter for {qualified_name(type(vectorstore))}.",
        hint=f"Supported: {', '.join(known_stores())}. For another class, write a logical_retriever Store over it "
        "and pass that, or register it with register_adapter().",
    )
