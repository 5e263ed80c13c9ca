"""Teach a larger reader of passages, for those who have a GPU: the teacher of the package's own readers.

    python training/passages/large.py BODY --save my-reader               # a folder, for PassageReader.from_pretrained
    python training/passages/large.py BODY --folds 4 --label soft_new     # labels by readers that do not know the file

BODY is a folder or name that transformers reads, as of all-mpnet-base-v2. It is taught with marks alone; English ones
unless --languages names others. With --label, every fourth of the files is read by a network that was taught with the
others, marked pairs and --near unmarked ones a passage: terms of other passages, near by the encoder's vectors.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from nets import loss_of
from pairs import BLOCKS, Pair, held_out, read_blocks, read_pairs
from sentence_transformers import CrossEncoder

from logical_retriever import SentenceTransformerEmbedder
from logical_retriever.reading.passages.large import LABELS, LargeNetwork
from logical_retriever.reading.passages.windows import Window


def teach(body: str, pairs: Sequence[Pair], args: argparse.Namespace) -> Any:
    """Return a cross-encoder with five outputs, taught with these pairs."""
    torch.manual_seed(args.seed)
    model = CrossEncoder(body, num_labels=len(LABELS), max_length=256, device=args.device)
    model.model.config.id2label = dict(enumerate(LABELS))
    model.model.config.label2id = {name: at for at, name in enumerate(LABELS)}
    net, tokenizer, chance = model.model, model.tokenizer, random.Random(args.seed)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate)
    steps = args.epochs * -(-len(pairs) // args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=steps, pct_start=0.08)
    net.train()
    started, done = time.time(), 0
    for _ in range(args.epochs):
        order = sorted(pairs, key=lambda pair: len(pair.passage) + chance.random() * 60)
        groups = [order[at : at + args.batch] for at in range(0, len(order), args.batch)]
        chance.shuffle(groups)
        for group in groups:
            texts = [pair.term for pair in group], [pair.passage for pair in group]
            tokens = tokenizer(*texts, padding=True, truncation="only_second", max_length=256, return_tensors="pt")
            with torch.autocast(net.device.type, torch.bfloat16, enabled=net.device.type == "cuda"):
                scores = net(**tokens.to(net.device)).logits
            loss = loss_of(scores.float().cpu(), group, mix=1.0)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            done += 1
            if done % 100 == 0:
                print(f"{done} of {steps}, loss {loss.item():.3f}, {time.time() - started:.0f} s", flush=True)
    net.eval()
    return model


def unmarked(pairs: Sequence[Pair], near: int, seed: int) -> list[Pair]:
    """Return for each passage terms of other passages: near ones by MiniLM's vectors, and half as many far ones."""
    encoder, chance = SentenceTransformerEmbedder(), random.Random(seed)
    passages = sorted({(pair.file, pair.passage) for pair in pairs})
    terms = sorted({pair.term for pair in pairs})
    own: dict[str, set[str]] = {}
    for pair in pairs:
        own.setdefault(pair.passage, set()).add(pair.term.lower())
    of_terms, of_passages = encoder.embed_documents(terms), encoder.embed_documents([text for _, text in passages])
    found = []
    for (file, passage), vector in zip(passages, np.asarray(of_passages), strict=True):
        nearest = [terms[at] for at in np.argsort(-(np.asarray(of_terms) @ vector))]
        order = [term for term in nearest if term.lower() not in own[passage]]
        chosen = chance.sample(order[: 5 * near], near) + chance.sample(order[5 * near : 55 * near], near // 2)
        found += [Pair(file, term, passage) for term in chosen]
    return found


def label(args: argparse.Namespace, pairs: Sequence[Pair]) -> None:
    """Write soft labels, file by file, by networks that were not taught with the file."""
    files = sorted({pair.file for pair in pairs})
    blocks = {file: [passage for passage, _ in read_blocks(BLOCKS / f"{file}.txt")] for file in files}
    asked = [*pairs, *unmarked(pairs, args.near, args.seed)]
    args.label.mkdir(parents=True, exist_ok=True)
    for fold in range(args.folds):
        own = set(files[fold :: args.folds])
        known = [pair for pair in pairs if pair.file not in own and not held_out(pair.file)]
        folder = args.label / f"fold{fold}"
        teach(args.body, known, args).save_pretrained(str(folder))
        network = LargeNetwork(folder, args.device)
        for file in sorted(own):
            here = [pair for pair in asked if pair.file == file]
            read = network.read([(pair.term, Window(pair.passage, [])) for pair in here])
            lines = [
                "\t".join([str(blocks[file].index(pair.passage) + 1), pair.term, *(f"{value:.3f}" for value in row)])
                for pair, row in zip(here, read, strict=True)
            ]
            (args.label / f"{file}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command line; teach, or label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("body")
    parser.add_argument("--save", type=Path, help="folder of the taught reader")
    parser.add_argument("--label", type=Path, help="folder for soft labels")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--near", type=int, default=8)
    parser.add_argument("--languages", nargs="+", default=["en"])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--limit", type=int, help="so many pairs, to try things out")
    parser.add_argument("--device", help="by default a GPU where there is one")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if not args.save and not args.label:
        parser.error("say --save FOLDER or --label FOLDER")
    pairs = [pair for pair in read_pairs(soft=None) if pair.language in args.languages and pair.mark is not None]
    random.Random(args.seed).shuffle(pairs)
    pairs = pairs[: args.limit]
    if args.save:
        teach(args.body, [pair for pair in pairs if not held_out(pair.file)], args).save_pretrained(str(args.save))
    if args.label:
        label(args, pairs)


if __name__ == "__main__":
    main()
