"""Real vector stores, deterministic embeddings, and a chat model that follows a script."""

from typing import Any

import pytest
from both_frameworks import LangChainEmbeddings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.vectorstores import InMemoryVectorStore
from pydantic import Field
from vitamin_texts import TEXTS

from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.testing.fakes import HashingEmbedder


class HashingEmbeddings(LangChainEmbeddings):
    """Bag of words."""

    def __init__(self, dimension=256):
        super().__init__(HashingEmbedder(dimension))


class ScriptedModel(BaseChatModel):
    """A model with prepared answers, the last one for ever; a function is asked. ``ways`` are "sync" or "async"."""

    answers: list[Any]
    asked: list[Any] = Field(default_factory=list)
    ways: list[str] = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "scripted"

    def _generate(self, messages, stop=None, run_manager=None, way="sync", **kwargs):
        answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(messages)
        self.ways.append(way)
        text = answer(str(messages[-1].content)) if callable(answer) else answer
        message = text if isinstance(text, AIMessage) else AIMessage(content=text)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        return self._generate(messages, way="async")


@pytest.fixture
def embeddings():
    return HashingEmbeddings()


@pytest.fixture
def model():
    return lambda *answers: ScriptedModel(answers=list(answers))


@pytest.fixture(params=["sync", "async"])
def ask(request):
    """Asks a Runnable, as a coroutine whatever the path."""

    async def ask(runnable, *arguments, **settings):
        if request.param == "sync":
            return runnable.invoke(*arguments, **settings)
        return await runnable.ainvoke(*arguments, **settings)

    return ask


@pytest.fixture
def documents():
    return [
        Document(id=id, page_content=text, metadata={"length": len(text), "theme": text.split()[0]})
        for id, text in TEXTS.items()
    ]


@pytest.fixture
def in_memory(embeddings, documents):
    return InMemoryVectorStore.from_documents(documents, embeddings)


@pytest.fixture
def make_chroma(tmp_path, embeddings):
    """A persistent collection on disk."""

    def make(documents=(), *, name="passages", embeddings=embeddings):
        store = Chroma(name, embeddings, persist_directory=str(tmp_path / "chroma"))
        if documents:
            store.add_documents(documents)
        return store

    return make


@pytest.fixture(params=["in_memory", "chroma"])
def vectorstore(request, documents):
    """The same documents, in each of the supported stores."""
    if request.param == "in_memory":
        return request.getfixturevalue("in_memory")
    return request.getfixturevalue("make_chroma")(documents)


@pytest.fixture(scope="session")
def minilm():
    """The real encoder."""
    return LangChainEmbeddings(SentenceTransformerEmbedder())
