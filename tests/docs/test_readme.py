"""Every Python block of the README runs, in order, in one namespace, and prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from llama_index.core.embeddings import BaseEmbedding

from logical_retriever.encoders import SentenceTransformerEmbedder

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```(?:\n+^```text\n(.*?)^```)?", README, flags=re.MULTILINE | re.DOTALL)


ENCODER = SentenceTransformerEmbedder()


class MiniLM(Embeddings):
    """The embeddings object that the reader's app already has."""

    def embed_query(self, text):
        return ENCODER.embed_queries([text])[0].tolist()

    def embed_documents(self, texts):
        return ENCODER.embed_documents(texts).tolist()


class LlamaMiniLM(BaseEmbedding):
    """The embedding that the reader's LlamaIndex app already has."""

    def _get_query_embedding(self, query):
        return ENCODER.embed_queries([query])[0].tolist()

    def _get_text_embedding(self, text):
        return ENCODER.embed_documents([text])[0].tolist()

    async def _aget_query_embedding(self, query):
        return self._get_query_embedding(query)


def test_the_quick_start_and_all_other_blocks_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {
        "embeddings": MiniLM(),
        "embed_model": LlamaMiniLM(),
        "llm": FakeListChatModel(responses=['"health benefits of vitamin D" AND NOT "bone health"']),
    }
    for code, shown in BLOCKS:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "README.md", "exec"), namespace)
        if shown:
            assert printed.getvalue().strip() == shown.strip()
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(make [a-z-]+)`", README))))
def test_every_make_target_named_exists(command):
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{command.removeprefix('make ')}:", makefile, flags=re.MULTILINE)
