"""The language of a question is told by its own words, or not at all."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import logical_retriever
from logical_retriever.language.recognise import recognise

QUESTIONS = {
    "Which regions of Italy make red wine, except Toscana and Piemonte?": "en",
    "films by Sergio Leone and Federico Fellini without Clint Eastwood": "en",
    "restaurants in La Paz, not Los Angeles": "en",
    "what does 'je ne sais quoi' mean": "en",
    'Songs like «La vie en rose» and "Non, je ne regrette rien" please': "en",
    "Vitamin-D-Nutzen außer Knochen": "de",
    "BRETTSPIELE FUER KINDER AUSSER SCHACH BITTE": "de",
    "Brettspiele ausser Schach": "de",
    "Warum springt mein Auto nicht an?": "de",
    "pourquoi mon chat ne mange plus": "fr",
    "recettes vegetariennes a preparer a l'avance, excepte les soupes": "fr",
    "¿Qué ciudades de Andalucía merecen la pena?": "es",
    "que ciudades de andalucia merecen la pena aparte de sevilla": "es",
    "vorrei un vino rosso ma non del Piemonte": "it",
    "Frutas ricas em vitamina C, fora laranja": "pt",
    "Какие озёра России стоит посмотреть": "ru",
    "Які озера України варто побачити": "uk",
    "iPhone 充電器 おすすめ": "ja",
    "推荐几道家常豆腐菜": "zh",
    "달걀 없는 요리법": "ko",
    "los angeles museums no art": "",
    "phở recipe without beef": "en",
    "Подарок маме, цветы отпадают": "ru",
    "Animales marinos pero no peces": "es",
    "pasta al forno": "",
    "la dolce vita": "",
    "Pinot Grigio": "",
    "non stick pan": "",
    "Leonardo da Vinci, Sandro Botticelli, Lorenzo de' Medici": "",
    "el nino la nina": "",
    "404 :-) 🙂": "",
    "": "",
}


@pytest.mark.parametrize(("question", "code"), QUESTIONS.items())
def test_question(question, code):
    assert recognise(question) == code


def test_english_about_foreign_names_is_never_taken_for_another_language():
    """The shipped films: Italian, French and Spanish names and titles in English text."""
    films = Path(logical_retriever.__file__).parent / "demo" / "corpus.jsonl"
    texts = [json.loads(line)["text"] for line in films.read_text("utf-8").splitlines()]
    assert len(texts) > 50
    assert {recognise(text) for text in texts} == {"en"}


def test_a_title_in_quotes_counts_where_there_is_nothing_else():
    assert recognise('"Die Verwandlung und andere Erzählungen für die Schule"') == "de"


def test_the_time_does_not_grow_with_the_text():
    def seconds(text):
        began = time.process_time()
        for _ in range(5):
            recognise(text)
        return (time.process_time() - began) / 5

    text = 'Hausmittel gegen Husten, aber «nicht» schon wieder "Honig" ' * 2_000
    recognise(text)
    assert seconds(text) < 2 * seconds(text[: len(text) // 4]) + 0.02


@pytest.mark.parametrize(
    "text", ['"' * 20_000, "«" * 20_000, "l'" * 10_000, "\u0301" * 20_000, "‏" * 100, "a" * 100_000]
)
def test_a_hostile_text_is_no_language_and_ends_soon(text):
    began = time.process_time()
    assert recognise(text) == ""
    assert time.process_time() - began < 0.5
