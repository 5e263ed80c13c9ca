"""all-MiniLM-L6-v2 as the embeddings of LangChain and LlamaIndex, for the docs' examples."""

from both_frameworks import LangChainEmbeddings, LlamaIndexEmbedding

from logical_retriever import SentenceTransformerEmbedder

model = SentenceTransformerEmbedder()


class MiniLM(LangChainEmbeddings):
    def __init__(self):
        super().__init__(model)


class LlamaMiniLM(LlamaIndexEmbedding):
    def __init__(self):
        super().__init__(model)
