import random
from pathlib import Path

import pytest
from marks import LINES, check, fault, kinds_of, labels_of, parse, varied

from logical_retriever.reading.questions.tagger.decoding import LABELS
from logical_retriever.reading.questions.tagger.phrases import to_query
from logical_retriever.reading.questions.tagger.words import split_words

FILES = sorted(LINES.glob("*.txt"))


def marked(text, language="en"):
    line = parse(text, language)
    return line, [(line.text[mark.start : mark.end], mark.kind) for mark in line.marks]


def test_the_lines_have_only_unbroken_marks_and_are_many():
    lines = [line for path in FILES for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert [(line, wrong) for line in lines if (wrong := fault(line))] == []
    assert len(lines) >= 25_000


def test_every_file_of_lines_is_under_a_megabyte_and_named_after_its_language():
    assert [path.name for path in FILES if path.stat().st_size >= 1_000_000] == []
    assert {path.stem[:2] for path in FILES} == {"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja"}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("[tea [hot]] but not {milk}", "inside a mark"),
        ("[tea} but not {milk]", "not opened"),
        ("tea] but not {milk}", "not opened"),
        ("[tea] but not {milk", "not closed"),
        ("[tea] but not { }", "empty"),
        ("[tea] with milk", "nothing left out"),
        ("[tea] but not {!}", "empty"),
    ],
)
def test_a_broken_mark_is_named(line, wrong):
    assert wrong in fault(line)


def test_the_check_names_file_and_line_and_counts(tmp_path: Path):
    path = tmp_path / "en_mine_01.txt"
    path.write_text("[tea] but not {milk}\n\n[tea\ntea but not milk\n", encoding="utf-8")
    messages = list(check([path]))
    assert messages == [
        f"{path}:3: a mark not closed: [tea",
        f"{path}:4: the same request again: tea but not milk",
        "3 lines, 1 with an exclusion",
    ]


@pytest.mark.parametrize(
    ("text", "language", "kinds"),
    [
        ("[hotels], not {Savoia}, or [flats]", "en", ["wanted", "excluded", "second"]),
        ("[hotels], not {Savoia}, in [Trieste]", "en", ["wanted", "excluded", "wanted"]),
        ("[Hotels], nicht {Savoia}, oder [Wohnungen]", "de", ["wanted", "excluded", "second"]),
        ("[ホテル]、{民宿}以外、または[旅館]", "ja", ["wanted", "excluded", "second"]),
    ],
)
def test_a_wish_after_an_exclusion_and_an_or_is_a_second_one(text, language, kinds):
    assert [kind for _, kind in marked(text, language)[1]] == kinds


def test_marks_are_taken_off_and_become_labels():
    line, marks = marked("[green tea] but not {sweet} tea")
    assert line.text == "green tea but not sweet tea"
    assert marks == [("green tea", "wanted"), ("sweet", "excluded")]
    assert [LABELS[label] for label in labels_of(line)] == ["B-wanted", "I-wanted", "O", "O", "B-excluded", "O"]
    assert str(to_query(split_words(line.text), labels_of(line))) == '"green tea" AND NOT "sweet"'


def test_marks_say_how_a_thing_is_excluded_and_a_request_may_only_exclude():
    line = parse("not {!pet friendly}, {crypto} or {?taxes}! a {!sugar}free")
    assert line.text == "not pet friendly, crypto or taxes! a sugarfree"
    assert [mark.how for mark in line.marks] == ["lack", "topic", None, "lack"]
    assert fault("not {!pet friendly}") is None
    assert kinds_of(line) == [-1, 1, 1, -1, 0, -1, -1, -1, -1, 1]
    assert [LABELS[label] for label in labels_of(line)][-1] == "B-excluded"


def test_a_varied_line_keeps_its_marks_on_the_same_words():
    line = parse("[Café in Łódź that's open on Mondays], but not {Café Central}; / thanks!")
    changed = 0
    for seed in range(300):
        other = varied(line, random.Random(seed))
        changed += other.text != line.text
        assert [mark.kind for mark in other.marks] == ["wanted", "excluded"]
        wanted, excluded = (other.text[mark.start : mark.end].lower() for mark in other.marks)
        assert abs(len(wanted) - len("Café in Łódź that's open on Mondays")) <= 3
        assert abs(len(excluded) - 12) <= 2
    assert changed > 150
