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
    documents = _documents(root / "corpus.jsonl")
    known = frozenset(document.id for document in documents)
    problems = Problems()
    asked = list(files.records(root / "queries.jsonl"))
    if not asked:
        raise wrong(root / "queries.jsonl", None, "has no queries.", 'Write {"_id": "q1", "text": "..."}.')
    qrels = next((root / place for place in QRELS if (root / place).is_file()), None)
    if qrels is not None:
        questions = _judged(root, qrels, asked, known, problems)
    elif all("labels" in record for _, record in asked):
        violations = _violations(root, {record["_id"] for _, record in asked}, known, problems)
        questions = [
            _labelled(root / "queries.jsonl", line, record, known, violations, problems) for line, record in asked
        ]
    else:
        hint = "Write one row a judgement, separated by tabs: query-id, corpus-id, score."
        raise wrong(root, None, f"has no relevance judgements ({' or '.join(QRELS)}).", hint)
    forms = Path(logical_forms) if logical_forms is not None else root / FORMS
    if logical_forms is not None or forms.is_file():
        questions = _with_forms(questions, {str(r["_id"]) for _, r in asked}, forms, problems)
    return Dataset(
        name=root.resolve().name if name is None else name,
        documents=documents,
        questions=tuple(questions),
        vectors=None if vectors is None else files.vectors(Path(vectors), len(documents)),
        problems=problems.collected(),
    )


def load_sample() -> Dataset:
    """The packaged sample: 192 three-term logical queries, each with its own corpus of four to six documents."""
    folder = Path(str(package_files("logical_retriever.evaluation"))) / "sample" / "three_term"
    return load_dataset(folder, vectors=folder / "vectors.all-MiniLM-L6-v2.f16.npy")


def _documents(path: Path) -> tuple[Document, ...]:
    documents = []
    for line, record in files.records(path):
        title = files.text_of(record, "title", path, line, optional=True).strip()
        text = files.text_of(record, "text", path, line)
        documents.append(Document(record["_id"], f"{title} {text}" if title else text))
    if not documents:
        raise wrong(path, None, "has no documents.", 'Write {"_id": "d1", "text": "..."}.')
    return tuple(documents)


def _judged(
    root: Path, qrels: Path, asked: list[tuple[int, dict[str, Any]]], known: frozenset[str], problems: Problems
) -> list[Question]:
    """Questions of a BEIR folder; those without judgements are counted and left out."""
    ids = {record["_id"] for _, record in asked}
    relevance: dict[str, dict[str, int]] = {}
    for line, (query, document, score) in files.rows(qrels, ("query-id", "corpus-id", "score")):
        grade = _grade(score, qrels, line)
        if _fits(query, document, ids, known, "relevance judgements", problems):
            relevance.setdefault(query, {})[document] = grade
    violations = _violations(root, ids, known, problems)
    questions = []
    for line, record in asked:
        identity, text = record["_id"], _question_text(record, root / "queries.jsonl", line)
        if identity not in relevance:
            problems.add("queries without relevance judgements (left out)", identity)
            continue
        question = Question(
            id=identity,
            text=text,
            type=files.text_of(record, "type", root / "queries.jsonl", line, optional=True) or None,
            relevance=relevance[identity],
            violations=frozenset(violations.get(identity, ())),
        )
        _count_contradictions(question, problems)
        questions.append(question)
    return questions


def _violations(root: Path, ids: set[str], known: frozenset[str], problems: Problems) -> dict[str, set[str]]:
    """Documents about what a question excludes, by question; none without the file."""
    violations: dict[str, set[str]] = {}
    if (root / "violations.tsv").is_file():
        for _, (query, document) in files.rows(root / "violations.tsv", ("query-id", "corpus-id")):
            if _fits(query, document, ids, known, "violations", problems):
                violations.setdefault(query, set()).add(document)
    return violations


def _labelled(
    path: Path,
    line: int,
    record: dict[str, Any],
    known: frozenset[str],
    violations: Mapping[str, set[str]],
    problems: Problems,
) -> Question:
    """A question with its own corpus; without a wording, its logical query minus the quotes is the wording."""
    form = files.text_of(record, "logical_query", path, line)
    labels = record["labels"]
    if not isinstance(labels, Mapping) or not all(isinstance(grade, int) for grade in labels.values()):
        problem = "'labels' is not an object of document ids with whole-number grades."
        raise wrong(path, line, problem, 'Write "labels": {"d1": 1, "d2": 0}.')
    own = [document for document in labels if document in known]
    for document in labels:
        if document not in known:
            problems.add("labels for unknown documents (left out)", f"{record['_id']} {document}")
    question = Question(
        id=record["_id"],
        text=_question_text(record, path, line) if "text" in record else form.replace('"', ""),
        type=files.text_of(record, "type", path, line, optional=True) or None,
        form=form,
        relevance={document: labels[document] for document in own},
        violations=frozenset(violations.get(record["_id"], ())),
        asked="text" in record,
        candidates=tuple(own),
    )
    _count_contradictions(question, problems)
    return question


def _with_forms(questions: list[Question], asked: set[str], path: Path, problems: Problems) -> list[Question]:
    forms: dict[str, str] = {}
    for line, (query, form) in files.rows(path, ("query-id", "logical-query")):
        if query in forms:
            raise wrong(path, line, f"query {query!r} has a second logical form.", "Keep one row a query.")
        if query not in asked:
            problems.add("logical forms for unknown queries (left out)", query)
        forms[query] = form
    return [replace(question, form=forms.get(question.id, question.form)) for question in questions]


def _question_text(record: dict[str, Any], path: Path, line: int) -> str:
    text = files.text_of(record, "text", path, line)
    if not text.strip():
        raise wrong(path, line, "the question is empty.", 'Write "text": "...".')
    return text


def _fits(query: str, document: str, ids: set[str], known: frozenset[str], what: str, problems: Problems) -> bool:
    unknown = "queries" if query not in ids else "documents" if document not in known else None
    if unknown is not None:
        problems.add(f"{what} for unknown {unknown} (left out)", f"{query} {document}")
    return unknown is None


def _count_contradictions(question: Question, problems: Problems) -> None:
    if not question.relevant:
        problems.add("queries without a relevant document (every method scores 0)", question.id)
    for document in sorted(question.relevant & question.violations):
        problems.add("documents judged both relevant and violating", f"{question.id} {document}")


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
