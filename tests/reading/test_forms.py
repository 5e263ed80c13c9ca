"""The form that models with structured output fill, and its conditions on metadata."""

import datetime
import json

import pytest

from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import FieldInfo, Term, parse
from logical_retriever.reading import LogicalQueryTransformer, TransformWarning, load_prompt
from logical_retriever.reading.questions.answer import form_class
from logical_retriever.testing import ScriptedChatModel

QUESTION = "Tell me about the best tea or coffee from 1990, but no milk, sugar or brewing."
FIELDS = [FieldInfo("year", "integer", "of release"), FieldInfo("genres", "list", values=("noir", "western"))]
WESTERNS = "westerns about grief from the nineties, no noir"
LINE = '"grief" AND [genres contains "western"] AND [year >= 1990] AND [year < 2000] AND NOT [genres contains "noir"]'


def filled(*wishes):
    return json.dumps({"alternatives": [dict(zip(("all_of", "none_of"), wish, strict=False)) for wish in wishes]})


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ('"tea" AND NOT "milk"', [(["tea"], ["milk"])]),
        ('"tea" AND "coffee"', [(["tea", " coffee "], [])]),
        ('"tea" AND NOT "milk" AND NOT "sugar"', [(["tea"], ["milk", "sugar"])]),
        ('"tea" OR "coffee"', [(["tea"],), (["coffee"], None)]),
        ('("tea" AND NOT "milk") OR ("coffee" AND NOT "sugar")', [(["tea"], ["milk"]), (["coffee"], ["sugar"])]),
        ('NOT "milk"', [([], ["milk"])]),
        ('"the \\"best\\" tea" AND NOT "milk \\\\ sugar"', [(['the "best" tea'], ["milk \\ sugar"])]),
        ('"tea"', [(["tea"], [])]),
    ],
)
async def test_form_and_text_give_equal_queries(ask, filling, text, wishes):
    by_text = await ask(LogicalQueryTransformer(ScriptedChatModel([text]), on_failure="raise"), QUESTION)
    for model in (filling, ScriptedChatModel):  # one that is asked for the form, and one that is not
        for answer in (filled(*wishes), f"```json\n{filled(*wishes)}\n```", f"<think>hm</think>{filled(*wishes)}"):
            by_form = await ask(LogicalQueryTransformer(model([answer]), on_failure="raise"), QUESTION)
            assert by_form.query == by_text.query


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"alternatives": []}, "no operands|at least|Or"),
        ({"alternatives": "tea"}, "alternatives: "),
        ({"alternatives": [{"all_of": ["tea"], "not": ["milk"]}]}, "alternatives.0.not: "),
        ({"alternatives": [{"all_of": [], "none_of": []}]}, "And|operands"),
        ({"alternatives": [{"all_of": "tea", "none_of": []}]}, "alternatives.0.all_of: "),
        ({"alternatives": [{"all_of": ["tea", 3]}]}, "alternatives.0.all_of.1: "),
        ({"alternatives": [{"all_of": ["tea"], "none_of": [" "]}]}, "A term needs text"),
        ({"alternatives": [{"all_of": ["tea"]}], "none_of": ["milk"]}, "none_of: "),
        ({"alternatives": [{"all_of": ["tea AND NOT milk"]}, {"all_of": ["coffee"]}]}, "operator stands inside"),
        ({"alternatives": [{"all_of": [f"tea {i}" for i in range(70)]}]}, "terms"),
        ({"filters": [{"field": "tea"}]}, "alternatives: "),
        ({"alternatives": [[[[[[[]]]]]]]}, "alternatives.0: "),
        ("not JSON", ""),
        ('{"alternatives": [{"all_of": ["tea"], "none_of": ["mil', ""),
        ('{"alternatives": [{"all_of": ["tea"], "where": "year"}]}', "alternatives.0.where: "),
        ('{"alternatives": [{"all_of": ["tea"], "where": [{"field": "year", "op": ">="}]}]}', "cannot name None"),
        ('{"alternatives": [{"all_of": ["tea"], "where": [{"field": "y", "op": "~", "value": 3}]}]}', "no operator"),
        ('{"alternatives": [{"all_of": ["tea"], "where": [{"field": "y", "op": "in", "value": []}]}]}', "one or more"),
        ('{"alternatives": [{"all_of": ["tea"], "where": [{"field": "y", "op": "=", "value": {}}]}]}', "value.str"),
    ],
)
async def test_another_form_is_sent_back_and_nothing_of_it_is_dropped(ask, filling, form, problem):
    answer = form if isinstance(form, str) else json.dumps(form)
    model = filling([answer, filled((["tea"], ["milk"]))])
    made = await ask(LogicalQueryTransformer(model), QUESTION)
    assert str(made.query) == '"tea" AND NOT "milk"'
    repair = model.conversations[1][-1]["content"]
    assert any(part in repair for part in problem.split("|"))
    assert '"all_of" and "none_of"' in repair
    with pytest.raises(LLMAnswerError):
        await ask(LogicalQueryTransformer(filling([answer] * 2), on_failure="raise"), QUESTION)


def test_only_a_model_that_fills_forms_is_told_of_the_form(filling):
    model, plain = filling([filled((["tea"], ["milk"]))]), ScriptedChatModel(['"tea" AND NOT "milk"'])
    for llm in (model, plain):
        LogicalQueryTransformer(llm).transform(QUESTION)
    [(system, user)] = model.conversations
    assert system["content"].startswith(load_prompt("default").system)
    assert "none_of" in system["content"]
    assert "none_of" not in plain.conversations[0][0]["content"]
    assert QUESTION in user["content"]
    assert model.forms == (form_class(False, False),)


@pytest.mark.parametrize("in_conversation", [False, True])
@pytest.mark.parametrize("with_conditions", [False, True])
def test_strict_modes_of_providers_take_the_forms(in_conversation, with_conditions):
    schema = form_class(in_conversation, with_conditions).model_json_schema()
    assert schema["title"] == "LogicalQuery"
    assert list(schema["properties"]) == ["question"] * in_conversation + ["alternatives"]
    assert ("Comparison" in schema["$defs"]) == with_conditions
    for part in (schema, *schema["$defs"].values()):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
        assert all(field["description"] for field in part["properties"].values())
        assert not any("default" in field for field in part["properties"].values())


# Conditions


def chain(*answers, model=ScriptedChatModel, **settings):
    llm = model(list(answers))
    return llm, LogicalQueryTransformer(llm, fields=FIELDS, **settings)


async def test_the_model_is_shown_the_fields_and_today(ask):
    llm, transformer = chain(LINE)
    made = await ask(transformer, WESTERNS)
    assert (made.query, made.problem) == (parse(LINE), None)
    system = llm.conversations[0][0]["content"]
    assert "- genres (list; one of noir, western)" in system
    assert f"Today is {datetime.date.today():%Y-%m-%d, a %A}" in system
    llm = ScriptedChatModel(['"grief"'])
    await ask(LogicalQueryTransformer(llm), WESTERNS)
    assert "CONDITIONS" not in llm.conversations[0][0]["content"]


def test_a_condition_that_does_not_fit_the_fields_is_sent_back_and_else_refused():
    llm, transformer = chain(LINE.replace('"western"', '"westerns"'), LINE)
    assert transformer.transform(WESTERNS).query == parse(LINE)
    assert "Did you mean 'western'?" in llm.conversations[1][-1]["content"]
    with pytest.raises(LLMAnswerError, match="There is no field 'genres'"):
        LogicalQueryTransformer(ScriptedChatModel([LINE, LINE]), on_failure="raise").transform(WESTERNS)


async def test_what_stays_wrong_is_no_answer_and_is_named(ask):
    answer = LINE + " AND [budget < 3]"
    with pytest.warns(TransformWarning, match="budget"):
        made = await ask(chain(answer, answer)[1], WESTERNS)
    assert (made.query, made.method) == (Term(WESTERNS), "dense")
    assert "There is no field 'budget'" in made.problem
    with pytest.raises(LLMAnswerError, match="budget"):
        await ask(chain(answer, answer, on_failure="raise")[1], WESTERNS)


def test_a_filled_form_gives_the_query_of_the_text(filling):
    def compared(field, op, value):
        return {"field": field, "op": op, "value": value}

    where = [compared("genres", "contains", "western"), compared("year", ">=", 1990), compared("year", "<", 2000)]
    where_not = [compared("genres", "contains", "noir")]
    wish = {"all_of": ["grief"], "none_of": [], "where": where, "where_not": where_not}
    llm, transformer = chain(json.dumps({"alternatives": [wish]}), model=filling)
    assert transformer.transform(WESTERNS).query == parse(LINE)
    assert llm.forms == (form_class(False, True),)
    assert '"where_not"' in llm.conversations[0][0]["content"]


async def test_conditions_are_read_in_a_conversation(ask):
    history = [{"role": "user", "content": "westerns"}, {"role": "assistant", "content": "Here."}]
    _, transformer = chain('Question: westerns from 1990\nQuery: [genres contains "western"] AND [year = 1990]')
    made = await ask(transformer, "only from 1990", history=history)
    assert made.query == parse('[genres contains "western"] AND [year = 1990]')
