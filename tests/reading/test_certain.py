"""No model takes away an exclusion that the tagger read for certain."""

import pytest

from logical_retriever import QuestionReader, parse
from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import FieldInfo, negative_terms, positive_terms
from logical_retriever.reading import TransformWarning
from logical_retriever.reading.questions.certain import check_certain

QUESTION = "uses of beeswax other than candles"
GOLD = '"uses of beeswax" AND NOT "candles"'
FIELDS = [FieldInfo("year", "integer", "of it"), FieldInfo("country", "text", "of it")]
HISTORY = [{"role": "user", "content": "tell me about wax"}, {"role": "assistant", "content": "Gladly."}]
HOSTILE = {
    "drops it": '"uses of beeswax"',
    "word for word": f'"{QUESTION}"',
    "wants it": '"uses of beeswax" AND "candles"',
    "exchanges both": '"candles" AND NOT "uses of beeswax"',
    "excludes both": 'NOT "uses of beeswax" AND NOT "candles"',
    "excludes the wish": '"beeswax" AND NOT "beeswax"',
    "excludes something else": '"uses of beeswax" AND NOT "beekeeping"',
    "rescues it": f'({GOLD}) OR "candles"',
    "only a field": '"uses of beeswax" AND [year >= 2000]',
    "nonsense": "%% ((",
    "a refusal": "I cannot help with that.",
    "nothing": "",
}


class Model:
    """A chat model with recorded answers; the last one is repeated."""

    def __init__(self, *answers):
        self.answers, self.seen = list(answers), []

    def complete(self, messages):
        self.seen.append(messages)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def in_mode(answer, mode):
    return f"Question: {QUESTION}\nQuery: {answer}" if mode == "history" and answer else answer


@pytest.mark.parametrize("mode", ["fields", "history"])
@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_answer_leaves_the_exclusion_and_a_problem(answer, mode):
    reader = QuestionReader(Model(in_mode(answer, mode)), fields=FIELDS if mode == "fields" else None)
    with pytest.warns(TransformWarning):
        read = reader.transform(QUESTION, history=HISTORY if mode == "history" else ())
    assert negative_terms(read.query) == ("candles",)
    assert positive_terms(read.query) == ("uses of beeswax",)
    assert read.problem


@pytest.mark.parametrize("mode", ["fields", "history"])
def test_the_model_is_told_what_it_dropped_and_asked_once_more(mode):
    model = Model(in_mode(HOSTILE["drops it"], mode), in_mode(GOLD, mode))
    reader = QuestionReader(model, fields=FIELDS if mode == "fields" else None)
    read = reader.transform(QUESTION, history=HISTORY if mode == "history" else ())
    assert (str(read.query), read.method, read.problem) == (GOLD, "llm", None)
    assert 'excludes "candles", and the answer does not' in model.seen[1][-1]["content"]


KEPT = [
    (GOLD, '"what beeswax is used for" AND NOT "making candles"'),
    (GOLD, '"what beeswax is used for" AND NOT "candle"'),
    ('"films" AND NOT "before 2022"', '"films" AND [year >= 2022]'),
    ('"films" AND NOT "American ones"', '"films" AND [country != "United States"]'),
    ('"films" AND NOT "American ones"', '"films" AND NOT [country = "United States"]'),
    ('"languages" AND NOT "C"', '"languages for drivers" AND NOT "C"'),
    ('"bands" AND NOT "The Who"', '"bands" AND NOT "The Who"'),
    ('"galleries" AND NOT "first two"', '"galleries in Trieste" AND NOT "Museo Revoltella"'),
    ('"flats" AND NOT "lifts" OR "houses"', '"flats" AND NOT "lifts" OR "houses"'),
]
LOST = [
    ('"films" AND NOT "before 2022"', '"films" AND [year >= 1990]'),
    ('"films" AND NOT "from France"', '"films" AND [country = "france"]'),
    ('"laptops" AND NOT "Dell laptops"', '"laptops" AND NOT "gaming laptops"'),
    ('"menus" AND NOT "internet"', '"menus" AND NOT "interest rates"'),
    ('"东京" AND NOT "咖啡馆"', '"东京" AND NOT "图书馆"'),
    ('"flats in Lyon" AND NOT "furnished"', '"flats in Lyon" AND NOT "furnished" OR "houses in Lyon"'),
    ('"flats" AND NOT "lifts" AND NOT "furnished"', '"flats" AND [price != 0]'),
]


@pytest.mark.parametrize(("certain", "query"), KEPT)
def test_other_words_and_conditions_keep_an_exclusion(certain, query):
    check_certain(parse(query), parse(certain))


@pytest.mark.parametrize(("certain", "query"), LOST)
def test_a_lost_exclusion_is_noticed(certain, query):
    with pytest.raises(LLMAnswerError, match="and the answer does not"):
        check_certain(parse(query), parse(certain))
