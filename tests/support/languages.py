"""Texts in six languages, and a suite of stores that find words of each of them in their forms."""

from types import MappingProxyType
from typing import NamedTuple

from logical_retriever.lexical import LexicalModel
from logical_retriever.stores import WordQuery
from logical_retriever.testing.store_suite import ANYWHERE, WordSuite


class Corpus(NamedTuple):
    """Texts of one language: about different things, a question for one of them, and its place.

    The question asks in other forms of the text's words, where the language has forms.
    """

    texts: tuple[str, ...]
    question: str
    answer: int


TEXTS = """
de 1 Welches Haus ist aus Fachwerk?
Der Wein von der Mosel wird im Herbst gelesen und reift in alten Kellern.
In der Altstadt stehen viele Häuser aus Fachwerk, die nach dem Krieg wieder aufgebaut wurden.
Die Straßenbahn fährt alle zehn Minuten vom Bahnhof zum Hafen.
Brot und Butter sind für das Frühstück da, aber Honig gibt es heute nicht.
Die Orgel der Kirche ist über dreihundert Jahre alt und wird noch gespielt.

fr 1 un cheval de ferme
Le vin de la vallée est vendangé en automne et vieillit dans des caves anciennes.
Les chevaux de la ferme courent dans le pré avec leurs poulains.
Le tramway part de la gare toutes les dix minutes pour aller au port.
Il y a du pain et du beurre pour le petit déjeuner, mais pas de miel.
L'orgue de l'église a plus de trois cents ans et on en joue encore.

es 2 una canción sobre la lluvia
El vino del valle se cosecha en otoño y envejece en bodegas antiguas.
El tranvía sale de la estación cada diez minutos hacia el puerto.
Las canciones de la abuela hablaban de los barcos y de la lluvia.
Hay pan y mantequilla para el desayuno, pero hoy no tenemos miel.
El órgano de la iglesia tiene más de trescientos años y todavía suena.

zh 2 哪里有管风琴
这里的葡萄酒在秋天收获，然后在古老的地窖里陈酿。
有轨电车每十分钟从火车站开往港口。
教堂里的管风琴已经有三百多年的历史，现在还在演奏。
早餐有面包和黄油，但是今天没有蜂蜜。
东京大学的图书馆在晚上十点关门。

ja 3 蜂蜜は
この谷のワインは秋に収穫され、古い地下室で熟成します。
路面電車は十分ごとに駅から港へ出発します。
教会のパイプオルガンは三百年以上前のもので、今も演奏されています。
朝食にはパンとバターがありますが、今日は蜂蜜がありません。
東京大学の図書館は夜の十時に閉まります。

th 3 น้ำผึ้ง
ไวน์จากหุบเขานี้เก็บเกี่ยวในฤดูใบไม้ร่วง
รถรางออกจากสถานีไปท่าเรือทุกสิบนาที
ห้องสมุดของมหาวิทยาลัยปิดเวลาสี่ทุ่ม
อาหารเช้ามีขนมปังและเนย แต่วันนี้ไม่มีน้ำผึ้ง
ออร์แกนในโบสถ์มีอายุมากกว่าสามร้อยปี
"""


def corpus_of(block):
    """A language and its corpus: the first line of a block has the answer's place and the question."""
    head, *texts = block.split("\n")
    language, answer, question = head.split(" ", 2)
    return language, Corpus(tuple(texts), question, int(answer))


CORPORA = MappingProxyType(dict(map(corpus_of, TEXTS.strip().split("\n\n"))))


class LanguageSuite(WordSuite):
    """Documents by their words, in every language of ``languages``, those that the store tells apart."""

    languages = tuple(CORPORA)

    def test_a_question_in_a_language_finds_its_answer_and_little_else(self, make_store):
        texts = [text for corpus in CORPORA.values() for text in corpus.texts]
        documents, store = self.worded(make_store, texts)
        for language in self.languages:
            corpus = CORPORA[language]
            words = LexicalModel(texts, language=language).rarest(corpus.question)
            query = WordQuery(tuple(words), ANYWHERE, tuple(words.values()), language)
            [ids] = store.search_words([query], len(texts))
            assert documents[texts.index(corpus.texts[corpus.answer])].id in ids, language
            assert len(ids) < len(texts) / 2, language


class EnglishSuite(LanguageSuite):
    """A store whose column of words is of one language, English, with spaces."""

    languages = ("de", "es", "fr")

    def test_forms_of_words_are_those_of_the_language(self, make_store):
        documents, _, store = self.filled(make_store, 3, texts=["he was running", "the runner", "a walk"])
        assert store.search_words([WordQuery(("runs",), ANYWHERE)], 5) == [[documents[0].id]]
