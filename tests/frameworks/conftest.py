"""Each test of this folder that asks for a framework is run with both."""

import pytest
from both_frameworks import LangChain, LlamaIndex

from logical_retriever.testing import HashingEmbedder


@pytest.fixture(params=[LangChain, LlamaIndex])
def framework(request):
    return request.param()


@pytest.fixture
def hashing():
    return HashingEmbedder()


@pytest.fixture(params=["sync", "async"])
def way(request):
    return request.param


@pytest.fixture
def ask(framework, way):
    """Ask a retriever either way: metadata by id."""

    async def ask(retriever, question, **settings):
        if way == "sync":
            return framework.ask(retriever, question, **settings)
        return await framework.aask(retriever, question, **settings)

    return ask
