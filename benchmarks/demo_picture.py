"""The README's picture: what ``logical-retriever demo`` prints of its first question.

python benchmarks/demo_picture.py           # print it as text
python benchmarks/demo_picture.py --write   # write docs/demo.svg
"""

from __future__ import annotations

import io
import sys

from pages import ROOT
from rich.console import Console
from rich.terminal_theme import MONOKAI

from logical_retriever.commands.demo import Answer, run_demo, show
from logical_retriever.commands.passages import retriever_of
from logical_retriever.demo import load_passages

PICTURE = ROOT / "docs" / "demo.svg"
WIDTH, K = 100, 5
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {terminal_height}" role="img" \
aria-label="Plain dense retrieval beside logical retrieval: the passages that the question excludes are gone">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect fill="{background}" width="100%" height="100%" rx="8"/>
<g transform="translate({terminal_x}, 12)"><g class="{unique_id}-matrix">
{matrix}
</g></g>
</svg>
"""
"""Of rich's own template without its frame and its fonts, which a reader's browser would fetch from elsewhere."""


def first_answer() -> Answer:
    """The demo's answer to its first question."""
    return run_demo(retriever_of(load_passages()), K, first=1)[0]


def printed(answer: Answer) -> Console:
    """The first question as the demo prints it, on a console that has kept it."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    show([answer], console)
    return console


def svg(console: Console) -> str:
    """What it has kept, as a picture."""
    made = console.export_svg(theme=MONOKAI, code_format=SVG.replace("{background}", "#272822"), unique_id="demo")
    return "\n".join(line.rstrip() for line in made.splitlines()) + "\n"


if __name__ == "__main__":
    console = printed(first_answer())
    if "--write" in sys.argv[1:]:
        PICTURE.write_text(svg(console), encoding="utf-8")
    else:
        print(console.export_text(clear=False))
