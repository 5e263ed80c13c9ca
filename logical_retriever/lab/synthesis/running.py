"""The frame of both pipelines: open the journal, try candidates for each query, write what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from logical_retriever.corpus import Passage
from logical_retriever.errors import CallLimitError, InvalidArgumentError
from logical_retriever.lab.synthesis.asking import Asker, run_jobs
from logical_retriever.lab.synthesis.folder import (
    JOURNAL,
    GeneratedQuery,
    claim_folder,
    write_folder,
    write_summary,
)
from logical_retriever.lab.synthesis.journal import Journal
from logical_retriever.lab.synthesis.results import Stop, Synthesis
from logical_retriever.transform.base import ChatModel

TRIES: Final = 3
"""Candidates tried for one query before it is given up."""

Candidate = Callable[[int, int], GeneratedQuery]
"""From the number of a query and of the try to a query; raises :class:`Dropped`."""


class Dropped(Exception):
    """A candidate query that came to nothing.

    Attributes:
        reason: A fixed word for why; what the summary counts.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Limits:
    """How much is asked for.

    Attributes:
        queries: Queries wanted, at least 1.
        max_calls: Most calls of the language model in this run, at least 0; answers in the journal are free.
        workers: Threads that ask, at least 1. The test set does not depend on it.

    Raises:
        InvalidArgumentError: A number is below its least value.
    """

    queries: int
    max_calls: int
    workers: int = 1

    def __post_init__(self) -> None:
        for name, least in (("queries", 1), ("max_calls", 0), ("workers", 1)):
            if getattr(self, name) < least:
                raise InvalidArgumentError(
                    f"{name} is {getattr(self, name)}; it must be at least {least}.", hint="Give a larger number."
                )


@dataclass(frozen=True)
class _Outcome:
    query: GeneratedQuery | None
    candidates: int
    dropped: tuple[str, ...]


def run_synthesis(
    prepare: Callable[[Asker], Candidate],
    corpus_of: Callable[[Sequence[GeneratedQuery]], Sequence[Passage]],
    *,
    llm: ChatModel,
    model: str,
    output: Path,
    own_corpora: bool,
    run: Mapping[str, Any],
    limits: Limits,
    progress: Callable[[int, int], None] | None,
) -> Synthesis:
    """Run a pipeline and write its test set, also when the bound on calls stops it.

    Args:
        prepare: Makes the function that makes candidates; may ask.
        corpus_of: The documents of the test set, given its queries.
        llm: The language model.
        model: Its name.
        output: The folder.
        own_corpora: Whether each query ranks its judged documents alone.
        run: What must be the same for a run to be continued.
        limits: How much is asked for.
        progress: Called with the number of queries done and wanted.

    Raises:
        InvalidArgumentError: The folder is not ours, or belongs to another run.
        CorpusError: The journal is damaged.
        LLMCallError: The model raised; the journal is kept.
    """
    claim_folder(output)
    with Journal(output / JOURNAL, run) as journal:
        asker = Asker(llm, journal, model=model, max_calls=limits.max_calls)
        outcomes: list[_Outcome | None] = []
        try:
            candidate = prepare(asker)
        except CallLimitError:
            stop = Stop.CALL_LIMIT
        else:
            outcomes, stop = run_jobs(
                lambda number: _try(candidate, number), limits.queries, workers=limits.workers, progress=progress
            )
        done = [outcome for outcome in outcomes if outcome is not None]
        queries = [outcome.query for outcome in done if outcome.query is not None]
        documents = corpus_of(queries) if queries else ()
        write_folder(output, documents, queries, own_corpora=own_corpora)
        result = Synthesis(
            output=output,
            stop=stop,
            wanted=limits.queries,
            queries=len(queries),
            by_type=dict(Counter(query.type for query in queries)),
            documents=len(documents),
            relevant=sum(label > 0 for query in queries for label in query.labels.values()),
            violations=sum(len(query.violations) for query in queries),
            calls=asker.calls,
            reused=asker.reused,
            candidates=sum(outcome.candidates for outcome in done),
            invalid=dict(asker.invalid),
            dropped=dict(Counter(reason for outcome in done for reason in outcome.dropped)),
        )
        write_summary(output, {"run": dict(run), "model": model, **result.to_dict()})
    return result


def _try(candidate: Candidate, number: int) -> _Outcome:
    dropped: list[str] = []
    for attempt in range(TRIES):
        try:
            return _Outcome(candidate(number, attempt), attempt + 1, tuple(dropped))
        except Dropped as problem:
            dropped.append(problem.reason)
    return _Outcome(None, TRIES, tuple(dropped))
