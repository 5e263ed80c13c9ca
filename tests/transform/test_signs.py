"""The signs of negation of each language."""

from __future__ import annotations

import time

import pytest

from logical_retriever.transform.languages.signs import sign_table, signs_in

SEEN = [
    ("nl", "Welke Nederlandse uitvindingen zijn wereldberoemd geworden, behalve de microscoop?", ("behalve",)),
    ("nl", "verzekeringen die je als zzp'er nodig hebt, AOV HOEFT NIET", ("HOEFT NIET",)),
    ("nl", "Waarom heeft Nederland geen bergen?", ()),
    ("nl", "Waarom zijn tomaten rood, behalve de groene?", ("behalve",)),
    ("nl", "Hoe bak ik brood? Niet met gist", ("Niet",)),
    ("nl", "Waarom rijst brood? Niet over gist", ("Niet",)),
    ("nl", "Recepten met pompoen, soep hebben we al drie keer gehad", ("hebben we al",)),
    ("zh", "想去北京玩，故宫已经去过了", ("已经去过",)),
    ("ja", "京都の観光スポット、金閣寺はもう行った", ("もう行った",)),
    ("pl", "Jakie zwierzęta żyją w puszczy oprocz zubrow?", ("oprocz",)),
    ("ru", "почему в космосе нет звука", ()),
    ("ru", "что приготовить из творога только не сырники", ("только не",)),
    ("ru", "не подскажете хороший фильм?", ()),
    ("zh", "我想学一门外语，英语日语都不考虑，有什么建议？", ("不考虑",)),
    ("zh", "有没有不错的火锅店", ()),
    ("zh", "特别好吃的非洲菜，别放辣椒", ("别",)),
    ("ja", "夏目漱石の小説でおすすめある？『こころ』は除いて", ("除い",)),
    ("ja", "水について少し教えてくれませんか", ()),
    ("ko", "해외에서 먹을 음식 추천, 고기 말고", ("말고",)),
    ("ar", "أفلام وثائقية ولا أريد أفلام الحرب", ("ولا أريد",)),
    ("tr", "İstanbul dışında gezilecek şehirler", ("dışında",)),
    ("vi", "món này có ngon không?", ()),
    ("vi", "món ăn không có trứng", ("không có",)),
    ("en", "everything except that", ()),
    ("", "alles behalve dat", ()),
    ("xx", "alles behalve dat", ()),
    ("nl", "", ()),
]


@pytest.mark.parametrize(("code", "text", "signs"), SEEN)
def test_signs(code, text, signs):
    assert signs_in(text, code) == signs


@pytest.mark.parametrize("code", sign_table())
def test_the_example_of_a_language_holds_a_sign(code):
    assert signs_in(sign_table()[code]["example"], code)
    assert signs_in(sign_table()[code]["example"].upper(), code) or code == "tr"  # İ and ı fold in Turkish only


@pytest.mark.parametrize("code", sign_table())
def test_the_plain_question_of_a_language_holds_none(code):
    assert signs_in(sign_table()[code]["plain"], code) == ()


@pytest.mark.parametrize("code", sign_table())
def test_every_phrase_of_the_table_is_seen(code):
    """A phrase that another shields, or that is misspelt in the little language of the table, would never be."""
    row = sign_table()[code]
    for phrase in (*row["exclusion"].split(","), *row["negation"].split(",")):
        written = phrase.strip().replace("*", "" if "unspaced" in row else "x")
        assert signs_in(f"a {written} b", code), written


def test_signs_are_as_they_stand_in_the_text():
    text = "Recepten ZONDER vlees, Behalve spek"
    assert all(sign in text for sign in signs_in(text, "nl"))


@pytest.mark.parametrize("code", ["nl", "tr", "zh", "ja", "hi"])
@pytest.mark.parametrize("unit", ["niet ", "a", "不", "waarom niet, ", "*", "\u094d"])
def test_a_hostile_text_ends_soon(code, unit):
    began = time.process_time()
    signs_in(unit * 20_000, code)
    assert time.process_time() - began < 2.0
