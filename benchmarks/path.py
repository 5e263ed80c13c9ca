"""Print what each stage makes of one question, and how much code it passes through.

python benchmarks/path.py           # the values in docs/architecture.md
python benchmarks/path.py --count   # files and calls of the package: the fourth question of a process, 120 texts
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from types import FrameType

from logical_retriever import LogicalRetriever
from logical_retriever.options import SearchOptions
from logical_retriever.search.question import Question
from logical_retriever.search.run import find_candidates, search_result
from logical_retriever.search.scores import score
from logical_retriever.search.selection import select
from logical_retriever.search.session import StoreSession
from logical_retriever.search.statistics import shared_statistics
from logical_retriever.search.verification import verified
from logical_retriever.testing import HashingEmbedder

QUESTION = "green tea, but not brewing"
TEXTS = (
    "what green tea does for the heart",
    "green tea from the garden next door",
    "brewing green tea in soft water",
    "making black coffee on a camping stove",
    "a long walk by the river",
)
BEFORE = ("black coffee, but not music", "honey and lemon without bread", "winter light, but not river")
WORDS = ("green", "tea", "brewing", "health", "coffee", "black", "cup", "water", "leaves", "garden", "river", "music")


def path() -> list[str]:
    """Return the stages of the question, one line each, with the values they add."""
    embedder = HashingEmbedder()
    retriever = LogicalRetriever.from_texts(TEXTS, embedder, k=3)
    read = retriever.transformer.transform(QUESTION)
    question = Question.of(read, SearchOptions(k=3))
    lines = [f"question      {read.question}", f"reading       {read.query}  (by the {read.method})"]
    lines.append(f"texts         {', '.join(map(repr, question.texts))}")
    question = question.with_vectors(embedder.embed_queries(question.texts))
    count, dimensions = question.vectors.shape
    lines.append(f"vectors       {count} vectors, each of {dimensions} dimensions")
    store = StoreSession(question, retriever.store, shared_statistics(retriever.store, embedder), None)
    snapshot = store.store_statistics.current(store.count)
    assert snapshot is not None
    question = question.with_statistics(snapshot.of(question.vectors))
    terms = question.scored.terms()
    rows, nulls = question.rows(terms), question.statistics.nulls
    for term, row in zip(terms, rows, strict=True):
        lines.append(
            f"statistics    {term!r}: by chance a cosine of {nulls.means[row]:.3f} ± {nulls.deviations[row]:.3f}"
        )
    candidates = find_candidates(question, store, 1)
    lines.append(f"candidates    {len(candidates.documents)} of {store.count} documents: {candidates.found.reason}")
    scores = score(question, candidates)
    for place in scores.order:
        evidence = ", ".join(f"{term!r} {values[place]:.1f}" for term, values in scores.evidence.items())
        text = repr(candidates.documents[place].text)
        lines.append(f"evidence      {text:<42} {evidence:<31} | score {scores.scores[place]:6.2f}")
    selection, opinion = verified(question, candidates, scores, select(question, candidates, scores))
    shown = [*selection.documents, *(out.document for out in selection.left_out)]
    for document in sorted(shown, key=lambda document: -document.score):
        for term, decision in document.decisions.items():
            verdict = decision.verdict
            said = f", read: has {verdict.has:.2f}, about {verdict.about:.2f}" if verdict else ""
            how = f"{decision.kind}, {decision.cue}{said}"
            lines.append(f"decision      {document.text!r:<42} {term!r} {decision.probability:.2f}  ({how})")
    result = search_result(question, store, candidates, selection, opinion)
    lines += [f"shown         {document.text}" for document in result.documents]
    lines += [f"left out      {out.text}, for {out.term}: {out.reason}" for out in result.left_out]
    return lines


def count() -> str:
    """Return how many files and calls of the package answer the question."""
    rng = random.Random(0)
    texts = [" ".join(rng.choice(WORDS) for _ in range(8)) for _ in range(120)]
    retriever = LogicalRetriever.from_texts(texts, HashingEmbedder())
    for question in BEFORE:
        retriever.retrieve(question)
    files: Counter[str] = Counter()

    def profile(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and "/logical_retriever/" in name:
            files[name] += 1

    sys.setprofile(profile)
    retriever.retrieve(QUESTION)
    sys.setprofile(None)
    return f"{len(files)} files, {sum(files.values())} calls"


if __name__ == "__main__":
    print(count() if "--count" in sys.argv[1:] else "\n".join(path()))
