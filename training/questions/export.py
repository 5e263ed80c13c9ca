"""From the taught network to the arrays of the tagger's file, and back."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from networks import CHOICES, Net, Pretrained, four_bits
from numpy.typing import NDArray

from logical_retriever.reading.layers import rows_of
from logical_retriever.reading.questions.tagger.network import VERSION, read_weights


def arrays_of(net: Net, pretrained: Pretrained) -> dict[str, np.ndarray]:
    """Pack a network's weights: vocabulary, parts of words and transformer in four bits, the rest in eight."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    arrays: dict[str, np.ndarray] = {"pieces": packed(pretrained.codes), "pieces.scale": pretrained.scales}

    def matrix(name: str, value: np.ndarray) -> None:
        arrays[name], arrays[name + ".scale"] = in_eight_bits(value)

    arrays |= in_four_bits("gram", state["gram.weight"])
    for name in ("word.weight", "place"):
        table = name.removesuffix(".weight")
        matrix(table, state[name])
        arrays[table + ".scale"] = arrays[table + ".scale"].astype(np.float16)
    arrays |= packed_layers(state, net.choice.layers)
    both = ("_l0", "_l0_reverse")
    matrix("gru.into", np.concatenate([state["gru.weight_ih" + end] for end in both]))
    matrix("gru.recur", np.concatenate([state["gru.weight_hh" + end] for end in both]))
    arrays["gru.into_bias"] = np.concatenate([state["gru.bias_ih" + end] for end in both])
    arrays["gru.recur_bias"] = np.concatenate([state["gru.bias_hh" + end] for end in both])
    steps, starts = net.moves()
    arrays |= {
        "shape": state["shape.weight"],
        "norm.weight": state["norm.weight"],
        "norm.bias": state["norm.bias"],
        "out.weight": np.concatenate([state["out.weight"], state["lack.weight"]]).T,
        "out.bias": np.concatenate([state["out.bias"], state["lack.bias"]]),
        "steps": steps.detach().numpy(),
        "starts": starts.detach().numpy(),
        "names": np.frombuffer("\n".join(pretrained.pieces).encode(), np.uint8),
    }
    return arrays


def packed_layers(state: Mapping[str, np.ndarray], layers: int) -> dict[str, np.ndarray]:
    """Pack the weights of a transformer's layers: matrices in four bits."""
    arrays: dict[str, np.ndarray] = {}
    for number in range(layers):
        prefix, to = f"layers.{number}.", f"layer{number}."
        for name in ("mix", "back", "up", "down"):
            arrays |= in_four_bits(to + name, state[f"{prefix}{name}.weight"])
            arrays[f"{to}{name}_bias"] = state[f"{prefix}{name}.bias"]
        for name in ("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"):
            arrays[to + name] = state[prefix + name]
    return arrays


def unpacked_layers(arrays: Mapping[str, np.ndarray], layers: int) -> dict[str, np.ndarray]:
    """Undo :func:`packed_layers`."""
    state: dict[str, np.ndarray] = {}
    for number in range(layers):
        prefix, to = f"layer{number}.", f"layers.{number}."
        for name in ("mix", "back", "up", "down"):
            state |= {f"{to}{name}.weight": table(arrays, prefix + name)}
            state |= {f"{to}{name}.bias": arrays[f"{prefix}{name}_bias"]}
        for name in ("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"):
            state[to + name] = arrays[prefix + name]
    return state


def table(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """Unpack all rows of a table or matrix."""
    return rows_of(dict(arrays), name, np.arange(len(arrays[name])))


def in_four_bits(name: str, value: np.ndarray) -> dict[str, np.ndarray]:
    """Pack a matrix as teaching rounds it, with its scales."""
    codes, scales = four_bits(value, (1.0,))
    return {name: packed(codes), f"{name}.scale": scales}


def write(path: Path, net: Net, pretrained: Pretrained, about: dict[str, Any]) -> None:
    """Write the tagger's file."""
    write_weights(path, arrays_of(net, pretrained), {**about, "layers": net.choice.layers, "version": VERSION})


def write_weights(path: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write the file; the same arrays give the same bytes."""
    header = np.frombuffer(json.dumps(about, sort_keys=True, ensure_ascii=False).encode(), np.uint8)
    with zipfile.ZipFile(path, "w") as file:
        for name, array in [("about", header), *sorted(arrays.items())]:
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            with file.open(entry, "w") as stream:
                np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)


def read(path: Path) -> tuple[Net, Pretrained, dict[str, Any]]:
    """Read the network of such a file, ready for more teaching, with the description in the file."""
    arrays, about = read_weights(path)
    pieces = bytes(arrays["names"]).decode().split("\n")
    pretrained = Pretrained.from_codes(pieces, unpacked_codes(arrays["pieces"]), arrays["pieces.scale"])

    net = Net(CHOICES[about["network"]], pretrained)
    state = {name: arrays[name] for name in ("norm.weight", "norm.bias")}
    state |= {"out.bias": arrays["out.bias"][:-1], "lack.bias": arrays["out.bias"][-1:]}
    state |= {
        "word.weight": table(arrays, "word"),
        "gram.weight": table(arrays, "gram"),
        "place": table(arrays, "place"),
    }
    state |= {"shape.weight": arrays["shape"], "out.weight": arrays["out.weight"].T[:-1]}
    state["lack.weight"] = arrays["out.weight"].T[-1:]
    # The steps that no reading takes are shut by a mask of the network's own.
    state["steps"] = np.where(net.step_mask.numpy() < 0, 0, arrays["steps"])
    state["starts"] = np.where(net.start_mask.numpy() < 0, 0, arrays["starts"])
    state |= unpacked_layers(arrays, net.choice.layers)
    for kind, name in (("ih", "gru.into"), ("hh", "gru.recur")):
        for end, half, bias in zip(
            ("_l0", "_l0_reverse"), np.split(table(arrays, name), 2), np.split(arrays[f"{name}_bias"], 2), strict=True
        ):
            state |= {f"gru.weight_{kind}{end}": half, f"gru.bias_{kind}{end}": bias}
    net.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()})
    return net, pretrained, about


def in_eight_bits(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Whole numbers from -127 to 127, and a scale for each row."""
    scales = np.maximum(np.abs(matrix).max(1, keepdims=True) / 127, 1e-12).astype(np.float32)
    return np.round(matrix / scales).astype(np.int8), scales


def packed(codes: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two numbers from -7 to 7 in each byte."""
    shifted = (codes + 8).astype(np.uint8)
    return (shifted[:, ::2] << 4 | shifted[:, 1::2]).astype(np.uint8)


def unpacked_codes(values: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Undo :func:`packed`."""
    return np.stack([values >> 4, values & 15], -1).reshape(len(values), -1).astype(np.int8) - 8
