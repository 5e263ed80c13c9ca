"""The pictures of the docs, drawn from what the package does with the demo's passages.

python benchmarks/diagrams.py           # say which differ from docs/pictures
python benchmarks/diagrams.py --write   # write them
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape

from pages import ROOT

from logical_retriever import (
    InMemoryStore,
    LogicalRetriever,
    SentenceTransformerEmbedder,
    StoredDocument,
    parse,
)
from logical_retriever.demo import load_passages
from logical_retriever.reading.questions.tagger import default_tagger

FOLDER = ROOT / "docs" / "pictures"
QUERY = '("wind turbines" OR "hydroelectric dams") AND NOT "effects on wildlife"'
LABELS = (("card", ""), ("box", "wanted"), ("warn", "excluded"))
"""Of a word: how its box looks, and what it is called."""
SHOWN = ("How a turbine works", "The cost of dams", "Birds and blades")
HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<style>
text {{ font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2933; }}
.small {{ font-size: 12px; fill: #52606d; }} .bold {{ font-weight: 600; }} .mid {{ text-anchor: middle; }}
.card {{ fill: #ffffff; }} .box {{ fill: #e6f4f1; stroke: #00796b; }} .plain {{ fill: #f0f2f5; stroke: #7b8794; }}
.warn {{ fill: #fdecea; stroke: #b3261e; }} .line {{ stroke: #52606d; fill: none; stroke-width: 1.5; }}
.bar {{ fill: #00796b; }} .badbar {{ fill: #b3261e; }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e4e7eb; }} .small {{ fill: #b0bac5; }} .card {{ fill: #1e2129; }}
.box {{ fill: #123b36; stroke: #4db6ac; }} .plain {{ fill: #2b303b; stroke: #9aa5b1; }}
.warn {{ fill: #48201d; stroke: #f2978f; }} .line {{ stroke: #b0bac5; }}
.bar {{ fill: #4db6ac; }} .badbar {{ fill: #f2978f; }}
}}
</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
<path d="M0 0 8 4 0 8" class="line"/></marker></defs>
<rect class="card" width="{width}" height="{height}" rx="8"/>
"""
"""It brings its own ground, so that it can be read on a light page and on a dark one."""


@dataclass(frozen=True)
class Demo:
    """The demo's passages in memory, and the encoder."""

    store: InMemoryStore
    embedder: SentenceTransformerEmbedder


class Picture:
    """Boxes, lines and words on a ground."""

    def __init__(self, width: int, height: int, label: str) -> None:
        self._parts = [HEAD.format(width=width, height=height, label=escape(label, quote=True))]

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        """Words, from (x, y) to the right."""
        self._parts.append(f'<text x="{x:g}" y="{y:g}" class="{style}">{escape(words)}</text>\n')

    def box(self, x: float, y: float, width: float, words: str, *below: str, style: str = "box") -> None:
        """Draw a box with its first line in bold."""
        height = 30 + 18 * len(below)
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height}" rx="6" class="{style}"/>\n')
        self.text(x + width / 2, y + 20, words, "mid bold")
        for number, line in enumerate(below, start=1):
            self.text(x + width / 2, y + 20 + 18 * number, line, "mid small")

    def arrow(self, *points: tuple[float, float]) -> None:
        """Draw a line through the points, with an arrowhead at the last."""
        path = " ".join(f"{x:g} {y:g}" for x, y in points)
        self._parts.append(f'<path d="M{path}" class="line" marker-end="url(#end)"/>\n')

    def bar(self, x: float, y: float, width: float, style: str) -> None:
        """Draw a bar from (x, y)."""
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="10" rx="2" class="{style}"/>\n')

    def svg(self) -> str:
        """Return the picture as SVG."""
        return "".join(self._parts) + "</svg>\n"


def question(_demo: Demo) -> Picture:
    """From a question to documents."""
    asked = "novels from after 1990, but nothing about war"
    made = parse('"novels" AND [year > 1990] AND NOT "war"')
    [condition] = made.conditions()
    picture = Picture(
        760,
        396,
        "A question is read by the tagger or a model, and becomes terms and conditions; documents "
        "are found and scored for each term, the scores are composed, and what is excluded is left out.",
    )
    picture.box(150, 14, 460, f"“{asked}”", style="plain")
    picture.arrow((380, 44), (380, 66))
    picture.box(
        40,
        68,
        680,
        "1  read",
        "typed logic as it is; else the tagger; a model only where it is not sure",
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
    picture.box(390, 250, 330, "6  leave out", "what has an excluded thing or is about it")
    picture.arrow((370, 274), (388, 274))
    picture.arrow((555, 298), (555, 316), (380, 316), (380, 334))
    picture.box(
        150,
        336,
        460,
        "the best k documents",
        "each with its reasons; what was left out, and why",
        style="plain",
    )
    return picture


def scores(demo: Demo) -> Picture:
    """Truth values of three passages for one query, and what became of them."""
    query = parse(QUERY)
    retriever = LogicalRetriever(demo.store, demo.embedder, k=200)
    everything = {d.metadata["title"]: d for d in retriever.search(query, exclusion="rank").documents}
    kept = {document.metadata["title"] for document in retriever.search(query, k=40).documents}
    picture = Picture(
        760,
        84 + 116 * len(SHOWN),
        f"Truth values of {len(SHOWN)} passages for the terms of {QUERY}, "
        "and what becomes of each: the first is found, the last, about an excluded term, is left out.",
    )
    picture.text(20, 30, QUERY, "bold")
    picture.text(20, 52, "Truth values from 0 to 1; of a NOT, the probability that the passage is to go", "small")
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
            picture.box(490, top + 26, 250, "left out", f'for "{query.terms()[-1]}"', style="warn")
    return picture


def reading(_demo: Demo) -> Picture:
    """Draw the tagger's label of each word of a question, and the query made of them."""
    question = "benefits of vitamin D, but nothing about bones please"
    tagged = default_tagger().read(question)
    words, decoded = default_tagger().decode(question)
    picture = Picture(
        760,
        150,
        f"The words of “{question}” with the tagger's labels: the first four are wanted, bones is excluded. "
        f"They become the query {tagged.query}.",
    )
    x = 20.0
    for (start, end), label in zip(words.spans, decoded.labels, strict=False):
        word = question[start:end]
        width = 14 + 8.4 * len(word)
        style, name = LABELS[(label + 1) // 2]
        picture.box(x, 20, width, word, style=style)
        if name:
            picture.text(x + width / 2, 66, name, "mid small")
        x += width + 6
    picture.arrow((380, 76), (380, 98))
    picture.box(150, 100, 460, f"{tagged.query}", style="plain")
    return picture


PICTURES = {"question.svg": question, "reading.svg": reading, "scores.svg": scores}


def drawn() -> dict[str, str]:
    """Draw all pictures; return their SVG by name."""
    passages, embedder = load_passages(), SentenceTransformerEmbedder("all-MiniLM-L6-v2")
    documents = [StoredDocument(p.id, p.content, {"title": p.title}) for p in passages]
    store = InMemoryStore(documents, embedder.embed_documents([p.content for p in passages]))
    demo = Demo(store, embedder)
    return {name: draw(demo).svg() for name, draw in PICTURES.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn().items():
        path = FOLDER / name
        if "--write" in sys.argv[1:]:
            path.write_text(svg, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != svg:
            print(f"{path}: run python benchmarks/diagrams.py --write")
