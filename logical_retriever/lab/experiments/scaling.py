"""Scaling: how quality and cost grow from two to eight terms of AND and of OR (Figure 3 of the ITLR paper)."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from logical_retriever.embedding import Embedder
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation import Dataset, Document, Question, evaluate, load_sample
from logical_retriever.query import literals, parse

SIZES = (2, 3, 4, 5, 6, 7, 8)
METHODS = ("dense", "itlr", "product", "godel", "nsfl", "positive-only")


def scaling(
    embedder: Embedder,
    *,
    methods: Sequence[str] = METHODS,
    sizes: Sequence[int] = SIZES,
    queries: int = 20,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Evaluate methods on queries of growing length.

    The material is the packaged sample: its passages that are known to be about one topic and not about two others.
    A document is made of the first sentences of such passages in random order. Every query has its own corpus, whose
    documents have equally many sentences, so that length tells nothing:

    - ``A AND B AND ...`` of n topics: one document about all n, and n hard negatives in each of which one of the n
      topics gave way to another (appendix H of the paper);
    - ``A OR B OR ...``: n documents about one of the n topics each, and n documents about other topics.

    The question that plain retrieval sees is the query's text. The passages seldom name their topics, so that BM25,
    which retrieves nothing there, is not among the methods unless asked for.

    Args:
        embedder: Encodes terms and documents.
        methods: Names of methods.
        sizes: Numbers of terms, each at least 2 and at most half of the topics.
        queries: Queries for every operator and size.
        seed: Of the random choices.

    Raises:
        InvalidArgumentError: A size is out of range.
    """
    passages = single_topic_passages()
    if not sizes or min(sizes) < 2 or max(sizes) > len(passages) // 2:
        raise InvalidArgumentError(
            f"The sizes are {list(sizes)}.", hint=f"The sample has topics for 2 to {len(passages) // 2} terms."
        )
    rows: list[dict[str, Any]] = []
    for operator in ("AND", "OR"):
        for size in sizes:
            dataset = scaling_dataset(operator, size, queries, passages, seed)
            outcome = evaluate(dataset, methods, embedder=embedder, cutoffs=(10,))
            for name, result in outcome.methods.items():
                quality = {outcome.primary[0]: result.mean(outcome.primary[0], outcome.prepared)}
                cost = {"ms/query": result.milliseconds, "vectors/query": result.vectors}
                rows.append({"operator": operator, "terms": size, "method": name, **quality, **cost})
    return rows


def single_topic_passages() -> dict[str, str]:
    """First sentence of a passage about a topic, by topic, from the sample's queries ``A AND NOT B AND NOT C``.

    A relevant document of such a query is about A and not about B or C, in whatever order they are written.
    """
    sample = load_sample()
    texts = {document.id: document.text for document in sample.documents}
    passages: dict[str, str] = {}
    for question in sample.questions:
        if question.form is None or " OR " in question.form:
            continue
        wanted = [literal.text for literal in literals(parse(question.form)) if literal.positive]
        if len(wanted) == 1:
            for document in sorted(question.relevant):
                passages.setdefault(wanted[0], re.split(r"(?<=[.!?])\s", texts[document])[0])
    return dict(sorted(passages.items()))


def scaling_dataset(operator: str, size: int, queries: int, passages: Mapping[str, str], seed: int) -> Dataset:
    """The queries of one point of the curves, each with its own corpus."""
    name = f"{operator} of {size} terms"
    build = _conjunction if operator == "AND" else _disjunction
    rng = random.Random(f"{seed} {name}")
    documents: list[Document] = []

    def add(topics: list[str]) -> str:
        order = rng.sample(topics, len(topics))
        documents.append(Document(f"d{len(documents)}", " ".join(passages[topic] for topic in order)))
        return documents[-1].id

    questions = []
    for number in range(queries):
        topics = rng.sample(sorted(passages), len(passages))
        chosen, others = topics[:size], topics[size:]
        form = f" {operator} ".join(f'"{topic}"' for topic in chosen)
        labels = build(rng, chosen, others, add)
        questions.append(
            Question(id=f"q{number}", text=form.replace('"', ""), form=form, relevance=labels, candidates=tuple(labels))
        )
    return Dataset(name, tuple(documents), tuple(questions))


def _conjunction(
    rng: random.Random, chosen: list[str], others: list[str], add: Callable[[list[str]], str]
) -> dict[str, int]:
    labels = {add(chosen): 1}
    for place in range(len(chosen)):
        labels[add([*chosen[:place], rng.choice(others), *chosen[place + 1 :]])] = 0
    return labels


def _disjunction(
    rng: random.Random, chosen: list[str], others: list[str], add: Callable[[list[str]], str]
) -> dict[str, int]:
    labels = {add([topic]): 1 for topic in chosen}
    labels.update({add([topic]): 0 for topic in rng.sample(others, len(chosen))})
    return labels
