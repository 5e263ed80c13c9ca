"""One call merges its settings once, and one core retriever answers it; what the encoder gets before a first answer."""

import sys
from collections import Counter

import pytest

from logical_retriever import LogicalRetriever
from logical_retriever.options import SearchOptions
from logical_retriever.testing import HashingEmbedder

TEXTS = {"mood": ("vitamin D benefits for mood", {}), "tea": ("green tea and brewing water", {})}
QUESTION = "vitamin D benefits other than bone health"
MADE = {
    function.__code__: function.__qualname__
    for function in (SearchOptions.__post_init__, LogicalRetriever.__init__, LogicalRetriever.with_options)
}


def made_during(call):
    """How often a call checks settings, and makes or copies a core retriever."""
    counts = Counter()

    def count(frame, event, _argument):
        if event == "call" and frame.f_code in MADE:
            counts[MADE[frame.f_code]] += 1

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return counts


@pytest.mark.parametrize("of_the_call", [{}, {"words": 0.3}, {"exclusion": "strict", "always_exclude": ["coffee"]}])
def test_a_call_checks_its_settings_once_and_one_core_retriever_answers_it(framework, hashing, of_the_call):
    retriever = framework.package.LogicalRetriever(framework.store(TEXTS, hashing), always_exclude=["sleep"])
    framework.ask(retriever, QUESTION)
    made = made_during(lambda: framework.ask(retriever, QUESTION, **of_the_call))
    assert made["SearchOptions.__post_init__"] <= 1
    assert made["LogicalRetriever.__init__"] == 0
    assert made["LogicalRetriever.with_options"] <= 1


@pytest.mark.parametrize(("documents", "encoded"), [(50, 72), (1500, 8)])
def test_the_first_question_encodes_64_sentences_for_a_small_store_and_8_texts(framework, documents, encoded):
    texts = []

    class Counting(HashingEmbedder):
        def embed_documents(self, some):
            texts.extend(some)
            return super().embed_documents(some)

        embed_queries = HashingEmbedder.embed_documents

    embedder = Counting(64)
    stored = {f"d{n}": (f"tea grows on hill {n}", {}) for n in range(documents)}
    retriever = framework.package.LogicalRetriever(framework.store(stored, embedder))
    texts.clear()
    for _ in range(2):
        framework.ask(retriever, QUESTION)
        assert len(texts) == encoded
    assert sum(text in {content for content, _ in stored.values()} for text in texts) == 8
