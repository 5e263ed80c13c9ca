"""LangChain and LlamaIndex by the same words, for tests that both packages pass."""

from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_openai import ChatOpenAI
from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.llms import ChatMessage, CustomLLM
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters, MetadataInfo, VectorStoreInfo
from llama_index.llms.openai_like import OpenAILike
from pydantic import Field

import langchain_logical_retriever as langchain_side
from llama_index.retrievers import logical as llama_index_side


class LangChainEmbeddings(Embeddings):
    """An encoder of the core as LangChain's; remembers which of its methods were called."""

    def __init__(self, embedder):
        self.embedder, self.calls = embedder, []

    def embed_query(self, text):
        self.calls.append("embed_query")
        return self.embedder.embed_queries([text])[0].tolist()

    def embed_documents(self, texts):
        self.calls.append("embed_documents")
        return self.embedder.embed_documents(texts).tolist()

    async def aembed_query(self, text):
        self.calls.append("aembed_query")
        return self.embedder.embed_queries([text])[0].tolist()


class LlamaIndexEmbedding(BaseEmbedding):
    """An encoder of the core as LlamaIndex's; remembers its calls."""

    queries: list[str] = Field(default_factory=list)
    texts: list[str] = Field(default_factory=list)
    _embedder: Any = PrivateAttr()

    def __init__(self, embedder):
        super().__init__()
        self._embedder = embedder

    def _get_query_embedding(self, query):
        self.queries.append(query)
        return self._embedder.embed_queries([query])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts):
        self.texts += texts
        return self._embedder.embed_documents(texts).tolist()


class ChatModel(FakeListChatModel):
    """Answers with one text, or with what a function makes of the messages; remembers these."""

    answer: Any
    responses: list[str] = Field(default_factory=list)
    asked: list[str] = Field(default_factory=list)

    def _call(self, messages, *args, **kwargs):
        self.asked.append("\n".join(str(message.content) for message in messages))
        return self.answer(self.asked[-1]) if callable(self.answer) else self.answer


class CompletingLLM(CustomLLM):
    """The same."""

    answer: Any
    asked: list[str] = Field(default_factory=list)

    @property
    def metadata(self):
        return LLMMetadata(model_name="scripted")

    def complete(self, prompt, formatted=False, **kwargs):
        self.asked.append(prompt)
        return CompletionResponse(text=self.answer(prompt) if callable(self.answer) else self.answer)

    def stream_complete(self, prompt, formatted=False, **kwargs):
        raise NotImplementedError


class LangChain:
    """LangChain's words for what the tests do. A store holds documents by id: text and metadata."""

    package = langchain_side
    embeddings = LangChainEmbeddings
    form, fills_forms = "response_format", {}
    k, encoder, filter, folder = "k", "embeddings", "filter", "langchain"

    def store(self, documents, encoder):
        store = InMemoryVectorStore(self.embeddings(encoder))
        store.add_documents([Document(text, id=id, metadata=dict(data)) for id, (text, data) in documents.items()])
        return store

    def client(self, url, http, ahttp, **settings):
        clients = {"http_client": http, "http_async_client": ahttp}
        return ChatOpenAI(model="replayed", api_key="none", base_url=url, **clients, **settings)

    def llm(self, answer):
        return ChatModel(answer=answer)

    def transform(self, transformer, question, **history):
        return transformer.read_question(question, **history)

    async def atransform(self, transformer, question, **history):
        return await transformer.aread_question(question, **history)

    def ask(self, retriever, question, **settings):
        return {document.id: document.metadata for document in retriever.invoke(question, **settings)}

    async def aask(self, retriever, question, **settings):
        return {document.id: document.metadata for document in await retriever.ainvoke(question, **settings)}

    def last_stage(self, store, **settings):
        """What a stage leaves of all documents: at once, and awaited."""
        stage = langchain_side.LogicalCompressor(store, **settings)
        every = store.get_by_ids(list(store.store))

        async def left(question):
            return [document.id for document in await stage.acompress_documents(every, question)]

        return lambda question: [document.id for document in stage.compress_documents(every, question)], left

    def tool(self, retriever, **arguments):
        tool = langchain_side.create_logical_search_tool(retriever, **arguments)
        return tool.description, tool.invoke

    def either(self, key, values):
        """A filter that passes documents with one of the values."""
        return lambda document: document.metadata[key] in values

    def history_of_its_own(self):
        system, tool = SystemMessage("You are a helpful bot."), ToolMessage("an answer", tool_call_id="1")
        return [system, HumanMessage("What does vitamin D do?"), AIMessage("It helps the mood and more."), tool]

    def fields_of_its_own(self):
        from langchain_classic.chains.query_constructor.schema import AttributeInfo

        return [
            AttributeInfo(name="year", description="of release", type="integer"),
            AttributeInfo(name="language", description="spoken", type="string"),
        ]


class LlamaIndex:
    """LlamaIndex' words for it."""

    package = llama_index_side
    embeddings = LlamaIndexEmbedding
    form, fills_forms = "tools", {"is_function_calling_model": True}
    k, encoder, filter, folder = "similarity_top_k", "embed_model", "filters", "llama_index"

    def store(self, documents, encoder):
        nodes = [TextNode(id_=id, text=text, metadata=dict(data)) for id, (text, data) in documents.items()]
        for node in nodes:
            node.excluded_embed_metadata_keys = list(node.metadata)  # LangChain encodes texts alone
        return VectorStoreIndex(nodes, embed_model=self.embeddings(encoder))

    def client(self, url, http, ahttp, **settings):
        named = {"model": "replayed", "is_chat_model": True, "api_key": "none", "api_base": url}
        return OpenAILike(http_client=http, async_http_client=ahttp, **named, **settings)

    def llm(self, answer):
        return CompletingLLM(answer=answer)

    def transform(self, transformer, question, **history):
        return transformer.transform(question, **history)

    async def atransform(self, transformer, question, **history):
        return await transformer.atransform(question, **history)

    def ask(self, retriever, question, **settings):
        return {node.node_id: node.metadata for node in retriever.retrieve(question, **settings)}

    async def aask(self, retriever, question, **settings):
        return {node.node_id: node.metadata for node in await retriever.aretrieve(question, **settings)}

    def last_stage(self, store, **settings):
        stage = llama_index_side.LogicalPostprocessor(store, **settings)
        every = [NodeWithScore(node=node, score=0.5) for node in store.docstore.docs.values()]

        async def left(question):
            return [node.node_id for node in await stage.apostprocess_nodes(every, query_str=question)]

        return lambda question: [node.node_id for node in stage.postprocess_nodes(every, query_str=question)], left

    def tool(self, retriever, **arguments):
        tool = llama_index_side.create_logical_search_tool(retriever, **arguments)
        return tool.metadata.description, lambda call: tool.call(**call).content

    def either(self, key, values):
        return MetadataFilters(filters=[MetadataFilter(key=key, value=value) for value in values], condition="or")

    def history_of_its_own(self):
        roles = {"system": "You are a helpful bot.", "user": "What does vitamin D do?"}
        messages = {**roles, "assistant": "It helps the mood and more.", "tool": "an answer"}
        return [ChatMessage(text, role=role) for role, text in messages.items()]

    def fields_of_its_own(self):
        year = MetadataInfo(name="year", type="integer", description="of release")
        language = MetadataInfo(name="language", type="str", description="spoken")
        return VectorStoreInfo(content_info="films", metadata_info=[year, language])
