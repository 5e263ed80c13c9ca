"""Questions with conditions on metadata: 120 films, gold forms, and a language model's recorded forms.

    python benchmarks/conditions.py [DATA] [--rows N]

DATA is the folder of the benchmark sets (default: LOGICAL_RETRIEVER_DATA, else ../shared/data beside the repository);
the films are in its folder ``films``. Printed are

1. for each store, how many gold forms have exactly the films that plain Python gives their conditions;
2. nDCG@10 with gold forms, the same where what is clearly about an excluded term is kept, and dense retrieval of the
   question among the same films, by kind of question;
3. recorded forms through the chain, fields shown: conditions that select the films of the gold form's, and fields that
   there are not;
4. what a condition costs beside the same filter written by hand, in times of it (median of rounds), over N documents.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from benchmark_sets import data_folder

from logical_retriever import (
    FieldInfo,
    InMemoryStore,
    LogicalQueryTransformer,
    LogicalRetriever,
    ReadQuestion,
    SentenceTransformerEmbedder,
    StoredDocument,
)
from logical_retriever.query import Fields, LogicalQuery, holds, necessary_condition, parse
from logical_retriever.reading import Message
from logical_retriever.search.filters import store_filter
from logical_retriever.stores import ChromaStore, SqlStore

GENRES = (
    *("drama", "comedy", "thriller", "horror", "science fiction", "fantasy", "romance", "war", "western", "crime"),
    *("musical", "documentary", "family", "adventure"),
)


class Films:
    """The films with their vectors, the questions about them, and the fields.

    Args:
        folder: With ``corpus.jsonl``, ``questions.jsonl``, vectors and recorded forms.
    """

    def __init__(self, folder: Path) -> None:
        rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
        self.documents = [StoredDocument(row["_id"], f"{row['title']}. {row['text']}", row["metadata"]) for row in rows]
        self.vectors = np.load(folder / "vectors.all-MiniLM-L6-v2.f16.npy").astype(np.float32)
        lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        self.questions = [json.loads(line) for line in lines]
        recorded = (folder / "logical_forms.prompt_e.tsv").read_text(encoding="utf-8").splitlines()[1:]
        self.recorded = dict(line.split("\t", 1) for line in recorded)

        def values(name: str) -> tuple[Any, ...]:
            return tuple(sorted({document.metadata[name] for document in self.documents}))

        self.fields = Fields(
            [
                FieldInfo("name", "text", "the film's title"),
                FieldInfo("year", "integer", "of release"),
                FieldInfo("director", "text", values=values("director")),
                FieldInfo("country", "text", values=values("country")),
                FieldInfo("language", "text", values=values("language")),
                FieldInfo("genres", "list", values=GENRES),
                FieldInfo("minutes", "integer", "running time"),
                FieldInfo("animated", "boolean"),
                FieldInfo("rating", "number", "from 0 to 10"),
            ]
        )

    def passing(self, condition: LogicalQuery | None) -> set[str]:
        """Return the ids of the films that fulfil a condition, decided in plain Python."""
        return {d.id for d in self.documents if condition is None or holds(condition, d.metadata)}

    def in_memory(self, copies: int = 1) -> InMemoryStore:
        """Build a store in memory that holds each film ``copies`` times."""
        documents = [
            StoredDocument(f"{d.id}-{i}" if i else d.id, d.text, d.metadata)
            for i in range(copies)
            for d in self.documents
        ]
        return InMemoryStore(documents, np.tile(self.vectors, (copies, 1)))

    def duckdb(self) -> SqlStore:
        """Build a DuckDB table with a column for each field."""
        import duckdb

        connection = duckdb.connect()
        connection.execute(
            "CREATE TABLE films (id TEXT, text TEXT, name TEXT, year INTEGER, director TEXT, country TEXT, "
            "language TEXT, genres TEXT[], minutes INTEGER, animated BOOLEAN, rating DOUBLE, "
            f"embedding FLOAT[{self.vectors.shape[1]}])"
        )
        for document, vector in zip(self.documents, self.vectors, strict=True):
            row = [document.id, document.text, *document.metadata.values(), vector.tolist()]
            connection.execute(f"INSERT INTO films VALUES ({', '.join('?' * len(row))})", row)
        return SqlStore.from_table(connection, "films", vector="embedding")

    def chroma(self, folder: str) -> ChromaStore:
        """Build a Chroma collection of the films in a folder."""
        import chromadb

        collection = chromadb.PersistentClient(folder).create_collection("films", embedding_function=None)
        collection.add(
            ids=[d.id for d in self.documents],
            documents=[d.text for d in self.documents],
            metadatas=[dict(d.metadata) for d in self.documents],
            embeddings=self.vectors,
        )
        return ChromaStore(collection)

    def stores(self) -> Iterator[tuple[str, Any]]:
        """Every store that this environment can make, by name."""
        yield "in memory", self.in_memory()
        yield "DuckDB", self.duckdb()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            yield "Chroma", self.chroma(folder)


class RecordedModel:
    """A chat model that answers each question with what a language model once answered."""

    def __init__(self, answers: dict[str, str]) -> None:
        self.answers = answers

    def complete(self, messages: Sequence[Message]) -> str:
        """Return the recorded answer to the question between the tags."""
        asked = messages[1]["content"]
        return self.answers[asked.split("<question>\n")[1].split("\n</question>")[0]]


def ndcg(found: Sequence[Any], relevant: Sequence[str], k: int = 10) -> float:
    """nDCG@k of documents that are relevant or not."""
    gain = sum(1.0 / math.log2(rank + 2) for rank, id in enumerate(found[:k]) if id in relevant)
    return gain / sum(1.0 / math.log2(rank + 2) for rank in range(min(k, len(relevant))))


def print_stores(films: Films) -> None:
    """Part 1."""
    print("store        gold forms  equal to plain Python  conditions told to the store")
    forms = [parse(question["form"]) for question in films.questions]
    asked = [(form, necessary_condition(form)) for form in forms]
    for name, store in films.stores():
        # Kept: what is clearly about an excluded term; here conditions alone are to decide.
        retriever = LogicalRetriever(store, SentenceTransformerEmbedder(), k=len(films.documents), exclusion="rank")
        equal = told = parts = 0
        for form, necessary in asked:
            result = retriever.search(form)
            if necessary is not None:
                parts += 1
                told += store_filter(store, None, necessary)[1] is None
            equal += {document.id for document in result.documents} == films.passing(necessary)
        print(f"{name:<12} {len(forms):>10} {equal:>22} {told:>17} of {parts}")


def print_quality(films: Films) -> None:
    """Part 2."""
    retriever = LogicalRetriever(films.in_memory(), SentenceTransformerEmbedder(), k=10)
    rows: dict[str, list[tuple[float, ...]]] = {}
    for question in films.questions:
        form = parse(question["form"])
        made = ReadQuestion(question["question"], form, "recorded")
        passing = films.passing(necessary_condition(form))
        dense = retriever.dense(question["question"], k=10, filter=lambda d, passing=passing: d.id in passing)
        found = retriever.search(made), retriever.search(made, exclusion="rank"), dense
        scores = tuple(ndcg([d.id for d in one.documents], question["relevant"]) for one in found)
        for kind in (question["kind"], "all"):
            rows.setdefault(kind, []).append(scores)
    print("\nkind of question             n  nDCG@10  excluded kept  dense with the same conditions")
    for kind, some in rows.items():
        ours, kept, plain = (statistics.mean(values) for values in zip(*some, strict=True))
        print(f"{kind:<26} {len(some):>3}  {ours:>7.3f}  {kept:>13.3f}  {plain:>7.3f}")


def print_recorded(films: Films) -> None:
    """Part 3."""
    answers = {question["question"]: films.recorded[question["id"]] for question in films.questions}
    transformer = LogicalQueryTransformer(RecordedModel(answers), fields=films.fields)
    same, invented, problems, wrong = 0, 0, 0, []
    for question in films.questions:
        made = transformer.transform(question["question"])
        invented += sum(condition.field not in films.fields for condition in made.query.conditions())
        problems += made.problem is not None
        gold = films.passing(necessary_condition(parse(question["form"])))
        right = films.passing(necessary_condition(made.query)) == gold
        same += right
        if not right:
            wrong.append(f"  {question['id']}: {made.query}  (gold: {question['form']})")
    count = len(films.questions)
    print(f"\nrecorded forms: {same} of {count} select the gold form's films ({same / count:.3f}); ", end="")
    print(f"{invented} fields invented, {problems} problems")
    print("\n".join(wrong))


def print_cost(films: Films, rows: int) -> None:
    """Part 4."""
    store = films.in_memory(math.ceil(rows / len(films.documents)))
    condition = parse('[year >= 1990] AND NOT [country = "United States"]')

    def by_hand(document: StoredDocument) -> bool:
        return document.metadata["year"] >= 1990 and document.metadata["country"] != "United States"

    retriever = LogicalRetriever(store, SentenceTransformerEmbedder(), k=10)
    retriever.search('"grief"', filter=by_hand)

    def median(run: Callable[[], object]) -> float:
        times = []
        for _ in range(15):
            started = time.perf_counter()
            run()
            times.append(time.perf_counter() - started)
        return statistics.median(times)

    hand = median(lambda: retriever.search('"grief"', filter=by_hand))
    asked = median(lambda: retriever.search(f'"grief" AND {condition}'))
    print(f"\n{store.count():,} documents in memory: filter by hand {hand * 1e3:.1f} ms, ", end="")
    print(f"as conditions {asked * 1e3:.1f} ms ", end="")
    print(f"({asked / hand:.2f} times)")


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    data = data_folder() if given.data is None else given.data
    films = Films(data / "films")
    print_stores(films)
    print_quality(films)
    print_recorded(films)
    print_cost(films, given.rows)


if __name__ == "__main__":
    main()
