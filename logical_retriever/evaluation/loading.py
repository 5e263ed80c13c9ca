"""A benchmark in memory, from folders in BEIR's layout and from those in which every question has its own corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.files import json_lines, text_lines, wrong

QRELS = ("qrels.tsv", "qrels/test.tsv")
"""Where relevance judgements are looked for, in this order."""
FORMS = "logical_forms.tsv"
"""Where recorded logical forms are looked for unless a file is named."""
EXAMPLES = 5
"""Cases of a problem that are named."""

_Problems = dict[str, list[str]]
_Row = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Document:
    """A document of the corpus.

    Attributes:
        id: Identity within the corpus.
        text: What is encoded and indexed: title and text, joined by a space where there is a title.
    """

    id: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question with its judgements.

    Attributes:
        id: Identity within the benchmark.
        text: The question as a user asks it.
        type: Query type as the benchmark names it, or None.
        form: Text of its logical form, or None: then the question itself is the only term.
        relevance: Grade by document id, 0 or more; more than 0 is relevant.
        violations: Documents about what the question excludes.
        candidates: Documents of the question's own small corpus, or None for the whole corpus.
        asked: Whether the text is a question somebody asked; False where it is the wording of the form.
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
class Problem:
    """Something in the files that does not fit together; counted and shown, the rest is used.

    Attributes:
        what: In words, for example "relevance judgements for unknown documents".
        count: How many.
        examples: The first few, as they stand in the file.
    """

    what: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.count} {self.what}: {', '.join(self.examples)}{more}"


@dataclass(frozen=True)
class Dataset:
    """A benchmark.

    Attributes:
        name: How it is called in tables.
        documents: N documents.
        questions: The judged questions, in the order of the file.
        vectors: Shape (N, d), one vector a document, or None: an encoder computes them.
        problems: What did not fit together in the files.
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    vectors: npt.NDArray[np.float32] | None = None
    problems: tuple[Problem, ...] = ()


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
        name: How the benchmark is called in tables; by default the folder's name.

    Returns:
        The benchmark. What does not fit together (questions without judgements, judgements for unknown documents)
        is counted in ``problems``.

    Raises:
        CorpusError: A file is missing or malformed; the message has the file, the line and what was expected.
    """
    root = Path(folder)
    _expect(root.is_dir(), root, "is not a folder.", "Give a folder with corpus.jsonl, queries.jsonl and qrels.tsv.")
    documents = load_documents(root / "corpus.jsonl")
    asked = list(_records(root / "queries.jsonl"))
    _expect(bool(asked), root / "queries.jsonl", "has no queries.", 'Write {"_id": "q1", "text": "..."}.')
    qrels = next((root / place for place in QRELS if (root / place).is_file()), None)
    labelled = all("labels" in record for _, record in asked)
    _expect(
        labelled or qrels is not None,
        root,
        f"has no relevance judgements ({' or '.join(QRELS)}).",
        "Write one row a judgement, separated by tabs: query-id, corpus-id, score.",
    )
    known = {"queries": {record["_id"] for _, record in asked}, "documents": {document.id for document in documents}}
    problems: _Problems = {}
    judged = None if qrels is None else _pairs(qrels, "relevance judgements", known, problems)
    violating, own = root / "violations.tsv", root / FORMS
    violations = _pairs(violating, "violations", known, problems) if violating.is_file() else {}
    read = [_question(root / "queries.jsonl", row, judged, violations, known, problems) for row in asked]
    recorded = logical_forms if logical_forms is not None else own if own.is_file() else None
    forms = {} if recorded is None else _forms(Path(recorded), known["queries"], problems)
    return Dataset(
        name=root.resolve().name if name is None else name,
        documents=documents,
        questions=tuple(replace(one, form=forms.get(one.id, one.form)) for one in read if one is not None),
        vectors=None if vectors is None else _vectors(Path(vectors), len(documents)),
        problems=tuple(Problem(what, len(all_), tuple(all_[:EXAMPLES])) for what, all_ in problems.items()),
    )


def load_documents(path: Path) -> tuple[Document, ...]:
    """Read the documents of a ``corpus.jsonl``.

    Raises:
        CorpusError: The file is missing, empty or malformed; the message has the line and what was expected.
    """
    form = 'Write a line a document: {"_id": "d1", "title": "", "text": "..."}.'
    _expect(path.is_file(), path, "is not there.", form)
    documents = []
    for line, record in _records(path):
        title, text = _text(record, "title", path, line, optional=True).strip(), _text(record, "text", path, line)
        documents.append(Document(record["_id"], f"{title} {text}" if title else text))
    _expect(bool(documents), path, "has no documents.", form)
    return tuple(documents)


def load_sample() -> Dataset:
    """The packaged sample: 192 three-term logical queries, each with its own corpus of four to six documents."""
    folder = Path(str(package_files("logical_retriever.evaluation"))) / "sample" / "three_term"
    return load_dataset(folder, vectors=folder / "vectors.all-MiniLM-L6-v2.f16.npy")


def rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a tab-separated file; a first row that repeats the column names is a header and left out.

    Raises:
        CorpusError: A row has another number of cells than there are columns, or an empty one.
    """
    for number, line in text_lines(path):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and cells[0].lower().replace("_", "-") == columns[0]:
            continue
        _expect(
            len(cells) == len(columns) and all(cells),
            path,
            f"expected {len(columns)} cells ({', '.join(columns)}) separated by tabs, found {line[:60]!r}.",
            "Separate the cells with one tab each; spaces do not count.",
            number,
        )
        yield number, cells


def _expect(holds: bool, path: Path, problem: str, hint: str, line: int | None = None) -> None:
    if not holds:
        raise wrong(path, line, problem, hint)


def _vectors(path: Path, documents: int) -> npt.NDArray[np.float32]:
    """The vectors of N documents: shape (N, d), rows in the order of the corpus."""
    form = "Write numpy.save(path, vectors): one row a line of corpus.jsonl, in its order, one column a dimension."
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise wrong(path, None, f"is not a NumPy array file ({error}).", form) from error
    plain = isinstance(array, np.ndarray)
    shape = f"shape {array.shape} of {array.dtype}" if plain else "several arrays"
    fits = plain and array.ndim == 2 and np.issubdtype(array.dtype, np.floating)
    _expect(fits, path, f"expected a two-dimensional array of floating-point numbers, found {shape}.", form)
    again = f"Encode them again. {form}"
    _expect(len(array) == documents, path, f"has {len(array)} rows for {documents} documents.", again)
    matrix: npt.NDArray[np.float32] = array.astype(np.float32)
    broken = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(broken):
        problem = f"row {broken[0]} holds NaN or infinite values ({len(broken)} such rows)."
        raise wrong(path, None, problem, "Encode those documents again; row 0 is the first line of corpus.jsonl.")
    return matrix


def _records(path: Path) -> Iterator[_Row]:
    """Objects of a JSON Lines file with their line numbers, each with an ``_id`` of its own."""
    form = 'Each line is one object with a string "_id", for example {"_id": "d1", "title": "", "text": "..."}.'
    seen: dict[str, int] = {}
    for number, record in json_lines(path, form):
        id = record.get("_id")
        _expect(isinstance(id, str) and id != "", path, "no text under the key '_id'.", form, number)
        first = seen.setdefault(str(id), number)
        twice = f"the _id {id!r} occurs a second time (first in line {first})."
        _expect(first == number, path, twice, "Give every line an _id of its own.", number)
        yield number, record


def _text(record: Mapping[str, Any], key: str, path: Path, line: int, *, optional: bool = False) -> str:
    """The string under a key; where it is optional, a missing key is the empty string."""
    value = record.get(key, "" if optional else None)
    _expect(
        isinstance(value, str),
        path,
        f"the key {key!r} holds {type(value).__name__} instead of text.",
        f'Write "{key}": "..." in every line.',
        line,
    )
    return str(value)


def _pairs(path: Path, what: str, known: Mapping[str, set[str]], problems: _Problems) -> dict[str, dict[str, int]]:
    """Documents with their grades by question, of a table with grades or, for violations, without."""
    columns = ("query-id", "corpus-id") if what == "violations" else ("query-id", "corpus-id", "score")
    pairs: dict[str, dict[str, int]] = {}
    for line, (query, document, *score) in rows(path, columns):
        grade = score[0] if score else "1"
        whole, hint = grade.lstrip("+-").isdecimal(), "Grades are 0 (not relevant), 1, 2, ..."
        _expect(whole, path, f"the score {grade!r} is not a whole number.", hint, line)
        _expect(int(grade) >= 0, path, f"the score {grade} is negative.", hint, line)
        unknown = next((kind for kind, id in zip(known, (query, document), strict=True) if id not in known[kind]), None)
        if unknown is None:
            pairs.setdefault(query, {})[document] = int(grade)
        else:
            problems.setdefault(f"{what} for unknown {unknown} (left out)", []).append(f"{query} {document}")
    return pairs


def _question(
    path: Path,
    row: _Row,
    judged: Mapping[str, Mapping[str, int]] | None,
    violations: Mapping[str, Mapping[str, int]],
    known: Mapping[str, set[str]],
    problems: _Problems,
) -> Question | None:
    """A question of a BEIR folder, or None where it is not judged; without a table of judgements, one with labels.

    One with labels has its own corpus; without a wording, its logical query minus the quotes is the wording.
    """
    line, record = row
    id, form = record["_id"], _text(record, "logical_query", path, line) if judged is None else None
    asked = form is None or "text" in record
    text = _text(record, "text", path, line) if asked else str(form).replace('"', "")
    _expect(bool(text.strip()), path, "the question is empty.", 'Write "text": "...".', line)
    kind = _text(record, "type", path, line, optional=True) or None
    own = _labels(path, row, known["documents"], problems) if judged is None else judged.get(id)
    if own is None:
        problems.setdefault("queries without relevance judgements (left out)", []).append(id)
        return None
    unwanted = frozenset(violations.get(id, ()))
    question = Question(id, text, kind, form, own, unwanted, tuple(own) if judged is None else None, asked)
    if not question.relevant:
        problems.setdefault("queries without a relevant document (every method scores 0)", []).append(id)
    for document in sorted(question.relevant & unwanted):
        problems.setdefault("documents judged both relevant and violating", []).append(f"{id} {document}")
    return question


def _labels(path: Path, row: _Row, known: set[str], problems: _Problems) -> dict[str, int]:
    line, record = row
    labels = record["labels"]
    fits = isinstance(labels, Mapping) and all(isinstance(grade, int) for grade in labels.values())
    problem = "'labels' is not an object of document ids with whole-number grades."
    _expect(fits, path, problem, 'Write "labels": {"d1": 1, "d2": 0}.', line)
    for document in sorted(labels.keys() - known):
        problems.setdefault("labels for unknown documents (left out)", []).append(f"{record['_id']} {document}")
    return {document: grade for document, grade in labels.items() if document in known}


def _forms(path: Path, known: set[str], problems: _Problems) -> dict[str, str]:
    forms: dict[str, str] = {}
    for line, (query, form) in rows(path, ("query-id", "logical-query")):
        _expect(query not in forms, path, f"query {query!r} has a second logical form.", "Keep one row a query.", line)
        forms[query] = form
        if query not in known:
            problems.setdefault("logical forms for unknown queries (left out)", []).append(query)
    return forms
