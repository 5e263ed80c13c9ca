"""Real vector stores, deterministic embeddings, and a chat model that follows a script."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from pydantic import PrivateAttr
from vitamin_texts import TEXTS

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.testing.fakes import HashingEmbedder


class Encodings(Embeddings):
    """An encoder of the core as LangChain's; remembers which of its methods were called."""

    def __init__(self, embedder: Any) -> None:
        self.embedder = embedder
        self.calls: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.calls.append("embed_query")
        return self.embedder.embed_queries([text])[0].tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append("embed_documents")
        return self.embedder.embed_documents(texts).tolist()

    async def aembed_query(self, text: str) -> list[float]:
        self.calls.append("aembed_query")
        return self.embedder.embed_queries([text])[0].tolist()


class HashingEmbeddings(Encodings):
    """Bag of words."""

    def __init__(self, dimension: int = 256) -> None:
        super().__init__(HashingEmbedder(dimension))


class ScriptedModel(BaseChatModel):
    """Gives prepared answers in order, the last one for ever; an exception is raised, a function asked."""

    answers: list[Any]
    _asked: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _ways: list[str] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def asked(self) -> list[list[BaseMessage]]:
        return self._asked

    @property
    def ways(self) -> list[str]:
        """ "sync" or "async" for each call."""
        return self._ways

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, messages: list[BaseMessage], way: str) -> ChatResult:
        with self._lock:
            answer = self.answers[min(len(self._asked), len(self.answers) - 1)]
            self._asked.append(messages)
            self._ways.append(way)
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            answer = answer(str(messages[-1].content))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=answer))])

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return self._next(messages, "sync")

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return self._next(messages, "async")


@pytest.fixture
def embeddings() -> HashingEmbeddings:
    return HashingEmbeddings()


@pytest.fixture
def hashing_embeddings() -> type[HashingEmbeddings]:
    return HashingEmbeddings


@pytest.fixture
def model() -> Callable[..., ScriptedModel]:
    return lambda *answers: ScriptedModel(answers=list(answers))


@pytest.fixture(params=["sync", "async"])
def ask(request) -> Callable[..., Any]:
    """Asks a Runnable, as a coroutine whatever the path."""

    async def ask(runnable, *arguments, **settings):
        if request.param == "sync":
            return runnable.invoke(*arguments, **settings)
        return await runnable.ainvoke(*arguments, **settings)

    return ask


@pytest.fixture
def documents() -> list[Document]:
    return [
        Document(id=id, page_content=text, metadata={"length": len(text), "theme": text.split()[0]})
        for id, text in TEXTS.items()
    ]


def _add(store: VectorStore, documents: Sequence[Document]) -> None:
    store.add_documents(list(documents), ids=[document.id for document in documents])


@pytest.fixture
def in_memory(embeddings, documents) -> InMemoryVectorStore:
    store = InMemoryVectorStore(embeddings)
    _add(store, documents)
    return store


@pytest.fixture
def make_chroma(tmp_path, embeddings) -> Callable[..., Chroma]:
    """A persistent collection on disk, in a space of Chroma's."""

    def make(documents: Sequence[Document] = (), *, space: str = "l2", name: str = "passages", embeddings=embeddings):
        store = Chroma(
            collection_name=name,
            embedding_function=embeddings,
            persist_directory=str(tmp_path / "chroma"),
            collection_configuration={"hnsw": {"space": space}},
        )
        if documents:
            _add(store, documents)
        return store

    return make


@pytest.fixture(params=["in_memory", "chroma"])
def vectorstore(request, documents) -> VectorStore:
    """The same documents, in each of the supported stores."""
    if request.param == "in_memory":
        return request.getfixturevalue("in_memory")
    return request.getfixturevalue("make_chroma")(documents)


@pytest.fixture(scope="session")
def minilm() -> Encodings:
    """The real encoder."""
    return Encodings(SentenceTransformerEmbedder())
