"""Folders in BEIR's layout, and folders in which every question has its own small corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from logical_retriever.evaluation import files
from logical_retriever.evaluation.dataset import Dataset, Document, Problems, Question
from logical_retriever.files import wrong

QRELS = ("qrels.tsv", "qrels/test.tsv")
"""Where relevance judgements are looked for, in this order."""
FORMS = "logical_forms.tsv"
"""Where recorded logical forms are looked for unless a file is named."""


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
    if not root.is_dir():
        raise wrong(root, None, "is not a folder.", "Give a folder with corpus.jsonl, queries.jsonl and qrels.tsv.")
    documents = load_documents(root / "corpus.jsonl")
    problems = Problems()
    asked = list(files.records(root / "queries.jsonl"))
    if not asked:
        raise wrong(root / "queries.jsonl", None, "has no queries.", 'Write {"_id": "q1", "text": "..."}.')
    qrels = next((root / place for place in QRELS if (root / place).is_file()), None)
    if qrels is None and not all("labels" in record for _, record in asked):
        hint = "Write one row a judgement, separated by tabs: query-id, corpus-id, score."
        raise wrong(root, None, f"has no relevance judgements ({' or '.join(QRELS)}).", hint)
    known = {"queries": {record["_id"] for _, record in asked}, "documents": {document.id for document in documents}}
    judged = None if qrels is None else _pairs(qrels, "relevance judgements", known, problems)
    violating = root / "violations.tsv"
    violations = _pairs(violating, "violations", known, problems) if violating.is_file() else {}
    made = (_question(root / "queries.jsonl", row, judged, violations, known, problems) for row in asked)
    questions = [question for question in made if question is not None]
    forms = Path(logical_forms) if logical_forms is not None else root / FORMS
    if logical_forms is not None or forms.is_file():
        questions = _with_forms(questions, known["queries"], forms, problems)
    return Dataset(
        name=root.resolve().name if name is None else name,
        documents=documents,
        questions=tuple(questions),
        vectors=None if vectors is None else files.vectors(Path(vectors), len(documents)),
        problems=problems.collected(),
    )


def load_documents(path: str | Path) -> tuple[Document, ...]:
    """Read the documents of a ``corpus.jsonl``.

    Raises:
        CorpusError: The file is missing, empty or malformed; the message has the line and what was expected.
    """
    path = Path(path)
    if not path.is_file():
        raise wrong(path, None, "is not there.", 'Write a line a document: {"_id": "d1", "title": "", "text": "..."}.')
    documents = []
    for line, record in files.records(path):
        title = files.text_of(record, "title", path, line, optional=True).strip()
        text = files.text_of(record, "text", path, line)
        documents.append(Document(record["_id"], f"{title} {text}" if title else text))
    if not documents:
        raise wrong(path, None, "has no documents.", 'Write {"_id": "d1", "text": "..."}.')
    return tuple(documents)


def load_sample() -> Dataset:
    """The packaged sample: 192 three-term logical queries, each with its own corpus of four to six documents."""
    folder = Path(str(package_files("logical_retriever.evaluation"))) / "sample" / "three_term"
    return load_dataset(folder, vectors=folder / "vectors.all-MiniLM-L6-v2.f16.npy")


def _pairs(path: Path, what: str, known: Mapping[str, set[str]], problems: Problems) -> dict[str, dict[str, int]]:
    """Documents with their grades by question, of a table with grades or, for violations, without."""
    columns = ("query-id", "corpus-id") if what == "violations" else ("query-id", "corpus-id", "score")
    found: dict[str, dict[str, int]] = {}
    for line, (query, document, *score) in files.rows(path, columns):
        grade = _grade(score[0], path, line) if score else 1
        unknown = next((kind for kind, id in zip(known, (query, document), strict=True) if id not in known[kind]), None)
        if unknown is None:
            found.setdefault(query, {})[document] = grade
        else:
            problems.add(f"{what} for unknown {unknown} (left out)", f"{query} {document}")
    return found


def _question(
    path: Path,
    row: tuple[int, dict[str, Any]],
    judged: Mapping[str, Mapping[str, int]] | None,
    violations: Mapping[str, Mapping[str, int]],
    known: Mapping[str, set[str]],
    problems: Problems,
) -> Question | None:
    """A question of a BEIR folder, or None where it is not judged; without a table of judgements, one with labels.

    One with labels has its own corpus; without a wording, its logical query minus the quotes is the wording.
    """
    line, record = row
    form = files.text_of(record, "logical_query", path, line) if judged is None else None
    asked = form is None or "text" in record
    text = files.text_of(record, "text", path, line) if asked else str(form).replace('"', "")
    if not text.strip():
        raise wrong(path, line, "the question is empty.", 'Write "text": "...".')
    kind = files.text_of(record, "type", path, line, optional=True)
    own = _labels(path, row, known["documents"], problems) if judged is None else judged.get(record["_id"])
    if own is None:
        problems.add("queries without relevance judgements (left out)", record["_id"])
        return None
    question = Question(
        id=record["_id"],
        text=text,
        type=kind if kind else None,
        form=form,
        relevance=own,
        violations=frozenset(violations.get(record["_id"], ())),
        candidates=tuple(own) if judged is None else None,
        asked=asked,
    )
    if not question.relevant:
        problems.add("queries without a relevant document (every method scores 0)", question.id)
    for document in sorted(question.relevant & question.violations):
        problems.add("documents judged both relevant and violating", f"{question.id} {document}")
    return question


def _labels(path: Path, row: tuple[int, dict[str, Any]], known: set[str], problems: Problems) -> dict[str, int]:
    line, record = row
    labels = record["labels"]
    if not isinstance(labels, Mapping) or not all(isinstance(grade, int) for grade in labels.values()):
        problem = "'labels' is not an object of document ids with whole-number grades."
        raise wrong(path, line, problem, 'Write "labels": {"d1": 1, "d2": 0}.')
    for document in sorted(labels.keys() - known):
        problems.add("labels for unknown documents (left out)", f"{record['_id']} {document}")
    return {document: grade for document, grade in labels.items() if document in known}


def _with_forms(questions: list[Question], asked: set[str], path: Path, problems: Problems) -> list[Question]:
    forms: dict[str, str] = {}
    for line, (query, form) in files.rows(path, ("query-id", "logical-query")):
        if query in forms:
            raise wrong(path, line, f"query {query!r} has a second logical form.", "Keep one row a query.")
        if query not in asked:
            problems.add("logical forms for unknown queries (left out)", query)
        forms[query] = form
    return [replace(question, form=forms.get(question.id, question.form)) for question in questions]


def _grade(score: str, path: Path, line: int) -> int:
    try:
        grade = int(score)
    except ValueError as error:
        raise wrong(
            path, line, f"the score {score!r} is not a whole number.", "Grades are 0 (not relevant), 1, 2, ..."
        ) from error
    if grade < 0:
        raise wrong(path, line, f"the score {grade} is negative.", "Grades are 0 or more.")
    return grade
