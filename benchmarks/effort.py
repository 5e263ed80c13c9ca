"""Do searches that stop after one request or two find what reading every document finds?

For each set, the share of the best ten documents, over all questions, that a search by lists of nearest documents finds
as a scan of all vectors and words does: with effort "balanced" and "one_request", where an index knows the words of all
documents, and with "proof" and the store's own lists of words, 200 documents each. With how many documents were read.
With --over, lists are those of a real vector store with its own index.

    python benchmarks/effort.py [--questions 100] [--sets negconstraint,comlq] [--margin 8] [--worded 50]
        [--over pgvector-hnsw]

Sets are those of ``benchmark_sets.py``; questions are drawn at random, those with an exclusion and others.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from benchmark_sets import FURTHER, SETS, read_set
from found_by_words import Remembering
from vector_stores import KINDS, GivenEmbeddings, identity, opened

from langchain_logical_retriever.stores import as_store
from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument, Transformation
from logical_retriever.evaluation import Dataset
from logical_retriever.query import parse
from logical_retriever.search.lists import nearby
from logical_retriever.stores import Store
from logical_retriever.stores.kept_words import StoreWithSharedWords, with_words
from logical_retriever.stores.words_file import KeptWords
from logical_retriever.stores.words_keeper import WordsKeeper
from logical_retriever.testing.store_wrappers import WithoutScan

K = 10
EFFORTS = ("balanced", "one_request", "proof")


class Outside(WithoutScan):
    """A store that is searched by lists, with an index of words beside it."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._keeper = WordsKeeper(None)

    def indexed_words(self, language: str) -> KeptWords:
        """The words of all documents."""
        return self._keeper.current(self.store, language)


def asked(dataset: Dataset, count: int) -> list[Transformation]:
    """Questions with their logical forms, drawn at random."""
    drawn = np.random.default_rng(0).permutation(len(dataset.questions))[:count]
    questions = [dataset.questions[i] for i in drawn]
    return [
        Transformation(q.text, parse(json.dumps(q.text) if q.form is None else q.form), "recorded") for q in questions
    ]


@contextmanager
def listed(memory: InMemoryStore, texts: Sequence[str], over: str | None) -> Iterator[Callable[[str], Store]]:
    """For each effort a store of the same documents that is searched by lists."""
    if over is None:
        yield lambda effort: WithoutScan(memory) if effort == "proof" else Outside(memory)
        return
    [batch] = memory.scan()
    with opened(over, texts, batch.vectors, GivenEmbeddings({"": batch.vectors[0]})) as vectorstore:
        store = with_words(as_store(vectorstore), None)
        if isinstance(store, StoreWithSharedWords):
            store.count()
            store.indexed_words("en")
            store.wait()
        yield lambda _: store


def compare(
    name: str, form: str, count: int, over: str | None
) -> tuple[Sequence[object], dict[str, tuple[int, int]]] | None:
    """A row of the table, and for each effort how many of the best documents were found, of how many."""
    dataset = read_set(name, form)
    if dataset is None:
        return None
    made = asked(dataset, count)
    embedder = Remembering([text for one in made for text in (one.question, *one.query.terms())])
    texts = [document.text for document in dataset.documents]
    memory = InMemoryStore([StoredDocument(identity(i), text) for i, text in enumerate(texts)], dataset.vectors)
    exact = LogicalRetriever(memory, embedder, k=K)
    best = [{document.id for document in exact.search(one).documents} for one in made]
    cells: list[object] = [name, len(made)]
    found = {}
    with listed(memory, texts, over) as outside:
        for effort in EFFORTS:
            retriever = LogicalRetriever(outside(effort), embedder, k=K, effort=effort)
            results = [retriever.search(one) for one in made]
            same = sum(len(ids & {d.id for d in r.documents}) for ids, r in zip(best, results, strict=True))
            of = sum(map(len, best))
            found[effort] = same, of
            read = float(np.mean([result.vectors_read for result in results]))
            cells.append(f"{same / of:.4f} ({read:.0f})")
    return cells, found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = dict([*((name, "prompt_c") for name in SETS), *FURTHER])
    parser.add_argument("--sets", default=",".join(known))
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--margin", type=int, default=nearby.MARGIN)
    parser.add_argument("--worded", type=int, default=nearby.WORDED)
    parser.add_argument("--over", choices=KINDS)
    arguments = parser.parse_args()
    nearby.MARGIN, nearby.WORDED = arguments.margin, arguments.worded
    print("| set | questions | " + " | ".join(f"{effort} (documents read)" for effort in EFFORTS) + " |")
    print("|---|" + "---:|" * (1 + len(EFFORTS)))
    totals = dict.fromkeys(EFFORTS, (0, 0))
    for name in arguments.sets.split(","):
        row = compare(name, known[name], arguments.questions, arguments.over)
        if row is None:
            continue
        print("| " + " | ".join(map(str, row[0])) + " |", flush=True)
        for effort, (same, of) in row[1].items():
            totals[effort] = totals[effort][0] + same, totals[effort][1] + of
    shares = " | ".join(f"{same / max(1, of):.4f}" for same, of in totals.values())
    print(f"| all | | {shares} |")


if __name__ == "__main__":
    main()
