"""An outline of a package for a third framework: ``logical_retriever.adapters`` is all that it needs of ours.

Up to its marker the code is the framework, made up; from there to the tests, the whole package.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from logical_retriever import adapters as ours
from logical_retriever.testing import HashingEmbedder

TEXTS = ["green tea and health", "green tea and brewing", "black coffee and health", "brewing beer"]


# ---- tinyrag, a framework ----


@dataclass
class Passage:
    content: str
    extra: dict[str, Any] = field(default_factory=dict)


class TinyStore:
    """Searches by inner product, and gives neither vectors nor distances."""

    def __init__(self, model):
        self.model, self.passages = model, {}

    def insert(self, key, passage):
        self.passages[key] = passage

    def query(self, vector, limit, where=None):
        found = [key for key, p in self.passages.items() if where is None or where.items() <= p.extra.items()]
        order = sorted(found, key=lambda key: -float(np.dot(self.model(self.passages[key].content), vector)))
        return [(key, self.passages[key]) for key in order[:limit]]


class TinyRetriever:
    """What the framework's pipelines call."""

    def run(self, question, **kwargs):
        raise NotImplementedError


# ---- tinyrag-logical-retriever, the package ----


class TinyEmbedder:
    def __init__(self, model):
        self.model = model

    def embed_queries(self, texts):
        return [self.model(text) for text in texts]

    embed_documents = embed_queries


class TinyAdapter(ours.ReencodingStore):
    """Keys keep their type: tinyrag's are numbers."""

    capabilities = ours.Capabilities("TinyStore", exact_search=True, stored_vectors=False, scan=False)

    def __init__(self, tiny):
        super().__init__(TinyEmbedder(tiny.model))
        self.tiny = tiny

    def known(self):
        return sorted(self.tiny.passages)

    def nearest(self, vector, n, filter):
        return [self.remember(_encodable(*found)) for found in self.tiny.query(vector, n, filter)]

    def read(self, ids, seen):
        return {key: _encodable(key, self.tiny.passages[key]) for key in ids if key in self.tiny.passages}


def _encodable(key, passage):
    return ours.Encodable(ours.StoredDocument(key, passage.content, passage.extra, native=passage), passage.content)


ADAPTERS = ours.AdapterRegistry({ours.qualified_name(TinyStore): TinyAdapter})


class LogicalTinyRetriever(TinyRetriever):
    def __init__(self, tiny, llm=None, *, transformer=None, metadata=False, **settings):
        make = ADAPTERS.factory(type(tiny))
        if make is None:
            raise ours.UnsupportedStoreError(f"No adapter for {type(tiny).__name__}.", hint="ADAPTERS.register() one.")
        ours.check_transformer(llm, transformer, kinds="a QueryTransformer", hint="Pass QuestionReader(llm).")
        self.transformer = ours.QuestionReader(llm) if transformer is None else transformer
        self.metadata = metadata
        self.core = ours.LogicalRetriever(make(tiny), TinyEmbedder(tiny.model), **settings)
        self.events = []

    def run(self, question, where=None, **settings):
        made = self.transformer.transform(ours.check_question(question))
        self.events.append(ours.query_event(made, self.core))
        return self._passages(self.core.search(made, filter=where, **settings))

    def as_tool(self):
        return ours.LogicalSearch(self.core.search, self.core.asearch, self._passages, lambda passage: passage.content)

    def left_of(self, passages, question):
        """What the question does not exclude of passages that others bring, in their order."""
        made = self.transformer.transform(question)
        result = ours.search_documents(self.core, made, [_encodable("", passage) for passage in passages])
        return (
            passages if result is None else [passages[one.id] for one in sorted(result.documents, key=lambda d: d.id)]
        )

    def _passages(self, result):
        return [Passage(one.text, ours.answer_metadata(one, result, scores=self.metadata)) for one in result.documents]


# ---- it retrieves ----


@pytest.fixture
def tiny():
    embedder = HashingEmbedder()
    store = TinyStore(lambda text: embedder.embed_documents([text])[0])
    for key, text in enumerate(TEXTS):
        store.insert(key, Passage(text, {"first": text.split()[0]}))
    return store


def test_a_question_with_an_exclusion_is_answered(tiny):
    retriever = LogicalTinyRetriever(tiny, metadata=True, k=2)
    [first, *others] = retriever.run("green tea, excluding brewing")
    assert first.content == "green tea and health"
    assert "green tea and brewing" not in [passage.content for passage in others]
    first, second = retriever.run("green tea, excluding brewing", exclusion="rank")
    assert (first.content, second.content) == ("green tea and health", "green tea and brewing")
    assert first.extra["logical_query"] == '"green tea" AND NOT "brewing"' == retriever.events[0]["searched"]
    assert first.extra["logical_score"] > second.extra["logical_score"]
    assert tiny.passages[0].extra == {"first": "green"}


def test_settings_and_filters_of_one_call(tiny):
    retriever = LogicalTinyRetriever(tiny, semantics="product")
    [only] = retriever.run("health, excluding tea", where={"first": "black"}, k=1, fetch_k=5)
    assert (only.content, only.extra) == ("black coffee and health", {"first": "black"})


def test_an_agents_call_and_what_is_wrong_with_one(tiny):
    calls = LogicalTinyRetriever(tiny, k=1).as_tool()
    answer = asyncio.run(calls.acall({"all_of": ["brewing"], "none_of": ["tea"]}))
    assert (answer.documents[0].content, answer.result is None) == ("brewing beer", False)
    wrong = calls.call({"all_of": "brewing"})
    assert wrong.result is None
    assert "valid list" in wrong.text


def test_a_class_that_nobody_knows_is_refused_until_it_is_registered(tiny):
    class Other:
        model = staticmethod(tiny.model)

    with pytest.raises(ours.UnsupportedStoreError, match="No adapter for Other"):
        LogicalTinyRetriever(Other())
    ADAPTERS.register(Other, lambda other: TinyAdapter(tiny))
    assert len(LogicalTinyRetriever(Other(), k=4).run("tea")) == 4


def test_it_leaves_out_what_others_bring_back(tiny):
    passages = [Passage(text) for text in TEXTS]
    left = LogicalTinyRetriever(tiny, exclusion="strict").left_of(passages, "green tea, excluding brewing")
    assert [passage.content for passage in left] == ["green tea and health", "black coffee and health"]
