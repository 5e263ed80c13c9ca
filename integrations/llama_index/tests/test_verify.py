"""A verifier over a real client; what both frameworks have is tested in tests/frameworks."""

import json

from llama_index.llms.openai_like import OpenAILike
from replay_server import ReplayServer

from llama_index.retrievers.logical import ChatVerifier, LogicalRetriever

QUESTION = "vitamin D benefits other than health"


def test_a_real_client_is_asked_over_http(simple_index, names, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ReplayServer(["1: not\n2: not\n3: about", "1: not"]) as server:
        llm = OpenAILike(model="m", is_chat_model=True, api_key="none", api_base=server.base_url, max_retries=0)
        retriever = LogicalRetriever.from_index(simple_index, similarity_top_k=3, verify=ChatVerifier(llm))
        assert "bone" not in names(retriever.retrieve(QUESTION))
    first = server.requests[0]["messages"][-1]["content"].splitlines()
    assert [json.loads(line)["topic"] for line in first] == ["health"] * 3
