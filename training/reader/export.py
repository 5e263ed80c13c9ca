"""From the taught network to the arrays of the package's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from networks import Net, Pretrained

from logical_retriever.transform.tagger.weights import in_eight_bits, packed, write_weights


def arrays_of(net: Net, pretrained: Pretrained) -> dict[str, np.ndarray]:
    """The network's weights: tables and matrices in eight bits, the vocabulary in four."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    arrays: dict[str, np.ndarray] = {"pieces": packed(pretrained.codes), "pieces.scale": pretrained.scales}

    def matrix(name: str, value: np.ndarray) -> None:
        arrays[name], arrays[name + ".scale"] = in_eight_bits(value)

    for name in ("word.weight", "gram.weight", "place"):
        table = name.removesuffix(".weight")
        matrix(table, state[name])
        arrays[table + ".scale"] = arrays[table + ".scale"].astype(np.float16)
    for number in range(net.choice.layers):
        prefix, to = f"layers.{number}.", f"layer{number}."
        for name in ("mix", "back", "up", "down"):
            matrix(to + name, state[f"{prefix}{name}.weight"])
            arrays[f"{to}{name}_bias"] = state[f"{prefix}{name}.bias"]
        for name in ("norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"):
            arrays[to + name] = state[prefix + name]
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
        "out.weight": np.ascontiguousarray(state["out.weight"].T),
        "out.bias": state["out.bias"],
        "steps": steps.detach().numpy(),
        "starts": starts.detach().numpy(),
        "names": np.frombuffer("\n".join(pretrained.pieces).encode(), np.uint8),
    }
    return arrays


def write(path: Path, net: Net, pretrained: Pretrained, about: dict[str, Any]) -> None:
    """Write the package's file."""
    write_weights(path, arrays_of(net, pretrained), {"layers": net.choice.layers, **about})
