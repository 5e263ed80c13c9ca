"""A small corpus, a retriever over it, and verifiers and chat models that keep what they were asked."""

import json
from functools import cache

import numpy as np

from logical_retriever import LogicalRetriever
from logical_retriever.encoders import SentenceTransformerEmbedder

TEXTS = [
    *("Green tea and its benefits for the heart", "Green tea grows on the misty hills of Shizuoka"),
    *("Green tea was brought to Japan by monks", "A good green tea need not be expensive, says the merchant"),
    "Is green tea worth the money? We compare what shops charge",
    *("Cheap green tea costs less than five dollars a pound", "The price of green tea has doubled this year"),
    "How to brew green tea: water below eighty degrees, two minutes",
    *("Matcha is powdered green tea, whisked in a bowl", "Jasmine flowers scent some green teas"),
    *("Price tags and discounts in supermarkets", "The price of coffee on world markets"),
    *("Black tea with milk is drunk in England", "Trains to Berlin leave every hour", "Tomato soup is best with basil"),
    *("The history of the bicycle", "Inflation and the cost of living"),
]
MONEY = {3, 4, 5, 6, 10, 11, 16}
QUERY = '"green tea" AND NOT "price"'


class Remembering(SentenceTransformerEmbedder):
    """The real encoder, which encodes each text once."""

    def __init__(self):
        super().__init__()
        self.known = {}

    def embed_queries(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known.update(zip(new, super().embed_queries(new) if new else (), strict=True))
        return np.array([self.known[text] for text in texts])


encoder = cache(Remembering)
retriever_of = cache(lambda texts: LogicalRetriever.from_texts(texts, encoder()))


def is_about_money(_, passage):
    return passage in {TEXTS[place] for place in MONEY}


class Recording:
    """A verifier that says what a function says, and keeps every call."""

    name = "recording"

    def __init__(self, answer=is_about_money):
        self.calls, self._answer = [], answer

    def verify(self, terms, passages):
        self.calls.append(list(zip(terms, passages, strict=True)))
        return [self._answer(term, passage) for term, passage in zip(terms, passages, strict=True)]


def pairs_in(text):
    """The pairs of a term and a passage that the message to a chat model shows."""
    rows = (json.loads(line) for line in text[text.index('{"number": 1,') :].splitlines() if line.startswith("{"))
    return [(row["term"], row["passage"]) for row in rows]


def judged(text):
    """What a chat model answers that knows what skeletons are, and reads the other terms word for word."""
    verdicts = (
        "has, about" if term in passage or (term == "skeletons" and "bone" in passage) else "absent, not about"
        for term, passage in pairs_in(text)
    )
    return "\n".join(f"{number}: {verdict}" for number, verdict in enumerate(verdicts, start=1))


def over(verifier=False, texts=TEXTS, **settings):
    return retriever_of(tuple(texts)).but(verify=verifier, **{"k": 6, **settings})


def ids(result):
    return [document.id for document in result.documents]


def of_money(result):
    return MONEY & {int(document.id) for document in result.documents}
