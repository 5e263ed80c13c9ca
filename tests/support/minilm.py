"""all-MiniLM-L6-v2 as the embeddings of LangChain and LlamaIndex, for the docs' examples."""

from both_frameworks import LlamaIndexEmbedding
from langchain_core.embeddings import Embeddings

from logical_retriever import SentenceTransformerEmbedder

model = SentenceTransformerEmbedder()


class MiniLM(Embeddings):
    def embed_documents(self, texts):
        return model.embed_documents(texts).tolist()

    def embed_query(self, text):
        return model.embed_queries([text])[0].tolist()


class LlamaMiniLM(LlamaIndexEmbedding):
    def __init__(self):
        super().__init__(model)
