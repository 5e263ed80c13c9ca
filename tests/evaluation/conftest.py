import json

import pytest

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
FILES = {
    "corpus_jsonl": "".join(f"{json.dumps(document)}\n" for document in CORPUS),
    "queries_jsonl": "".join(f"{json.dumps(query)}\n" for query in QUERIES),
    "qrels_tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\n",
    "violations_tsv": "query-id\tcorpus-id\nq1\td2\n",
    "forms_tsv": 'query-id\tlogical-query\nq1\t"vitamin d" AND NOT "bone health"\n',
}


@pytest.fixture
def write(tmp_path):
    """Write a benchmark folder; keyword arguments replace files (underscores stand for dots), None leaves one out."""

    def writer(**changes):
        folder = tmp_path / "tiny"
        folder.mkdir(exist_ok=True)
        for name, text in (FILES | changes).items():
            if text is not None:
                (folder / ".".join(name.rsplit("_", 1))).write_text(text, encoding="utf-8")
        return folder

    return writer
