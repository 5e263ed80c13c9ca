"""Whether memory stays bounded: mixed questions for minutes, over real stores, with the real encoder.

Plain questions, exclusions and logic of several terms are asked one by one, explained, asked from several threads and
asynchronously, while documents are added and as many deleted, over a store in memory, Chroma's own collection,
LangChain's Chroma, and a LangChain store whose texts have to be encoded again. Every minute prints the resident memory,
the part of it that is in use, and how many objects Python keeps track of.

It ended flat where the straight line through the second half of the sizes in use (least squares, one each five seconds)
rises by at most ``FLAT`` megabytes a minute; the exit status is 1 where it did not. Chroma grows by itself: compare
``--stores memory`` with the others.

    python benchmarks/soak.py DATA_DIR [--minutes 10] [--documents 20000] [--stores memory,chroma] [--hashing]
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_logical_retriever import LogicalRetriever as OverVectorStore
from langchain_logical_retriever.stores.fallback import FallbackAdapter
from logical_retriever import LogicalRetriever
from logical_retriever.embedding import Embedder
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.query import And, LogicalQuery, Not, Or, Term
from logical_retriever.stores import ChromaStore, InMemoryStore, StoredDocument
from logical_retriever.testing import HashingEmbedder
from logical_retriever.vectors import Vectors

VECTORS = "vectors.all-MiniLM-L6-v2.f16.npy"
FLAT = 1.0
"""Megabytes a minute."""
EVERY = 5.0
"""Seconds between two looks at the resident memory."""
CHANGED = 10
"""Documents that are added and deleted at once. Few: Chroma's index keeps room for those that are gone."""
AT_ONCE = 8
"""Questions asked from threads, and asynchronously, at once."""


@dataclass(frozen=True)
class Corpus:
    """Texts with their vectors, shape (N, d), and questions about them."""

    texts: Sequence[str]
    vectors: Vectors
    questions: Sequence[str]


@dataclass
class Asked:
    """A retriever, and how the documents below it are changed.

    Attributes:
        retriever: Of the core, or of LangChain.
        change: Adds the documents of some rows of the corpus and deletes those of others.
    """

    retriever: Any
    change: Callable[[Sequence[int], Sequence[int]], object]

    def ask(self, question: str) -> object:
        """One question."""
        retriever = self.retriever
        return retriever.invoke(question) if isinstance(retriever, OverVectorStore) else retriever.retrieve(question)

    async def aask(self, questions: Sequence[str]) -> None:
        """Several at once."""
        one = self.retriever.ainvoke if isinstance(self.retriever, OverVectorStore) else self.retriever.aretrieve
        await asyncio.gather(*map(one, questions))


@dataclass
class Soak:
    """Asks.

    Attributes:
        corpus: What is asked, and what is added and deleted.
        present: Rows of the corpus that the stores hold, oldest first.
        absent: The others.
        answered: Questions answered so far, by kind.
    """

    corpus: Corpus
    present: list[int]
    absent: list[int]
    answered: Counter[str] = field(default_factory=Counter)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def turn(self, asked: Asked) -> None:
        """One of each kind."""
        asked.ask(self._question())
        asked.ask(f"{self._question()} other than {self._words()}")
        asked.retriever.search(self._logic())
        asked.retriever.explain(f"{self._words()}, excluding {self._words()}")
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(asked.ask, [self._question() for _ in range(AT_ONCE)]))
        asyncio.run(asked.aask([self._question() for _ in range(AT_ONCE)]))
        self.answered.update(plain=1, exclusions=1, logic=1, explained=1, threads=AT_ONCE, asynchronous=AT_ONCE)

    def change(self, all_asked: Sequence[Asked]) -> None:
        """Exchange some documents in every store."""
        for asked in all_asked:
            asked.change(self.absent[:CHANGED], self.present[:CHANGED])
        self.present, self.absent = (
            self.present[CHANGED:] + self.absent[:CHANGED],
            self.absent[CHANGED:] + self.present[:CHANGED],
        )
        self.answered["changed"] += CHANGED

    def _question(self) -> str:
        return self.corpus.questions[self.rng.integers(len(self.corpus.questions))]

    def _words(self) -> str:
        words = self.corpus.texts[self.rng.integers(len(self.corpus.texts))].split()
        start = int(self.rng.integers(max(1, len(words) - 4)))
        return " ".join(words[start : start + 4])

    def _logic(self) -> LogicalQuery:
        wanted = [Term(self._question()), Term(self._words()), Term(self._words())]
        return And((Or(tuple(wanted)), Not(Term(self._words())), Not(Term(self._words()))))


def main() -> int:
    """Print the curve."""
    arguments = _arguments()
    corpus = _corpus(Path(arguments.data))
    hashing = HashingEmbedder(corpus.vectors.shape[1])
    embedder: Embedder = hashing if arguments.hashing else SentenceTransformerEmbedder()
    rows = np.random.default_rng(0).permutation(len(corpus.texts)).tolist()
    held = min(arguments.documents, len(rows) - 2 * CHANGED)
    soak = Soak(corpus, rows[:held], rows[held:])
    print(f"{held} documents of {len(rows)}, {len(corpus.questions)} questions; memory in MB")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = dict(_stores(corpus, soak.present, embedder, Path(folder)))
        asked = {name: made[name]() for name in arguments.stores.split(",")}
        del made
        return _run(soak, asked, 60.0 * arguments.minutes)


def _run(soak: Soak, asked: dict[str, Asked], seconds: float) -> int:
    print(f"{'minute':>6} {'resident':>9} {'in use':>7} {'objects':>8} {'answered':>8}", flush=True)
    started = time.monotonic()
    looks: list[tuple[float, float]] = []
    minute = 0
    while (now := time.monotonic() - started) < seconds:
        for one in asked.values():
            soak.turn(one)
        soak.change(list(asked.values()))
        if not looks or now >= looks[-1][0] + EVERY:
            looks.append((now, in_use()))
        if now >= 60.0 * minute:
            _line(soak, minute)
            minute += 1
    _line(soak, minute)
    second_half = np.array([look for look in looks if look[0] >= seconds / 2])
    if len(second_half) < 2:
        raise SystemExit("Too few looks for a line; give more minutes.")
    slope = 60.0 * float(np.polyfit(second_half[:, 0], second_half[:, 1], 1)[0])
    flat = slope <= FLAT
    print(f"{'Flat' if flat else 'NOT flat'}: {slope:+.2f} MB a minute over the second half; {dict(soak.answered)}")
    return 0 if flat else 1


def _line(soak: Soak, minute: int) -> None:
    gc.collect()
    answered = soak.answered.total() - soak.answered["changed"]
    print(f"{minute:6} {resident():9.1f} {in_use():7.1f} {len(gc.get_objects()):8} {answered:8}", flush=True)


def resident() -> float:
    """Megabytes of this process in memory; Linux alone tells."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


class _MallInfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def in_use() -> float:
    """Megabytes that malloc has given out and not taken back; glibc alone tells.

    The resident memory is more: free pieces between pieces in use stay with the process.
    """
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _MallInfo
    info = mallinfo()
    return float(info.uordblks + info.hblkhd) / 2**20


class _AsEmbeddings(Embeddings):
    """The encoder as LangChain takes it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = np.asarray(self._embedder.embed_documents(texts)).tolist()
        return rows


def _stores(
    corpus: Corpus, rows: Sequence[int], embedder: Embedder, folder: Path
) -> Iterator[tuple[str, Callable[[], Asked]]]:
    embeddings = _AsEmbeddings(embedder)

    def memory() -> Asked:
        store = InMemoryStore([StoredDocument(str(i), corpus.texts[i]) for i in rows], corpus.vectors[rows])

        def change(new: Sequence[int], old: Sequence[int]) -> None:
            store.add([StoredDocument(str(i), corpus.texts[i]) for i in new], corpus.vectors[new])
            store.delete([str(i) for i in old])

        return Asked(LogicalRetriever(store, embedder), change)

    def collection(name: str) -> tuple[Any, Any, Callable[[Sequence[int], Sequence[int]], None]]:
        client = chromadb.PersistentClient(str(folder / name))
        made = client.create_collection(name, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None)

        def change(new: Sequence[int], old: Sequence[int]) -> None:
            made.add(
                ids=[str(i) for i in new], documents=[corpus.texts[i] for i in new], embeddings=corpus.vectors[new]
            )
            if old:
                made.delete(ids=[str(i) for i in old])

        for start in range(0, len(rows), 2000):
            change(rows[start : start + 2000], ())
        return client, made, change

    def chroma() -> Asked:
        _, made, change = collection("chroma")
        return Asked(LogicalRetriever(ChromaStore(made), embedder), change)

    def langchain() -> Asked:
        client, _, change = collection("langchain")
        store = Chroma("langchain", embeddings, client=client)
        return Asked(OverVectorStore.from_vectorstore(store), change)

    def encoded_again() -> Asked:
        # A tenth of the documents: a store that nothing is known of is filled and asked text by text.
        store = InMemoryVectorStore(embeddings)

        def change(new: Sequence[int], old: Sequence[int]) -> None:
            store.add_documents([Document(corpus.texts[i], id=str(i)) for i in new if i % 10 == 0])
            store.delete([str(i) for i in old if i % 10 == 0])

        change(rows, ())
        return Asked(OverVectorStore.from_vectorstore(FallbackAdapter(store), embeddings=embeddings), change)

    yield from {"memory": memory, "chroma": chroma, "langchain": langchain, "encoded-again": encoded_again}.items()


def _corpus(folder: Path) -> Corpus:
    """All sets of a folder that have vectors."""
    texts, parts, questions = [], [], []
    for path in sorted(folder.glob(f"*/{VECTORS}")):
        documents = [json.loads(line) for line in path.with_name("corpus.jsonl").open(encoding="utf-8")]
        texts += [" ".join(filter(None, (one.get("title"), one["text"]))) for one in documents]
        parts.append(np.load(path).astype(np.float32))
        if (asked := path.with_name("queries.jsonl")).exists():
            lines = asked.open(encoding="utf-8")
            questions += [question for line in lines if (question := json.loads(line).get("text", "")).strip()]
    if not texts:
        raise SystemExit(f"No set with {VECTORS} is in {folder}.")
    return Corpus(texts, np.concatenate(parts), questions)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="folder of benchmark sets with vectors")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--documents", type=int, default=20_000, help="documents in each store")
    parser.add_argument("--stores", default="memory,chroma,langchain,encoded-again")
    parser.add_argument("--hashing", action="store_true", help="an encoder without a model in place of the real one")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
