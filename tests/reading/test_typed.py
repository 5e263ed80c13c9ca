"""Logic that the user typed is read as it was meant; what only looks like it is left to the other readers."""

import time

import pytest
from hypothesis import given, settings, strategies as st

from logical_retriever.query import LogicalQuery, parse
from logical_retriever.reading.questions.typed import MAX_TYPED_LENGTH, read_typed

TYPED = {
    '"solar power" AND NOT "offshore"': '"solar power" AND NOT "offshore"',
    "“solar power” AND NOT “offshore”": '"solar power" AND NOT "offshore"',
    "„Solarenergie“ AND NOT „Offshore“": '"Solarenergie" AND NOT "Offshore"',
    "«énergie solaire» | «éolien»": '"énergie solaire" OR "éolien"',
    '"green tea" OR ("black tea" AND NOT "milk")': '"green tea" OR "black tea" AND NOT "milk"',
    "jaguar -car": '"jaguar" AND NOT "car"',
    'jaguar -"football club" -car': '"jaguar" AND NOT "football club" AND NOT "car"',
    "mercury !planet": '"mercury" AND NOT "planet"',
    "cheese NOT (goat OR sheep)": '"cheese" AND NOT ("goat" OR "sheep")',
    "cheese -(goat OR sheep)": '"cheese" AND NOT ("goat" OR "sheep")',
    "(tea OR coffee) AND health NOT caffeine": '("tea" OR "coffee") AND "health" AND NOT "caffeine"',
    "Paris OR London -hotels": '("Paris" OR "London") AND NOT "hotels"',
    "(wind | wave) && energy": '("wind" OR "wave") AND "energy"',
    '"tax" && !"income tax"': '"tax" AND NOT "income tax"',
    "salt & pepper -shaker": '"salt & pepper" AND NOT "shaker"',
    "jaguar NOT car NOT mac": '"jaguar" AND NOT "car" AND NOT "mac"',
    '"climate" NOT politics': '"climate" AND NOT "politics"',
    "-offshore": 'NOT "offshore"',
    "-horror -gore": 'NOT "horror" AND NOT "gore"',
    "NOT night shifts": 'NOT "night shifts"',
    "NOT(whisky)": 'NOT "whisky"',
    "NOT (whisky OR rum)": 'NOT ("whisky" OR "rum")',
    '"rye bread" and not "seeds"': '"rye bread" AND NOT "seeds"',
    '"rye bread" but not "seeds" or "rolls"': '"rye bread" AND NOT "seeds" OR "rolls"',
    "'rye bread' AND NOT 'seeds'": '"rye bread" AND NOT "seeds"',
    '"rye bread AND NOT "seeds"': '"rye bread" AND NOT "seeds"',
    "rye bread AND-NOT seeds": '"rye bread" AND NOT "seeds"',
    '"rye bread" WITHOUT "seeds" EXCEPT rolls': '"rye bread" AND NOT "seeds" AND NOT "rolls"',
    "opel −corsa −astra": '"opel" AND NOT "corsa" AND NOT "astra"',
    "\"rock 'n' roll\" -elvis": '"rock \'n\' roll" AND NOT "elvis"',
    "+cycling +holiday -hills": '"cycling" AND "holiday" AND NOT "hills"',
    "(hill | fell) & running": '("hill" OR "fell") AND "running"',
    '"olive oil" & bread': '"olive oil" AND "bread"',
    "BMW -AUDI": '"BMW" AND NOT "AUDI"',
    "JAGUAR AND NOT CAR": '"JAGUAR" AND NOT "CAR"',
    "新闻 -NHK": '"新闻" AND NOT "NHK"',
    'mouse NOT "computer mouse" NOT Mickey': '"mouse" AND NOT "computer mouse" AND NOT "Mickey"',
}
NOT_TYPED = [
    *("what does git reset --hard HEAD~1 do", "git checkout -quiet branch", "non-stick pan", "C++ -O2 flag"),
    *(
        "gcc -Wall -Wextra difference",
        "find . -name pictures",
        "a well-known long-term effect",
        "rock & roll",
        "C++ +1 vote",
        "2 +2 +2",
    ),
    *(
        "BLACK AND WHITE",
        "R AND D tax credit",
        "ps aux | grep python",
        "-less suffix words",
        "Dutch painters (17th c.) & Vermeer",
        '"tea" AND " "',
        '"tea" AND NOT [',
    ),
    *("Marks & Spencer opening hours", "AT&T", "Q&A", '"Gone with the Wind" ending explained', '"love" "hate"'),
    'who said "I think, therefore I am" and not "I am, therefore I think"',
    *("keep foxes AND cats off my lawn", "does NOT IN use an index", "AND gate vs OR gate", "hotels in Portland OR"),
    *("SELECT name FROM people WHERE age > 3 AND NOT retired", "Best pizza in town | Yelp", "if (a && !b)"),
    *("WHY DOES IT NOT WORK AND WHAT CAN I DO", "a film about dogs. NOT Beethoven", "this is NOT what I asked for"),
    *(
        "temperature -5 degrees",
        "pizza -not Hawaiian",
        "- first item",
        "NOT NULL",
        "FILE NOT FOUND",
        "NOT this again",
        "-x",
        "AND",
        "a AND AND b",
    ),
    *(
        "rock 'n' roll",
        "the 'best' tea",
        'tv 55" or 65"',
        '"tea" "and not"',
        "1939 –1945",
        "NOT only for the very rich",
    ),
    *("(a OR b", '"tea" AND', "tea", "", "🍵 -🌿"),
]


@pytest.mark.parametrize(("text", "query"), TYPED.items(), ids=TYPED)
def test_typed_logic_is_read(text, query):
    read = read_typed(text)
    assert read == parse(query)
    assert str(read) == query


@pytest.mark.parametrize("text", NOT_TYPED)
def test_what_is_no_typed_logic_is_left_alone(text):
    assert read_typed(text) is None


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["tea", '"a b"', "(", ")", "AND", "OR", "NOT", "-", "!", "&", "|", "+", "-x", " "])))
def test_any_text_is_read_or_left(parts):
    read = read_typed(" ".join(parts))
    assert read is None or isinstance(read, LogicalQuery)
    assert read is None or parse(str(read)) == read


@pytest.mark.parametrize("unit", ["(", '"a" AND ', "(a NOT ", "-a ", '"', "a OR (", "!(", "+a "])
def test_a_long_text_is_read_in_no_time(unit):
    began = time.process_time()
    read_typed((unit * MAX_TYPED_LENGTH)[:MAX_TYPED_LENGTH])
    assert read_typed(unit * 100_000) is None
    assert time.process_time() - began < 0.5
