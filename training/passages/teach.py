"""Teach a reader of passages.

    python training/passages/teach.py --body minilm --languages en --save minilm.pt
    python training/passages/teach.py --body e5 --save e5.pt --minutes 60     # again to go on, until it is done

Marked pairs and those that a large reader labelled are learnt together; files that ``pairs.held_out`` names are not.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from nets import Cutter, PassageNet, Pretrained, export, loss_of
from pairs import BLOCKS, SOFT, Pair, held_out, read_pairs

from logical_retriever.reading.questions.tagger.network import read_weights

WARM = 0.08
"""Share of the steps in which the rate of learning rises."""


def groups(pairs: Sequence[Pair], cutter: Cutter, size: int, chance: random.Random) -> list[list[Pair]]:
    """Put pairs of like length together, in random order."""
    ordered = sorted(pairs, key=lambda pair: cutter.size(pair) + chance.random() * 12)
    found = [list(ordered[i : i + size]) for i in range(0, len(ordered), size)]
    chance.shuffle(found)
    return found


def teach(
    net: PassageNet,
    pairs: Sequence[Pair],
    cutter: Cutter,
    save: Path,
    *,
    epochs: int,
    rate: float,
    size: int = 32,
    mix: float = 0.5,
    minutes: float = math.inf,
    bf16: bool = False,
    seed: int = 1,
) -> bool:
    """Teach a network, and return whether all is learnt; after the minutes, the next call goes on.

    Args:
        net: The network.
        pairs: The pairs.
        cutter: Its vocabulary.
        save: Where the taught weights will be.
        epochs: How often each pair is shown.
        rate: Rate of learning of the body; that of the head is ten times as high.
        size: Pairs a step.
        mix: The mark's share in the loss of a pair that has a soft label too.
        minutes: When to stop.
        bf16: Whether to multiply in bfloat16.
        seed: Of the order of the pairs.
    """
    started, state_file = time.time(), save.with_suffix(".state")
    head = list(net.out.parameters())
    body = [parameter for name, parameter in net.named_parameters() if not name.startswith("out.")]
    rates = [{"params": body, "lr": rate}, {"params": head, "lr": 10 * rate}]
    optimizer = torch.optim.AdamW(rates, fused=True)
    plan = [groups(pairs, cutter, size, random.Random(f"{seed} {epoch}")) for epoch in range(epochs)]
    steps = [group for epoch in plan for group in epoch]
    asked = [len(pairs), epochs, rate, size, mix, seed]

    def share(step: int) -> float:
        return min(1.0, (step + 1) / (WARM * len(steps))) * max(0.02, (len(steps) - step) / len(steps))

    schedule, done = torch.optim.lr_scheduler.LambdaLR(optimizer, share), 0
    if state_file.exists():
        state: dict[str, Any] = torch.load(state_file)
        if state["plan"] != asked:
            raise SystemExit(f"{state_file} is of a run with other options: take it away, or repeat them.")
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        done = state["done"]
    net.train()
    mean = None
    for step in range(done, len(steps)):
        if time.time() - started > 60 * minutes:
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}
            torch.save(state | {"random": torch.get_rng_state(), "done": step, "plan": asked}, state_file)
            print(f"time is over after {step} of {len(steps)} steps: the same command goes on", flush=True)
            return False
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            scores = net(cutter.batch(steps[step]))
        loss = loss_of(scores.float(), steps[step], mix)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(body, 1.0)
        optimizer.step()
        schedule.step()
        mean = loss.item() if mean is None else 0.99 * mean + 0.01 * loss.item()
        if (step + 1) % 100 == 0:
            print(f"{step + 1} of {len(steps)}, loss {mean:.3f}, {time.time() - started:.0f} s", flush=True)
    state_file.unlink(missing_ok=True)
    return True


def main() -> None:
    """Read the command line, teach and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", choices=["minilm", "e5"], required=True)
    parser.add_argument("--save", type=Path, required=True, help="the taught weights, as torch writes them")
    parser.add_argument("--begin", type=Path, help="taught weights to begin with; further layers are the body's own")
    parser.add_argument("--layers", type=int, help="by default those of --begin, else 6")
    parser.add_argument("--blocks", type=Path, default=BLOCKS)
    parser.add_argument("--soft", type=Path, default=SOFT)
    parser.add_argument("--languages", nargs="+", help="only passages of these, as en de")
    parser.add_argument("--english", type=float, default=1.0, help="share of the English pairs that is taken")
    parser.add_argument("--unmarked", type=float, default=1.0, help="share of the pairs without a mark that is taken")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1e-4, help="of the body; that of the head is ten times as high")
    parser.add_argument("--mix", type=float, default=0.5, help="the mark's share in the loss of a pair with a label")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop when they are over; repeat to go on")
    parser.add_argument("--bf16", action="store_true", help="faster where the processor multiplies bfloat16")
    parser.add_argument("--limit", type=int, help="so many pairs, to try things out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    chance = random.Random(args.seed)
    pairs = [pair for pair in read_pairs(args.blocks, args.soft) if not held_out(pair.file)]
    pairs = [pair for pair in pairs if not args.languages or pair.language in args.languages]
    pairs = [pair for pair in pairs if pair.language != "en" or chance.random() < args.english]
    pairs = [pair for pair in pairs if pair.mark is not None or chance.random() < args.unmarked]
    chance.shuffle(pairs)
    pairs = pairs[: args.limit]
    begun = torch.load(args.begin) if args.begin else {}
    layers = args.layers or layers_of(begun) or 6
    pretrained = pretrained_of(args.body, begun=layers_of(begun) == layers)
    net = PassageNet(args.body, pretrained, layers)
    net.load_state_dict(net.state_dict() | begun)
    cutter = Cutter(pretrained)
    print(f"{len(pairs)} pairs, {sum(cutter.size(pair) for pair in pairs) / len(pairs):.0f} pieces each", flush=True)
    chosen = {name: getattr(args, name) for name in ("epochs", "rate", "mix", "minutes", "bf16", "seed")}
    if teach(net, pairs, cutter, args.save, size=args.batch, **chosen):
        torch.save(net.state_dict(), args.save)


def layers_of(state: Mapping[str, torch.Tensor]) -> int:
    """Return the number of layers of a network's weights."""
    return len({name.split(".")[1] for name in state if name.startswith("layers.")})


def pretrained_of(body: str, *, begun: bool = False) -> Pretrained:
    """Return a body's vocabulary, and its weights unless the network has begun; e5's vocabulary is the tagger's."""
    if body == "minilm":
        return Pretrained("minilm", most=30_000)
    arrays = read_weights()[0]
    names = bytes(arrays["names"]).decode().split("\n")
    if begun:
        return Pretrained.from_codes(names, export.unpacked_codes(arrays["pieces"]), arrays["pieces.scale"])
    return Pretrained("e5", pieces=names)


if __name__ == "__main__":
    main()
