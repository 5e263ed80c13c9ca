"""LangChain and LlamaIndex by the same words, for tests that both packages pass."""

from __future__ import annotations

from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import ChatOpenAI
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.schema import TextNode
from llama_index.llms.openai_like import OpenAILike

import langchain_logical_retriever as langchain_side
from llama_index.retrievers import logical as llama_index_side


class LangChainEmbeddings(Embeddings):
    def __init__(self, encoder):
        self.encoder = encoder

    def embed_query(self, text):
        return self.encoder.embed_queries([text])[0].tolist()

    def embed_documents(self, texts):
        return self.encoder.embed_documents(texts).tolist()


class LlamaIndexEmbedding(BaseEmbedding):
    _encoder: Any = PrivateAttr()

    def __init__(self, encoder):
        super().__init__()
        self._encoder = encoder

    def _get_query_embedding(self, query):
        return self._encoder.embed_queries([query])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return self._encoder.embed_documents([text])[0].tolist()


class LangChain:
    """LangChain's words for what the tests do."""

    embeddings = LangChainEmbeddings
    form, fills_forms = "response_format", {}

    def retriever(self, texts, encoder, **settings):
        vectorstore = InMemoryVectorStore(self.embeddings(encoder))
        vectorstore.add_texts(texts)
        return langchain_side.LogicalRetriever.from_vectorstore(vectorstore, **settings)

    def client(self, url, http, ahttp, **settings):
        return ChatOpenAI(
            model="replayed", api_key="none", base_url=url, http_client=http, http_async_client=ahttp, **settings
        )

    def transformer(self, llm, **settings):
        return langchain_side.LogicalQueryTransformer(llm=llm, **settings)

    def transform(self, transformer, question):
        return transformer.get_transformation(question)

    async def atransform(self, transformer, question):
        return await transformer.aget_transformation(question)

    async def aask(self, retriever, question):
        return [document.page_content for document in await retriever.ainvoke(question)]


class LlamaIndex:
    """LlamaIndex' words for it."""

    embeddings = LlamaIndexEmbedding
    form, fills_forms = "tools", {"is_function_calling_model": True}

    def retriever(self, texts, encoder, **settings):
        nodes = [TextNode(text=text) for text in texts]
        index = VectorStoreIndex(nodes, embed_model=self.embeddings(encoder))
        return llama_index_side.LogicalRetriever.from_index(index, **settings)

    def client(self, url, http, ahttp, **settings):
        return OpenAILike(
            model="replayed",
            is_chat_model=True,
            api_key="none",
            api_base=url,
            http_client=http,
            async_http_client=ahttp,
            **settings,
        )

    def transformer(self, llm, **settings):
        return llama_index_side.LogicalQueryTransformer(llm, **settings)

    def transform(self, transformer, question):
        return transformer.transform(question)

    async def atransform(self, transformer, question):
        return await transformer.atransform(question)

    async def aask(self, retriever, question):
        return [node.text for node in await retriever.aretrieve(question)]
