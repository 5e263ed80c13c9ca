"""Questions of the benchmark sets, and the logical queries that models have made of them."""

import json

from logical_retriever.query import parse


def read_questions(path):
    """Texts by id, of a file with a JSON object a line."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["_id"]: row["text"] for row in rows}


def read_forms(path):
    """Text of the query by id, of a tab-separated file with a header."""
    _, *rows = path.read_text(encoding="utf-8").splitlines()
    return dict(row.split("\t") for row in rows)


def read_queries(path):
    """The same as queries."""
    return {id: parse(form) for id, form in read_forms(path).items()}
