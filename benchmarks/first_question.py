"""Cost of the first question that a process asks of a Chroma collection, in plain searches of the same collection.

Each row is a process of its own. In the first, a sample is drawn while the question is asked and words are indexed in
the background, as it is by default; in the second the index is written to a file (``words_index=``), and the third
finds it there. Imports are not counted, nor what Chroma itself needs for its own first search; the logical form and
vectors of all texts are at hand.

    python benchmarks/first_question.py [--documents 20000] [--dimension 1536]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from recorded_reader import RecordedReader
from rich.console import Console
from rich.table import Table
from speed import DIMENSION, FORMS, K, made_documents, made_questions
from vector_stores import GivenEmbeddings, chroma_at, filled_chroma

from langchain_logical_retriever import LogicalRetriever

SEED = 2


def main() -> None:
    """Fill a collection, ask in processes, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--dimension", type=int, default=DIMENSION)
    arguments = parser.parse_args()
    count, dimension = arguments.documents, arguments.dimension
    shown = Table("statistics", "plain search ms", "first question ms", "plain searches", "second question ms")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        texts, vectors = made_documents(count, dimension)
        filled_chroma(folder, texts, vectors, GivenEmbeddings({"": vectors[0]}))
        kept = Path(folder) / "words.npz"
        for name, path in (("read for it", None), ("read, and kept in a file", kept), ("kept before", kept)):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                plain, first, second = process.submit(asked, folder, (count, dimension), path).result()
            shown.add_row(name, f"{plain:.1f}", f"{first:.0f}", f"{first / plain:.0f}", f"{second:.0f}")
    Console(width=120).print(shown)


def asked(folder: str, size: tuple[int, int], path: Path | None) -> tuple[float, float, float]:
    """Milliseconds of a plain search, the first question and the second; over (documents, dimension)."""
    texts, vectors = made_documents(*size)
    known: dict[str, np.ndarray] = {}
    questions = list(made_questions(FORMS[0], texts, vectors, np.random.default_rng(SEED), known))
    store = chroma_at(folder, GivenEmbeddings(known))
    plain = [_milliseconds(partial(store.similarity_search, question, k=K)) for question, _ in questions]
    retriever = LogicalRetriever.from_vectorstore(
        store, transformer=RecordedReader(dict(questions)), k=K, words_index=path
    )
    first, second = (_milliseconds(partial(retriever.invoke, question)) for question, _ in questions[:2])
    return float(np.median(plain)), first, second


def _milliseconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return 1000 * (time.perf_counter() - started)


if __name__ == "__main__":
    main()
