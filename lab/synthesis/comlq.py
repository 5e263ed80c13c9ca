"""Typed queries from passages, by the subgraph-guided prompt (papers: ComLQ, data synthesis)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from lab.asking import Asker
from lab.synthesis.evidence import normal, read_typed_query
from lab.synthesis.running import (
    TRIES,
    GeneratedQuery,
    Synthesis,
    as_documents,
    ask,
    needed,
    run_synthesis,
)
from lab.synthesis.typed_queries import query_types
from logical_retriever.corpus import Passage
from logical_retriever.reading import ChatModel

MAX_PASSAGES: Final = 3
DISTRACTORS: Final = 1000


def synthesize_typed(
    corpus: str | Path | Iterable[Passage],
    llm: ChatModel,
    *,
    output: str | Path,
    queries: int = 28,
    max_calls: int = 1000,
    seed: int = 0,
    workers: int = 1,
) -> Synthesis:
    """Make a test set of the 14 query types of ComLQ over a user's passages.

    The types take turns. For each query one to three neighbouring passages of one article (documents of one title; a
    document without title is an article of its own) go into the prompt of its type. The model states the query, its
    answers and the triples it read, each with a quote; structure and evidence are then checked, see
    :func:`read_typed_query`. Relevance is 2 for a passage that alone gives all answers and 1 for one that holds a
    part. The corpus is made of the passages used and of distractors: passages of other titles, so that none of them
    can be an unjudged answer.

    Args:
        corpus: The passages, or the path of ``corpus.jsonl`` or of a folder that holds it.
        llm: The language model.
        output: Folder of the test set, new or empty.
        queries: Queries wanted.
        max_calls: Most calls of the language model.
        seed: Everything random depends on it.
        workers: Threads that ask.

    Returns:
        The number of queries made, and their cost.

    Raises:
        InvalidArgumentError: An argument is out of range, or there are files in the folder.
        CorpusError: The corpus cannot be read.
        LLMCallError: The model raised.
    """
    documents = as_documents(corpus)
    articles, kinds = _articles(documents), tuple(query_types().values())
    order = Random(f"{seed}")
    articles, kinds = order.sample(articles, len(articles)), tuple(order.sample(kinds, len(kinds)))

    def candidate(asker: Asker, number: int, attempt: int) -> GeneratedQuery:
        """Ask for a query of the next type about neighbouring passages of an article."""
        kind = kinds[number % len(kinds)]
        article = articles[(number * TRIES + attempt) % len(articles)]
        rng = Random(f"{seed}/{number}/{attempt}")
        count = rng.randint(1, min(MAX_PASSAGES, len(article)))
        start = rng.randint(0, len(article) - count)
        chosen = article[start : start + count]
        passages = [document.content for document in chosen]
        read = partial(read_typed_query, kind=kind, passages=passages)
        typed = needed(ask(asker, kind.prompt(passages), read), "no_valid_query")
        return GeneratedQuery(
            id=f"q{number:05d}",
            text=typed.text,
            type=kind.name,
            labels={document.id: label for document, label in zip(chosen, typed.labels, strict=True)},
            violations=tuple(chosen[position].id for position in typed.violations),
            extra={"negations": kind.negations, "passages": count, "answers": list(typed.answers)},
            documents=tuple(chosen),
        )

    return run_synthesis(
        lambda asker: partial(candidate, asker),
        lambda queries: _with_distractors(documents, queries, seed),
        llm=llm,
        output=output,
        queries=queries,
        max_calls=max_calls,
        workers=workers,
    )


def _articles(documents: Sequence[Passage]) -> list[list[Passage]]:
    """Group passages by title, in the order of the corpus."""
    articles: dict[str, list[Passage]] = {}
    for document in documents:
        articles.setdefault(_article(document), []).append(document)
    return list(articles.values())


def _article(document: Passage) -> str:
    # A title never starts with a space once it is normalised, so that an id cannot be taken for one.
    title = normal(document.title)
    return title if title else f" {document.id}"


def _with_distractors(documents: Sequence[Passage], queries: Sequence[GeneratedQuery], seed: int) -> list[Passage]:
    """Return the passages of the queries, and up to 1,000 of titles that no query has, in the corpus's order."""
    used = {document.id for query in queries for document in query.documents}
    titles = {_article(document) for query in queries for document in query.documents}
    others = [document.id for document in documents if _article(document) not in titles]
    ids = used | set(Random(f"{seed}/distractors").sample(others, min(DISTRACTORS, len(others))))
    return [document for document in documents if document.id in ids]
