"""Conditions that the rules read off a question, with no model: only where they are certain."""

import json
from pathlib import Path

import pytest

from logical_retriever.query import FieldInfo, LogicalQuery, Not, parse
from logical_retriever.transform import CueQueryTransformer, QuestionReader
from logical_retriever.transform.languages import LANGUAGES
from logical_retriever.transform.languages.conditions import CONDITION_WORDS
from logical_retriever.transform.rules.compiled import compiled

NUMBERS = [FieldInfo("year", "integer"), FieldInfo("minutes", "integer"), FieldInfo("rating", "number")]
DIRECTOR = FieldInfo(
    "director",
    "text",
    values=("Agnès Varda", "Billy Wilder", "David Lynch", "Lars von Trier", "Ethan Coen", "Joel Coen"),
)
ENGLISH = [
    *NUMBERS,
    DIRECTOR,
    FieldInfo("genres", "list", values=("comedy", "drama", "horror", "science fiction", "war", "western")),
    FieldInfo("language", "text", values=("English", "French", "Italian")),
    FieldInfo("country", "text", values=("France", "Iran", "Italy", "South Korea", "United States")),
    FieldInfo("animated", "boolean"),
]
READ = {
    "something in French about mothers": '"Mothers" AND [language = "French"]',
    "in French or Italian, about growing old": '"Growing old" AND [language in ["French", "Italian"]]',
    "French-language films about grief": '"Grief" AND [language = "French"]',
    "films about dreams, not by David Lynch": '"Dreams" AND NOT [director = "David Lynch"]',
    "dreamlike, but not David Lynch": '"Dreamlike" AND NOT [director = "David Lynch"]',
    "films by Agnès Varda or Billy Wilder": '[director in ["Agnès Varda", "Billy Wilder"]]',
    "horror that's not in English": '[genres contains "horror"] AND NOT [language = "English"]',
    "list all westerns": '[genres contains "western"]',
    "a comedy about a gang of thieves": '"A gang of thieves" AND [genres contains "comedy"]',
    "war films since 1990": '[genres contains "war"] AND [year >= 1990]',
    "horror movies of the 60s and 70s": '[genres contains "horror"] AND [year >= 1960] AND [year < 1980]',
    "westerns from before 1970": '[genres contains "western"] AND [year < 1970]',
    "characters haunted by guilt, nothing before 1980": '"Characters haunted by guilt" AND NOT [year < 1980]',
    "comedies between 1950 and 1960": '[genres contains "comedy"] AND [year >= 1950] AND [year < 1961]',
    "films from 1994": "[year = 1994]",
    "films from South Korea with a rating over 8.5": '[country = "South Korea"] AND [rating > 8.5]',
    "comedies under two hours": '[genres contains "comedy"] AND [minutes < 120]',
    "dramas rated above 8": '[genres contains "drama"] AND [rating > 8]',
    "something sad, rated at least 7.5": '"Something sad" AND [rating >= 7.5]',
    "dramas longer than 90 minutes": '[genres contains "drama"] AND [minutes > 90]',
    "about loneliness but not a drama": '"Loneliness" AND NOT [genres contains "drama"]',
    "sad films, no westerns or comedies": (
        '"Sad films" AND NOT [genres contains "western"] AND NOT [genres contains "comedy"]'
    ),
    "films about grief, not animated": '"Grief" AND NOT [animated = true]',
    "nothing by David Lynch from the nineties, about dreams": (
        '"Dreams" AND NOT ([director = "David Lynch"] AND [year >= 1990] AND [year < 2000])'
    ),
    "films not by David Lynch under two hours": 'NOT [director = "David Lynch"] AND [minutes < 120]',
    "films with the language French": '[language = "French"]',
    "French movies": '[country = "France"]',
    "a slow film about grief from the nineties, not American, nothing by von Trier": (
        '"A slow film about grief from the nineties" AND NOT [country = "United States"] AND '
        'NOT [director = "Lars von Trier"]'
    ),
    "gangs and gangsters but nothing American": '"Gangs and gangsters" AND NOT [country = "United States"]',
    "Korean comedies from the 80s": (
        '[country = "South Korea"] AND [genres contains "comedy"] AND [year >= 1980] AND [year < 1990]'
    ),
    "Iranian movie with children": '"Movie with children" AND [country = "Iran"]',
    "not American, Iranian or Korean": 'NOT [country = "United States"] AND NOT [country = "Iran"] '
    'AND NOT [country = "South Korea"]',
    "sad films, no French films": '"Sad films" AND NOT [country = "France"]',
    "funny films, no Wilder": '"Funny films" AND NOT [director = "Billy Wilder"]',
    "films by Varda or von Trier": '[director in ["Agnès Varda", "Lars von Trier"]]',
    "sad films, not by Varda or Wilder": '"Sad films" AND NOT [director in ["Agnès Varda", "Billy Wilder"]]',
    "films from Wilder": '[director = "Billy Wilder"]',
}
WHOLE = (
    "films about the year 1969",
    "a film about a French chef",
    "life in Iran since 1979",
    "What happened in Italy between 1920 and 1945?",
    "What is a western?",
    "Who directed the first horror film?",
    "Why is the film not in English?",
    "war in Italy",
    "drama in French schools",
    "a story that takes place within twenty-four hours",
    "films not only in French",
    "documentaries or films by David Lynch or about dreams",
    "Can you freeze soup for over 30 minutes?",
    "a film with English subtitles",
    "under 200,000 minutes of rain",
    "from the 20s",
    "Latin American films about family",
    "Italian-American films about crime",
    "a French drama teacher who falls in love",
    "Korean War films",
    "films by American directors",
    "American movie theaters",
    "an American film and television actress",
    "Mexican films",
    "Iranian or French films",
    "something sad, not French",
    "not American, boring or loud",
    "films by Coen",
    "dull, no wilder parties",
    "no Varda in them",
    "a French chef",
)
SHOP = [
    FieldInfo("price", "number", "in dollars"),
    FieldInfo("color", "text", values=("black", "dark green", "red")),
    FieldInfo("brand", "text", values=("New Balance", "Nike")),
    FieldInfo("category", "text", values=("boots", "shoes")),
]
BOUGHT = {
    "red shoes under 100 dollars": '[color = "red"] AND [category = "shoes"] AND [price < 100]',
    "dark green boots without laces": '"Boots without laces" AND [color = "dark green"] AND [category = "boots"]',
    "shoes from Nike for the rain": '"Shoes for the rain" AND [category = "shoes"] AND [brand = "Nike"]',
    "warm shoes, no Nike": '"Warm shoes" AND [category = "shoes"] AND NOT [brand = "Nike"]',
    "a red shoe rack": None,
    "black or red shoes": None,
    "no Balance": None,
    "reds": None,
}


def read(question: str, fields=ENGLISH) -> LogicalQuery:
    return CueQueryTransformer(fields=fields).transform(question).query


@pytest.mark.parametrize("question", READ)
def test_a_certain_condition_is_read(question: str) -> None:
    assert read(question) == parse(READ[question])


@pytest.mark.parametrize("question", BOUGHT)
def test_a_shop_is_asked_in_its_own_words(question: str) -> None:
    form = BOUGHT[question]
    made = read(question, SHOP)
    assert (not made.conditions()) if form is None else made == parse(form)


def test_a_demonym_counts_where_one_value_of_one_field_can_be_meant() -> None:
    def made(question: str, *fields: FieldInfo) -> LogicalQuery:
        return read(question, list(fields))

    country = FieldInfo("country", "text", values=("Germany", "USA"))
    assert made("German films", country) == parse('[country = "Germany"]')
    assert made("not American, about war", country) == parse('"War" AND NOT [country = "USA"]')
    divided = FieldInfo("country", "text", values=("Germany", "West Germany", "USA", "United States"))
    assert not made("German films", divided).conditions()
    assert not made("American films", divided).conditions()
    assert not made("American films", FieldInfo("country", "text", examples=("United States",))).conditions()
    assert not made("American films", FieldInfo("country", "text")).conditions()
    assert not made("American films", country, FieldInfo("origin", "text", values=("USA",))).conditions()


@pytest.mark.parametrize("question", WHOLE)
def test_what_may_be_meaning_stays_in_the_words(question: str) -> None:
    assert not read(question).conditions()


@pytest.mark.parametrize(
    ("code", "values", "forms"),
    [
        (
            "de",
            ("Komödie", "Französisch", "Italien"),
            {
                "Filme auf Französisch über das Altern": '"Das Altern" AND [language = "Französisch"]',
                "Filme über Trauer, nichts vor 1980": '"Trauer" AND NOT [year < 1980]',
                "etwas mit mindestens 100 Minuten über Krieg": '"Krieg" AND [minutes >= 100]',
                "Wie war das Leben in Italien vor 1914?": None,
            },
        ),
        (
            "fr",
            ("comédie", "français", "Italie"),
            {
                "des films en français sur la vieillesse": '"La vieillesse" AND [language = "français"]',
                "des films de moins de 90 minutes": "[minutes < 90]",
                "Comment vivait-on en Italie avant 1914 ?": None,
            },
        ),
        (
            "es",
            ("comedia", "francés", "Italia"),
            {
                "películas en francés sobre la vejez": '"La vejez" AND [language = "francés"]',
                "películas dirigidas por Agnès Varda, nada antes de 1980": (
                    '[director = "Agnès Varda"] AND NOT [year < 1980]'
                ),
                "¿Cómo era la vida en Italia antes de 1914?": None,
            },
        ),
        (
            "it",
            ("commedia", "francese", "Italia"),
            {
                "film diretti da Agnès Varda dopo il 1980": '[director = "Agnès Varda"] AND [year >= 1981]',
                "un film di Billy Wilder, ma non una commedia": (
                    '[director = "Billy Wilder"] AND NOT [genres contains "commedia"]'
                ),
                "Com'era la vita in Italia prima del 1914?": None,
            },
        ),
        (
            "pt",
            ("comédia", "francês", "Itália"),
            {
                "filmes em francês sobre a velhice": '"A velhice" AND [language = "francês"]',
                "filmes dirigidos por Agnès Varda depois de 1980": '[director = "Agnès Varda"] AND [year >= 1981]',
                "Como era a vida na Itália antes de 1914?": None,
            },
        ),
    ],
)
def test_other_languages_read_by_the_same_engine(code: str, values: tuple[str, ...], forms: dict) -> None:
    genre, language, country = values
    fields = [
        *NUMBERS,
        DIRECTOR,
        FieldInfo("genres", "list", values=(genre,)),
        FieldInfo("language", "text", values=(language,)),
        FieldInfo("country", "text", values=(country,)),
    ]
    made = {question: read(question, fields) for question in forms}
    for question, form in forms.items():
        assert (not made[question].conditions()) if form is None else made[question] == parse(form), (code, question)


def test_dates_are_compared_with_dates() -> None:
    fields = [FieldInfo("published", "date")]
    assert read("papers about tea published after 2019", fields).conditions() == ()
    assert read("papers published after 2019 about tea", fields) == parse('"Tea" AND [published >= 2020-01-01]')
    assert read("reports from 2019", fields) == parse("[published >= 2019-01-01] AND [published < 2020-01-01]")


def test_two_fields_that_may_be_meant_are_not_certain() -> None:
    fields = [FieldInfo("year", "integer"), FieldInfo("published", "date"), FieldInfo("author", "text"), *ENGLISH[4:6]]
    assert not read("films since 1990", fields).conditions()
    both = [FieldInfo("spoken_language", "text", values=("French",)), FieldInfo("language", "text", values=("French",))]
    assert not read("films in French", both).conditions()


def test_field_names_and_values_are_no_patterns() -> None:
    fields = [FieldInfo("a.b*(c", "text", values=("x|y", "[z]", ".*", "", " ")), FieldInfo("größe (cm)", "integer")]
    assert not read("films with .* that are anything", fields).conditions()
    assert read("films with a größe cm over 5", fields) == parse('["größe (cm)" > 5]')


def test_without_fields_nothing_changes() -> None:
    for question in (*READ, *WHOLE):
        made = CueQueryTransformer().transform(question)
        assert (made, made.query.conditions()) == (CueQueryTransformer(fields=None).transform(question), ())


def test_the_rules_know_each_language_that_has_words_for_conditions() -> None:
    assert set(CONDITION_WORDS) <= set(LANGUAGES)
    for code in CONDITION_WORDS:
        CueQueryTransformer(fields=ENGLISH)._by_rules("films", code)
        assert compiled(code).language.code == code


def test_no_negation_is_lost_to_a_condition() -> None:
    sample = Path(__file__).parents[2] / "logical_retriever" / "demo" / "questions.json"
    questions = [*READ, *WHOLE, *(one["question"] for one in json.loads(sample.read_text(encoding="utf-8")))]
    extra = [
        "films by Billy Wilder, but no comedy",
        "films in French without war",
        "not animated and without violence",
        "a slow film about grief, not Iranian, nothing by Kubrick",
        "something by Billy Wilder, not black",
    ]
    for question in (*questions, *extra):
        usual, made = CueQueryTransformer().transform(question).query, read(question)
        assert count_of_nots(made) >= count_of_nots(usual), question
    assert read(extra[0]) == parse('"Films" AND NOT "comedy" AND [director = "Billy Wilder"]')


def count_of_nots(query: LogicalQuery) -> int:
    """What is excluded, each value of a list among it."""
    operands = [node.operand for node in query.walk() if isinstance(node, Not)]
    return sum(len(one.value) if isinstance(getattr(one, "value", None), tuple) else 1 for one in operands)


def test_the_reader_without_a_model_reads_them() -> None:
    made = QuestionReader(fields=ENGLISH).transform("films by Agnès Varda about age")
    assert (made.query, made.method) == (parse('"Age" AND [director = "Agnès Varda"]'), "cue")
