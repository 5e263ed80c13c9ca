"""The pictures of the docs, drawn from what the package does with the demo's passages.

python benchmarks/diagrams.py           # say which differ from docs/pictures
python benchmarks/diagrams.py --write   # write them
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape

import numpy as np
from pages import ROOT

from logical_retriever import (
    FieldInfo,
    InMemoryStore,
    LogicalRetriever,
    QuestionReader,
    SentenceTransformerEmbedder,
    StoredDocument,
    parse,
)
from logical_retriever.demo import load_passages

FOLDER = ROOT / "docs" / "pictures"
QUERY = '("wind turbines" OR "hydroelectric dams") AND NOT "effects on wildlife"'
SHOWN = ("How a turbine works", "The cost of dams", "Birds and blades")
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<style>
text {{ font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2933; }}
.small {{ font-size: 12px; fill: #52606d; }} .bold {{ font-weight: 600; }} .mid {{ text-anchor: middle; }}
.card {{ fill: #ffffff; }} .box {{ fill: #e6f4f1; stroke: #00796b; }} .plain {{ fill: #f0f2f5; stroke: #7b8794; }}
.warn {{ fill: #fdecea; stroke: #b3261e; }} .line {{ stroke: #52606d; fill: none; stroke-width: 1.5; }}
.good {{ stroke: #00796b; fill: none; stroke-width: 2.5; }} .bad {{ stroke: #b3261e; fill: none; stroke-width: 2.5; }}
.bar {{ fill: #00796b; }} .badbar {{ fill: #b3261e; }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e4e7eb; }} .small {{ fill: #b0bac5; }} .card {{ fill: #1e2129; }}
.box {{ fill: #123b36; stroke: #4db6ac; }} .plain {{ fill: #2b303b; stroke: #9aa5b1; }}
.warn {{ fill: #48201d; stroke: #f2978f; }} .line {{ stroke: #b0bac5; }}
.good {{ stroke: #4db6ac; }} .bad {{ stroke: #f2978f; }} .bar {{ fill: #4db6ac; }} .badbar {{ fill: #f2978f; }}
}}
</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
<path d="M0 0 8 4 0 8" class="line"/></marker></defs>
<rect class="card" width="{width}" height="{height}" rx="8"/>
"""
"""It brings its own ground, so that it can be read on a light page and on a dark one."""


@dataclass(frozen=True)
class Demo:
    """The demo's passages in memory, their vectors (N, d), and the encoder."""

    store: InMemoryStore
    vectors: np.ndarray
    embedder: SentenceTransformerEmbedder


class Picture:
    """Boxes, lines and words on a ground."""

    def __init__(self, width: int, height: int, label: str) -> None:
        self._parts = [HEAD.format(width=width, height=height, label=escape(label, quote=True))]

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        """Words, from (x, y) to the right."""
        self._parts.append(f'<text x="{x:g}" y="{y:g}" class="{style}">{escape(words)}</text>\n')

    def box(self, x: float, y: float, width: float, words: str, *below: str, style: str = "box") -> None:
        """A box with its first line in bold."""
        height = 30 + 18 * len(below)
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="6" class="{style}"/>\n')
        self.text(x + width / 2, y + 20, words, "mid bold")
        for number, line in enumerate(below, start=1):
            self.text(x + width / 2, y + 20 + 18 * number, line, "mid small")

    def arrow(self, *points: tuple[float, float]) -> None:
        """A line through points, with a head at the last."""
        path = " ".join(f"{x:g} {y:g}" for x, y in points)
        self._parts.append(f'<path d="M{path}" class="line" marker-end="url(#end)"/>\n')

    def curve(self, points: list[tuple[float, float]], style: str) -> None:
        """A line through points."""
        self._parts.append(f'<path d="M{" ".join(f"{x:.1f} {y:.1f}" for x, y in points)}" class="{style}"/>\n')

    def bar(self, x: float, y: float, width: float, style: str) -> None:
        """A bar that begins at (x, y)."""
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="10" rx="2" class="{style}"/>\n')

    def svg(self) -> str:
        """The picture's text."""
        return "".join(self._parts) + "</svg>\n"


def question(_demo: Demo) -> Picture:
    """From a question to documents."""
    asked = "novels from after 1990, but nothing about war"
    made = QuestionReader(fields=[FieldInfo("year", "integer")]).transform(asked).query
    [condition] = made.conditions()
    picture = Picture(
        760,
        396,
        "A question is read by rules or a model, and becomes terms and conditions; documents "
        "are found and scored for each term, the scores are composed, and what is excluded is left out.",
    )
    picture.box(150, 14, 460, f"“{asked}”", style="plain")
    picture.arrow((380, 44), (380, 66))
    picture.box(
        40,
        68,
        680,
        "1  read",
        "typed logic as it is; else rules; a model only where rules see a negation and do not understand it",
    )
    picture.text(390, 135, str(made), "small")
    picture.arrow((380, 116), (380, 146))
    picture.box(40, 148, 210, "2  conditions", f"{condition}: the store's filter,", "or checked on what is found")
    picture.box(275, 148, 210, "3  each term for itself", "its nearest documents,", "and those that have its words")
    picture.box(510, 148, 210, "4  evidence", "how far above chance,", "in this very store")
    picture.arrow((250, 181), (273, 181))
    picture.arrow((485, 181), (508, 181))
    picture.arrow((615, 214), (615, 232), (205, 232), (205, 248))
    picture.box(40, 250, 330, "5  compose", "AND: the least; OR: the most; NOT: held against it")
    picture.box(390, 250, 330, "6  leave out", "what is clearly about an excluded term")
    picture.arrow((370, 274), (388, 274))
    picture.arrow((555, 298), (555, 316), (380, 316), (380, 334))
    picture.box(
        150,
        336,
        460,
        "the best k documents",
        "each with its reasons; whether they are proved; what was left out",
        style="plain",
    )
    return picture


def scores(demo: Demo) -> Picture:
    """Truth values of three passages for one query, and what became of them."""
    query = parse(QUERY)
    retriever = LogicalRetriever(demo.store, demo.embedder, k=200)
    everything = {d.metadata["title"]: d for d in retriever.search(query, drop_excluded=False).documents}
    kept = {document.metadata["title"] for document in retriever.search(query, k=40).documents}
    picture = Picture(
        760,
        84 + 116 * len(SHOWN),
        f"Truth values of {len(SHOWN)} passages for the terms of {QUERY}, "
        "and what becomes of each: the first is found, the last, about an excluded term, is left out.",
    )
    picture.text(20, 30, QUERY, "bold")
    picture.text(20, 52, "How true each term is of a passage, from 0 to 1, and what comes of it", "small")
    for row, title in enumerate(SHOWN):
        document, top = everything[title], 76 + 116 * row
        picture.text(20, top + 12, title, "bold")
        for line, term in enumerate(query.terms()):
            y = top + 34 + 22 * line
            unwanted = line == len(query.terms()) - 1
            value = document.truth_values[term]
            picture.text(20, y, ("NOT " if unwanted else "OR " if line else "") + f'"{term}"', "small")
            picture.bar(210, y - 9, 180 * value, "badbar" if unwanted else "bar")
            picture.text(216 + 180 * value, y, f"{value:.2f}", "small")
        picture.arrow((450, top + 52), (486, top + 52))
        if title in kept:
            picture.box(490, top + 26, 250, f"found: relevance {document.relevance:.2f}", f"score {document.score:.2f}")
        else:
            picture.box(
                490, top + 26, 250, "left out", f'about "{query.terms()[-1]}"; score {document.score:.2f}', style="warn"
            )
    return picture


def proof(demo: Demo) -> Picture:
    """How far a list is read: until no document that was not read can be among the best."""
    k, (wanted, excluded) = 5, ("How electric cars work", "Tesla")
    vectors = demo.embedder.embed_queries([wanted, excluded]) @ demo.vectors.T
    order = np.argsort(-vectors[0])
    nearness, score = vectors[0][order].clip(0), (vectors[0].clip(0) * (1 - vectors[1].clip(0)))[order]
    depths = range(k, 61)
    best = [float(np.sort(score[:depth])[-k]) for depth in depths]
    left = [float(nearness[depth - 1]) for depth in depths]
    proved = next(depth for depth, found, most in zip(depths, best, left, strict=True) if found >= most)
    picture = Picture(
        760,
        330,
        f"With every passage that is read the {k}th best score found rises and the most that an "
        f"unread one can have falls; after {proved} of {len(order)} passages they meet: it is proved.",
    )
    shown = range(k, min(61, proved + 8))
    high, low = max(left), min(best) - 0.02

    def place(depth: float, value: float) -> tuple[float, float]:
        return 60 + 480 * (depth - k) / (shown[-1] - k), 60 + 210 * (high - value) / (high - low)

    picture.text(20, 30, f'"{wanted}" AND NOT "{excluded}", the best {k} of {len(order)}', "bold")
    picture.curve([(60, 50), (60, 275), (545, 275)], "line")
    for depth in shown[::5]:
        picture.text(place(depth, low)[0], 294, str(depth), "mid small")
    picture.text(300, 316, "passages read, nearest to the wanted term first", "mid small")
    for values, style in ((left, "bad"), (best, "good")):
        picture.curve([place(depth, value) for depth, value in zip(shown, values, strict=False)], style)
    x, y = place(proved, best[proved - k])
    picture.curve([(x, y), (x, 275)], "line")
    picture.text(556, place(0, left[len(shown) - 1])[1] + 12, "the most that an unread", "small")
    picture.text(556, place(0, left[len(shown) - 1])[1] + 28, "passage can score", "small")
    picture.text(556, place(0, best[len(shown) - 1])[1] - 6, f"the {k}th best score found", "small")
    picture.box(556, 60, 190, f"proved after {proved}", "nothing unread can be better", style="box")
    return picture


def shards(_demo: Demo) -> Picture:
    """Several stores as one, with one that does not answer."""
    picture = Picture(
        760,
        330,
        "A question goes to every shard with the same statistics; their best documents are merged; a "
        "shard that is not heard is named, with the most that it could hold.",
    )
    picture.box(230, 14, 300, "one question", "the same vectors and statistics for all", style="plain")
    names = ("shard 1", "shard 2", "shard 3")
    for number, name in enumerate(names):
        x = 40 + 240 * number
        silent = number == len(names) - 1
        picture.arrow((380, 62), (x + 100, 98))
        below = ("not heard in time",) if silent else ("its best k, exact",)
        picture.box(x, 100, 200, name, *below, style="warn" if silent else "box")
        if not silent:
            picture.arrow((x + 100, 148), (380, 198))
    picture.box(
        180,
        200,
        400,
        "merged: the best k of those that were heard",
        "equal to one store's, since scores mean the same in all",
    )
    picture.arrow((380, 248), (380, 268))
    picture.box(
        120,
        270,
        520,
        "exact is False: shard 3 is missing",
        "and no document in it can score above its bound, which the answer names",
        style="plain",
    )
    return picture


PICTURES = {"question.svg": question, "scores.svg": scores, "proof.svg": proof, "shards.svg": shards}


def drawn() -> dict[str, str]:
    """The pictures by name, as they should be."""
    passages, embedder = load_passages(), SentenceTransformerEmbedder("all-MiniLM-L6-v2")
    documents = [StoredDocument(p.id, p.content, {"title": p.title}) for p in passages]
    vectors = embedder.embed_documents([p.content for p in passages])
    demo = Demo(InMemoryStore(documents, vectors), vectors, embedder)
    return {name: draw(demo).svg() for name, draw in PICTURES.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn().items():
        path = FOLDER / name
        if "--write" in sys.argv[1:]:
            path.write_text(svg, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != svg:
            print(f"{path}: run python benchmarks/diagrams.py --write")
