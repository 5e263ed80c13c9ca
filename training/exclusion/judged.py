"""Documents judged for an exclusion, with the features of the decision: what the weights are fitted to.

Sets are folders of the benchmark data (LOGICAL_RETRIEVER_DATA). A document is to be left out if a set calls it
unwanted, and to stay if it is relevant. Each set is there twice: as its questions are read, and typed as logic. Of
``passages``, the English files ``_03`` are one store; a thing that a passage is about is the wish, and each other thing
is excluded in turn, as a topic (left out if about it), as something to lack (left out if it has it) and typed (either).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from benchmark_sets import data_folder, read_set

from logical_retriever import And, InMemoryStore, LogicalQuery, LogicalRetriever, Not, StoredDocument, Term, parse
from logical_retriever.embedding import Embedder
from logical_retriever.evaluation.run import read_question
from logical_retriever.query import negative_terms
from logical_retriever.reading import ReadQuestion
from logical_retriever.reading.passages import default_passage_reader
from logical_retriever.scoring.exclusion import exclusion_features
from logical_retriever.search.candidates import Found, gather, strongest_evidence
from logical_retriever.search.scan import scan_store

SETS = ("ask exclusions", "excluir", "boolquestions_not", "limit", "comlq", "lack")
FORMS = {"ask exclusions": "gold", "limit": "gold", "comlq": "prompt_a"}
"""Whose logical forms: people's for two sets, a language model's elsewhere. Those of comlq exclude what
identifies the answer; no document is called unwanted there, but the relevant ones must stay."""
KINDS = {"property": "lack", "topic": "topic"}
OTHERS = ("ask exclusions", "boolquestions_not", "lack")
"""Sets that are encoded again by encoders other than MiniLM."""
MOST = 250
"""Most questions of a set with forms that a language model wrote."""
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question with an exclusion, and what became of documents in the eyes of the set."""

    id: str
    query: ReadQuestion | LogicalQuery
    relevant: frozenset[str]
    unwanted: frozenset[str]
    says: frozenset[str] = frozenset()
    kind: str | None = None


@dataclass(frozen=True)
class JudgedSet:
    """A set over its store."""

    name: str
    retriever: LogicalRetriever
    asked: Sequence[Asked]


@dataclass(frozen=True, eq=False)
class Rows:
    """Features of R pairs of a document and a term, and what is to become of D documents.

    Attributes:
        features: Shape (R, F).
        document: Position of each pair's document, shape (R,).
        leave_out: Whether to leave each document out, shape (D,).
        verdicts: What the passage reader made of each pair (has, denies, open, absent, about), shape (R, 5); NaN where
            it made nothing.
        cost: Cost of showing each document that is to be left out, shape (D,).
    """

    features: Array
    document: npt.NDArray[np.intp]
    leave_out: npt.NDArray[np.bool_]
    verdicts: Array
    cost: Array = field(default_factory=lambda: np.ones(1))

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", np.broadcast_to(self.cost, self.leave_out.shape))


class Remembering:
    """An encoder that encodes a text once."""

    def __init__(self, encoder: Embedder) -> None:
        self.encoder, self._known = encoder, dict[tuple[str, bool], Array]()

    def embed_queries(self, texts: Sequence[str]) -> Array:
        """Shape (T, d)."""
        return self._of(texts, False)

    def embed_documents(self, texts: Sequence[str]) -> Array:
        """Shape (N, d)."""
        return self._of(texts, True)

    def _of(self, texts: Sequence[str], documents: bool) -> Array:
        missing = [text for text in dict.fromkeys(texts) if (text, documents) not in self._known]
        for start in range(0, len(missing), 64):
            part = missing[start : start + 64]
            encoded = (self.encoder.embed_documents if documents else self.encoder.embed_queries)(part)
            self._known.update(zip([(text, documents) for text in part], np.asarray(encoded), strict=True))
        return np.stack([self._known[text, documents] for text in texts])


def judged_sets(embedder: Embedder, cache: Path | None, name: str) -> Iterator[JudgedSet]:
    """Read all sets but ``passages``, as read and typed; an encoder other than MiniLM encodes their documents."""
    for one in SETS if name == "minilm" else OTHERS:
        if one == "lack":
            documents, asked = _lack()
            vectors: Any = np.load(data_folder() / "lack" / "vectors.all-MiniLM-L6-v2.f16.npy").astype(np.float32)
        else:
            dataset = read_set(one, FORMS.get(one, "prompt_c"))
            if dataset is None:
                continue
            documents, vectors = dataset.documents, dataset.vectors
            asked = [
                Asked(question.id, read, question.relevant, question.violations)
                for question in dataset.questions
                if negative_terms((read := read_question(question, None)).query)
            ]
            asked = asked[:: 1 + (len(asked) - 1) // MOST]
        if name != "minilm":
            vectors = _encoded(documents, embedder, cache, f"{name}_{one.split()[0]}")
        retriever = LogicalRetriever(InMemoryStore(documents, vectors), embedder)
        yield JudgedSet(one, retriever, asked)
        yield JudgedSet(f"{one}, typed", retriever, [replace(question, query=_typed(question)) for question in asked])


def _typed(question: Asked) -> LogicalQuery:
    return question.query.query if isinstance(question.query, ReadQuestion) else question.query


def _encoded(documents: Sequence[StoredDocument], embedder: Embedder, cache: Path | None, name: str) -> Any:
    file = None if cache is None else cache / f"{name}.npy"
    if file is not None and file.exists():
        return np.load(file).astype(np.float32)
    vectors = np.asarray(embedder.embed_documents([document.text for document in documents]), np.float32)
    if file is not None:
        np.save(file, vectors.astype(np.float16))
    return vectors


def _lack() -> tuple[list[StoredDocument], list[Asked]]:
    """Read ``lack``, whose questions say whether a property or a topic is excluded."""

    def lines(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (data_folder() / "lack" / name).read_text("utf-8").splitlines()]

    forms = (data_folder() / "lack" / "logical_forms.gold.tsv").read_text("utf-8").splitlines()[1:]
    form = dict(line.split("\t", 1) for line in forms)
    asked = [
        Asked(
            one["id"],
            _recorded(one["question"], parse(form[one["id"]]), KINDS[one["kind"]]),
            frozenset(one["good"]),
            frozenset(one["bad"]),
            frozenset(one["says"]),
            one["kind"],
        )
        for one in lines("questions.jsonl")
        if one["kind"] != "harmless"
    ]
    return [StoredDocument(one["_id"], one["text"]) for one in lines("corpus.jsonl")], asked


def _recorded(text: str, query: LogicalQuery, kind: str) -> ReadQuestion:
    return ReadQuestion(text, query, "recorded", kinds=dict.fromkeys(negative_terms(query), kind))


def judged_rows(judged: JudgedSet) -> Rows:
    """Return the features of all judged documents of a set, and the passage reader's verdicts."""
    parts, verdicts, leave_out = [], list[Array](), list[bool]()
    documents: list[int] = []
    for question in judged.asked:
        ids = [*question.unwanted, *question.relevant - question.unwanted]
        for term, features in pair_features(judged.retriever, question.query, ids):
            documents += range(len(leave_out), len(leave_out) + len(ids))
            parts.append(features)
            verdicts += read(
                [term] * len(ids), [document.text for document in judged.retriever.store.fetch(ids).documents]
            )
        leave_out += [id in question.unwanted for id in ids]
    return Rows(np.concatenate(parts), np.array(documents), np.array(leave_out), np.array(verdicts))


def read(terms: Sequence[str], passages: Sequence[str]) -> list[Array]:
    """Return the passage reader's five probabilities for each pair; NaN without a verdict."""
    verdicts = default_passage_reader().verify(terms, passages)
    return [np.full(5, np.nan) if one is None else np.array([*vars(one).values()]) for one in verdicts]


def pair_features(
    retriever: LogicalRetriever,
    query: ReadQuestion | LogicalQuery,
    ids: Sequence[Any],
    kinds: Sequence[str | None] = (None,),
) -> list[tuple[str, Array]]:
    """Return each excluded term with the features of documents for it, shape (N, F); for several kinds in turn."""
    question = retriever._encoded(query, None, retriever.options)
    session = retriever._session(question)
    snapshot = session.store_statistics.current(session.count)
    assert snapshot is not None
    question = question.with_statistics(snapshot.of(question.vectors))
    scan = scan_store(question, session)
    strongest = strongest_evidence(question, question.evidence(scan.cosines, scan.lexical or {}, {}))
    evidence = gather(question, session, session.fetch(ids), Found("all", strongest=strongest)).evidence
    found = []
    for kind in kinds:
        own = evidence if kind is None else replace(evidence, kinds=dict.fromkeys(question.excluded, kind))
        term_evidence = question.options.calibrated_semantics.term_evidence(question.scored, own)
        found += [
            (text, np.stack([*exclusion_features(text, term_evidence).values()], axis=1)) for text in question.excluded
        ]
    return found


def passage_rows(embedder: Embedder, seed: int = 0) -> Rows:
    """Return the features of the marked pairs of ``passages``, each for three kinds, with the reader's verdicts."""
    blocks: dict[str, tuple[str, list[tuple[str, ...]]]] = {}
    for file in sorted((data_folder() / "passages").glob("[a-o]_03.txt")):
        for number, block in enumerate(re.split(r"\n\s*\n", file.read_text("utf-8").strip()), start=1):
            passage, *marked = block.splitlines()
            marks = [match.groups() for line in marked if (match := re.match(r"([+\-~0])(!?) (\S.*)$", line))]
            blocks[f"{file.stem}\t{number}"] = passage.removeprefix("# "), marks
    documents = [StoredDocument(id, passage) for id, (passage, _) in blocks.items()]
    vectors = embedder.embed_documents([document.text for document in documents])
    retriever = LogicalRetriever(InMemoryStore(documents, np.asarray(vectors, np.float32)), embedder)
    random = np.random.default_rng(seed)
    features, leave_out, verdicts = [], list[bool](), []
    for id, (_, marks) in blocks.items():
        wishes = [thing for mark, about, thing in marks if mark == "+" and about]
        for mark, about, thing in marks:
            others = [wish for wish in wishes if wish != thing]
            if others:
                query = And((Term(others[random.integers(len(others))]), Not(Term(thing))))
                features += [one for _, one in pair_features(retriever, query, [id], ("topic", "lack", "typed"))]
                leave_out += [bool(about), mark == "+", mark == "+" or bool(about)]
                verdicts += read([thing], [blocks[id][0]]) * 3
    return Rows(np.concatenate(features), np.arange(len(leave_out)), np.array(leave_out), np.array(verdicts))
