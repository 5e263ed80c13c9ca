"""Typed queries from passages, by the subgraph-guided prompt (papers: ComLQ, data synthesis)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from logical_retriever.corpus import Passage, corpus_fingerprint
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.lab.synthesis.asking import Asker, InvalidAnswer
from logical_retriever.lab.synthesis.corpus import as_documents
from logical_retriever.lab.synthesis.evidence import normal, read_typed_query
from logical_retriever.lab.synthesis.folder import GeneratedQuery
from logical_retriever.lab.synthesis.results import Synthesis
from logical_retriever.lab.synthesis.running import TRIES, Dropped, Limits, run_synthesis
from logical_retriever.lab.synthesis.typed_queries import QueryType, chosen_types
from logical_retriever.transform.base import ChatModel

MAX_PASSAGES: Final = 3


def synthesize_typed(
    corpus: str | Path | Iterable[Passage],
    llm: ChatModel,
    *,
    output: str | Path,
    queries: int = 28,
    max_calls: int = 1000,
    seed: int = 0,
    types: Sequence[str] | None = None,
    distractors: int = 1000,
    workers: int = 1,
    model: str = "",
    progress: Callable[[int, int], None] | None = None,
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
        output: Folder of the test set, with the journal that lets an interrupted run continue.
        queries: Queries wanted.
        max_calls: Most calls of the language model in this run; answers in the journal are free.
        seed: Everything random depends on it.
        types: Names of the types; all 14 for None.
        distractors: Most distractors, at least 0.
        workers: Threads that ask.
        model: The model's name. Answers of another model are not used.
        progress: Called with the number of queries done and wanted.

    Returns:
        What was made and what it cost.

    Raises:
        InvalidArgumentError: An argument is out of range, or the folder belongs to something else.
        CorpusError: The corpus or the journal cannot be read.
        LLMCallError: The model raised; the journal is kept.
    """
    if distractors < 0:
        raise InvalidArgumentError(f"distractors is {distractors}.", hint="Give 0 or more.")
    documents = as_documents(corpus)
    kinds = chosen_types(types)
    run = {
        "pipeline": "comlq",
        "corpus": corpus_fingerprint(documents),
        "seed": seed,
        "types": [kind.name for kind in kinds],
    }
    articles = _articles(documents)
    return run_synthesis(
        lambda asker: _Typed(asker, articles, kinds, seed).candidate,
        lambda made: _with_distractors(documents, made, distractors, seed),
        llm=llm,
        model=model,
        output=Path(output),
        own_corpora=False,
        run=run,
        limits=Limits(queries, max_calls, workers),
        progress=progress,
    )


class _Typed:
    """Makes candidates: a type, neighbouring passages of an article, the model's query for them."""

    def __init__(
        self, asker: Asker, articles: Sequence[Sequence[Passage]], kinds: Sequence[QueryType], seed: int
    ) -> None:
        self.asker = asker
        self.seed = seed
        rng = Random(f"{seed}")
        self.articles = rng.sample(list(articles), len(articles))
        self.kinds = rng.sample(list(kinds), len(kinds))

    def candidate(self, number: int, attempt: int) -> GeneratedQuery:
        kind = self.kinds[number % len(self.kinds)]
        article = self.articles[(number * TRIES + attempt) % len(self.articles)]
        rng = Random(f"{self.seed}/{number}/{attempt}")
        count = rng.randint(1, min(MAX_PASSAGES, len(article)))
        start = rng.randint(0, len(article) - count)
        chosen = article[start : start + count]
        passages = [document.content for document in chosen]
        try:
            typed = self.asker.ask(kind.prompt(passages), lambda answer: read_typed_query(answer, kind, passages))
        except InvalidAnswer as error:
            raise Dropped("no_valid_query") from error
        return GeneratedQuery(
            id=f"q{number:05d}",
            text=typed.text,
            type=kind.name,
            labels={document.id: label for document, label in zip(chosen, typed.labels, strict=True)},
            violations=tuple(chosen[position].id for position in typed.violations),
            extra={"negations": kind.negations, "passages": count, "answers": list(typed.answers)},
            documents=tuple(chosen),
        )


def _articles(documents: Sequence[Passage]) -> list[list[Passage]]:
    """Passages by title, in the order of the corpus."""
    articles: dict[str, list[Passage]] = {}
    for document in documents:
        articles.setdefault(_article(document), []).append(document)
    return list(articles.values())


def _article(document: Passage) -> str:
    # A title never starts with a space once it is normalised, so that an id cannot be taken for one.
    title = normal(document.title)
    return title if title else f" {document.id}"


def _with_distractors(
    documents: Sequence[Passage], made: Sequence[GeneratedQuery], most: int, seed: int
) -> list[Passage]:
    """Passages of the queries, and at most ``most`` of titles that no query has, in the order of the corpus."""
    used = {document.id for query in made for document in query.documents}
    titles = {_article(document) for query in made for document in query.documents}
    others = [document.id for document in documents if _article(document) not in titles]
    kept = used | set(Random(f"{seed}/distractors").sample(others, min(most, len(others))))
    return [document for document in documents if document.id in kept]
