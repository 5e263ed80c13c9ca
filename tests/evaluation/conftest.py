from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import logical_retriever.lab.methods  # noqa: F401  makes the papers' methods known by name

CORPUS = [
    {"_id": "d1", "title": "Vitamin D", "text": "vitamin d and immune health"},
    {"_id": "d2", "title": "", "text": "vitamin d and bone health"},
    {"_id": "d3", "title": "", "text": "the history of green tea"},
    {"_id": "d4", "title": "", "text": "bone fractures in old age"},
]
QUERIES = [
    {"_id": "q1", "text": "vitamin d, excluding bone health", "type": "2in_1"},
    {"_id": "q2", "text": "history of tea", "type": "1p"},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\n"
VIOLATIONS = "query-id\tcorpus-id\nq1\td2\n"
FORMS = 'query-id\tlogical-query\nq1\t"vitamin d" AND NOT "bone health"\n'

Write = Callable[..., Path]


def json_lines(records: list[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a benchmark folder; keyword arguments replace files (underscores stand for dots), None leaves one out."""

    def writer(**changes: str | None) -> Path:
        content: dict[str, str | None] = {
            "corpus_jsonl": json_lines(CORPUS),
            "queries_jsonl": json_lines(QUERIES),
            "qrels_tsv": QRELS,
            "violations_tsv": VIOLATIONS,
            "forms_tsv": FORMS,
        } | changes
        folder = tmp_path / "tiny"
        for name, text in content.items():
            if text is not None:
                path = folder / ".".join(name.rsplit("_", 1))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        return folder

    return writer
