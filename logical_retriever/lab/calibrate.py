"""Labelled pairs of a term and a document, from which truth values are fitted (ITLR, appendix E)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from logical_retriever.embedding import Embedder, embed_passages, embed_terms
from logical_retriever.files import json_lines, text_lines, wrong
from logical_retriever.vectors import unit

FORM = 'Each line is {"term": "bone health", "text": "...", "label": 1}, or "cosine": 0.43 instead of "text".'


@dataclass(frozen=True)
class LabelledPair:
    """Whether a document is about a term.

    Attributes:
        term: The term.
        label: 1 where the document is about it, else 0.
        text: The document's text, or None where the cosine is given.
        cosine: Cosine of term and document, in [-1, 1], or None where the text is given.
    """

    term: str
    label: int
    text: str | None = None
    cosine: float | None = None


def read_pairs(path: str | Path) -> list[LabelledPair]:
    r"""Read labelled pairs: JSON Lines, or a tab-separated table where the file's name ends in ``.tsv``.

    Each line of JSON is an object with "term", "label" (0 or 1) and either "text" or "cosine". The first row of a table
    is its header: ``term\ttext\tlabel`` or ``term\tcosine\tlabel``.

    Raises:
        CorpusError: The file cannot be read, or a line is something else; says which, and what was expected.
    """
    path = Path(path)
    records = _table(path) if path.suffix == ".tsv" else json_lines(path, FORM)
    pairs = [_pair(record, path, line) for line, record in records]
    if not pairs:
        raise wrong(path, None, "has no labelled pair.", FORM)
    return pairs


def cosines_of(pairs: Sequence[LabelledPair], embedder: Callable[[], Embedder]) -> npt.NDArray[np.float64]:
    """Cosine of every pair: shape (P,), in [-1, 1].

    Args:
        pairs: The pairs.
        embedder: Called where a pair has a text instead of a cosine.

    Raises:
        EmbeddingError: The encoder failed.
    """
    cosines = np.array([np.nan if pair.cosine is None else pair.cosine for pair in pairs])
    missing = np.flatnonzero(np.isnan(cosines))
    if len(missing):
        encoder = embedder()
        terms, term_of = np.unique([pairs[i].term for i in missing], return_inverse=True)
        texts, text_of = np.unique([pairs[i].text or "" for i in missing], return_inverse=True)
        term_vectors = unit(embed_terms(encoder, terms.tolist()))
        text_vectors = unit(embed_passages(encoder, texts.tolist()))
        cosines[missing] = np.einsum("pd,pd->p", term_vectors[term_of], text_vectors[text_of])
    return np.clip(cosines, -1.0, 1.0)


def _table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    columns: list[str] = []
    for line, text in text_lines(path):
        cells = [cell.strip() for cell in text.split("\t")]
        if not columns:
            columns = [cell.lower() for cell in cells]
            if sorted(columns) not in (["label", "term", "text"], ["cosine", "label", "term"]):
                hint = "Begin with a header of three cells: term, text (or cosine), label, separated by tabs."
                raise wrong(path, line, f"the header is {text[:60]!r}.", hint)
            continue
        if len(cells) != len(columns):
            problem = f"expected {len(columns)} cells ({', '.join(columns)}) separated by tabs, found {len(cells)}."
            raise wrong(path, line, problem, "Separate the cells with one tab each; spaces do not count.")
        named = zip(columns, cells, strict=True)
        yield line, {key: _number(cell) if key in ("label", "cosine") else cell for key, cell in named}


def _pair(record: dict[str, Any], path: Path, line: int) -> LabelledPair:
    term, text, cosine, label = (record.get(key) for key in ("term", "text", "cosine", "label"))
    if not isinstance(term, str) or not term.strip():
        raise wrong(path, line, "no text under the key 'term'.", FORM)
    if isinstance(label, bool) or label not in (0, 1):
        raise wrong(path, line, f"the label is {label!r}, not 0 or 1.", FORM)
    if (text is None) == (cosine is None):
        raise wrong(path, line, "neither 'text' nor 'cosine'." if text is None else "both 'text' and 'cosine'.", FORM)
    if text is not None:
        if not isinstance(text, str) or not text.strip():
            raise wrong(path, line, "the key 'text' holds no text.", FORM)
        return LabelledPair(term, int(label), text=text)
    if isinstance(cosine, bool) or not isinstance(cosine, (int, float)) or not -1.0 <= cosine <= 1.0:
        raise wrong(path, line, f"the cosine is {cosine!r}, not a number in [-1, 1].", FORM)
    return LabelledPair(term, int(label), cosine=float(cosine))


def _number(cell: str) -> float | str:
    """The number in a cell, or the cell where there is none, for the message."""
    try:
        return float(cell)
    except ValueError:
        return cell
