"""A language model that is shown the fields of metadata, and what becomes of its conditions."""

import datetime
import json
import warnings

import pytest

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError
from logical_retriever.query import FieldInfo, Fields, Term, parse
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import (
    LogicalQueryTransformer,
    Message,
    QuestionReader,
    TransformWarning,
)
from logical_retriever.transform.conditions import ConditionRules, FormWithConditions


class Filling(ScriptedChatModel):
    """A chat model that fills forms."""

    structured = True
    forms = ()

    def complete_structured(self, messages, form):
        self.forms = (*self.forms, form)
        return self.complete(messages)

    async def acomplete_structured(self, messages, form):
        return self.complete_structured(messages, form)


FIELDS = [FieldInfo("year", "integer", "of release"), FieldInfo("genres", "list", values=("noir", "western"))]
QUESTION = "westerns about grief from the nineties, no noir"
FORM = '"grief" AND [genres contains "western"] AND [year >= 1990] AND [year < 2000] AND NOT [genres contains "noir"]'


def chain(*answers, model=ScriptedChatModel, **settings):
    llm = model(list(answers))
    return llm, LogicalQueryTransformer(llm, fields=FIELDS, **settings)


def test_the_model_is_shown_the_fields_and_today():
    llm, transformer = chain(FORM)
    made = transformer.transform(QUESTION)
    assert (made.query, made.problem) == (parse(FORM), None)
    told = llm.conversations[0][0]["content"]
    assert "- genres (list; one of noir, western)" in told
    assert f"Today is {datetime.date.today().isoformat()}" in told


def test_without_fields_the_model_is_told_what_it_was_told_before():
    llm = ScriptedChatModel(['"grief"'])
    LogicalQueryTransformer(llm).transform(QUESTION)
    assert "CONDITIONS" not in llm.conversations[0][0]["content"]


def test_a_condition_of_a_model_that_knows_no_fields_is_refused():
    with pytest.raises(LLMAnswerError, match="no fields are known"):
        LogicalQueryTransformer(ScriptedChatModel([FORM, FORM]), on_failure="raise").transform(QUESTION)


def test_a_condition_that_does_not_go_with_the_fields_is_sent_back():
    llm, transformer = chain(FORM.replace('"western"', '"westerns"'), FORM)
    assert transformer.transform(QUESTION).query == parse(FORM)
    assert "Did you mean 'western'?" in llm.conversations[1][-1]["content"]


def test_what_stays_wrong_is_left_out_and_named():
    answer = FORM + " AND [budget < 3]"
    _, transformer = chain(answer, answer)
    with pytest.warns(TransformWarning, match="budget"):
        made = transformer.transform(QUESTION)
    assert (made.query, made.method) == (parse(FORM), "llm")
    assert "[budget < 3] is left out: There is no field 'budget'" in made.problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TransformWarning)
        _, transformer = chain("[budget < 3]", "[budget < 3]")
        assert transformer.transform(QUESTION).query == Term(QUESTION)
        _, transformer = chain(answer, answer)
        read = QuestionReader(transformer).transform(QUESTION)
    assert read.query == parse(FORM)
    assert "budget" in read.problem


FILLED = {
    "alternatives": [
        {
            "all_of": ["grief"],
            "none_of": [],
            "where": [
                {"field": "genres", "op": "contains", "value": "western"},
                {"field": "year", "op": ">=", "value": 1990},
                {"field": "year", "op": "<", "value": 2000},
            ],
            "where_not": [{"field": "genres", "op": "contains", "value": "noir"}],
        }
    ]
}


def test_a_filled_form_gives_the_query_of_the_text():
    llm, transformer = chain(json.dumps(FILLED), model=Filling)
    assert transformer.transform(QUESTION).query == parse(FORM)
    assert llm.forms == (FormWithConditions,)
    assert FormWithConditions.model_validate(FILLED)
    assert '"where_not"' in llm.conversations[0][0]["content"]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("year", "not a list of conditions"),
        ([3], "no condition"),
        ([{"field": "year", "op": ">="}], "cannot name None"),
        ([{"field": "year", "op": "~", "value": 3}], "no operator"),
        ([{"field": "year", "op": ">=", "value": 3, "or": 1}], "no condition"),
        ([{"field": "year", "op": "in", "value": []}], "one or more values"),
        ([{"field": "year", "op": ">=", "value": {"$gt": ""}}], "cannot name"),
    ],
)
def test_a_form_with_something_else_is_refused(where, message):
    form = json.dumps({"alternatives": [{"all_of": ["grief"], "none_of": [], "where": where}]})
    _, transformer = chain(form, form, model=Filling, on_failure="raise")
    with pytest.raises(LLMAnswerError, match=message):
        transformer.transform(QUESTION)


def test_conditions_are_read_in_a_conversation():
    history: list[Message] = [{"role": "user", "content": "westerns"}, {"role": "assistant", "content": "Here."}]
    _, transformer = chain('Question: westerns from 1990\nQuery: [genres contains "western"] AND [year = 1990]')
    made = transformer.transform("only from 1990", history=history)
    assert made.query == parse('[genres contains "western"] AND [year = 1990]')


def test_a_reader_with_fields_asks_the_model_for_every_question_that_is_not_typed():
    llm = ScriptedChatModel([FORM])
    reader = QuestionReader(llm, fields=FIELDS)
    assert reader.transform("westerns about grief from the nineties").query == parse(FORM)
    assert reader.transform('"grief" AND [year >= 1990]').method == "typed"
    for beside in ({"llm": LogicalQueryTransformer(llm)},):
        with pytest.raises(InvalidArgumentError, match="fields was given beside"):
            QuestionReader(fields=FIELDS, **beside)


def test_conditions_in_plain_words_need_a_model():
    def failing(messages):
        raise RuntimeError("out of order")

    question = "westerns about grief from before 1950"
    with pytest.warns(TransformWarning, match="reading without a model"):
        assert QuestionReader(ScriptedChatModel([failing]), fields=FIELDS).transform(question).query == Term(question)
    reader = QuestionReader(fields=FIELDS)
    assert reader.transform(question).query == Term(question)
    assert reader.transform('"grief" AND [year < 1950]').query == parse('"grief" AND [year < 1950]')
    with pytest.raises(InvalidArgumentError):
        QuestionReader(fields=["year"])


def test_an_answer_is_remembered_for_a_day():
    days = iter([datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)])
    rules = ConditionRules(Fields(FIELDS), lambda: next(days))
    assert rules.fingerprint != rules.fingerprint


def test_a_condition_alone_is_read_whatever_it_stands_in():
    for wrapped in ("{}", "```\n{}\n```", "Query: {}", "Here is the query:\n\n{}", '{{"query": "{}"}}'):
        text = "[year >= 1990]" if "{{" in wrapped else '[genres contains "western"] AND [year >= 1990]'
        _, transformer = chain(wrapped.format(text), max_repairs=0, on_failure="raise")
        assert transformer.transform(QUESTION).query == parse(text)
