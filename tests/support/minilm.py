"""all-MiniLM-L6-v2 as the embeddings of LangChain and LlamaIndex, for the docs' examples."""

from langchain_core.embeddings import Embeddings
from llama_index.core.embeddings import BaseEmbedding

from logical_retriever import SentenceTransformerEmbedder

model = SentenceTransformerEmbedder()


class MiniLM(Embeddings):
    def embed_documents(self, texts):
        return model.embed_documents(texts).tolist()

    def embed_query(self, text):
        return model.embed_queries([text])[0].tolist()


class LlamaMiniLM(BaseEmbedding):
    def _get_text_embedding(self, text):
        return model.embed_documents([text])[0].tolist()

    def _get_query_embedding(self, query):
        return model.embed_queries([query])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)
