"""Figures of retrievers on `lack`: questions about what a thing must not have.

    python benchmarks/lack/measure.py --retriever dense bm25 logical logical-typed
    python benchmarks/lack/measure.py --retriever cross-encoder --model cross-encoder/ms-marco-MiniLM-L6-v2
    python benchmarks/lack/measure.py --run mine.tsv

Retrievers search the passages of all domains together. A run file has lines ``query-id<TAB>doc-id``; those of a
question are in the order of its ranking, best first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from logical_retriever import InMemoryStore, LogicalRetriever, RankedDocument, parse
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.errors import CorpusError
from logical_retriever.evaluation import Dataset, JudgedQuestion, bm25_of, load_dataset
from logical_retriever.evaluation.measures import Ranking, get_measure, rank
from logical_retriever.files import json_lines, text_lines, wrong

FOLDER = Path(__file__).resolve().parent
NAMES = ("dense", "bm25", "logical", "logical-typed", "cross-encoder")
KINDS = ("property", "topic", "harmless")
K = 10
RERANKED = 50
"""Passages that the cross-encoder reads for each question."""

Search = Callable[[JudgedQuestion], Sequence[str]]
"""Ids of the best passages for a question, best first."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--retriever", nargs="+", choices=NAMES, default=[], help="retrievers to measure")
    parser.add_argument("--model", help="CrossEncoder of sentence-transformers, for the retriever cross-encoder")
    parser.add_argument("--run", nargs="+", type=Path, default=[], metavar="FILE", help="run files to measure")
    arguments = parser.parse_args()
    if not (arguments.retriever or arguments.run):
        parser.error("name a retriever (--retriever) or a run file (--run)")
    if ("cross-encoder" in arguments.retriever) != bool(arguments.model):
        parser.error("--retriever cross-encoder and --model NAME need each other")
    dataset = load_dataset(FOLDER, logical_forms=FOLDER / "logical_forms.gold.tsv")
    try:
        rankings = {str(path): read_run(path, dataset) for path in arguments.run}
    except CorpusError as error:
        parser.error(str(error))
    for name, search in searches(dataset, arguments.retriever, arguments.model).items():
        asked = [one for one in dataset.questions if one.form or name != "logical-typed"]
        rankings[name] = {question.id: Ranking(tuple(search(question))) for question in asked}
    Console(width=None if sys.stdout.isatty() else 120, highlight=False).print(table(dataset, rankings))


def searches(dataset: Dataset, names: Sequence[str], model: str) -> dict[str, Search]:
    """Build the named retrievers over the passages; the encoder is loaded if one of them needs it."""
    found: dict[str, Search] = {"bm25": lexical(dataset)} if "bm25" in names else {}
    if set(names) - {"bm25"}:
        embedder = SentenceTransformerEmbedder()
        vectors = embedder.embed_documents([document.text for document in dataset.documents])
        retriever = LogicalRetriever(InMemoryStore(dataset.documents, vectors), embedder, k=K)
        found["dense"] = lambda question: _ids(retriever.dense(question.text).documents)
        found["logical"] = lambda question: _ids(retriever.retrieve(question.text))
        found["logical-typed"] = lambda question: _ids(retriever.search(parse(question.form or "")).documents)
        if "cross-encoder" in names:
            found["cross-encoder"] = reranked(retriever, model)
    return {name: found[name] for name in names}


def _ids(documents: Iterable[RankedDocument]) -> list[str]:
    return [str(document.id) for document in documents]


def lexical(dataset: Dataset) -> Search:
    """Index the passages by BM25; a passage that shares no word with a question is not retrieved."""
    ids = [str(document.id) for document in dataset.documents]
    bm25 = bm25_of([document.text for document in dataset.documents])

    def search(question: JudgedQuestion) -> Sequence[str]:
        scores = bm25(question.text)
        return rank(np.where(scores > 0, scores, -np.inf), ids, K)

    return search


def reranked(retriever: LogicalRetriever, model: str) -> Search:
    """Load a cross-encoder, which reranks the best passages of dense retrieval by the whole question."""
    from sentence_transformers import CrossEncoder

    encoder = CrossEncoder(model)

    def search(question: JudgedQuestion) -> Sequence[str]:
        found = retriever.dense(question.text, k=RERANKED).documents
        best = encoder.rank(question.text, [document.text for document in found], top_k=K)
        return _ids(found[int(place["corpus_id"])] for place in best)

    return search


def read_run(path: Path, dataset: Dataset) -> dict[str, Ranking]:
    """Read a run file; questions without a line have empty rankings, and a message says how many there are.

    Raises:
        CorpusError: The file cannot be read, or a line has an unknown id or repeats a pair.
    """
    found: dict[str, list[str]] = {question.id: [] for question in dataset.questions}
    documents = {document.id for document in dataset.documents}
    for number, line in text_lines(path):
        query, _, document = (cell.strip() for cell in line.partition("\t"))
        if number == 1 and query == "query-id":
            continue
        if query not in found or document not in documents or document in found[query]:
            hint = "Write query-id<TAB>doc-id, with ids of queries.jsonl and corpus.jsonl, each pair once."
            raise wrong(path, number, f"{line[:60]!r} is no pair of known ids, or repeats one.", hint)
        found[query].append(document)
    if missing := sum(not ids for ids in found.values()):
        print(f"{path}: {missing} of {len(found)} questions have no line", file=sys.stderr)
    return {query: Ranking(tuple(ids)) for query, ids in found.items()}


def table(dataset: Dataset, rankings: Mapping[str, Mapping[str, Ranking]]) -> Table:
    """Build the table: for each kind of question, the figures of each retriever that was asked them."""
    rows = [row for _, row in json_lines(FOLDER / "questions.jsonl", "Write one question a line.")]
    says = {row["id"]: dict.fromkeys(row["says"], 1) for row in rows}
    ndcg, unwanted, recall = map(get_measure, ("nDCG@10", "Violation@4", "R@4"))
    shown = Table("kind", "questions", "retriever", "nDCG@10", "unwanted within 4", "says so, within 4", box=MARKDOWN)
    for kind in KINDS:
        asked = [question for question in dataset.questions if question.type == kind]
        saying = [replace(question, relevance=says[question.id]) for question in asked if says[question.id]]
        for name, found in rankings.items():
            if all(question.id in found for question in asked):
                values = (ndcg.values(asked, found), unwanted.values(asked, found), recall.values(saying, found))
                cells = (f"{np.mean([*each.values()]):.3f}" if each else "-" for each in values)
                shown.add_row(kind, str(len(asked)), name, *cells)
    return shown


if __name__ == "__main__":
    main()
