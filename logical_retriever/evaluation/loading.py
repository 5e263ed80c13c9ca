"""Benchmarks in memory, from folders in BEIR's layout and from those in which every question has its own corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.files import json_kind, json_lines, text_lines, wrong

QRELS = ("qrels.tsv", "qrels/test.tsv")
"""Places of the relevance judgements, the first one first."""
FORMS = "logical_forms.tsv"
"""Place of the recorded logical forms unless a file is named."""
LINE = 'Each line is one object like {"_id": "d1", "title": "", "text": "..."}.'
TEXTS = ("title", "text", "type", "logical_query")
"""Keys that may be missing, and have texts as values."""


@dataclass(frozen=True)
class Document:
    """A document of the corpus.

    Attributes:
        id: Identity within the corpus.
        text: The text to encode and index: title and text, joined by a space where there is a title.
    """

    id: str
    text: str


@dataclass(frozen=True)
class JudgedQuestion:
    """A question with its judgements.

    Attributes:
        id: Identity within the benchmark.
        text: The question as a user asks it.
        type: Query type as the benchmark names it, or None.
        form: Text of its logical form; None where the question itself is the only term.
        relevance: Grade by document id, 0 or more; more than 0 is relevant.
        violations: Documents about what the question excludes.
        candidates: Documents of the question's own small corpus, or None for the whole corpus.
        asked: Whether somebody asked this question; False where the text is the wording of the form.
    """

    id: str
    text: str
    type: str | None = None
    form: str | None = None
    relevance: Mapping[str, int] = field(default_factory=dict)
    violations: frozenset[str] = frozenset()
    candidates: tuple[str, ...] | None = None
    asked: bool = True

    @property
    def relevant(self) -> frozenset[str]:
        """Documents with a grade above 0."""
        return frozenset(document for document, grade in self.relevance.items() if grade > 0)


@dataclass(frozen=True)
class Dataset:
    """A benchmark.

    Attributes:
        name: Its name in tables.
        documents: N documents.
        questions: The judged questions, in the order of the file.
        vectors: Shape (N, d), one vector a document; None where an encoder computes them.
        problems: The cases of each problem with the files, such as "relevance judgements for unknown documents (left
            out)".
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[JudgedQuestion, ...]
    vectors: npt.NDArray[np.float32] | None = None
    problems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def load_dataset(
    folder: str | Path,
    *,
    logical_forms: str | Path | None = None,
    vectors: str | Path | None = None,
    name: str | None = None,
) -> Dataset:
    """Read a benchmark folder.

    The folder has ``corpus.jsonl`` (``_id``, optional ``title``, ``text``), ``queries.jsonl`` (``_id``, ``text``,
    optional ``type``), ``qrels.tsv`` or ``qrels/test.tsv`` (query-id, corpus-id, score) and, optionally,
    ``violations.tsv`` (query-id, corpus-id). A folder without judgements whose queries carry ``labels`` (document
    id -> 0 or 1) and ``logical_query`` gives every question its own corpus of labelled documents.

    Args:
        folder: The folder.
        logical_forms: Tab-separated file (query-id, logical-query); the folder's ``logical_forms.tsv``, if it has
            one, by default.
        vectors: ``.npy`` file with one vector a document, in the order of ``corpus.jsonl``, or None.
        name: Its name in tables; by default the folder's name.

    Returns:
        The benchmark. Questions without judgements, judgements for unknown documents and the like are in ``problems``.

    Raises:
        CorpusError: A file is missing or malformed; the message has the file, the line and what was expected.
    """
    root = Path(folder)
    if not root.is_dir():
        raise wrong(root, None, "is not a folder.", "Give a folder with corpus.jsonl, queries.jsonl and qrels.tsv.")
    documents = tuple(
        Document(record["_id"], f"{record.get('title', '').strip()} {record['text']}".lstrip())
        for _, record in _records(root / "corpus.jsonl")
    )
    if not documents:
        raise wrong(root / "corpus.jsonl", None, "has no documents.", LINE)
    path = root / "queries.jsonl"
    records = list(_records(path))
    if not records:
        raise wrong(path, None, "has no queries.", 'Write {"_id": "q1", "text": "..."}.')
    qrels = next((root / place for place in QRELS if (root / place).is_file()), None)
    if qrels is None and not all("labels" in record for _, record in records):
        hint = "Write one row a judgement, separated by tabs: query-id, corpus-id, score."
        raise wrong(root, None, f"has no relevance judgements ({' or '.join(QRELS)}).", hint)
    ids = {"queries": {record["_id"] for _, record in records}, "documents": {document.id for document in documents}}
    problems: dict[str, list[str]] = defaultdict(list)

    def fitting(what: str, pairs: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
        """Collect grades by query and document; those of unknown ones are problems."""
        grades: dict[str, dict[str, int]] = {}
        for query, document, grade in pairs:
            unknown = "queries" if query not in ids["queries"] else "documents"
            if query in ids["queries"] and document in ids["documents"]:
                grades.setdefault(query, {})[document] = grade
            else:
                problems[f"{what} for unknown {unknown} (left out)"].append(f"{query} {document}")
        return grades

    if qrels is None:
        relevance = fitting("labels", _labels(path, records))
    else:
        relevance = fitting("relevance judgements", _judgements(qrels))
    violating, forms = root / "violations.tsv", Path(logical_forms or root / FORMS)
    rows = _rows(violating, "query-id", "corpus-id") if violating.is_file() else ()
    violations = fitting("violations", ((query, document, 1) for _, (query, document) in rows))
    recorded = _forms(forms) if logical_forms is not None or forms.is_file() else {}
    problems["logical forms for unknown queries (left out)"] += [id for id in recorded if id not in ids["queries"]]
    questions = []
    for line, record in records:
        id, form = record["_id"], record.get("logical_query") if qrels is None else None
        text = record["text"] if "text" in record or form is None else form.replace('"', "")
        if not text.strip():
            raise wrong(path, line, "the question is empty.", 'Write "text": "...".')
        if id not in relevance:
            problems["queries without relevance judgements (left out)"].append(id)
            continue
        question = JudgedQuestion(
            id,
            text,
            type=record.get("type") or None,
            form=recorded.get(id, form),
            relevance=relevance[id],
            violations=frozenset(violations.get(id, ())),
            candidates=tuple(relevance[id]) if qrels is None else None,
            asked="text" in record,
        )
        if not question.relevant:
            problems["queries without a relevant document (every method scores 0)"].append(id)
        both = sorted(question.relevant & question.violations)
        problems["documents judged both relevant and violating"] += [f"{id} {document}" for document in both]
        questions.append(question)
    return Dataset(
        name=root.resolve().name if name is None else name,
        documents=documents,
        questions=tuple(questions),
        vectors=None if vectors is None else _vectors(Path(vectors), len(documents)),
        problems={what: tuple(cases) for what, cases in problems.items() if cases},
    )


def load_sample() -> Dataset:
    """Load the packaged sample: 192 three-term logical queries, each with its own corpus of four to six documents."""
    folder = Path(str(package_files("logical_retriever.evaluation"))) / "sample" / "three_term"
    return load_dataset(folder, vectors=folder / "vectors.all-MiniLM-L6-v2.f16.npy")


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of a JSON Lines file, each with a text and an ``_id`` of its own."""
    lines: dict[str, int] = {}
    for line, record in json_lines(path, LINE):
        wording = ("text",) if "logical_query" not in record else ()
        for key in ("_id", *wording, *(key for key in TEXTS if key in record)):
            if not isinstance(record.get(key), str):
                problem = f"the key {key!r} holds {json_kind(record[key]) if key in record else 'nothing'}, not text."
                raise wrong(path, line, problem, LINE)
        first = lines.setdefault(record["_id"], line)
        if first != line:
            problem = f"the _id {record['_id']!r} occurs a second time (first in line {first})."
            raise wrong(path, line, problem, "Give every line an _id of its own.")
        yield line, record


def _rows(path: Path, *columns: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of a tab-separated file; a header that repeats the column names is skipped."""
    for line, text in text_lines(path):
        cells = [cell.strip() for cell in text.split("\t")]
        if line == 1 and cells[0].lower().replace("_", "-") == columns[0]:
            continue
        if len(cells) != len(columns) or not all(cells):
            expected = f"expected {len(columns)} cells ({', '.join(columns)}) separated by tabs, found {text[:60]!r}."
            raise wrong(path, line, expected, "Separate the cells with one tab each; spaces do not count.")
        yield line, cells


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    for line, (query, document, grade) in _rows(path, "query-id", "corpus-id", "score"):
        if not grade.isdecimal():
            hint = "Grades are 0 (not relevant), 1, 2, ..."
            raise wrong(path, line, f"the score {grade!r} is not a whole number of at least 0.", hint)
        yield query, document, int(grade)


def _labels(path: Path, records: Sequence[tuple[int, Mapping[str, Any]]]) -> Iterator[tuple[str, str, int]]:
    for line, record in records:
        labels = record["labels"]
        if not isinstance(labels, Mapping) or not all(isinstance(grade, int) for grade in labels.values()):
            problem = "'labels' is not an object of document ids with whole-number grades."
            raise wrong(path, line, problem, 'Write "labels": {"d1": 1, "d2": 0}.')
        yield from ((record["_id"], document, grade) for document, grade in labels.items())


def _forms(path: Path) -> dict[str, str]:
    forms: dict[str, str] = {}
    for line, (query, form) in _rows(path, "query-id", "logical-query"):
        if query in forms:
            raise wrong(path, line, f"query {query!r} has a second logical form.", "Keep one row a query.")
        forms[query] = form
    return forms


def _vectors(path: Path, documents: int) -> npt.NDArray[np.float32]:
    """Read the vectors of N documents: shape (N, d), rows in the order of the corpus."""
    hint = "Write numpy.save(path, vectors): one row of numbers a line of corpus.jsonl, in its order."
    try:
        array = np.asarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError) as error:
        raise wrong(path, None, f"is not a NumPy array file ({error}).", hint) from error
    floats = np.issubdtype(array.dtype, np.floating)
    if array.ndim != 2 or len(array) != documents or not (floats and np.isfinite(array).all()):
        found = f"expected finite numbers of shape ({documents}, d), found shape {array.shape} of {array.dtype}."
        raise wrong(path, None, found, hint)
    return np.asarray(array, dtype=np.float32)
