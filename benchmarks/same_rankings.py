"""Are rankings the same before and after a change? Dump them with each version, then compare.

    python benchmarks/same_rankings.py dump before.json [DATA]     # in a checkout of the version before
    python benchmarks/same_rankings.py dump after.json [DATA]      # in the one after
    python benchmarks/same_rankings.py compare before.json after.json

DATA is the folder of the benchmark sets; default: LOGICAL_RETRIEVER_DATA, else ../shared/data beside the repository.
The demo is dumped as well. Only public names that both versions have are used; vectors of texts
are kept beside the dump (``*.vectors.npz``), so that copying that file spares the second version the encoding.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from logical_retriever import (
    CueQueryTransformer,
    InMemoryStore,
    LogicalRetriever,
    SentenceTransformerEmbedder,
    StoredDocument,
    Transformation,
    get_semantics,
    parse,
)
from logical_retriever.demo import load_passages, load_questions
from logical_retriever.semantics.nsfl import NsflSemantics
from logical_retriever.testing.store_wrappers import WithoutScan

K = 10
TOLERANCE = 1e-9
EVERY = 8
"""One question in so many is asked of every way to search, and all of them of the default."""
WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "vectors alone": {"evidence": "dense"},
    "product": {"semantics": "product"},
    "itlr": {"semantics": "itlr"},
    "godel": {"semantics": "godel"},
    "lukasiewicz": {"semantics": "lukasiewicz"},
    "hamacher": {"semantics": "hamacher"},
    "sqo": {"mode": "sqo"},
    "deo": {"mode": "deo"},
    "lists": {"lists": True, "evidence": "dense"},
    "lists, itlr": {"lists": True, "semantics": "itlr"},
    "lists, words": {"lists": True, "fetch_k": 50},
    "nsfl": {"semantics": "nsfl", "evidence": "dense"},
}


class Remembered:
    """The encoder, asked for each text once in the life of a file."""

    def __init__(self, path: Path) -> None:
        self.path, self.model = path, None
        self.vectors: dict[str, Any] = {}
        if path.exists():
            kept = np.load(path)
            self.vectors = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))

    def embed_queries(self, texts: Any) -> Any:
        """Shape (T, d)."""
        new = [text for text in dict.fromkeys(texts) if text not in self.vectors]
        if new:
            self.model = SentenceTransformerEmbedder() if self.model is None else self.model
            self.vectors.update(zip(new, np.asarray(self.model.embed_queries(new)), strict=True))
        return np.array([self.vectors[text] for text in texts], dtype=np.float32)

    embed_documents = embed_queries

    def keep(self) -> None:
        """Write the vectors."""
        np.savez(self.path, texts=np.array(list(self.vectors)), vectors=np.array(list(self.vectors.values())))


def lines(path: Path) -> list[str]:
    """Lines of a file; other characters that Unicode breaks lines at are part of them."""
    with path.open(encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def questions(folder: Path) -> Iterator[tuple[str, Transformation]]:
    """Questions of a set with their best recorded forms; one without a form is read by the cue rules."""
    forms: dict[str, str] = {}
    for file in sorted(folder.glob("logical_forms.*.tsv")):
        for line in lines(file)[1:]:
            id, _, form = line.partition("\t")
            forms[id] = form
    rules = CueQueryTransformer()
    for row in map(json.loads, lines(folder / "queries.jsonl")):
        form, text = row.get("logical_query", forms.get(row["_id"])), row.get("text")
        if text is None:
            yield row["_id"], Transformation(form, parse(form), "given")
            continue
        made = rules.transform(text)
        yield f"{row['_id']}, rules", made
        if form is not None:
            yield row["_id"], Transformation(text, parse(form), "recorded")


def documents(folder: Path) -> InMemoryStore:
    """The corpus of a set."""
    rows = [json.loads(line) for line in lines(folder / "corpus.jsonl")]
    vectors = np.load(next(folder.glob("vectors.*.npy"))).astype(np.float32)
    contents = [f"{row['title']}. {row['text']}" if row.get("title") else row["text"] for row in rows]
    return InMemoryStore([StoredDocument(row["_id"], text) for row, text in zip(rows, contents, strict=True)], vectors)


def ranked(retrievers: dict[str, LogicalRetriever], id: str, made: Transformation, everything: bool) -> Any:
    """Rankings of a question, by way: its query, whether it is exact, ids and scores."""
    found = {}
    for way, retriever in retrievers.items():
        if way != "default" and (not everything or (way == "nsfl" and "rules" in id)):
            continue
        result = retriever.search(made)
        found[way] = [str(made.query), result.exact, [[d.id, d.score] for d in result.documents]]
    return found


def retrievers_over(store: InMemoryStore, embedder: Remembered) -> dict[str, LogicalRetriever]:
    """A retriever for each way to search."""
    made = {}
    for way, settings in WAYS.items():
        changed = dict(settings)
        over = WithoutScan(store) if changed.pop("lists", False) else store
        name = changed.pop("semantics", "calibrated")
        semantics = NsflSemantics() if name == "nsfl" else get_semantics(name)
        made[way] = LogicalRetriever(over, embedder, semantics=semantics, k=K, **changed)
    return made


def dump(out: Path, data: Path) -> None:
    """Write the rankings of all questions."""
    embedder = Remembered(out.with_suffix(".vectors.npz"))
    found: dict[str, Any] = {}
    for folder in sorted(path.parent for path in data.glob("*/queries.jsonl")):
        print(folder.name, flush=True)
        asked = list(questions(folder))
        retrievers = retrievers_over(documents(folder), embedder)
        embedder.embed_queries([t for _, made in asked for t in (made.question, *made.query.terms())])
        for number, (id, made) in enumerate(asked):
            found[f"{folder.name} {id}"] = ranked(retrievers, id, made, number % EVERY == 0)
        embedder.keep()
    found.update(demo(embedder))
    embedder.keep()
    out.write_text(json.dumps(found), encoding="utf-8")
    print(f"{len(found)} questions in {out}")


def demo(embedder: Remembered) -> dict[str, Any]:
    """The demo's questions over its passages."""
    texts = [passage.content for passage in load_passages()]
    store = InMemoryStore([StoredDocument(str(i), t) for i, t in enumerate(texts)], embedder.embed_documents(texts))
    retrievers, rules = retrievers_over(store, embedder), CueQueryTransformer()
    return {
        f"demo {i}": ranked(retrievers, str(i), rules.transform(row.question), True)
        for i, row in enumerate(load_questions())
    }


def compare(before: Path, after: Path) -> int:
    """Print what differs; 1 where anything does."""
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    different, rankings, worst = [], 0, 0.0
    for id in old.keys() | new.keys():
        for way in old.get(id, {}).keys() | new.get(id, {}).keys():
            rankings += 1
            was, now = old.get(id, {}).get(way), new.get(id, {}).get(way)
            problem = _difference(was, now)
            if problem is None:
                worst = max([worst, *(abs(x - y) for (_, x), (_, y) in zip(was[2], now[2], strict=True))])
            else:
                different.append(f"{id} / {way}: {problem}")
    print("\n".join(sorted(different)[:40]))
    print(f"{rankings} rankings of {len(old)} questions; {len(different)} differ; scores differ by at most {worst:.2g}")
    return 1 if different else 0


def _difference(was: Any, now: Any) -> str | None:
    if was is None or now is None:
        return "only in one of the two"
    checks: list[tuple[str, Callable[[Any], Any]]] = [
        ("query", lambda found: found[0]),
        ("exact", lambda found: found[1]),
        ("documents", lambda found: [id for id, _ in found[2]]),
    ]
    for name, part in checks:
        if part(was) != part(now):
            return f"{name} {part(was)} became {part(now)}"
    off = [abs(x - y) for (_, x), (_, y) in zip(was[2], now[2], strict=True)]
    return f"scores differ by {max(off):.3g}" if max(off, default=0.0) > TOLERANCE else None


def main(arguments: list[str]) -> int:
    """Run one of the two commands."""
    match arguments:
        case ["dump", out, *rest] if len(rest) <= 1:
            beside = Path(__file__).parents[2] / "shared" / "data"
            dump(Path(out), Path(rest[0] if rest else os.environ.get("LOGICAL_RETRIEVER_DATA", beside)))
            return 0
        case ["compare", before, after]:
            return compare(Path(before), Path(after))
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
