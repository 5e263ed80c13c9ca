"""Benchmarks in memory, from folders in BEIR's layout; a question may bring a small corpus of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field, ValidationError

from logical_retriever.corpus import read_corpus
from logical_retriever.files import json_lines, text_lines, wrong
from logical_retriever.stores import StoredDocument

QRELS = ("qrels.tsv", "qrels/test.tsv")
"""Places of the relevance judgements, the first one first."""
QUERY = 'Each line is one object like {"_id": "q1", "text": "..."}, with an _id of its own.'


class _Query(BaseModel):
    """A line of ``queries.jsonl``; with ``labels``, it ranks the labelled documents alone."""

    id: str = Field(alias="_id")
    text: str | None = None
    type: str | None = None
    logical_query: str | None = None
    labels: dict[str, int] = {}


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
        documents: N documents; the text of each is title and text, joined by a space where there is a title.
        questions: The judged questions, in the order of the file.
        vectors: Shape (N, d), one vector a document; None where an encoder computes them.
        problems: The cases of each problem with the files, such as "relevance judgements for unknown documents (left
            out)".
    """

    name: str
    documents: tuple[StoredDocument, ...]
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
    ``violations.tsv`` (query-id, corpus-id). A query with ``labels`` (document id -> grade) has its own corpus of
    labelled documents, and may have a ``logical_query`` in place of its text.

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
    documents = tuple(
        StoredDocument(passage.id, f"{passage.title} {passage.text}".lstrip())
        for passage in read_corpus(root / "corpus.jsonl")
    )
    queries, ids = _queries(root / "queries.jsonl"), {document.id for document in documents}
    judgements = [(id, document, grade) for id, query in queries.items() for document, grade in query.labels.items()]
    qrels = next((path for path in (root / place for place in QRELS) if path.is_file()), None)
    judgements += [] if qrels is None else _judgements(qrels)
    if not judgements:
        raise wrong(
            root,
            None,
            f"has no relevance judgements ({' or '.join(QRELS)}).",
            "Write one row a judgement, separated by tabs: query-id, corpus-id, score.",
        )
    problems: dict[str, list[str]] = defaultdict(list)

    def known(what: str, judgements: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
        """Collect grades by query and document; those of unknown ones are problems."""
        grades: dict[str, dict[str, int]] = defaultdict(dict)
        for query, document, grade in judgements:
            if query in queries and document in ids:
                grades[query][document] = grade
            else:
                unknown = "documents" if query in queries else "queries"
                problems[f"{what} for unknown {unknown} (left out)"].append(f"{query} {document}")
        return grades

    relevance, violating = known("relevance judgements", judgements), root / "violations.tsv"
    rows = _rows(violating, "query-id", "corpus-id") if violating.is_file() else ()
    violations = known("violations", ((query, document, 1) for _, (query, document) in rows))
    path = Path(logical_forms or root / "logical_forms.tsv")
    rows = _rows(path, "query-id", "logical-query") if logical_forms or path.is_file() else ()
    recorded: dict[str, str] = {}
    for line, (id, form) in rows:
        if id in recorded:
            raise wrong(path, line, f"query {id!r} has a second logical form.", "Keep one row a query.")
        recorded[id] = form
    questions = tuple(
        JudgedQuestion(
            id,
            query.text or (query.logical_query or "").replace('"', ""),
            type=query.type or None,
            form=recorded.get(id, query.logical_query),
            relevance=relevance[id],
            violations=frozenset(violations.get(id, ())),
            candidates=tuple(relevance[id]) if query.labels else None,
            asked=bool(query.text),
        )
        for id, query in queries.items()
        if id in relevance
    )
    problems |= {
        "logical forms for unknown queries (left out)": [id for id in recorded if id not in queries],
        "queries without relevance judgements (left out)": [id for id in queries if id not in relevance],
        "queries without a relevant document (every method scores 0)": [
            one.id for one in questions if not one.relevant
        ],
        "documents judged both relevant and violating": [
            f"{one.id} {document}" for one in questions for document in sorted(one.relevant & one.violations)
        ],
    }
    return Dataset(
        name=root.resolve().name if name is None else name,
        documents=documents,
        questions=questions,
        vectors=None if vectors is None else _vectors(Path(vectors), len(documents)),
        problems={what: tuple(cases) for what, cases in problems.items() if cases},
    )


def load_sample() -> Dataset:
    """Load the packaged sample: 192 three-term logical queries, each with its own corpus of four to six documents."""
    folder = Path(__file__).parent / "sample" / "three_term"
    return load_dataset(folder, vectors=folder / "vectors.all-MiniLM-L6-v2.f16.npy")


def _queries(path: Path) -> dict[str, _Query]:
    """Read the queries by id."""
    queries: dict[str, _Query] = {}
    for line, record in json_lines(path, QUERY):
        try:
            query = _Query.model_validate(record)
        except ValidationError as error:
            first = error.errors()[0]
            raise wrong(path, line, f"the key {first['loc'][0]!r}: {first['msg']}.", QUERY) from error
        if not (query.text or query.logical_query or "").strip():
            raise wrong(path, line, "the question is empty.", QUERY)
        if queries.setdefault(query.id, query) is not query:
            raise wrong(path, line, f"the _id {query.id!r} occurs a second time.", QUERY)
    return queries


def _rows(path: Path, *columns: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of a tab-separated file; a header that repeats the column names is skipped."""
    for line, text in text_lines(path):
        cells = [cell.strip() for cell in text.split("\t")]
        if line == 1 and cells[0].lower().replace("_", "-") == columns[0]:
            continue
        if len(cells) != len(columns) or not all(cells):
            raise wrong(
                path,
                line,
                f"expected {len(columns)} cells ({', '.join(columns)}) separated by tabs, found {text[:60]!r}.",
                "Separate the cells with one tab each; spaces do not count.",
            )
        yield line, cells


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    for line, (query, document, grade) in _rows(path, "query-id", "corpus-id", "score"):
        if not grade.isdecimal():
            raise wrong(
                path,
                line,
                f"the score {grade!r} is not a whole number of at least 0.",
                "Grades are 0 (not relevant), 1, 2, ...",
            )
        yield query, document, int(grade)


def _vectors(path: Path, documents: int) -> npt.NDArray[np.float32]:
    """Read the vectors of N documents: shape (N, d), rows in the order of the corpus."""
    hint = "Write numpy.save(path, vectors): one row of numbers a line of corpus.jsonl, in its order."
    try:
        array = np.asarray(np.load(path, allow_pickle=False), dtype=np.float32)
    except (OSError, TypeError, ValueError) as error:
        raise wrong(path, None, f"is not a NumPy array file ({error}).", hint) from error
    if array.ndim != 2 or len(array) != documents or not np.isfinite(array).all():
        raise wrong(path, None, f"expected finite numbers of shape ({documents}, d), found {array.shape}.", hint)
    return array
