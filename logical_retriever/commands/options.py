"""Options that several commands share: which passages, and which of them may be found."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Annotated

import typer

from logical_retriever.commands.collection import FINGERPRINT
from logical_retriever.commands.output import notes
from logical_retriever.corpus import Passage, read_corpus
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery, parse
from logical_retriever.stores import Filter
from logical_retriever.stores.base import NarrowingStore, Store
from logical_retriever.stores.discovery import discover_fields

Corpus = Annotated[
    Path | None,
    typer.Option(
        help="Passages: a folder of .txt, .md, .html, .pdf, .csv and .jsonl, or one such file.", show_default=False
    ),
]
Where = Annotated[
    str | None,
    typer.Option(help="Only passages whose metadata fulfil conditions: 'year >= 2000'.", show_default=False),
]
StoreFilter = Annotated[
    str | None,
    typer.Option("--filter", metavar="JSON", help="The same in Chroma's own language.", show_default=False),
]

DropExcluded = Annotated[
    bool,
    typer.Option("--drop-excluded/--keep-excluded", help="Leave out what is about an excluded term, or rank it last."),
]
MinRelevance = Annotated[
    float | None, typer.Option(help="Least relevance, from 0 to 1, of a passage.", show_default="none")
]
AlwaysExclude = Annotated[
    list[str] | None, typer.Option(help="Term that is excluded whatever the question says; may be repeated.")
]
Verify = Annotated[
    str | None,
    typer.Option(
        metavar="PROVIDER:MODEL", help="Language model that is asked about passages in doubt.", show_default="none"
    ),
]


def source_of(corpus: Path | None, path: Path | None) -> Path:
    """The folder or file that the passages are called after: the collection, else the corpus of a temporary one.

    Raises:
        InvalidArgumentError: Neither is given.
    """
    source = corpus if path is None else path
    if source is None:
        raise InvalidArgumentError(
            "There are no passages to ask.", hint="Give --corpus FOLDER or FILE, or --path of an earlier run."
        )
    return source


def passages_of(corpus: Path | None) -> list[Passage] | None:
    """The passages that are named, and a note on files that are not read; None where none are named."""
    if corpus is None:
        return None
    passed_over: list[str] = []
    passages = read_corpus(corpus, passed_over)
    if passed_over:
        more = ", ..." if len(passed_over) > 3 else ""
        files = "1 file" if len(passed_over) == 1 else f"{len(passed_over)} files"
        notes().print(f"Passed over {files} of other kinds: {', '.join(passed_over[:3])}{more}", soft_wrap=True)
    return passages


def condition_of(where: str | None) -> LogicalQuery | None:
    """The conditions of ``--where``; one alone needs no brackets.

    Raises:
        LogicalSyntaxError: It is not in the grammar.
        InvalidArgumentError: It has terms.
    """
    if where is None:
        return None
    query = parse(where if "[" in where and where.rstrip().endswith(("]", ")")) else f"[{where}]")
    if query.terms():
        raise InvalidArgumentError(
            f"--where has a term, {query.terms()[0]!r}.",
            hint="Write conditions alone: --where '[year >= 2000] AND NOT [language = \"de\"]'.",
        )
    return query


def filter_of(filter: str | None) -> Filter:
    """The store's own filter of ``--filter``.

    Raises:
        InvalidArgumentError: It is not a JSON object.
    """
    if filter is None:
        return None
    try:
        found = json.loads(filter)
    except ValueError as error:
        found, why = None, str(error)
    else:
        why = "it is no object"
    if not isinstance(found, dict):
        raise InvalidArgumentError(
            f"--filter is not a JSON object: {why}.", hint='Write it as Chroma takes it: \'{"year": {"$gte": 2000}}\'.'
        )
    return found


def narrowing(store: Store, condition: LogicalQuery | None, filter: Filter) -> Filter:
    """Both in the store's own language.

    Raises:
        InvalidArgumentError: It cannot say the condition.
    """
    if condition is None:
        return filter
    said = store.narrowed(filter, condition) if isinstance(store, NarrowingStore) else None
    if said is None:
        raise InvalidArgumentError(
            f"The store's filter cannot say {condition}.",
            hint="Write the condition in the question's query: AND [...].",
        )
    _note_unknown_fields(store, condition)
    return said


def _note_unknown_fields(store: Store, condition: LogicalQuery) -> None:
    known = [name for name in discover_fields(store) if name != FINGERPRINT]
    for name in dict.fromkeys(one.field for one in condition.conditions()):
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            meant = f" Did you mean {close[0]!r}?" if close else ""
            there = f"Fields: {', '.join(known)}." if known else "They have no fields."
            notes().print(
                f"--where: no passage that was looked at has a field {name!r}.{meant} {there}", soft_wrap=True
            )
