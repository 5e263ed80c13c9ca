"""A negation that was read as a fact is said in the note, and is no problem."""

import pytest

from logical_retriever import LogicalRetriever, QuestionReader, SentenceTransformerEmbedder
from logical_retriever.reading.questions.facts import negation_in


@pytest.mark.parametrize(
    ("question", "negation"),
    [
        ("Why do geese not freeze in winter?", "not freeze in winter"),
        ("my printer won’t start", "won’t start"),
        ("Warum schlafen Haie nicht?", "nicht"),
        ("pourquoi le ciel n'est pas vert", "pas vert"),
        ("なぜ猫は泳がないのか", "ないのか"),
        ("为什么企鹅不会飞", "不会飞"),
        ("nobody told me it was closed", "nobody told me it"),
        ("don´t look up cast", "don´t look up cast"),
        ("not " + "x" * 500, "not " + "x" * 56),
        ("onde comer no Porto e o que ver na cidade", None),
        ("qui est né à Lyon et dans les environs", None),
        ("非洲的国家和首都", None),
        ("a non-fiction book on knots", None),
        ("sugar-free jam", None),
        ("notable nests of Norway", None),
        ("", None),
    ],
)
def test_the_first_negation_is_quoted_with_the_words_after_it(question, negation):
    assert negation_in(question) == negation


def test_the_note_says_what_was_read_as_a_fact():
    texts = ["Geese have a net of vessels in their legs.", "Ducks dabble."]
    retriever = LogicalRetriever.from_texts(texts, SentenceTransformerEmbedder())
    read = QuestionReader().transform("Why do geese not freeze in winter?")
    assert (read.fact, read.problem) == ("not freeze in winter", None)
    assert retriever.search(read).note == 'read as a fact: "not freeze in winter"'
    assert retriever.search(QuestionReader().transform("why do geese fly south")).note == ""


def test_a_question_with_an_exclusion_and_a_typed_one_have_no_such_note():
    for question in ("geese, but nothing about ducks", '"geese" AND NOT "ducks"', '"geese" OR why not OR'):
        assert QuestionReader().transform(question).fact is None
