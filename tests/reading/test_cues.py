"""What a passage says of a term that it names: it has it, or it denies it, in eleven languages."""

import time

import pytest
from hypothesis import given, strategies as st

from logical_retriever.lexical.analysis import visible
from logical_retriever.reading.passages import Mention, SoughtTerm


def mention(term, passage):
    return SoughtTerm(term).in_passage(passage)


DENIED = {
    "en": [
        ("sauna", "Gym on the ground floor, but no sauna."),
        ("sauna", "We have never had a sauna here."),
        ("nuts", "Baked without milk, eggs or nuts."),
        ("nuts", "A nut-free kitchen."),
        ("sugar", "Sugarless chewing gum with xylitol."),
        ("furnished", "The studio is let unfurnished."),
        ("parking", "Parking: none"),
        ("parking", "Parking? None, I'm afraid."),
        ("balcony", "| Lift | ✓ |\n| Balcony | ✗ |"),
        ("cellar", "cellar,no,attic,yes"),
        ("breakfast", "Not included: towels, breakfast, city tax."),
        ("driving licence", "A driving licence is not required."),
        ("driving licence required", "Driving licence optional."),
        ("pets allowed", "Sorry, no pets."),
        ("wood stove", "The wood stove was removed in 2018."),
        ("paper forms", "We did away with paper forms."),
        ("butter", "Use olive oil instead of butter."),
        ("charger", "Charger sold separately."),
        ("school bus", "School starts at eight. There is no bus."),
        ("no smoking", "Smoking is allowed on the terrace."),
    ],
    "de": [("Aufzug", "Die Wohnung im vierten Stock hat keinen Aufzug."), ("Alkohol", "Ein Bier, alkoholfrei.")],
    "fr": [("ascenseur", "L'immeuble n'a pas d'ascenseur."), ("terrasse", "Un studio sans terrasse au centre.")],
    "es": [("ascensor", "El piso no tiene ascensor."), ("terraza", "Es un estudio sin terraza en el centro.")],
    "it": [("ascensore", "La casa non ha un ascensore."), ("terrazza", "Un monolocale senza terrazza in centro.")],
    "pt": [("elevador", "O prédio não tem elevador."), ("varanda", "É um estúdio sem varanda no centro.")],
    "nl": [("lift", "Het gebouw heeft geen lift."), ("balkon", "Een kamer zonder balkon in het centrum.")],
    "pl": [("winda", "W budynku nie ma windy."), ("balkon", "To jest pokój bez balkonu w centrum.")],
    "ru": [("лифт", "В этом доме нет лифта."), ("балкон", "Это комната без балкона в центре.")],
    "zh": [("阳台", "房间不带阳台，靠近地铁。"), ("宠物", "宠物：不可")],
    "ja": [("駐車場", "建物の裏に駐車場はありません。"), ("ペット", "ペット不可、楽器は相談。")],
}
ASSERTED = {
    "en": [
        ("sauna", "No gym, but a sauna."),
        ("sauna", "The house is not without its sauna."),
        ("sauna", "It has not only a pool but also a sauna."),
        ("parking", "No doubt the parking is the best thing."),
        ("parking", "Parking: two spaces"),
        ("garden", "There is no lift; the garden is shared."),
        ("garden", "The garden isn't large."),
        ("no pets", "Pets: N"),
        ("sugar-free", "Made without sugar."),
        ("terrace", "No terrace at first, now a large terrace."),
    ],
    "de": [("Aufzug", "Das Haus hat einen Aufzug, aber keinen Keller.")],
    "fr": [("terrasse", "Il y a non seulement un jardin mais aussi une terrasse.")],
    "es": [("ascensor", "No tiene garaje, pero hay un ascensor en la casa.")],
    "it": [("ascensore", "Non c'è il garage, però nella casa c'è un ascensore.")],
    "pt": [("elevador", "Não tem garagem, mas há um elevador no prédio.")],
    "nl": [("lift", "Er is geen kelder, maar wel een lift in het gebouw.")],
    "pl": [("winda", "Nie ma piwnicy, ale jest winda w budynku.")],
    "ru": [("лифт", "Подвала нет, но в доме есть лифт.")],
    "zh": [("阳台", "没有电梯，阳台很大。")],
    "ja": [("駐車場", "ペット不可。駐車場は二台分あります。")],
}


@pytest.mark.parametrize("language", DENIED)
def test_a_denied_thing_is_denied(language):
    assert [(term, text) for term, text in DENIED[language] if mention(term, text).cue != "denied"] == []


@pytest.mark.parametrize("language", ASSERTED)
def test_a_negation_of_something_else_denies_nothing(language):
    assert [(term, text) for term, text in ASSERTED[language] if mention(term, text).cue != "asserted"] == []


def test_a_passage_without_all_words_of_a_term_does_not_name_it():
    for passage in ("", " \n", "A flat.", "The swimming lessons are free."):
        assert mention("swimming pool", passage) == Mention("absent", "")


def test_stop_words_alone_are_named_as_the_phrase_only():
    assert mention("the the", "Tickets for The The are gone.").cue == "denied"
    assert mention("the the", "The man at the door sold the tickets.").cue == "absent"


def test_words_shared_with_another_text_do_not_count():
    passage = "White wine only, nothing red."
    assert mention("red wine", passage).cue == "denied"
    assert SoughtTerm("red wine", without=["red"]).in_passage(passage).cue == "asserted"
    assert SoughtTerm("wine", without=["wine"]).in_passage(passage).cue == "asserted"


def test_the_sentence_is_the_mentions_own():
    assert mention("lift", "Fourth floor. Sadly no lift! Two rooms.").sentence == "Sadly no lift!"
    assert mention("lift", "Floor: 4\nLift: no\nRooms: 2").sentence == "Lift: no"


def test_a_long_sentence_is_cut_around_the_word():
    words = "word " * 200
    sentence = mention("lift", f"{words}no lift {words}").sentence
    assert len(sentence) <= 160
    assert "no lift" in sentence
    assert sentence.startswith("…")
    assert sentence.endswith("…")


@given(term=st.text(max_size=40), passage=st.text(max_size=200))
def test_any_text_is_answered_with_a_sentence_of_the_passage(term, passage):
    found = mention(term, passage)
    assert found.sentence.strip("…") in visible(passage)
    assert len(found.sentence) <= 160
    assert found.cue == "absent" or found.sentence


@pytest.mark.parametrize(
    "passage",
    [
        "x" * 50_000,
        "lift " * 10_000,
        "no lift, " * 6_000,
        "li\u200bft lift" * 5_000,
        "lift:" + ":" * 50_000,
        "无电梯" * 17_000,
    ],
    ids=["no blank", "repeated", "list", "zero width", "colons", "signs"],
)
def test_long_passages_take_linear_time(passage):
    terms = [SoughtTerm("lift"), SoughtTerm("电梯"), SoughtTerm(" ".join(f"lift{number}" for number in range(1_000)))]
    start = time.perf_counter()
    for term in terms:
        term.in_passage(passage)
    assert time.perf_counter() - start < 5
