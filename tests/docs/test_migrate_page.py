"""docs/migrate.md: every block runs, in order, with the frameworks' own classes."""

import re
from pathlib import Path

import pytest

from logical_retriever.testing import HashingEmbedder

PAGE = (Path(__file__).parents[2] / "docs" / "migrate.md").read_text(encoding="utf-8")
FILMS = (
    ("a film about grief", 1985, "French"),
    ("grief, by the sea", 1995, "French"),
    ("growing old in a city of grief", 1999, "English"),
    ("a war without grief", 2001, "French"),
)
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
NAMES = ("SelfQueryRetriever", "MultiQueryRetriever", "EnsembleRetriever", "VectorIndexAutoRetriever")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""SelfQueryRetriever loads retired packages."""


def blocks(title):
    before, after = re.findall(r"```python\n(.*?)```", SECTIONS[title], re.DOTALL)
    return before, after


def run(title, names):
    for code in blocks(title):
        exec(compile(code, f"migrate.md, {title}", "exec"), names)
    return names


@pytest.fixture
def langchain():
    chroma = pytest.importorskip("langchain_chroma", reason="a store that SelfQueryRetriever knows")
    pytest.importorskip("langchain_classic", reason="the retired retrievers are there")
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.retrievers import BaseRetriever

    class Hashing(Embeddings):
        def embed_documents(self, texts):
            return HashingEmbedder().embed_documents(texts).tolist()

        def embed_query(self, text):
            return HashingEmbedder().embed_queries([text])[0].tolist()

    class NoWords(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return []

    store = chroma.Chroma(collection_name="films", embedding_function=Hashing())
    store.add_texts(
        [text for text, _, _ in FILMS],
        metadatas=[{"year": year, "language": language} for _, year, language in FILMS],
        ids=["old", "sea", "city", "war"],
    )
    llm = FakeListChatModel(responses=['"grief" AND [language = "French"] AND NOT [year < 1990]'])
    yield {"vectorstore": store, "llm": llm, "bm25": NoWords()}
    store.delete_collection()


def test_the_page_has_four_retrievers():
    assert list(SECTIONS) == [
        "SelfQueryRetriever",
        "MultiQueryRetriever",
        "EnsembleRetriever",
        "VectorIndexAutoRetriever",
    ]


def test_self_query(langchain):
    found = run("SelfQueryRetriever", langchain)["documents"]
    assert {document.id for document in found} == {"sea", "war"}


def test_multi_query(langchain):
    names = run("MultiQueryRetriever", langchain)
    assert names["documents"]
    assert "war" not in names["documents"][0].page_content


def test_ensemble(langchain):
    assert run("EnsembleRetriever", langchain)["documents"]


def test_auto_retriever():
    pytest.importorskip("llama_index.core", reason="LlamaIndex' retriever is there")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import BaseEmbedding
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
    from llama_index.core.schema import TextNode

    class Hashing(BaseEmbedding):
        def _get_text_embedding(self, text):
            return HashingEmbedder().embed_documents([text])[0].tolist()

        def _get_query_embedding(self, query):
            return HashingEmbedder().embed_queries([query])[0].tolist()

        async def _aget_query_embedding(self, query):
            return self._get_query_embedding(query)

    class Recorded(CustomLLM):
        @property
        def metadata(self):
            return LLMMetadata()

        def complete(self, prompt, formatted=False, **kwargs):
            assert "- year (integer): of release" in prompt
            return CompletionResponse(text='"grief" AND [language = "French"] AND NOT [year < 1990]')

        def stream_complete(self, prompt, formatted=False, **kwargs):
            raise NotImplementedError

    nodes = [
        TextNode(text=text, id_=str(year), metadata={"year": year, "language": language})
        for text, year, language in FILMS
    ]
    names = {"index": VectorStoreIndex(nodes, embed_model=Hashing()), "index_llm": Recorded()}
    found = run("VectorIndexAutoRetriever", names)["nodes"]
    assert {node.node.node_id for node in found} == {"1995", "2001"}
