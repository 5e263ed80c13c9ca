"""A small world, and a model that answers from it by looking at the prompt; nothing here talks to a network."""

import json
import re
import threading
from pathlib import Path

import pytest

from lab.synthesis import query_types
from logical_retriever.corpus import Passage

TOPICS = [
    *("glacier lakes", "copper mining", "river trade", "wolf packs", "opera singing", "tax law", "rice farming"),
    *("chess openings", "silk weaving", "jazz bands", "tea houses", "solar sails"),
]
FILLER = "and the account goes on for a while so that it has as many words as any passage in a paper would have"


def pytest_collection_modifyitems(items):
    """Mark the tests of this folder."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("lab")


def world_corpus(count=24):
    """Documents about two to five topics each, three to an article; names like Zora7 occur in one document alone."""
    documents = []
    for n in range(count):
        topics = [TOPICS[(n * 5 + k * (1 + n % 5)) % len(TOPICS)] for k in range(2 + n % 4)]
        named = f"Zora{n} met Yuri{n} by the gate and Xena{n} was told of it"
        documents.append(Passage(f"d{n}", f"This is on {', '.join(topics)}. {named}, {FILLER}.", f"Article {n // 3}"))
    return documents


def about(text):
    return [topic for topic in TOPICS if topic in text]


def holds(question, topics):
    """Truth of a question such as: Show "a" and not "b". Python's own and, or, not; none of the package's logic."""
    logic = re.sub(r'"([^"]*)"', lambda m: str(m[1] in topics), question.removeprefix("Show ").removesuffix("."))
    assert re.fullmatch(r"(?:True|False|and|or|not|\s)+", logic), logic
    return bool(eval(logic))


class WorldModel:
    """Answers every prompt of both pipelines from the world.

    Args:
        spoil: Given the number of the call and its kind, an answer to give instead, or None.
    """

    def __init__(self, spoil=lambda call, kind: None):
        self.calls = 0
        self._spoil = spoil
        self._lock = threading.Lock()

    def complete(self, messages):
        prompt = messages[0]["content"]
        kind = next(k for k, sign in SIGNS.items() if sign in prompt)
        with self._lock:
            call = self.calls
            self.calls += 1
        spoilt = self._spoil(call, kind)
        return spoilt if spoilt is not None else getattr(self, f"_{kind}")(prompt)

    def _topics(self, prompt):
        return "\n".join(f"{n}. {topic}" for n, topic in enumerate(about(prompt), start=1)) or "1. nothing known"

    def _question(self, prompt):
        query = prompt.split("Here's the query,\n")[1].split("\n")[0]
        for operator in ("AND", "OR", "NOT"):
            query = re.sub(rf"\b{operator}\b", operator.lower(), query)
        return f"Show {query}."

    def _write(self, prompt):
        wanted = prompt.split("each of these topics:\n")[1].split("\n\n")[0].replace("- ", "").split("\n")
        return f"This passage is on {', '.join(wanted)}, {FILLER}."

    def _judge(self, prompt):
        question = prompt.split("<question>\n")[1].split("\n</question>")[0]
        listed = re.findall(r"^(\d+)\. (.*)$", prompt.split("it excludes:\n")[1].split("\n\n")[0], re.M)
        topics = about(prompt.split("<document>\n")[1].split("\n</document>")[0])
        numbers = [int(n) for n, topic in listed if topic in topics]
        return f"```json\n{json.dumps({'relevant': holds(question, topics), 'topics': numbers})}\n```"

    def _typed(self, prompt):
        name = re.findall(r"^# Definition of a (\w+) query$", prompt, re.M)[0]
        passages = re.findall(r'<passage number="\d+">\n(.*?)\n</passage>', prompt.split("# Task")[1], re.S)
        return json.dumps(typed_answer(name, passages))


SIGNS = {
    "topics": "extract all the salient topics",
    "question": "come up with such a natural language question",
    "write": "Write one passage of 40 to 120 words",
    "judge": "You judge whether a document answers",
    "typed": "You write test queries",
}


def typed_answer(name, passages):
    """A valid answer of a type: its structure, built from names of the passages by going down the expression."""
    kind = query_types()[name]
    people = [person for text in passages for person in re.findall(r"[ZYX]\w+\d+", text)]
    triples = []

    def reach(node, target):
        """State the triples that make ``target`` a member of the set."""
        if isinstance(node, str):
            return
        if node[0] == "project":
            source = f"the {node[2]}" if isinstance(node[2], str) else f"place of {node[1]}"
            reach(node[2], source)
            triples.append((node[1], source, target))
            return
        for operand in node[1:]:
            reach(operand[1] if operand[0] == "not" else operand, people[1] if operand[0] == "not" else target)

    reach(kind.expression, people[0])
    facts = []
    for n in range(max(len(triples), len(passages))):
        fact = dict(zip(("relation", "subject", "object"), triples[n % len(triples)], strict=True))
        place = n % len(passages)
        quote = " ".join(passages[place].split()[2:6])
        facts.append({**fact, "holds": True, "passage": place + 1, "quote": quote})
    return {
        "query": f"Who stands in the {name} relation?",
        "entities": {entity: f"the {entity}" for entity in kind.entities()},
        "relations": {relation: f"relates by {relation}" for relation in kind.relations()},
        "facts": facts,
        "answers": [people[0]],
    }


@pytest.fixture
def corpus():
    return world_corpus()


@pytest.fixture
def world_model():
    return WorldModel
