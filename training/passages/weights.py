"""Write a taught reader into the package, and read it back.

    python training/passages/weights.py minilm.pt --name english
    python training/passages/weights.py e5_3.pt e5_4.pt --name multilingual    # their mean, better than either

Its probabilities are calibrated on the held-out files first.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import torch
from nets import Cutter, PassageNet, Pretrained, export
from pairs import BLOCKS, MARKS, Pair, held_out, read_pairs
from scipy.optimize import minimize
from teach import layers_of, pretrained_of

from logical_retriever.reading import passages
from logical_retriever.reading.layers import read_arrays
from logical_retriever.reading.passages.network import HINT, VERSION
from logical_retriever.reading.questions.tagger.network import read_weights

FOLDER = Path(passages.__file__).parent
BATCH = 64


def scores_of(net: PassageNet, cutter: Cutter, pairs: Sequence[Pair]) -> np.ndarray:
    """Score pairs: (pairs, 5), uncalibrated log-odds."""
    order = sorted(range(len(pairs)), key=lambda at: cutter.size(pairs[at]))
    found = np.zeros((len(pairs), len(MARKS) + 1))
    net.eval()
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            at = order[start : start + BATCH]
            found[at] = net(cutter.batch([pairs[one] for one in at])).numpy()
    return found


def calibrate(scores: np.ndarray, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Fit the factor of the states' log-odds, and bias and slope of those of "about"."""
    marks = np.array([pair.mark for pair in pairs])
    about = np.array([pair.about for pair in pairs])

    def of_marks(factor: np.ndarray) -> float:
        scaled = scores[:, :4] * factor
        most = scaled.max(1)
        return float(np.mean(most + np.log(np.exp(scaled - most[:, None]).sum(1)) - scaled[range(len(marks)), marks]))

    def of_about(line: np.ndarray) -> float:
        odds = line[0] + line[1] * scores[:, 4]
        return float(np.mean(np.logaddexp(0.0, odds) - odds * about))

    factor, line = minimize(of_marks, [1.0]).x, minimize(of_about, [0.0, 1.0]).x
    return {"states": round(float(factor[0]), 4), "about": [round(float(value), 4) for value in line]}


def arrays_of(net: PassageNet, pretrained: Pretrained) -> dict[str, np.ndarray]:
    """Pack a network: matrices of its layers in four bits, positions in eight, with its table if that is its own."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    arrays = export.packed_layers(state, len(net.layers))
    arrays["place"], scales = export.in_eight_bits(state["place"])
    arrays["place.scale"] = scales.astype(np.float16)
    for name in ("segment", "norm.weight", "norm.bias"):
        arrays[name] = state[name]
    arrays["out.weight"], arrays["out.bias"] = state["out.weight"].T, state["out.bias"]
    if not pretrained.cased:
        arrays |= {"pieces": export.packed(pretrained.codes), "pieces.scale": pretrained.scales}
        arrays["names"] = names_of(pretrained)
    return arrays


def names_of(pretrained: Pretrained) -> np.ndarray:
    """Return the names of the pieces as the file has them."""
    return np.frombuffer("\n".join(pretrained.pieces).encode(), np.uint8)


def write(path: Path, net: PassageNet, pretrained: Pretrained, about: dict[str, Any]) -> None:
    """Write a reader's file."""
    own = {
        "body": net.body,
        "cased": pretrained.cased,
        "layers": len(net.layers),
        "names": crc32(bytes(names_of(pretrained))),
        "vocabulary": "tagger" if pretrained.cased else "own",
        "version": VERSION,
    }
    export.write_weights(path, arrays_of(net, pretrained), {**about, **own})


def read(path: Path) -> tuple[PassageNet, Pretrained, dict[str, Any]]:
    """Read the network of a file, ready for more teaching, with the description in the file."""
    arrays, about = read_arrays(path, VERSION, HINT)
    table = arrays if about["vocabulary"] == "own" else read_weights()[0]
    names = bytes(table["names"]).decode().split("\n")
    pretrained = Pretrained.from_codes(names, export.unpacked_codes(table["pieces"]), table["pieces.scale"])
    pretrained.cased = about["cased"]
    net = PassageNet(about["body"], pretrained, about["layers"])
    state = export.unpacked_layers(arrays, about["layers"]) | {"place": export.table(arrays, "place")}
    state |= {name: arrays[name] for name in ("segment", "norm.weight", "norm.bias", "out.bias")}
    state["out.weight"] = arrays["out.weight"].T
    net.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()})
    return net, pretrained, about


def main() -> None:
    """Read the command line, calibrate and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("taught", type=Path, nargs="+", help="what teach.py saved; of several files, their mean")
    parser.add_argument("--name", choices=["english", "multilingual"], required=True)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    body = "minilm" if args.name == "english" else "e5"
    pretrained = pretrained_of(body, begun=True)
    states = [torch.load(path) for path in args.taught]
    state = {name: sum(one[name] for one in states) / len(states) for name in states[0]}
    net = PassageNet(body, pretrained, layers_of(state))
    net.load_state_dict(state)
    pairs = [pair for pair in read_pairs(BLOCKS, None) if held_out(pair.file)]
    pairs = [pair for pair in pairs if (pair.language == "en") is (body == "minilm")]
    calibration = calibrate(scores_of(net, Cutter(pretrained), pairs), pairs)
    path = args.folder / f"{args.name}.npz"
    write(path, net, pretrained, {"calibration": calibration})
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, calibration {calibration}")


if __name__ == "__main__":
    main()
