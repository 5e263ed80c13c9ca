"""Time of reading passages, beside the same network in torch, and of loading the networks.

    python benchmarks/passage_speed.py

Both read the same pairs in turn, in one run; a row has the medians of --rounds and their ratio. Memory is what a
process holds after its first pair, less what it held before (Linux).
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "training" / "passages"))

import torch
import weights
from nets import Cutter
from pairs import Pair, read_pairs

from logical_retriever.reading.passages.network import PassageNetwork
from logical_retriever.reading.passages.reader import FOLDER

SIZES = ((8, 60), (8, 200), (24, 60))
PROBE = """
import time
from pathlib import Path
from logical_retriever import PassageReader
def resident():
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0])
before, started = resident(), time.perf_counter()
PassageReader().verify(["pool"], ["A house with a pool and a garden."])
took = time.perf_counter() - started
print(took, (resident() - before) / 1024)
"""


def passages(words: int) -> list[Pair]:
    """Return pairs whose passages have so many words: texts of the marked passages, joined and cut."""
    pairs = [pair for pair in read_pairs(soft=None) if pair.language == "en"]
    text = " ".join(dict.fromkeys(pair.passage for pair in pairs)).split()
    return [
        Pair("a", pair.term, " ".join(text[at * words : (at + 1) * words])) for at, pair in enumerate(pairs[::31][:24])
    ]


def median(functions: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Run functions in turn, and return the median seconds of each."""
    taken: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for seconds, function in zip(taken, functions, strict=True):
            started = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - started)
    return [statistics.median(seconds[1:]) for seconds in taken]


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    network = PassageNetwork(FOLDER / "english.npz")
    net, pretrained, _ = weights.read(FOLDER / "english.npz")
    cutter = Cutter(pretrained)
    net.eval()
    # Teaching rounds the matrices at every step; a network that only reads has them rounded already.
    for module in net.modules():
        if isinstance(module, torch.nn.Linear):
            module.forward = lambda x, own=module: torch.nn.functional.linear(x, own.weight, own.bias)
    print("| pairs | words | numpy, ms | torch, ms | ratio |\n|---|---|---|---|---|")
    for count, words in SIZES:
        pairs = passages(words)[:count]
        asked = [(pair.term, window) for pair in pairs for window in network.windows(pair.passage)]

        def in_torch(pairs: Sequence[Pair] = pairs) -> None:
            with torch.inference_mode():
                net(cutter.batch(pairs))

        def in_numpy(asked: Sequence = asked) -> None:
            network.read(asked)

        own, other = median([in_numpy, in_torch], args.rounds)
        print(f"| {count} | {words} | {1000 * own:.0f} | {1000 * other:.0f} | {own / other:.2f} |")
    probed = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True).stdout.split()
    print(f"first pair of a process: {float(probed[0]):.2f} s, {float(probed[1]):.0f} MB")


if __name__ == "__main__":
    main()
