"""Fields of metadata: told once, to the retriever; conditions in questions, with and without a model; tools."""

import copy
from datetime import date

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever import (
    LogicalQueryTransformer,
    LogicalRetriever,
    create_logical_search_tool,
)
from logical_retriever import FieldInfo
from logical_retriever.errors import FieldError, InvalidArgumentError
from logical_retriever.integration import TOOL_DESCRIPTION

attributes = pytest.importorskip("langchain_classic.chains.query_constructor.schema", reason="AttributeInfo is there")
FIELDS = [FieldInfo("year", "integer", "of release"), FieldInfo("language", "text", values=("English", "French"))]
ATTRIBUTES = [
    attributes.AttributeInfo(name="year", description="of release", type="integer"),
    attributes.AttributeInfo(name="language", description="spoken", type="string"),
]
QUESTION = "films in French about grief since 1990"
FILMS = {
    "a": ("grief in a family", 1985, "French"),
    "b": ("grief and the sea", 1995, "French"),
    "c": ("grief in the city", 1999, "English"),
}


@pytest.fixture
def films(embeddings):
    store = InMemoryVectorStore(embeddings)
    documents = [
        Document(text, metadata={"year": year, "language": language}, id=id)
        for id, (text, year, language) in FILMS.items()
    ]
    store.add_documents(documents)
    return store


def ids(documents):
    return sorted(document.id for document in documents)


@pytest.mark.parametrize("fields", [FIELDS, "discover"])
def test_typed_conditions_are_held_to_the_fields(films, fields):
    retriever = LogicalRetriever(films, fields=fields)
    assert ids(retriever.invoke('"grief" AND [language = "French"]')) == ["a", "b"]
    assert ids(copy.copy(retriever).invoke("[year < 1990]")) == ["a"]
    with pytest.raises(FieldError, match="no field 'yeer'"):
        retriever.search("[yeer >= 1990]")


def test_conditions_in_plain_words_need_a_model(films):
    assert ids(LogicalRetriever(films, fields=FIELDS).invoke("films in French about grief")) == [
        "a",
        "b",
        "c",
    ]


@pytest.mark.parametrize("fields", [FIELDS, ATTRIBUTES, "discover"])
async def test_a_model_is_told_them(films, model, fields):
    llm = model('"grief" AND [language = "French"] AND [year >= 1990]')
    retriever = LogicalRetriever(films, llm, fields=fields)
    assert ids(await retriever.ainvoke(QUESTION)) == ["b"]
    told = str(llm.asked[0][0].content)
    assert "- year (integer" in told
    assert "- language (text" in told
    assert f"Today is {date.today().isoformat()}" in told


def test_a_field_that_a_model_invents_is_left_out(films, model):
    llm = model('"grief" AND [language = "French"] AND [mood = "sad"]')
    documents = LogicalRetriever(films, llm, fields=FIELDS).invoke("sad films in French about grief")
    assert "no field 'mood'" in documents[0].metadata["logical_problem"]
    assert ids(documents) == ["a", "b"]


def test_a_transformer_of_its_own_has_its_own_fields(films, model):
    chain = LogicalQueryTransformer(model('"grief" AND [language = "French"]'), fields=ATTRIBUTES)
    assert ids(LogicalRetriever(films, transformer=chain).invoke("films in French about grief")) == ["a", "b"]


@pytest.mark.parametrize("wrong", ["year", 3, {"year": "integer"}, [3], ["year"], [*FIELDS, FieldInfo("year", "text")]])
def test_what_is_no_field_is_refused(films, wrong):
    with pytest.raises(InvalidArgumentError):
        LogicalRetriever(films, fields=wrong)


def test_agents_are_told_them(films):
    search = create_logical_search_tool(LogicalRetriever(films, fields=FIELDS), description="Holds films.")
    assert search.description == (
        "Holds films.\nFields for where:\n- year (integer): of release\n- language (text; one of English, French)"
    )
    sampled = create_logical_search_tool(LogicalRetriever(films, fields="discover"))
    assert sampled.description.endswith("They were seen in a sample; there may be more values.")
    assert create_logical_search_tool(LogicalRetriever(films)).description == TOOL_DESCRIPTION
    assert "There is no field 'yeer'" in search.invoke({"where": [{"field": "yeer", "op": "=", "value": 1}]})
