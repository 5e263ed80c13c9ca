"""Writing the test set: a BEIR folder, each file replaced as a whole so that no half-written one is ever read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from logical_retriever.corpus import Passage
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.files import replacing

JOURNAL: Final = "journal.jsonl"
SUMMARY: Final = "synthesis.json"


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


def claim_folder(output: Path) -> None:
    """Make the folder, or make sure that it is one of ours.

    Raises:
        InvalidArgumentError: There is a file of that name, or a folder with files but without a journal.
    """
    if output.exists() and not output.is_dir():
        raise InvalidArgumentError(f"The output {output} is a file.", hint="Give a folder.")
    if output.is_dir() and any(output.iterdir()) and not (output / JOURNAL).exists():
        raise InvalidArgumentError(
            f"The output folder {output} has files that no synthesis made.", hint="Give a new or empty folder."
        )
    output.mkdir(parents=True, exist_ok=True)


def write_folder(
    output: Path, documents: Sequence[Passage], queries: Sequence[GeneratedQuery], *, own_corpora: bool
) -> None:
    """Write ``corpus.jsonl``, ``queries.jsonl``, the judgements and, where known, logical forms and violations.

    Args:
        output: The folder.
        documents: The corpus.
        queries: The queries, in order. With none, no file is written and those of an earlier run are removed.
        own_corpora: Whether each query ranks its judged documents alone. They then stand as ``labels`` in
            ``queries.jsonl`` and there is no ``qrels.tsv``, which would have every reader rank the whole corpus.
    """
    forms = [(q.id, q.logical_query) for q in queries if q.logical_query is not None]
    violations = [(q.id, document) for q in queries for document in q.violations]
    wanted = bool(queries) and not own_corpora
    corpus = ({"_id": d.id, "title": d.title, "text": d.text} for d in documents)
    _replace(output / "corpus.jsonl", (json.dumps(record) for record in corpus), bool(queries))
    _replace(output / "queries.jsonl", (json.dumps(_record(q, own_corpora)) for q in queries), bool(queries))
    _replace(output / "qrels.tsv", _table(("query-id", "corpus-id", "score"), _qrels(documents, queries)), wanted)
    _replace(output / "logical_forms.tsv", _table(("query-id", "logical-query"), forms), bool(forms))
    _replace(output / "violations.tsv", _table(("query-id", "corpus-id"), violations), bool(violations))


def write_summary(output: Path, summary: Mapping[str, Any]) -> None:
    """Write ``synthesis.json``."""
    _replace(output / SUMMARY, [json.dumps(summary, indent=2)], True)


def _qrels(documents: Sequence[Passage], queries: Sequence[GeneratedQuery]) -> Iterator[tuple[str, str, str]]:
    for query in queries:
        yield from ((query.id, document, str(label)) for document, label in query.labels.items())
        if query.unjudged > 0:
            others = (document.id for document in documents if document.id not in query.labels)
            yield from ((query.id, document, str(query.unjudged)) for document in others)


def _record(query: GeneratedQuery, own_corpora: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"_id": query.id, "text": query.text, "type": query.type}
    if query.logical_query is not None:
        record["logical_query"] = query.logical_query
    record.update(query.extra)
    if own_corpora:
        record["labels"] = dict(query.labels)
    return record


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterable[str]:
    yield "\t".join(header)
    yield from ("\t".join(row) for row in rows)


def _replace(path: Path, lines: Iterable[str], wanted: bool) -> None:
    if not wanted:
        path.unlink(missing_ok=True)
        return
    with replacing(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
