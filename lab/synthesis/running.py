"""The frame of both pipelines: check the documents, try candidates for each query, write the test set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from lab.asking import Asker, CallLimitError, InvalidAnswer, in_parallel
from logical_retriever.corpus import Passage, read_corpus
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading import ChatModel

T = TypeVar("T")

TRIES: Final = 3
"""Candidates tried for one query before it is given up."""


class Dropped(Exception):
    """A candidate query that is given up, with a fixed word for the reason, which is counted."""


@dataclass(frozen=True)
class GeneratedQuery:
    """One query of the test set, with all that is known about it.

    Attributes:
        id: Its identifier.
        text: The question.
        type: Its query type: that of ComLQ, or the operators of its template.
        labels: Judged document -> relevance, 0 for irrelevant.
        unjudged: Relevance of the documents that are not judged: 0, but 1 for a query that documents about none of
            its terms satisfy, since a document that no ranking found for a term is taken not to be about it.
        violations: Documents about what the question excludes.
        logical_query: The logical query it was made from, in canonical text, or None.
        extra: More fields for ``queries.jsonl``.
        documents: Documents made for this query.
    """

    id: str
    text: str
    type: str
    labels: Mapping[str, int]
    unjudged: int = 0
    violations: tuple[str, ...] = ()
    logical_query: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    documents: tuple[Passage, ...] = ()


Candidate = Callable[[int, int], GeneratedQuery]
"""From the number of a query and of the try to a query; raises :class:`Dropped`."""


@dataclass(frozen=True)
class Synthesis:
    """The report of a synthesis.

    Attributes:
        output: The folder of the test set.
        wanted: Queries asked for.
        queries: Queries written.
        documents: Documents written to ``corpus.jsonl``.
        calls: Calls of the language model.
        finished: Whether every query was tried; False where the calls allowed were used up first.
        invalid: Answers thrown away, by reason.
        dropped: Candidate queries thrown away, by reason.
    """

    output: Path
    wanted: int
    queries: int
    documents: int
    calls: int
    finished: bool
    invalid: Mapping[str, int]
    dropped: Mapping[str, int]

    def __str__(self) -> str:
        return (
            f"{self.queries} of {self.wanted} queries, {self.documents} documents, {self.calls} calls of the language "
            f"model: {self.output}\nInvalid answers: {_counts(self.invalid)}\nDropped queries: {_counts(self.dropped)}"
            + ("" if self.finished else "\nStopped at the limit of calls; give a larger one.")
        )


def as_documents(corpus: str | Path | Iterable[Passage]) -> tuple[Passage, ...]:
    """Read a path, or take documents given in memory, and check them.

    Args:
        corpus: A ``corpus.jsonl``, a folder that holds one, or documents.

    Raises:
        CorpusError: The file cannot be read; it names file and line.
        InvalidArgumentError: No document, one without text, an identifier twice, or one with a tab or a line break,
            which the tables of a BEIR folder cannot hold.
    """
    if isinstance(corpus, str | Path):
        path = Path(corpus)
        corpus = read_corpus(path / "corpus.jsonl" if path.is_dir() else path)
    documents = tuple(corpus)
    if not documents:
        raise InvalidArgumentError("There is no document.", hint="Give one or more.")
    seen: set[str] = set()
    for document in documents:
        # Readers of the tables strip the cells, so that an id with spaces around it would not be found again.
        usable = document.id == document.id.strip() != "" and not any(c in document.id for c in "\t\r\n")
        if not usable or document.id in seen or not document.text.strip():
            what = "occurs twice" if document.id in seen else "has an unusable id" if not usable else "has no text"
            raise InvalidArgumentError(
                f"The document {document.id!r} {what}.",
                hint="Give documents with text, each with its own id, without spaces around it, tabs or line breaks.",
            )
        seen.add(document.id)
    return documents


def ask(asker: Asker, prompt: str, read: Callable[[str], T]) -> T | None:
    """Ask the model one question; None where no answer can be used."""
    try:
        return asker.ask([{"role": "user", "content": prompt}], read)
    except InvalidAnswer:
        return None


def needed(answer: T | None, reason: str) -> T:
    """Return an answer that is there.

    Raises:
        Dropped: It is None, for this reason.
    """
    if answer is None:
        raise Dropped(reason)
    return answer


def run_synthesis(
    prepare: Callable[[Asker], Candidate],
    corpus_of: Callable[[Sequence[GeneratedQuery]], Sequence[Passage]],
    *,
    llm: ChatModel,
    output: str | Path,
    queries: int,
    max_calls: int,
    workers: int,
    own_corpora: bool = False,
) -> Synthesis:
    """Run a pipeline and write its test set, also when the bound on calls stops it.

    Args:
        prepare: Makes the function that makes candidates; may ask.
        corpus_of: The documents of the test set, given its queries.
        llm: The language model.
        output: A new or empty folder.
        queries: Queries wanted, at least 1.
        max_calls: Most calls of the language model, at least 0.
        workers: Threads that ask, at least 1. The test set does not depend on it, unless the calls are used up.
        own_corpora: Whether each query ranks its judged documents alone.

    Raises:
        InvalidArgumentError: A number is out of range, or there are files in the folder.
        LLMCallError: The model raised.
    """
    for name, value in (("queries", queries), ("workers", workers)):
        if value < 1:
            raise InvalidArgumentError(f"{name} is {value}; it must be at least 1.", hint="Give a larger number.")
    output, asker = Path(output), Asker(llm, max_calls=max_calls)
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        what = "has files in it" if output.is_dir() else "is a file"
        raise InvalidArgumentError(f"The output {output} {what}.", hint="Give a new or empty folder.")
    dropped: Counter[str] = Counter()
    finished = True

    def one(candidate: Candidate, number: int) -> GeneratedQuery | None:
        nonlocal finished
        for attempt in range(TRIES):
            try:
                return candidate(number, attempt)
            except Dropped as problem:
                dropped[str(problem)] += 1
            except CallLimitError:
                finished = False
                break
        return None

    results: list[GeneratedQuery | None] = []
    try:
        candidate = prepare(asker)
        results = in_parallel(lambda number: one(candidate, number), range(queries), workers)
    except CallLimitError:
        finished = False
    usable = [query for query in results if query is not None]
    documents = corpus_of(usable) if usable else ()
    if usable:
        _write(output, documents, usable, own_corpora=own_corpora)
    return Synthesis(
        output, queries, len(usable), len(documents), asker.calls, finished, Counter(asker.invalid), dropped
    )


def _write(output: Path, documents: Sequence[Passage], queries: Sequence[GeneratedQuery], *, own_corpora: bool) -> None:
    """Write ``corpus.jsonl``, ``queries.jsonl``, the judgements and, where known, logical forms and violations.

    Where each query ranks its judged documents alone, they stand as ``labels`` in ``queries.jsonl`` and there is no
    ``qrels.tsv``, which would have every reader rank the whole corpus.
    """
    output.mkdir(parents=True, exist_ok=True)
    forms = [(query.id, query.logical_query) for query in queries if query.logical_query is not None]
    violations = [(query.id, document) for query in queries for document in query.violations]
    qrels = [
        (query.id, document, str(label))
        for query in queries
        for document, label in (
            *query.labels.items(),
            *((d.id, query.unjudged) for d in documents if query.unjudged and d.id not in query.labels),
        )
    ]
    _lines(output / "corpus.jsonl", [json.dumps({"_id": d.id, "title": d.title, "text": d.text}) for d in documents])
    _lines(output / "queries.jsonl", [json.dumps(_record(query, own_corpora)) for query in queries])
    for name, header, rows in (
        ("qrels", ("query-id", "corpus-id", "score"), [] if own_corpora else qrels),
        ("logical_forms", ("query-id", "logical-query"), forms),
        ("violations", ("query-id", "corpus-id"), violations),
    ):
        if rows:
            _lines(output / f"{name}.tsv", ["\t".join(row) for row in (header, *rows)])


def _record(query: GeneratedQuery, own_corpora: bool) -> dict[str, Any]:
    form = {} if query.logical_query is None else {"logical_query": query.logical_query}
    labels = {"labels": dict(query.labels)} if own_corpora else {}
    return {"_id": query.id, "text": query.text, "type": query.type, **form, **query.extra, **labels}


def _lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def _counts(counts: Mapping[str, int]) -> str:
    shown = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))
    return f"{sum(counts.values())} ({shown})" if shown else "0"
