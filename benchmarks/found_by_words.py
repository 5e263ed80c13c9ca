"""Documents that words find and vectors do not, through real stores; and what an index of words costs.

    python benchmarks/found_by_words.py                                   the set limit, gold forms, every store
    python benchmarks/found_by_words.py --set excluir --form prompt_c --stores memory,pgvector
    python benchmarks/found_by_words.py --index 100000                    the index of so many passages, from all sets

Sets are those of ``benchmark_sets.py``. Stores that are not in this process's memory are searched by lists, as large
ones are, whatever their size. Recall is of the first hundred, nDCG of the first ten.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from benchmark_sets import VECTORS, data_folder
from rich.console import Console
from rich.table import Table
from vector_stores import KINDS, GivenEmbeddings, identity, opened

from langchain_logical_retriever.stores import as_store
from logical_retriever import (
    InMemoryStore,
    LogicalRetriever,
    SentenceTransformerEmbedder,
    StoredDocument,
    Transformation,
)
from logical_retriever.evaluation import Dataset, load_dataset
from logical_retriever.lexical import WordIndex
from logical_retriever.query import parse
from logical_retriever.stores import Store
from logical_retriever.testing.store_wrappers import WithoutScan

STORES = ("memory", "lists", *KINDS)
"""By its index of words, by lists of the same store, and the stores of ``vector_stores.py``."""
K = 100


class Remembering:
    """The encoder; every text is encoded once.

    Args:
        texts: Encoded at once.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._model = SentenceTransformerEmbedder()
        distinct = list(dict.fromkeys(texts))
        self._vectors = dict(zip(distinct, np.asarray(self._model.embed_queries(distinct)), strict=True))

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """Shape (T, d)."""
        new = [text for text in texts if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, np.asarray(self._model.embed_queries(new)), strict=True))
        return np.array([self._vectors[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries


@contextmanager
def store_of(kind: str, dataset: Dataset) -> Iterator[Store]:
    """A store of the set's documents, known by :func:`identity`."""
    texts = [document.text for document in dataset.documents]
    assert dataset.vectors is not None
    if kind in ("memory", "lists"):
        memory = InMemoryStore([StoredDocument(identity(i), text) for i, text in enumerate(texts)], dataset.vectors)
        yield memory if kind == "memory" else WithoutScan(memory)
        return
    vectors = np.asarray(dataset.vectors, np.float32)
    # Qdrant's wrapper encodes a text when it is made; nothing else is encoded by it.
    with opened(kind, texts, vectors, GivenEmbeddings({texts[0]: vectors[0]})) as vectorstore:
        yield WithoutScan(as_store(vectorstore))


def measured(dataset: Dataset, store: Store, embedder: Remembering, evidence: str) -> tuple[float, float, float, float]:
    """Recall at 100, nDCG at 10, the share of exact answers, and milliseconds a question."""
    retriever = LogicalRetriever(store, embedder, k=K, evidence=evidence)
    rows = {document.id: identity(i) for i, document in enumerate(dataset.documents)}
    recalls, gains, exact, seconds = [], [], [], 0.0
    for question in dataset.questions:
        relevant = {rows[id] for id in question.relevant}
        if not relevant:
            continue
        form = question.form
        made = (
            parse(question.text and json.dumps(question.text))
            if form is None
            else Transformation(question.text, parse(form), "recorded")
        )
        started = time.perf_counter()
        result = retriever.search(made)
        seconds += time.perf_counter() - started
        found = [document.id in relevant for document in result.documents]
        recalls.append(sum(found) / min(len(relevant), K))
        ideal = sum(1 / np.log2(place + 2) for place in range(min(10, len(relevant))))
        gains.append(sum(hit / np.log2(place + 2) for place, hit in enumerate(found[:10])) / ideal)
        exact.append(result.exact)
    return float(np.mean(recalls)), float(np.mean(gains)), float(np.mean(exact)), 1000 * seconds / len(recalls)


def index_of(count: int) -> None:
    """Print what an index of passages made of the sets' costs: texts of halves of two, so that all are different."""
    texts = []
    for path in sorted(data_folder().glob("*/corpus.jsonl")):
        rows = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line)
        texts += [f"{row.get('title', '')} {row['text']}".strip() for row in rows]
    pairs = itertools.islice(itertools.cycle(range(1, len(texts))), count)
    passages = [
        (a := texts[i % len(texts)])[: len(a) // 2] + (b := texts[(i * 7 + k) % len(texts)])[len(b) // 2 :]
        for k, i in enumerate(pairs)
    ]
    started, before = time.perf_counter(), time.process_time()
    index = WordIndex.of(passages)
    took, busy, size = time.perf_counter() - started, time.process_time() - before, sum(map(sys.getsizeof, passages))
    print(
        f"{count} passages of {size / count:.0f} bytes, {index.lengths.mean():.0f} words: {took:.1f} s, "
        f"{busy:.1f} of processor time, "
        f"{index.nbytes / 1e6:.1f} MB, {index.nbytes / size:.2f} times the texts"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", default="limit")
    parser.add_argument("--form", default="gold")
    parser.add_argument("--stores", default=",".join(STORES))
    parser.add_argument("--evidence", default="auto")
    parser.add_argument("--index", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.index:
        index_of(arguments.index)
        return
    folder: Path = data_folder() / arguments.set
    forms = folder / f"logical_forms.{arguments.form}.tsv"
    dataset = load_dataset(folder, logical_forms=forms, vectors=folder / VECTORS)
    texts = [text for question in dataset.questions for text in (question.text, *_terms(question.form))]
    embedder, table = Remembering(texts), Table("store", "recall@100", "nDCG@10", "exact", "ms a question", "words")
    for kind in arguments.stores.split(","):
        with store_of(kind, dataset) as store:
            recall, gain, exact, cost = measured(dataset, store, embedder, arguments.evidence)
            words = store.capabilities.words
            table.add_row(kind, f"{recall:.3f}", f"{gain:.3f}", f"{exact:.2f}", f"{cost:.1f}", str(words))
    Console(width=160).print(table)


def _terms(form: str | None) -> tuple[str, ...]:
    return () if form is None else parse(form).terms()


if __name__ == "__main__":
    main()
