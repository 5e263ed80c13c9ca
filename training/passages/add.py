"""Teach the package's reader your passages.

    python training/passages/add.py my_blocks.txt --folder my-reader

my_blocks.txt holds forty marked passages or more (GUIDE.md says how they are marked). The network learns them beside a
thousand pairs that it knows, and what is written is the mean of its weights before and after: it learns the new and
forgets little. Read with ``PassageReader.from_pretrained("my-reader")``.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import torch
import weights
from nets import Cutter
from pairs import Pair, held_out, read_blocks, read_pairs
from teach import teach

TIMES = 4
"""How often the new pairs are shown."""


def main() -> None:
    """Read the command line, teach and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", type=Path, nargs="+", help="files of marked passages")
    parser.add_argument("--folder", type=Path, required=True, help="where the weights are written")
    parser.add_argument("--name", choices=["english", "multilingual"], default="english")
    parser.add_argument("--others", type=int, default=1_000, help="known pairs that are shown beside them")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance, english = random.Random(args.seed), args.name == "english"
    marked = [(path, *block) for path in args.blocks for block in read_blocks(path)]
    new = [Pair(path.stem, term, passage, mark, about) for path, passage, ms in marked for term, mark, about in ms]
    known = [pair for pair in read_pairs() if not held_out(pair.file) and (pair.language == "en") is english]
    torch.manual_seed(args.seed)
    net, pretrained, about = weights.read(weights.FOLDER / f"{args.name}.npz")
    before = {name: value.clone() for name, value in net.state_dict().items()}
    args.folder.mkdir(parents=True, exist_ok=True)
    path = args.folder / f"{args.name}.npz"
    pairs = new * TIMES + chance.sample(known, min(args.others, len(known)))
    teach(net, pairs, Cutter(pretrained), path, epochs=1, rate=5e-5, seed=args.seed)
    net.load_state_dict({name: (before[name] + value) / 2 for name, value in net.state_dict().items()})
    weights.write(path, net, pretrained, about)
    print(f"{len(new)} pairs learnt beside {len(pairs) - TIMES * len(new)} others: {path}")


if __name__ == "__main__":
    main()
