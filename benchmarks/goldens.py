"""Record the answers of one version, and compare them with another's: ids, scores, what was left out; k = 10.

    python benchmarks/goldens.py dump before.json [--over memory,explain,chroma,pgvector] [--questions 80]
    python benchmarks/goldens.py compare before.json after.json

The default semantics answers the demo, three_term and the sets below LOGICAL_RETRIEVER_DATA. The logical forms are gold
or recorded, so no reader takes part. "memory" scores every document and asks every question; "explain" keeps the
printed explanations of ``ask``; "chroma" and "pgvector" go through LangChain's stores, with at most ``--questions`` of
each set. Vectors of texts stay in ``texts.npz`` beside the dump, so the second version encodes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from vector_stores import GivenEmbeddings, identity, opened

from logical_retriever import (
    InMemoryStore,
    LogicalRetriever,
    ReadQuestion,
    SentenceTransformerEmbedder,
    StoredDocument,
    parse,
)
from logical_retriever.demo import load_passages, load_questions

K = 10
SETS = {
    "ask": "gold",
    "excluir": "prompt_c",
    "negconstraint": "prompt_c",
    "boolquestions_not": "prompt_c",
    "comlq": "prompt_a",
    "quest": "prompt_c",
    "limit": "gold",
    "lack": "gold",
}
VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"
SETTLE = 6.0
"""Seconds in which an index of words is made in the background."""


def data_folder() -> Path:
    """Return the folder of the benchmark sets."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("LOGICAL_RETRIEVER_DATA", beside))


class TextVectors:
    """An encoder whose vectors are kept in a file by :meth:`save`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.vectors: dict[str, Any] = {}
        self.encoder = SentenceTransformerEmbedder()
        if path.exists():
            stored = np.load(path)
            self.vectors = dict(zip(stored["texts"].tolist(), stored["vectors"], strict=True))

    def embed_queries(self, texts: Any) -> Any:
        """Return vectors, shape (T, d)."""
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        if new:
            self.vectors.update(zip(new, np.asarray(self.encoder.embed_queries(new)), strict=True))
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries

    def save(self) -> None:
        """Write the vectors to the file."""
        np.savez(self.path, texts=np.array(list(self.vectors)), vectors=np.array(list(self.vectors.values())))


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def spread(items: list[Any], most: int | None) -> list[Any]:
    """Return at most ``most`` items, evenly spaced; None for all."""
    return items if most is None else items[:: max(1, -(-len(items) // most))]


def questions(folder: Path, form: str, most: int | None = None) -> dict[str, ReadQuestion]:
    """Return the questions of a set that have a form, as the form reads them."""
    lines = (folder / f"logical_forms.{form}.tsv").read_text(encoding="utf-8").split("\n")[1:]
    forms = dict(line.split("\t", 1) for line in lines if line)
    chosen = spread([row for row in rows_of(folder / "queries.jsonl") if row["_id"] in forms], most)
    return {row["_id"]: ReadQuestion(row["text"], parse(forms[row["_id"]]), "recorded") for row in chosen}


def corpus(folder: Path) -> tuple[list[dict[str, Any]], list[str], Any]:
    """Return the documents of a set, their texts and vectors."""
    rows = rows_of(folder / "corpus.jsonl")
    texts = [f"{row['title']}. {row['text']}" if row.get("title") else row["text"] for row in rows]
    return rows, texts, np.load(folder / VECTORS).astype(np.float32)


def answer(result: Any, ids: dict[str, str] | None = None) -> Any:
    """Return ids and scores of an answer, and the ids left out; ``ids`` maps ids of the store to those of the set."""

    def name(id: Any) -> str:
        return str(id) if ids is None else ids[str(id)]

    return [[[name(one.id), one.score] for one in result.documents], sorted(name(one.id) for one in result.left_out)]


def explanations(embedder: TextVectors) -> dict[str, Any]:
    """Return the lines of the explanations of ``ask`` in place of documents."""
    folder = data_folder() / "ask"
    rows, texts, vectors = corpus(folder)
    store = InMemoryStore([StoredDocument(r["_id"], t) for r, t in zip(rows, texts, strict=True)], vectors)
    retriever = LogicalRetriever(store, embedder, k=4)
    return {
        f"ask {id}": [[[line, 0.0] for line in str(retriever.explain(one)).splitlines()], []]
        for id, one in questions(folder, SETS["ask"]).items()
    }


def in_memory(embedder: TextVectors) -> dict[str, Any]:
    """Return the answers over every set, all documents scored."""
    answers = {}
    passages = [passage.content for passage in load_passages()]
    store = InMemoryStore([StoredDocument(i, t) for i, t in enumerate(passages)], embedder.embed_documents(passages))
    retriever = LogicalRetriever(store, embedder, k=K)
    for i, row in enumerate(load_questions()):
        query = getattr(row, "query", None) or getattr(row, "logical_query", None)
        if query is not None:
            answers[f"demo {i}"] = answer(retriever.search(ReadQuestion(row.question, parse(str(query)), "recorded")))
    for name, form in SETS.items():
        folder = data_folder() / name
        rows, texts, vectors = corpus(folder)
        store = InMemoryStore([StoredDocument(r["_id"], t) for r, t in zip(rows, texts, strict=True)], vectors)
        asked = questions(folder, form)
        embedder.embed_queries([t for one in asked.values() for t in (one.question, *one.query.terms())])
        retriever = LogicalRetriever(store, embedder, k=K)
        for id, one in asked.items():
            answers[f"{name} {id}"] = answer(retriever.search(one))
        print(name, len(asked), flush=True)
    answers.update(three_term(embedder))
    answers.update(films(embedder))
    return answers


def three_term(embedder: TextVectors) -> dict[str, Any]:
    """Return the answers to each query over its own six documents."""
    folder = data_folder() / "three_term"
    rows, texts, vectors = corpus(folder)
    place = {row["_id"]: i for i, row in enumerate(rows)}
    answers = {}
    asked = rows_of(folder / "queries.jsonl")
    embedder.embed_queries([t for row in asked for t in parse(row["logical_query"]).terms()])
    for row in asked:
        chosen = [place[id] for id in row["labels"]]
        store = InMemoryStore([StoredDocument(rows[i]["_id"], texts[i]) for i in chosen], vectors[chosen])
        result = LogicalRetriever(store, embedder, k=K).search(parse(row["logical_query"]))
        answers[f"three_term {row['_id']}"] = answer(result)
    return answers


def films(embedder: TextVectors) -> dict[str, Any]:
    """Return the answers to gold forms with conditions."""
    folder = data_folder() / "films"
    rows, texts, vectors = corpus(folder)
    documents = [StoredDocument(r["_id"], t, r["metadata"]) for r, t in zip(rows, texts, strict=True)]
    retriever = LogicalRetriever(InMemoryStore(documents, vectors), embedder, k=K)
    asked = rows_of(folder / "questions.jsonl")
    embedder.embed_queries([t for row in asked for t in (row["question"], *parse(row["form"]).terms())])
    return {
        f"films {row['id']}": answer(retriever.search(ReadQuestion(row["question"], parse(row["form"]), "recorded")))
        for row in asked
    }


def over_stores(kind: str, embedder: TextVectors, most: int) -> dict[str, Any]:
    """Return the answers through a vector store of LangChain."""
    from langchain_logical_retriever import LogicalRetriever as Retriever

    answers = {}
    for name, form in SETS.items():
        folder = data_folder() / name
        rows, texts, vectors = corpus(folder)
        asked = questions(folder, form, most)
        embedder.embed_queries([t for one in asked.values() for t in (one.question, *one.query.terms())])
        with opened(kind, texts, vectors, GivenEmbeddings(embedder.vectors)) as store:
            ids = {identity(i): row["_id"] for i, row in enumerate(rows)}
            retriever = Retriever.from_vectorstore(store, k=K)
            retriever.search(next(iter(asked.values())))
            time.sleep(SETTLE)
            for id, one in asked.items():
                answers[f"{name} {id}"] = answer(retriever._search({}).search(one), ids)  # the documents carry no more
        print(kind, name, len(asked), flush=True)
    return answers


def compare(before: Path, after: Path) -> None:
    """Print, for each way and set, the share of the same ten, of the same order, and of the same left out."""
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    for way in old:
        if way not in new:
            continue
        table: dict[str, list[tuple[float, bool, bool]]] = {}
        for key, (was, was_out) in old[way].items():
            now, now_out = new[way][key]
            ids, others = [i for i, _ in was], [i for i, _ in now]
            share = len(set(ids) & set(others)) / max(1, len(ids))
            table.setdefault(key.split()[0], []).append((share, ids == others, was_out == now_out))
        print(f"{way:10} {'set':18} {'n':>4} {'same':>7} {'order':>7} {'left out':>8}")
        for name, rows in table.items():
            means = np.mean(np.array(rows, dtype=float), axis=0)
            print(f"{'':10} {name:18} {len(rows):4} {means[0]:7.4f} {means[1]:7.3f} {means[2]:8.3f}")


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    dump = commands.add_parser("dump")
    dump.add_argument("out", type=Path)
    dump.add_argument("--over", default="memory,explain,chroma,pgvector")
    dump.add_argument("--questions", type=int, default=80)
    both = commands.add_parser("compare")
    both.add_argument("before", type=Path)
    both.add_argument("after", type=Path)
    chosen = parser.parse_args()
    if chosen.command == "compare":
        compare(chosen.before, chosen.after)
        return 0
    embedder = TextVectors(chosen.out.parent / "texts.npz")
    answers: dict[str, Any] = json.loads(chosen.out.read_text()) if chosen.out.exists() else {}
    for kind in chosen.over.split(","):
        if kind in ("memory", "explain"):
            answers[kind] = in_memory(embedder) if kind == "memory" else explanations(embedder)
        else:
            answers[kind] = over_stores(kind, embedder, chosen.questions)
        chosen.out.write_text(json.dumps(answers), encoding="utf-8")
        embedder.save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
