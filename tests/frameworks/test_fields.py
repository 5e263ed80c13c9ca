"""Fields of metadata: told once, to the retriever; conditions in questions, with and without a model; tools."""

from datetime import date

import pytest

from logical_retriever import FieldInfo
from logical_retriever.adapters import TOOL_DESCRIPTION
from logical_retriever.errors import FieldError, InvalidArgumentError
from logical_retriever.reading import TransformWarning

FIELDS = [FieldInfo("year", "integer", "of release"), FieldInfo("language", "text", values=("English", "French"))]
QUESTION = "films in French about grief since 1990"
FILMS = {
    "a": ("grief in a family", {"year": 1985, "language": "French"}),
    "b": ("grief and the sea", {"year": 1995, "language": "French"}),
    "c": ("grief in the city", {"year": 1999, "language": "English"}),
}


@pytest.fixture
def films(framework, hashing):
    return framework.store(FILMS, hashing)


@pytest.mark.parametrize("fields", [FIELDS, "discover"])
def test_typed_conditions_are_held_to_the_fields(framework, films, fields):
    retriever = framework.package.LogicalRetriever(films, fields=fields)
    assert framework.ask(retriever, '"grief" AND [language = "French"]').keys() == {"a", "b"}
    assert framework.ask(retriever, "[year < 1990]", exclusion="rank").keys() == {"a"}
    with pytest.raises(FieldError, match="no field 'yeer'"):
        retriever.search("[yeer >= 1990]")


@pytest.mark.parametrize("fields", [FIELDS, None, "discover"], ids=["ours", "the framework's", "discovered"])
async def test_a_model_is_told_them(framework, films, fields):
    llm = framework.llm('"grief" AND [language = "French"] AND [year >= 1990]')
    fields = framework.fields_of_its_own() if fields is None else fields
    retriever = framework.package.LogicalRetriever(films, llm=llm, fields=fields)
    assert (await framework.aask(retriever, QUESTION)).keys() == {"b"}
    for said in ("- year (integer", "- language (text", f"Today is {date.today().isoformat()}"):
        assert said in llm.asked[0]


def test_a_model_that_goes_on_inventing_a_field_is_read_without_and_that_is_said(framework, films):
    llm = framework.llm('"grief" AND [language = "French"] AND [mood = "sad"]')
    with pytest.warns(TransformWarning, match="without a model"):
        answer = framework.ask(framework.package.LogicalRetriever(films, llm=llm, fields=FIELDS), f"sad {QUESTION}")
    assert answer
    assert all(metadata["logical_problem"] for metadata in answer.values())
    retriever = framework.package.LogicalRetriever(films, llm=framework.llm(llm.answer), fields=FIELDS)
    with pytest.warns(TransformWarning):
        assert "no field 'mood'" in retriever.answer(f"sad {QUESTION}").problem


def test_a_transformer_of_its_own_has_its_own_fields(framework, films):
    llm = framework.llm('"grief" AND [language = "French"]')
    chain = framework.package.LogicalQueryTransformer(llm, fields=framework.fields_of_its_own())
    retriever = framework.package.LogicalRetriever(films, transformer=chain)
    assert framework.ask(retriever, QUESTION).keys() == {"a", "b"}


@pytest.mark.parametrize("wrong", ["year", 3, {"year": "integer"}, [3], ["year"], [*FIELDS, FieldInfo("year", "text")]])
def test_no_fields_are_refused(framework, films, wrong):
    with pytest.raises(InvalidArgumentError):
        framework.package.LogicalRetriever(films, fields=wrong)


def test_agents_are_told_them(framework, films):
    retriever = framework.package.LogicalRetriever(films, fields=FIELDS)
    description, call = framework.tool(retriever, description="Holds films.")
    told = "- year (integer): of release\n- language (text; one of English, French)"
    assert description == f"Holds films.\nFields for where:\n{told}"
    assert "no field 'yeer'" in call({"where": [{"field": "yeer", "op": "=", "value": 1}]})
    description, _ = framework.tool(framework.package.LogicalRetriever(films, fields="discover"))
    assert description.endswith("They were seen in a sample; there may be more values.")
    assert framework.tool(framework.package.LogicalRetriever(films))[0] == TOOL_DESCRIPTION
