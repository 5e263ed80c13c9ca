"""Where the time of a question goes: milliseconds of each stage at the 50th and 95th percentile, for each reader.

    python benchmarks/latency.py [--set negconstraint] [--prompt prompt_c] [--store memory|chroma] [--questions 50]

Readers: ``rules``, no model; ``recorded model``, asked for every question that rules do not settle, whose own time is
not there; and ``answers kept``, the same where every question was asked before. Questions, recorded answers, documents
and their vectors are a benchmark set's (``LOGICAL_RETRIEVER_DATA``); all-MiniLM-L6-v2 encodes the questions.
The first question, which also reads the store's statistics, is not counted.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from benchmark_sets import read_set
from readers import RecordedModel
from vector_stores import GivenEmbeddings, opened

from logical_retriever import LogicalRetriever, SentenceTransformerEmbedder
from logical_retriever.stages import stage, timed
from logical_retriever.stores import ChromaStore, InMemoryStore, Store, StoredDocument
from logical_retriever.transform import LogicalQueryTransformer, QuestionReader

PERCENTILES = (50, 95)


def main() -> None:
    """Print a table for each reader."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="negconstraint")
    parser.add_argument("--prompt", default="prompt_c")
    parser.add_argument("--store", choices=("memory", "chroma"), default="memory")
    parser.add_argument("--questions", type=int, default=50)
    arguments = parser.parse_args()
    found = read_set(arguments.set, arguments.prompt)
    if found is None:
        return
    asked = [one for one in found.questions if one.form is not None][: arguments.questions]
    questions = [one.text for one in asked]
    model = RecordedModel({one.text: str(one.form) for one in asked})
    kept = QuestionReader(LogicalQueryTransformer(model, cache=len(questions)))
    kept.batch(questions)
    readers = {
        "rules": QuestionReader(),
        "answers kept": kept,
        "recorded model": QuestionReader(LogicalQueryTransformer(model, cache=False)),
    }
    texts = [document.text for document in found.documents]
    vectors = np.asarray(found.vectors, np.float32)
    print(f"{arguments.set}, {len(texts):,} documents in {arguments.store}, {len(questions)} questions, ", end="")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; milliseconds at the 50th and 95th percentile")
    with _store(arguments.store, texts, vectors) as store:
        retriever = LogicalRetriever(store, SentenceTransformerEmbedder(), k=10)
        for name, reader in readers.items():
            print(f"\n{name}")
            _print_stages(retriever, reader, questions)


def _print_stages(retriever: LogicalRetriever, reader: QuestionReader, questions: Sequence[str]) -> None:
    retriever.search(reader.transform(questions[0]))
    results = []
    for question in questions:
        with timed():
            with stage("read"):
                made = reader.transform(question)
            results.append(retriever.search(made))
    stages = dict.fromkeys(name for one in results for name in one.milliseconds)
    rows = {name: [one.milliseconds.get(name, 0.0) for one in results] for name in stages}
    rows["together"] = [sum(one.milliseconds.values()) for one in results]
    rows["of these in the store"] = [one.store_milliseconds for one in results]
    for name, took in rows.items():
        print(f"  {name:<22}" + "".join(f"{value:>9.1f}" for value in np.percentile(took, PERCENTILES)))


@contextmanager
def _store(kind: str, texts: Sequence[str], vectors: np.ndarray) -> Iterator[Store]:
    if kind == "memory":
        yield InMemoryStore([StoredDocument(str(i), text) for i, text in enumerate(texts)], vectors)
        return
    with opened(kind, texts, vectors, GivenEmbeddings({"": vectors[0]})) as store:
        yield ChromaStore(store._collection)


if __name__ == "__main__":
    main()
