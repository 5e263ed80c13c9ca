"""The form that models with structured output fill gives the queries that the grammar gives."""

import json

import pytest
from hypothesis import given
from random_queries import queries

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError
from logical_retriever.query import And, Or, Term, parse, to_nnf
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, TransformWarning, load_prompt
from logical_retriever.transform.alternatives import LogicalQueryForm, form_of
from logical_retriever.transform.answer import read_answer
from logical_retriever.transform.conversation import StandaloneForm

QUESTION = "Tell me about tea or coffee, but no milk, sugar or brewing."
EQUAL = [
    ('"tea" AND NOT "milk"', [(["tea"], ["milk"])]),
    ('"tea" AND "coffee"', [(["tea", "coffee"], [])]),
    ('"tea" AND NOT "milk" AND NOT "sugar"', [(["tea"], ["milk", "sugar"])]),
    ('"tea" OR "coffee"', [(["tea"], []), (["coffee"], [])]),
    ('("tea" AND NOT "milk") OR ("coffee" AND NOT "sugar")', [(["tea"], ["milk"]), (["coffee"], ["sugar"])]),
    ('NOT "milk"', [([], ["milk"])]),
    ('"the \\"best\\" tea" AND NOT "a \\\\ b"', [(['the "best" tea'], ["a \\ b"])]),
    ('"tea"', [(["tea"], [])]),
]


def filled(alternatives):
    return json.dumps({"alternatives": [{"all_of": wanted, "none_of": unwanted} for wanted, unwanted in alternatives]})


class Filling(ScriptedChatModel):
    """A chat model that fills forms; what it is told is remembered as for texts."""

    structured = True
    forms = ()

    def complete_structured(self, messages, form):
        self.forms = (*self.forms, form)
        return self.complete(messages)

    async def acomplete_structured(self, messages, form):
        return self.complete_structured(messages, form)


@pytest.fixture(params=["sync", "async"])
def ask(request):
    async def ask(transformer, question=QUESTION):
        return transformer.transform(question) if request.param == "sync" else await transformer.atransform(question)

    return ask


@pytest.mark.parametrize(("text", "form"), EQUAL)
async def test_form_and_text_give_equal_queries(ask, text, form):
    by_text = await ask(LogicalQueryTransformer(ScriptedChatModel([text]), on_failure="raise", own_words=False))
    by_form = await ask(LogicalQueryTransformer(Filling([filled(form)]), on_failure="raise", own_words=False))
    assert by_form.query == by_text.query


@pytest.mark.parametrize(("text", "form"), EQUAL)
def test_a_model_that_answers_with_a_form_unasked_is_understood(text, form):
    for wrapped in (filled(form), f"```json\n{filled(form)}\n```", f"<think>hm</think>{filled(form)}"):
        assert read_answer(wrapped, QUESTION) == read_answer(text, QUESTION)


@given(queries(max_leaves=6))
def test_a_query_as_a_form_has_the_same_meaning(query):
    form = form_of(query)
    if form is None:
        return
    terms = query.terms()
    for bits in range(2 ** min(len(terms), 6)):
        world = {term: bool(bits >> place & 1) for place, term in enumerate(terms)}
        by_form = any(
            all(world[t] for t in one["all_of"]) and not any(world[t] for t in one["none_of"])
            for one in form["alternatives"]
        )
        assert by_form == holds(to_nnf(query), world)


def holds(query, world):
    if isinstance(query, Term):
        return world[query.text]
    if isinstance(query, And):
        return all(holds(one, world) for one in query.children)
    if isinstance(query, Or):
        return any(holds(one, world) for one in query.children)
    return not holds(query.children[0], world)


def test_a_query_whose_form_would_explode_has_none():
    assert form_of(parse(" AND ".join(f'("a{i}" OR "b{i}")' for i in range(6)))) is None


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"alternatives": []}, "not a list of at least one"),
        ({"alternatives": "tea"}, "not a list of at least one"),
        ({"alternatives": [{"all_of": ["tea"], "not": ["milk"]}]}, "An alternative is"),
        ({"alternatives": [{"all_of": [], "none_of": []}]}, "no term at all"),
        ({"alternatives": [{"all_of": "tea", "none_of": []}]}, "all_of is"),
        ({"alternatives": [{"all_of": ["tea", 3]}]}, "all_of is"),
        ({"alternatives": [{"all_of": ["tea"], "none_of": [" "]}]}, "none_of is"),
        ({"alternatives": ["tea"]}, "An alternative is"),
        ({"alternatives": [{"all_of": ["tea"]}], "none_of": ["milk"]}, "beside alternatives"),
        ({"alternatives": [{"all_of": ["tea AND NOT milk"]}, {"all_of": ["coffee"]}]}, "operator stands inside"),
        ({"alternatives": [{"all_of": [f"tea {i}" for i in range(70)]}]}, "terms"),
        ({"filters": [{"field": "tea"}]}, ""),
        ({"alternatives": [[[[[[[]]]]]]]}, "An alternative is"),
    ],
)
async def test_another_form_is_sent_back_and_nothing_of_it_is_dropped(ask, form, problem):
    good = filled([(["tea"], ["milk"])])
    model = Filling([json.dumps(form), good])
    made = await ask(LogicalQueryTransformer(model))
    assert str(made.query) == '"tea" AND NOT "milk"'
    said = model.conversations[1][-1]["content"]
    assert problem in said
    assert '"all_of" and "none_of"' in said
    strict = LogicalQueryTransformer(Filling([json.dumps(form)] * 2), on_failure="raise")
    with pytest.raises(LLMAnswerError):
        await ask(strict)


async def test_a_form_that_is_not_json_or_huge_leaves_the_plain_question(ask):
    for nonsense in ('{"alternatives": [{"all_of": ["tea"], "none_of": ["mil', "[" * 100_000, '{"a":' * 5_000, " {}"):
        with pytest.warns(TransformWarning):
            made = await ask(LogicalQueryTransformer(Filling([nonsense, nonsense])))
        assert made.query == Term(QUESTION)


def test_the_model_is_told_of_the_form_and_sees_examples_as_forms():
    model = Filling([filled([(["tea"], ["milk"])])])
    examples = [("cats, no dogs", '"cats" AND NOT "dogs"')]
    LogicalQueryTransformer(model, examples=examples).transform(QUESTION)
    system, _, example, asked = model.conversations[0]
    assert system["content"].startswith(load_prompt("default").system)
    assert "none_of" in system["content"]
    assert json.loads(example["content"]) == form_of(parse('"cats" AND NOT "dogs"'))
    assert QUESTION in asked["content"]
    assert model.forms == (LogicalQueryForm,)


def test_text_can_be_asked_for_and_a_form_only_of_a_model_that_fills_one():
    model = Filling(['"tea" AND NOT "milk"'])
    LogicalQueryTransformer(model, structured=False).transform(QUESTION)
    assert model.forms == ()
    assert "none_of" not in model.conversations[0][0]["content"]
    with pytest.raises(InvalidArgumentError, match="does not fill forms"):
        LogicalQueryTransformer(ScriptedChatModel([]), structured=True)


@pytest.mark.parametrize("form", [LogicalQueryForm, StandaloneForm])
def test_strict_modes_of_providers_take_the_forms(form):
    said = form.model_json_schema()
    assert said["title"] == "LogicalQuery"
    for part in (said, said["$defs"]["Wish"]):
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
        assert all(field["description"] for field in part["properties"].values())
