"""How a thing was excluded: as a topic, as something to lack, or in typed logic."""

import pytest

from logical_retriever import LogicalRetriever, QuestionReader, ReadQuestion, parse
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import FieldInfo
from logical_retriever.reading import Tagger
from logical_retriever.testing import HashingEmbedder

LACK = [
    ("parking space", "flats in the old town without a parking space"),
    ("walnuts", "a cake with no walnuts, please"),
    ("diploma", "jobs that don't require a diploma"),
    ("lactose", "yoghurt that is free of lactose"),
    ("Zwiebeln", "Eintopf ohne Zwiebeln"),
    ("ascenseur", "hôtels qui n'ont pas ascenseur"),
    ("砂糖", "砂糖なしのケーキ"),
]
TOPIC = [
    ("joints", "turmeric, but nothing about joints"),
    ("coffee", "what keeps you awake, excluding any content on coffee"),
    ("the harbour", "news of the town, leaving aside the harbour"),
    ("Kyoto", "cities of Japan except Kyoto"),
    ("Kosten", "Wärmepumpen, aber nichts über Kosten"),
]


@pytest.mark.parametrize(
    ("kind", "term", "question"), [("lack", *one) for one in LACK] + [("topic", *one) for one in TOPIC]
)
def test_the_tagger_tells_how_a_term_was_excluded(kind, term, question):
    assert Tagger().kinds(question, [term]) == {term: kind}


@pytest.mark.parametrize(
    ("question", "term", "kind"),
    [
        ("huts without a stove", "stoves and fireplaces", "lack"),  # other words: all excluded ones count
        ("nothing about party planning, but rooms without art", "art", "lack"),
        ("nothing about party planning, but rooms without art", "party planning", "topic"),
        ("İİİİ a cabin without a kettle please", "kettle", "lack"),
        ("", "", "topic"),
    ],
)
def test_a_term_is_found_by_whole_words_or_all_excluded_words_count(question, term, kind):
    assert Tagger().kinds(question, [term]) == {term: kind}


class Model:
    """A chat model with one answer."""

    def __init__(self, answer):
        self.answer = answer

    def complete(self, messages):
        return self.answer


def test_a_models_reading_has_the_taggers_kinds():
    reader = QuestionReader(
        Model('"rooms" AND NOT "works of art"'), fields=[FieldInfo("floor", "integer", "of the room")]
    )
    assert reader.transform("rooms without art").kinds == {"works of art": "lack"}


def test_nothing_prints_the_kind_and_a_reader_that_does_not_tell_it_counts_as_typed():
    retriever = LogicalRetriever.from_texts(["home", "balcony"], HashingEmbedder(), always_exclude=["balcony"])
    for kinds, kind in ((None, "typed"), ({"garden": "lack"}, "lack")):
        read = ReadQuestion("home without a garden", parse('"home" AND NOT "garden"'), "mine", kinds=kinds)
        result = retriever.search(read)
        assert result.searched == '("home" AND NOT "garden") AND NOT "balcony"'
        found = {term: one.kind for term, one in result.documents[0].decisions.items()}
        assert found == {"garden": kind, "balcony": "always"}
        assert hash(read)
    with pytest.raises(InvalidArgumentError, match="'garden' is 'typed'"):
        ReadQuestion("no garden", parse('NOT "garden"'), "mine", kinds={"garden": "typed"})
