"""The networks that read passages, in torch; ``logical_retriever`` runs the taught ones in numpy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from pairs import MARKS, Pair
from torch import Tensor, nn
from torch.nn import functional as F

sys.path.append(str(Path(__file__).resolve().parents[1] / "questions"))

import export as export
from networks import PLACES, WIDTH, Layer, Pretrained as Pretrained

from logical_retriever.lexical import visible
from logical_retriever.reading.passages.network import LONGEST_TERM
from logical_retriever.reading.pieces import Pieces

LONGEST = 256
"""Most pieces of a pair that is taught."""
SMOOTHED = 0.05
ABOUT = 0.5
"""Weight of the loss of "about"."""


class Batch(NamedTuple):
    """Pairs side by side, as tensors of (pairs, pieces): rows of the table, segments, and which are no padding."""

    pieces: Tensor
    segments: Tensor
    real: Tensor


class Cutter:
    """Cut terms and passages into the pieces of a body's vocabulary."""

    def __init__(self, pretrained: Pretrained) -> None:
        self.vocabulary = Pieces(pretrained.pieces, cased=pretrained.cased)
        self._known: dict[str, list[int]] = {}

    def pieces(self, text: str) -> list[int]:
        """Return the rows of a text's pieces, without marks at its ends."""
        if text not in self._known:
            self._known[text] = self.vocabulary.of_text(visible(text))
        return self._known[text]

    def size(self, pair: Pair) -> int:
        """Return the number of pieces of a pair, with its marks."""
        term, passage = len(self.pieces(pair.term)), len(self.pieces(pair.passage))
        return min(min(term, LONGEST_TERM) + passage + 3, LONGEST)

    def batch(self, pairs: Sequence[Pair]) -> Batch:
        """Put pairs side by side: begin, term, end, passage, end."""
        begin, end = self.vocabulary.begin, self.vocabulary.end
        rows, seconds = [], []
        for pair in pairs:
            term = [begin, *self.pieces(pair.term)[:LONGEST_TERM], end]
            rows.append([*term, *self.pieces(pair.passage)[: LONGEST - 1 - len(term)], end])
            seconds.append(len(term))
        longest = max(map(len, rows))
        place = torch.arange(longest)[None]
        pieces = torch.tensor([row + [end] * (longest - len(row)) for row in rows])
        real = place < torch.tensor([len(row) for row in rows])[:, None]
        return Batch(pieces, (place >= torch.tensor(seconds)[:, None]).long() * real, real)


class PassageNet(nn.Module):
    """A cross-encoder of a term and a passage, over a frozen table of pieces.

    What it pools are the first vector and the mean of all. Matrices of the layers learn to be written in four bits.
    """

    def __init__(self, body: str, pretrained: Pretrained, layers: int = 6) -> None:
        super().__init__()
        self.body = body
        self.register_buffer("table", pretrained.table, persistent=False)
        self.place = nn.Parameter(torch.zeros(PLACES, WIDTH))
        self.segment = nn.Parameter(torch.zeros(2, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(1536) for _ in range(layers))
        self.out = nn.Linear(2 * WIDTH, len(MARKS) + 1)
        self.drop = nn.Dropout(0.1)
        if weights := pretrained.weights:
            self.place.data += weights["embeddings.position_embeddings.weight"][:PLACES]
            segments = weights["embeddings.token_type_embeddings.weight"]
            self.segment.data += segments[[0, len(segments) - 1]]
            for end, parameter in self.norm.named_parameters():
                parameter.data.copy_(weights[f"embeddings.LayerNorm.{end}"])
            for number, layer in enumerate(self.layers):
                layer.begin(weights, number)

    def forward(self, batch: Batch) -> Tensor:
        """Score pairs: (pairs, 5), log-odds of the four marks and of "about"."""
        x = self.table[batch.pieces] + self.place[: batch.pieces.shape[1]] + self.segment[batch.segments]
        x = self.drop(self.norm(x))
        for layer in self.layers:
            x = layer(x, batch.real)
        weight = batch.real[..., None].to(x.dtype)
        return self.out(self.drop(torch.cat([x[:, 0], (x * weight).sum(1) / weight.sum(1)], 1)))


def loss_of(scores: Tensor, pairs: Sequence[Pair], mix: float) -> Tensor:
    """Return the loss of a batch: cross-entropy with the marks and with the large reader's labels.

    Where a pair has both, ``mix`` is the mark's share, and "about" is the mean of both.
    """
    marks, about = scores[:, : len(MARKS)].log_softmax(1), scores[:, len(MARKS)]
    targets, abouts = [], []
    for pair in pairs:
        target, topic = torch.zeros(len(MARKS)), 0.0
        share = 0.0 if pair.mark is None else 1.0 if pair.soft is None else mix
        if pair.mark is not None:
            target += share * SMOOTHED / len(MARKS)
            target[pair.mark] += share * (1 - SMOOTHED)
            topic += float(pair.about) * (1.0 if pair.soft is None else 0.5)
        if pair.soft is not None:
            target += (1 - share) * torch.tensor(pair.soft[:-1])
            topic += pair.soft[-1] * (1.0 if pair.mark is None else 0.5)
        targets.append(target)
        abouts.append(topic)
    by_mark = -(torch.stack(targets) * marks).sum(1).mean()
    return by_mark + ABOUT * F.binary_cross_entropy_with_logits(about, torch.tensor(abouts))
