"""Only what says that it lacks the excluded thing is shown: ``exclusion="certain"``."""

import pytest
from verifying import Recording, encoder

from logical_retriever import LogicalRetriever, ReadQuestion, Verdict, parse
from logical_retriever.errors import InvalidArgumentError

BREADS = {
    "Seeded rye loaf, baked daily. Contains no nuts and no sesame, and our bakery handles neither.": "says",
    "Carrot loaf with cream cheese icing, entirely free from nuts; suitable for every school lunch.": "says",
    "Banana loaf with toasted walnuts and maple syrup, sold by the slice until it is gone.": "has it",
    "Country white loaf from a slow dough, with a thick crust and a soft crumb inside.": "silent",
    "Olive loaf made with oil from Liguria and plenty of rosemary on top of the crust.": "silent",
}
SILENT = "does not say that it has none"
ABSENT, DENIES, HAS = (Verdict(*states, 0.0) for states in ((0, 0, 0, 1), (0, 1, 0, 0), (1, 0, 0, 0)))


def found(query, texts=tuple(BREADS), **settings):
    settings = {"exclusion": "certain", "k": 4, **settings}
    return LogicalRetriever.from_texts([*texts], encoder(), **settings).search(query)


def test_silent_passages_are_left_out_and_counted():
    result = found('"loaf of bread" AND NOT "nuts"')
    assert {one.text for one in result.documents} == {text for text, said in BREADS.items() if said == "says"}
    reasons = {one.text: one.reason for one in result.left_out}
    assert {text for text, reason in reasons.items() if reason == SILENT} == {
        text for text, said in BREADS.items() if said == "silent"
    }
    assert result.silent == 2
    assert result.note.endswith('"nuts"; 2 of them only because they do not say that they lack it')


def test_a_topic_is_left_out_as_with_strict():
    texts = ["Vitamin D lifts the mood.", "Vitamin D and the health of bones.", "Bones need vitamin D every day."]
    read = ReadQuestion("no bones", parse('"vitamin D" AND NOT "bones"'), "llm", kinds={"bones": "topic"})
    certain, strict = (found(read, texts, exclusion=exclusion) for exclusion in ("certain", "strict"))
    assert [one.text for one in certain.documents] == [one.text for one in strict.documents] == texts[:1]
    assert not certain.silent


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda *_: DENIES, None),
        (lambda *_: HAS, "has it"),
        (lambda *_: ABSENT, SILENT),
        (lambda *_: Verdict(0.25, 0.75, 0, 0, 0), SILENT),
        (lambda *_: None, SILENT),
        (lambda *_: 0.0, SILENT),
        (lambda *_: 1.0, "is about it"),
    ],
)
def test_only_a_certain_denial_shows_a_document(answer, said):
    result = found('"bread" AND NOT "snow"', verify=Recording(answer))
    reasons = {one.reason.split(":")[0] for one in result.left_out}
    assert (len(result.documents), reasons) == ((4, set()) if said is None else (0, {said}))


def test_a_verifier_that_fails_shows_nothing_and_the_note_says_so():
    def fail(*_):
        raise RuntimeError("offline")

    result = found('"bread" AND NOT "nuts"', verify=Recording(fail))
    assert not result.documents
    assert "It raised RuntimeError: offline. Without a verdict it is not shown." in result.note


def test_documents_are_read_until_k_are_certain():
    texts = [f"Loaf number {number} comes with a thick crust and a soft crumb." for number in range(40)]
    verifier = Recording(lambda _, passage: DENIES if int(passage.split()[2]) % 10 == 7 else ABSENT)
    result = found('"loaf" AND NOT "nuts"', texts, verify=verifier)
    assert {one.text for one in result.documents} == {texts[number] for number in (7, 17, 27, 37)}
    assert result.silent == sum(one.reason == SILENT for one in result.left_out) + sum(result.left_out_more.values())


def test_another_part_of_an_or_shows_what_is_silent():
    result = found('("loaf" AND NOT "nuts") OR "olive loaf with rosemary"', k=5)
    assert [one.text for one in result.documents if BREADS[one.text] == "silent"] == [[*BREADS][4]]


def test_a_standing_exclusion_is_certain_too():
    result = found('"loaf of bread"', always_exclude=["nuts"])
    assert {BREADS[one.text] for one in result.documents} == {"says"}
    assert result.silent == 2


def test_nobody_to_read_is_an_error():
    with pytest.raises(InvalidArgumentError, match="verify=False reads nothing") as raised:
        found('"bread" AND NOT "nuts"', verify=False)
    assert 'exclusion="strict"' in raised.value.hint
