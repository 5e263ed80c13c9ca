"""Cost of logical search beside plain dense search: in memory, and through real stores.

In memory: a search of T terms over N vectors of dimension 384, no text read, as a multiple of one plain scan (a matrix
product with one vector, the ten best picked without sorting); and the most memory that it takes beside the store. Runs
take turns; ratios are of medians, and in brackets of the least times, which a busy machine changes less.

Stores: LogicalRetriever over ``similarity_search`` of the same LangChain vector store. The logical form is at hand and
vectors of all texts are given, so that neither a language model nor an encoder is in the times.

On a busy machine, processor seconds of one thread say more:

    OPENBLAS_NUM_THREADS=1 taskset -c 0 python benchmarks/speed.py --processor-seconds --stores ''

    python benchmarks/speed.py [--sizes 10000,100000] [--terms 1,2,4,8] [--rounds 5] [--stores ''] [--dimension 1536]
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from recorded_reader import RecordedReader
from vector_stores import GivenEmbeddings, opened

from langchain_logical_retriever import LogicalRetriever as OverVectorStore
from logical_retriever import LogicalRetriever, parse
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.scoring import CalibratedSemantics, Semantics, get_semantics
from logical_retriever.stores import InMemoryStore, StoredDocument

DIMENSION = 384
K = 10
CLUSTER = 50
"""Documents of one subject."""
FORMS = ('"a" AND NOT "b"', '"a" AND "b"', '("a" OR "b") AND "c" AND NOT "d"')
QUESTIONS = 15
PAUSE = 0.3
"""Seconds before every run: the threads of a BLAS go on spinning for a while after a product, in the way of others."""

SEMANTICS: tuple[Semantics, ...] = (get_semantics("product"), CalibratedSemantics(words=0))

Vectors = npt.NDArray[np.float32]
Run = Callable[[], object]


class Given:
    """An encoder of texts whose vectors are given; "a: b", a term in the light of the wish, has the sum of both."""

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self.vectors = vectors

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Shape (T, d)."""
        return np.stack([np.sum([self.vectors[term] for term in text.split(": ")], axis=0) for text in texts])

    embed_documents = embed_queries


def main() -> None:
    """Print the tables."""
    arguments = _arguments()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    sizes = [int(size) for size in arguments.sizes.split(",") if size]
    terms = [int(count) for count in arguments.terms.split(",")]
    for size in sizes:
        _in_memory(size, terms, arguments)
    kinds = [kind for kind in arguments.stores.split(",") if kind]
    if kinds:
        _head(
            arguments,
            f"{arguments.store_documents:,} documents of dimension {arguments.dimension}, best {K}",
            ("store", "semantics", "query", "similarity_search", "LogicalRetriever", "ratio"),
        )
        texts, vectors = made_documents(arguments.store_documents, arguments.dimension)
        for kind in kinds:
            _through_store(kind, texts, vectors, arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000", help="documents in memory")
    parser.add_argument("--terms", default="1,2,3,4,5,6,7,8")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--stores", default="faiss,chroma")
    parser.add_argument("--store-documents", type=int, default=100_000)
    parser.add_argument("--dimension", type=int, default=DIMENSION, help="of the vectors in stores")
    parser.add_argument("--processor-seconds", action="store_true", help="not by the clock on the wall")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def _in_memory(size: int, terms: Sequence[int], arguments: argparse.Namespace) -> None:
    rng = np.random.default_rng(0)
    # A common direction, as real encoders have: cosines of unrelated texts are not 0 on average.
    vectors = np.empty((size, DIMENSION), dtype=np.float32)
    for start in range(0, size, 50_000):
        rows = vectors[start : start + 50_000]
        rows[:] = _unit(rng.standard_normal(rows.shape, dtype=np.float32) + 0.3)
    texts = _unit(rng.standard_normal((max(terms), DIMENSION)) + 0.3)
    documents = [StoredDocument(f"{i:07}", "") for i in range(size)]
    store = InMemoryStore(documents, vectors)
    given = Given({f"t{i}": row for i, row in enumerate(texts)})
    retrievers = {each.name: LogicalRetriever(store, given, semantics=each, k=K) for each in SEMANTICS}
    _head(arguments, f"{size:,} x {DIMENSION} in memory, multiples of a plain scan", ("T", "plain", *retrievers))
    clock = time.process_time if arguments.processor_seconds else time.perf_counter
    for count in terms:
        query = _query(count)
        runs: dict[str, Run] = {name: partial(retriever.search, query) for name, retriever in retrievers.items()}
        times = _times({"plain": partial(_plain, vectors, texts[0]), **runs}, arguments.rounds, clock)
        plain = times.pop("plain")
        ratios = [f"{median / plain[0]:.2f} ({least / plain[1]:.2f})" for median, least in times.values()]
        _line(arguments, (str(count), f"{1000 * plain[0]:.1f} ({1000 * plain[1]:.1f}) ms", *ratios))
    traced, resident = _peak(runs["calibrated"])
    print(
        f"\nBeside {vectors.nbytes / 1e6:,.0f} MB of vectors, {count} terms allocate at most {traced:.0f} MB"
        + ("." if resident is None else f"; the process grows by at most {resident:.0f} MB.")
    )


def _query(count: int) -> LogicalQuery:
    """Half of the terms wanted, half excluded."""
    query: LogicalQuery = Term("t0")
    for i in range(1, count):
        query = query & (Term(f"t{i}") if i < (count + 1) // 2 else ~Term(f"t{i}"))
    return query


def _plain(vectors: Vectors, text: Vectors) -> list[int]:
    """Return the rows of the ten best by inner product, as a dense search in memory does."""
    scores = vectors @ text
    best = np.argpartition(scores, len(scores) - K)[len(scores) - K :]
    return [int(i) for i in best[np.argsort(-scores[best])]]


def _times(
    runs: dict[str, Run], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, tuple[float, float]]:
    """Median and least seconds of each, the runs taking turns; one round before is not counted."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for counted in range(rounds + 1):
        for name, run in runs.items():
            time.sleep(PAUSE)
            started = clock()
            run()
            if counted:
                times[name].append(clock() - started)
    return {name: (float(np.median(taken)), min(taken)) for name, taken in times.items()}


def _peak(run: Run) -> tuple[float, float | None]:
    """Megabytes that a run allocates at most, and by which the process grows at most where the system tells that."""
    tracemalloc.start()
    run()
    traced = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # Linux: the highest resident size is forgotten
        before = _resident("VmRSS")
        run()
        return traced, _resident("VmHWM") - before
    except OSError:
        return traced, None


def _resident(field: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1000 for line in lines if line.startswith(f"{field}:"))


def made_documents(count: int, dimension: int = DIMENSION) -> tuple[list[str], Vectors]:
    """Texts of thirty words and vectors, in clusters that overlap."""
    rng = np.random.default_rng(1)
    centres = _unit(rng.normal(size=(max(1, count // CLUSTER), dimension)) + 0.3)
    vectors = _unit(centres[np.arange(count) % len(centres)] + 0.08 * rng.normal(size=(count, dimension)))
    words = [f"word{min(word, 5000)}" for word in rng.zipf(1.3, size=30 * count).tolist()]
    return [f"{i} " + " ".join(words[30 * i : 30 * i + 30]) for i in range(count)], vectors


def _through_store(kind: str, texts: Sequence[str], vectors: Vectors, arguments: argparse.Namespace) -> None:
    rng = np.random.default_rng(2)
    known: dict[str, Vectors] = {}
    forms = {form: list(made_questions(form, texts, vectors, rng, known)) for form in FORMS}
    embeddings = GivenEmbeddings(known)
    recorded = RecordedReader({question: query for asked in forms.values() for question, query in asked})
    with opened(kind, texts, vectors, embeddings) as store, tempfile.TemporaryDirectory() as folder:
        for name in ("calibrated", "product"):
            settings = {"semantics": name, "k": K, "words_index": Path(folder) / "words"}
            retriever = OverVectorStore.from_vectorstore(store, transformer=recorded, **settings)
            retriever.invoke(forms[FORMS[0]][0][0])  # draws the sample, and indexes the words
            for form, asked in forms.items():
                plain, logical = [], []
                for question, _ in asked:
                    times = _times(
                        {
                            "plain": partial(store.similarity_search, question, k=K),
                            "logical": partial(retriever.invoke, question),
                        },
                        rounds=3,
                        clock=time.process_time if arguments.processor_seconds else time.perf_counter,
                    )
                    plain.append(times["plain"][0])
                    logical.append(times["logical"][0])
                took = [1000 * float(np.median(each)) for each in (plain, logical)]
                cells = (kind, name, form, f"{took[0]:.1f} ms", f"{took[1]:.1f} ms", f"{took[1] / took[0]:.1f}")
                _line(arguments, cells)


def made_questions(
    form: str, texts: Sequence[str], vectors: Vectors, rng: np.random.Generator, known: dict[str, Vectors]
) -> Iterator[tuple[str, LogicalQuery]]:
    """Questions with their logical forms; terms are words of documents, with vectors near to theirs."""
    query = parse(form)
    for number in range(QUESTIONS):
        row = int(rng.integers(len(texts)))
        names = {}
        for i, term in enumerate(query.terms()):
            # Of one subject, a few documents apart: what questions combine has to do with each other.
            about = (row + i * (len(texts) // CLUSTER)) % len(texts)
            names[term] = f"{' '.join(texts[about].split()[1:4])} {number} {term}"
            known[names[term]] = _unit(vectors[[about]] + 0.04 * rng.normal(size=(1, vectors.shape[1])))[0]
        written = form
        for term, name in names.items():
            written = written.replace(f'"{term}"', f'"{name}"')
        question = f"question {number}: {written}"
        known[question] = _unit(sum(known[name] for name in names.values())[None])[0]
        yield question, parse(written)


def _head(arguments: argparse.Namespace, title: str, columns: Sequence[str]) -> None:
    print(f"\n**{title}**\n" if arguments.markdown else f"\n{title}")
    _line(arguments, columns)
    if arguments.markdown:
        print("|" + "---:|" * len(columns))


def _line(arguments: argparse.Namespace, cells: Sequence[str]) -> None:
    text = f"| {' | '.join(cells)} |" if arguments.markdown else "".join(f"{cell:>24}" for cell in cells)
    print(text, flush=True)


def _unit(rows: npt.NDArray[np.floating]) -> Vectors:
    scaled: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


if __name__ == "__main__":
    main()
