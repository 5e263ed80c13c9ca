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
