"""Real vector stores, deterministic embeddings, and a chat model that follows a script."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from both_frameworks import LangChainEmbeddings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from pydantic import Field, PrivateAttr
from vitamin_texts import TEXTS

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.testing.fakes import HashingEmbedder


class HashingEmbeddings(LangChainEmbeddings):
    """Bag of words."""

    def __init__(self, dimension: int = 256) -> None:
        super().__init__(HashingEmbedder(dimension))


class ScriptedModel(BaseChatModel):
    """Gives prepared answers in order, the last one for ever; an exception is raised, a function asked."""

    answers: list[Any]
    asked: list[list[BaseMessage]] = Field(default_factory=list)
    ways: list[str] = Field(default_factory=list)
    """ "sync" or "async" for each call."""
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _next(self, messages: list[BaseMessage], way: str) -> ChatResult:
        with self._lock:
            answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
            self.asked.append(messages)
            self.ways.append(way)
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
def minilm() -> LangChainEmbeddings:
    """The real encoder."""
    return LangChainEmbeddings(SentenceTransformerEmbedder())
