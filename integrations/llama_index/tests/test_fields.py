"""Fields of metadata: told once, to the retriever; conditions in questions, with and without an LLM; tools."""

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import MetadataInfo, VectorStoreInfo

from llama_index.retrievers.logical import (
    LogicalQueryTransformer,
    LogicalRetriever,
    QuestionReader,
    create_logical_search_tool,
)
from logical_retriever import FieldInfo
from logical_retriever.errors import FieldError, InvalidArgumentError
from logical_retriever.integration import TOOL_DESCRIPTION

FIELDS = [FieldInfo("year", "integer", "of release"), FieldInfo("language", "text", values=("English", "French"))]
INFO = VectorStoreInfo(
    content_info="films",
    metadata_info=[
        MetadataInfo(name="year", type="integer", description="of release"),
        MetadataInfo(name="language", type="str", description="spoken"),
    ],
)
FILMS = {
    "a": ("grief in a family", 1985, "French"),
    "b": ("grief and the sea", 1995, "French"),
    "c": ("grief in the city", 1999, "English"),
}


@pytest.fixture
def films(embedding):
    nodes = [
        TextNode(id_=id, text=text, metadata={"year": year, "language": language})
        for id, (text, year, language) in FILMS.items()
    ]
    return VectorStoreIndex(nodes, embed_model=embedding)


def ids(nodes):
    return sorted(node.node.node_id for node in nodes)


@pytest.mark.parametrize("make", [LogicalRetriever, LogicalRetriever.from_index])
@pytest.mark.parametrize("fields", [FIELDS, "discover"])
def test_typed_conditions_are_held_to_the_fields(films, make, fields):
    retriever = make(films, fields=fields)
    assert ids(retriever.retrieve('"grief" AND [language = "French"]')) == ["a", "b"]
    assert ids(retriever.but().retrieve("[year < 1990]")) == ["a"]
    with pytest.raises(FieldError, match="no field 'yeer'"):
        retriever.search("[yeer >= 1990]")


def test_conditions_in_plain_words_need_a_model(films):
    assert ids(LogicalRetriever.from_index(films, fields=FIELDS).retrieve("films in French about grief")) == [
        "a",
        "b",
        "c",
    ]


@pytest.mark.parametrize("fields", [FIELDS, INFO, "discover"])
def test_an_llm_is_told_them(films, scripted, fields):
    llm = scripted('"grief" AND [language = "French"] AND [year >= 1990]')
    retriever = LogicalRetriever.from_index(films, llm, fields=fields)
    assert ids(retriever.retrieve("films in French about grief since 1990")) == ["b"]
    assert "- year (integer" in llm.prompts[0]
    assert "- language (text" in llm.prompts[0]


def test_a_transformer_of_its_own_has_its_own_fields(films, scripted):
    chain = LogicalQueryTransformer(scripted('"grief" AND [language = "French"]'), fields=INFO)
    retriever = LogicalRetriever.from_index(films, transformer=QuestionReader(chain))
    assert ids(retriever.retrieve("films in French about grief")) == ["a", "b"]
    with pytest.raises(InvalidArgumentError, match="beside a LogicalQueryTransformer"):
        QuestionReader(chain, fields=FIELDS)


@pytest.mark.parametrize("wrong", ["year", 3, {"year": "integer"}, [3], [*FIELDS, FieldInfo("year", "text")]])
def test_what_is_no_field_is_refused(films, wrong):
    with pytest.raises(InvalidArgumentError):
        LogicalRetriever.from_index(films, fields=wrong)


def test_agents_are_told_them(films):
    retriever = LogicalRetriever.from_index(films, fields=FIELDS)
    told = "- year (integer): of release\n- language (text; one of English, French)"
    search = create_logical_search_tool(retriever, description="Holds films.")
    assert search.metadata.description == f"Holds films.\nFields for where:\n{told}"
    assert "no field 'yeer'" in search.call(where=[{"field": "yeer", "op": "=", "value": 1}]).content


def test_without_fields_there_is_nothing_to_describe(films):
    retriever = LogicalRetriever.from_index(films)
    assert create_logical_search_tool(retriever).metadata.description == TOOL_DESCRIPTION
