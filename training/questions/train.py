"""Teach the reader: marked lines in, the tagger's weights out.

python training/questions/train.py --add 'en_mine*'       # the package's network learns these files of lines too
python training/questions/train.py                       # the default network anew: its calibration, and its weights
python training/questions/train.py --network gru --epochs 8 --save gru.pt   # another, for comparison
"""

from __future__ import annotations

import argparse
import copy
import random
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import export
import numpy as np
import torch
from calibrate import calibrate
from marks import LINES, Line, kinds_of, labels_of, lines_hash, parse, read_lines, varied
from networks import CHOICES, Batch, Net, Pretrained, collate

from logical_retriever.query import LogicalQuery
from logical_retriever.reading.questions.tagger.decoding import Decoded, decode
from logical_retriever.reading.questions.tagger.network import WEIGHTS
from logical_retriever.reading.questions.tagger.phrases import to_query
from logical_retriever.reading.questions.tagger.tagger import Tagger
from logical_retriever.reading.questions.tagger.words import Features, Vocabulary, split_words

Item = tuple[Features, list[int], list[int]]


def held_out(file: str) -> bool:
    """Whether a file's lines are kept from teaching: the fourth of each kind that has so many."""
    return file.endswith("_04")


class Teacher:
    """One network, and all that it takes to teach it."""

    def __init__(self, network: str, pretrained: Pretrained, seed: int, net: Net | None = None) -> None:
        torch.manual_seed(seed)
        self.chance = random.Random(seed)
        self.pretrained = pretrained
        self.vocabulary = Vocabulary(pretrained.pieces, cased=pretrained.cased)
        self.network = network
        self.net = Net(CHOICES[network], pretrained) if net is None else net

    def item(self, line: Line) -> Item:
        """Return the features of a line, and the label and the kind of each word."""
        return self.vocabulary.features(split_words(line.text)), labels_of(line), kinds_of(line)

    def batches(self, lines: list[Line], size: int) -> Iterator[Batch]:
        """All lines once, each a little varied, those of like length together."""
        items = [self.item(varied(line, self.chance)) for line in lines]
        items = [item for item in items if item[0].words]
        items.sort(key=lambda item: len(item[0].pieces) + self.chance.random() * 6)
        groups: list[list[Item]] = [[]]
        for item in items:
            if len(groups[-1]) >= size or (len(groups[-1]) + 1) * len(item[0].pieces) > size * 64:
                groups.append([])
            groups[-1].append(item)
        self.chance.shuffle(groups)
        for group in groups:
            yield collate(group)

    def teach(
        self,
        lines: list[Line],
        epochs: int,
        size: int = 32,
        body: float = 2e-4,
        head: float = 2.5e-3,
        save: Path | None = None,
    ) -> None:
        """Teach the network these lines; what stays is the mean of its weights over the last steps."""
        net = self.net
        if net.too_wide:
            net.narrow(collate([self.item(line) for line in lines[:: len(lines) // 300 + 1]]))
        inner = [p for name, p in net.named_parameters() if name.startswith(("layers", "place", "norm"))]
        outer = [p for name, p in net.named_parameters() if not name.startswith(("layers", "place", "norm"))]
        groups = [{"params": outer, "lr": head}] + ([{"params": inner, "lr": body}] if inner else [])
        rates = [group["lr"] for group in groups]
        optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
        mean = copy.deepcopy(net)
        step, total = 0, epochs * (len(lines) // size + 1)
        for epoch in range(epochs):
            net.train()
            began, losses = time.time(), []
            for batch in self.batches(lines, size):
                done = min(step / total, 1.0)
                rate = min(done / 0.08, (1 - done) / 0.92)
                for group, most in zip(optimizer.param_groups, rates, strict=True):
                    group["lr"] = most * max(rate, 0.005)
                loss = net.loss(net(batch), batch)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                step += 1
                losses.append(loss.item())
                keep = min(0.998, step / (step + 10))
                with torch.no_grad():
                    for mine, theirs in zip(mean.parameters(), net.parameters(), strict=True):
                        mine.lerp_(theirs, 1 - keep)
                if step % 100 == 0:
                    print(f"  step {step}: {np.mean(losses[-100:]):.3f}", flush=True)
            print(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}, {time.time() - began:.0f} s", flush=True)
            if save:
                pieces = self.pretrained.pieces
                torch.save({"network": self.network, "state": mean.state_dict(), "pieces": pieces}, save)
        self.net = mean.eval()

    @classmethod
    def from_file(cls, path: Path, lines: Path = LINES) -> Teacher:
        """Load a saved network, with its teacher."""
        saved = torch.load(path)
        pieces = saved.get("pieces")
        texts = [] if pieces else [line.text for line in read_lines(lines)]
        teacher = cls(saved["network"], Pretrained(CHOICES[saved["network"]].begun, texts, pieces), 0)
        if teacher.net.too_wide:
            teacher.net.narrow(collate([teacher.item(parse("[a] but not {b}"))]))
        teacher.net.load_state_dict(saved["state"])
        return teacher

    @classmethod
    def from_weights(cls, path: Path, seed: int) -> Teacher:
        """Load the network in the tagger's file, with its teacher."""
        net, pretrained, about = export.read(path)
        return cls(about["network"], pretrained, seed, net)

    def read(self, question: str) -> tuple[Decoded, LogicalQuery | None]:
        """Return the most probable reading with an exclusion, computed in torch."""
        words = split_words(question)
        features = self.vocabulary.features(words)
        steps, starts = (one.detach().numpy() for one in self.net.moves())
        decoded = decode(self.scores(features)[:, :-1], steps, starts, words.joined[: len(features.words)])
        return decoded, to_query(words, decoded.labels)

    @torch.no_grad()
    def scores(self, features: Features) -> np.ndarray:
        """(words, 7) of one question."""
        self.net.eval()
        return self.net(collate([(features, [], [])]))[0].numpy()


def write(path: Path, teacher: Teacher, held: list[Line], hash_of_lines: str) -> None:
    """Write the tagger's file, with a calibration that is fitted to the very network in it."""
    about = {
        "lines": hash_of_lines,
        "network": teacher.network,
        "calibration": {"decision": [0, 1], "reading": [0] * 5, "lack": [0, 1]},
    }
    export.write(path, teacher.net, teacher.pretrained, about)
    calibration, table = calibrate(Tagger(path).decode, held)
    for row in table:
        print(row)
    export.write(path, teacher.net, teacher.pretrained, {**about, "calibration": calibration})
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Teach, calibrate and write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--network", choices=CHOICES, default="e5narrow3")
    options.add_argument("--epochs", type=int, help="4, and 3 with --add")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--share", type=float, default=1.0, help="of the lines, for a quick look")
    options.add_argument("--add", help="files of lines, 'en_mine*', that the package's own network learns in minutes")
    options.add_argument("--beside", type=int, default=8_000, help="other lines that it is reminded of with --add")
    options.add_argument("--keep", type=float, default=0.6, help="share of the weights before, in the mean, with --add")
    options.add_argument("--lines", type=Path, default=LINES)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--body", type=float, default=2e-4, help="learning rate of the pre-trained layers")
    options.add_argument("--head", type=float, default=2.5e-3, help="learning rate of everything else")
    options.add_argument("--begin", type=Path, help="a network that was saved, to go on teaching; --epochs 2 will do")
    options.add_argument("--save", type=Path, help="a file for the network in torch")
    options.add_argument("--taught", type=Path, help="such a file, to write the weights of without teaching")
    options.add_argument("--weights", type=Path, help="the file to write; weights.npz here without --save")
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    lines = read_lines(chosen.lines)
    held = [line for line in lines if held_out(line.file)]
    taught = [line for line in lines if not held_out(line.file)]
    chance, gentle = random.Random(chosen.seed), 1.0
    if chosen.taught:
        teacher = Teacher.from_file(chosen.taught)
    elif chosen.add:
        teacher, gentle = Teacher.from_weights(WEIGHTS, chosen.seed), 0.25
        new = [line for line in taught if fnmatch(line.file, chosen.add)]
        others = [line for line in taught if not fnmatch(line.file, chosen.add)]
        taught = [*new, *chance.sample(others, min(chosen.beside, len(others)))]
        print(f"{len(new)} lines to add", flush=True)
    elif chosen.begin:
        teacher, gentle = Teacher.from_file(chosen.begin), 0.5  # it need not be shaken as hard again
    else:
        pretrained = Pretrained(CHOICES[chosen.network].begun, (line.text for line in lines))
        teacher = Teacher(chosen.network, pretrained, chosen.seed)
    if chosen.share < 1:
        taught = chance.sample(taught, int(len(taught) * chosen.share))
    if not chosen.taught:
        print(f"{len(taught)} lines to teach, {len(held)} held out", flush=True)
        epochs, rates = chosen.epochs or (3 if chosen.add else 4), (gentle * chosen.body, gentle * chosen.head)
        before = copy.deepcopy(teacher.net.state_dict())
        teacher.teach(taught, epochs, body=rates[0], head=rates[1], save=chosen.save)
        if chosen.add:  # the mean of both knows the new lines, and forgets less of the others
            after = teacher.net.state_dict()
            teacher.net.load_state_dict({name: after[name].lerp(before[name], chosen.keep) for name in after})
    if chosen.weights or not chosen.save:
        write(chosen.weights or WEIGHTS, teacher, held, lines_hash(chosen.lines))


if __name__ == "__main__":
    main()
