"""The README's code runs as printed, with the real encoder; the test provides the LLM."""

import re
from pathlib import Path

from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import PrivateAttr

from llama_index.retrievers.logical.stores import known_stores, registry
from logical_retriever.encoders import SentenceTransformerEmbedder

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
QUERY = '"Vitamin D benefits" AND NOT "bone health"'
ANSWER = ["Vitamin D lifts the mood."]


class MiniLM(BaseEmbedding):
    _embedder: SentenceTransformerEmbedder = PrivateAttr(default_factory=SentenceTransformerEmbedder)

    def _get_query_embedding(self, query):
        return self._embedder.embed_queries([query])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text):
        return self._embedder.embed_documents([text])[0].tolist()


def test_readme_code_runs_and_shows_nothing_that_is_excluded(scripted, capsys, monkeypatch):
    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    llm = scripted(QUERY, "It lifts the mood.")
    names = {"embed_model": MiniLM(), "llm": llm, "MyStore": lambda vector_store: vector_store}
    assert len(BLOCKS) == 10
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    output = capsys.readouterr().out
    assert output.startswith(f"{ANSWER}\n")
    varied = names["varied"].retrieve("Benefits of vitamin D other than bone health")
    for nodes in (names["nodes"], names["found"], varied, names["answer"].source_nodes):
        assert [node.text for node in nodes] == ANSWER
    assert str(names["answer"]) == "It lifts the mood."
    passages, _, left_out = names["output"].content.partition("Left out")
    assert ANSWER[0] in passages
    assert "bone health." not in passages
    assert "2 passages" in left_out
    assert len(llm.prompts) == 2


def test_the_support_table_is_true():
    for name in known_stores():
        assert f"`{name.rsplit('.', 1)[1]}`" in README
