"""Exclusions over the demo's corpus, by k: what is shown of what was excluded, and of what is wanted.

Each of the demo's ten subjects has 20 passages with labels. Every label that at least four passages of a subject have
is excluded from it once: ``"Jazz" AND NOT "Miles Davis"``. No constant was chosen on these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument, Verifier
from logical_retriever.demo import load_passages, load_topics
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.lexical import own_words, tokenize
from logical_retriever.query import And, Not, Term

SUBJECTS = {
    "vitamin d": "Vitamin D",
    "apollo": "Apollo missions",
    "spielberg": "Films by Steven Spielberg",
    "coffee": "Coffee",
    "electric cars": "Electric cars",
    "italian cities": "Italian cities",
    "python": "Python",
    "dogs": "Dogs",
    "renewable energy": "Renewable energy",
    "jazz": "Jazz",
}
WORDINGS = {"war": "war films", "language": "programming language", "work": "working dogs", "piano": "pianists"}
"""Labels that say little by themselves, as a person would type them."""
KS = (5, 10, 20)
WAYS = ("dense", "rank", "drop, unread", "drop", "strict", "drop, labels")
LEAST = 4


@dataclass(frozen=True)
class Labels:
    """A verifier that answers with the corpus's labels."""

    unwanted: frozenset[str]
    name: str = "labels"

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> list[bool]:
        """Say of each passage whether it has the label, and is to go."""
        return [passage in self.unwanted for _, passage in zip(terms, passages, strict=True)]


def demo_table(embedder: SentenceTransformerEmbedder) -> Table:
    """Passages shown over all exclusions, for each way to search."""
    passages, topics = load_passages(), load_topics()
    texts = {one.id: one.content for one in passages}
    store = InMemoryStore(
        [StoredDocument(*item) for item in texts.items()], embedder.embed_documents([*texts.values()])
    )
    retriever = LogicalRetriever(store, embedder)
    pairs = [(subject, label) for subject in SUBJECTS for label in _labels(topics, subject)]
    sums: dict[str, Counter[str]] = {way: Counter() for way in WAYS}
    for subject, label in pairs:
        unwanted = {id for id, own in topics.items() if {subject, label} <= own}
        wanted = {id for id, own in topics.items() if subject in own} - unwanted
        wish, term = SUBJECTS[subject], WORDINGS.get(label, label)
        words = set(own_words(term, (wish,), (), "en"))
        labels = Labels(frozenset(texts[id] for id in unwanted))
        readers: dict[str, Verifier | None] = {"drop": None, "strict": None, "drop, labels": labels}
        for way, sum in sums.items():
            for k in KS:
                if way == "dense":
                    query, how = Term(f"{wish}, but not {term}"), {"words": 0.0}
                else:
                    query = And((Term(wish), Not(Term(term))))
                    how = {"exclusion": way.partition(",")[0], "verify": readers.get(way, False)}
                result = retriever.search(query, k=k, **how)
                shown = {str(document.id) for document in result.documents}
                sum[f"unwanted {k}"] += len(shown & unwanted)
                sum[f"wanted {k}"] += len(shown & wanted)
                sum[f"short {k}"] += len(shown) < k
                sum["calls"] = max(sum["calls"], result.second_opinion.calls if result.second_opinion else 0)
                if k == KS[-1] and words:
                    sum["names"] += len([id for id in shown & unwanted if words <= set(tokenize(texts[id], "en"))])
    table = Table(title=f"{len(pairs)} exclusions over the demo's {len(passages)} passages, k = {KS}")
    for heading in ("", "unwanted shown", "of these name the term", "wanted shown", "fewer than k", "calls, most"):
        table.add_column(heading, justify="right" if heading else "left")
    for way, sum in sums.items():
        cells = [" / ".join(str(sum[f"{what} {k}"]) for k in KS) for what in ("unwanted", "wanted", "short")]
        table.add_row(way, cells[0], str(sum["names"]), *cells[1:], str(sum["calls"]))
    return table


def _labels(topics: dict[str, frozenset[str]], subject: str) -> list[str]:
    counts = Counter(label for own in topics.values() if subject in own for label in sorted(own))
    return [label for label, count in counts.items() if count >= LEAST and label not in SUBJECTS]
