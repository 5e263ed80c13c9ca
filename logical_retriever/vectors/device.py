"""Vectors in float16 on a device of torch, compared there with texts: a first look that says how far off it may be.

A vector u of length 1 is kept as the halves h nearest to its components, a text t of length 1 is sent as q. Then

    |q·h - t·u|  <=  |q| |h - u| + |q - t| |u|

by Cauchy and Schwarz. Both differences are measured, for the vectors when they are copied, for a text when it is sent.
Products of two halves are exact in float32, and their sum is off by at most :func:`sum_error`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logical_retriever.errors import InvalidArgumentError, require
from logical_retriever.vectors import Halves, StoredVectors, Vectors, cosine_error
from logical_retriever.vectors.approximate import ApproximateCosines

PIECE = 1 << 17
"""Vectors in one piece of a device's memory; those of a piece in which nothing changed stay where they are."""
_STEP = 1 << 22
"""Numbers in float32 that are sent, or widened, at once."""
_CHECKED = 32
"""Vectors whose products with the texts of each search are computed here as well."""
_MEASURED = 1.001
"""Lengths that are computed in float32 are off by less than this, relative to 1."""


class Device:
    """A device of torch.

    Args:
        name: As torch calls it: "cuda", "cuda:1", "mps", "xpu"; "cpu" computes the same on the processor.
        what: What is to use it, for messages.

    Attributes:
        label: Name and model, as in "cuda:0 (NVIDIA H100 80GB HBM3)".

    Raises:
        InvalidArgumentError: torch has no such device.
        MissingPackageError: torch is not installed.
    """

    def __init__(self, name: str, what: str) -> None:
        if not isinstance(name, str):
            raise InvalidArgumentError(
                f"device must be the name of a device, got {name!r}.", hint='Set device="cuda", or None for none.'
            )
        self._torch = require("torch", what, install='pip install "logical-retriever[gpu]"')
        try:
            device = self._torch.ones(2, device=name).sum().cpu()
            if float(device) != 2.0:
                raise RuntimeError("it cannot add two numbers")
            self._device = self._torch.empty(0, device=name).device
        except (AssertionError, NotImplementedError, RuntimeError) as error:
            raise InvalidArgumentError(
                f"{what}: torch {self._torch.__version__} cannot use this device ({beginning(error)}).",
                hint="Install the driver and a torch that was built for the device, or leave device out: the processor "
                "finds the same documents.",
            ) from error
        self._module = getattr(self._torch, self._device.type, None)
        model = getattr(self._module, "get_device_name", None)
        self.label = str(self._device) if model is None else f"{self._device} ({model(self._device)})"
        self._wide = self._sums_in_float32()

    def hold(self, vectors: StoredVectors, scales: Vectors, head: HeldVectors | None = None) -> HeldVectors:
        """Copy vectors to the device.

        Args:
            vectors: Shape (N, d).
            scales: Shape (N,): what :func:`~logical_retriever.vectors.prepare` gave for them.
            head: Of the first of them, where these are on the device already.

        Raises:
            RuntimeError: The device has too little memory, or fails.
        """
        pieces = [] if head is None else list(head.pieces)
        errors = np.empty(len(vectors), dtype=np.float32)
        if head is not None:
            errors[: len(head.errors)] = head.errors
        for start in range(PIECE * len(pieces), len(vectors), PIECE):
            piece = slice(start, start + PIECE)
            pieces.append(self._encoded(vectors[piece], scales[piece], errors[piece]))
        return HeldVectors(self, tuple(pieces), errors)

    def compare(self, held: HeldVectors, texts: Vectors) -> ApproximateCosines:
        """Cosines of texts of length 1, shape (T, d), with all vectors of a copy; it raises as :meth:`hold`."""
        halves = texts.astype(np.float16)
        lost = _MEASURED * float(np.linalg.norm(texts.astype(np.float64) - halves, axis=1).max(initial=0.0))
        found = self.products(held, halves)
        if self._device.type == "cuda":  # through memory that the device writes to by itself
            kept = self._torch.empty(found.shape, dtype=found.dtype, pin_memory=True)
            kept.copy_(found)
        else:
            kept = found.cpu()
        # The text's own length, that of the halves, and the scaling of both to length 1: a few parts in 10^7.
        rest = _MEASURED * (lost + sum_error(texts.shape[1])) + cosine_error(texts.shape[1])
        return ApproximateCosines(kept.numpy(), held.errors * np.float32(1.0 + lost) + np.float32(rest))

    def products(self, held: HeldVectors, texts: Halves) -> Any:
        """Inner products of texts, shape (T, d), with all vectors of a copy: float32, shape (T, N), on the device."""
        torch = self._torch
        with torch.no_grad(), torch.autocast(self._device.type, enabled=False):
            sent = torch.from_numpy(texts).to(self._device)
            return torch.cat([self._piece_products(sent, piece) for piece in held.pieces], dim=1)

    def wait(self) -> None:
        """Wait until the device has done all it was told to do."""
        synchronize = getattr(self._module, "synchronize", None)
        if synchronize is not None:
            synchronize()

    def free(self) -> None:
        """Give memory that nothing uses back to the device, for others."""
        empty = getattr(self._module, "empty_cache", None)
        if empty is not None:
            empty()

    def _encoded(self, vectors: StoredVectors, scales: Vectors, errors: Vectors) -> Any:
        """A piece in float16, on the device; how far each vector is from the true one is written to ``errors``."""
        torch = self._torch
        count, dimension = vectors.shape
        piece = torch.empty((count, dimension), dtype=torch.float16, device=self._device)
        step = max(1, _STEP // max(1, dimension))
        for start in range(0, count, step):
            some = slice(start, start + step)
            rows = torch.from_numpy(np.ascontiguousarray(vectors[some])).to(self._device).float()
            known = torch.from_numpy(np.ascontiguousarray(scales[some])).to(self._device)[:, None]
            # Rows without use, which may not be finite, become zeros: their cosine is 0 with everything.
            rows = torch.where(known != 0.0, rows, 0.0) * known
            piece[some] = rows
            left_out = rows - piece[some].float()
            errors[some] = _MEASURED * torch.linalg.vector_norm(left_out, dim=1).cpu().numpy()
        return piece

    def _piece_products(self, texts: Any, piece: Any) -> Any:
        """Inner products in float32, shape (T, N), of halves on the device."""
        if self._wide:
            return self._torch.mm(texts, piece.t(), out_dtype=self._torch.float32)
        step, wide = max(1, _STEP // max(1, piece.shape[1])), texts.float()
        parts = [wide @ piece[start : start + step].float().t() for start in range(0, len(piece), step)]
        return self._torch.cat(parts, dim=1)

    def _sums_in_float32(self) -> bool:
        """Whether the device multiplies halves and gives sums in float32; torch has it for some, from 2.8 on."""
        ones = self._torch.ones((8, 8), dtype=self._torch.float16, device=self._device)
        try:
            found = self._torch.mm(ones, ones, out_dtype=self._torch.float32)
        except (NotImplementedError, RuntimeError, TypeError):
            return False
        return bool(found.dtype == self._torch.float32)


@dataclass(frozen=True)
class HeldVectors:
    """N vectors of length 1 in float16, in the memory of a device.

    Attributes:
        device: That one.
        pieces: Of :data:`PIECE` vectors each, the last of those that are left.
        errors: Shape (N,), float32: how far each is from the true vector.
    """

    device: Device
    pieces: Sequence[Any]
    errors: Vectors

    def head(self, count: int) -> HeldVectors:
        """The whole pieces of the first vectors, as many of these as are asked for at most."""
        whole = min(count, len(self.errors)) // PIECE
        return HeldVectors(self.device, self.pieces[:whole], self.errors[: whole * PIECE])

    def compare(self, texts: Vectors) -> ApproximateCosines:
        """Cosines with texts of length 1, shape (T, d)."""
        return self.device.compare(self, texts)


def sum_error(dimension: int) -> float:
    """How far a device's sum of d products of halves may be off, relative to the vectors' lengths.

    Units for products of matrices add several products to a sum at once, bring all to the greatest of their exponents
    and cut off what does not fit: (b + 2) 2⁻²³ for each b products, whatever their order (Fasi, Higham, Mikaitis and
    Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7, 2021); b is 4 or more. That is more
    than what additions one by one in float32 are off by.
    """
    return (1.5 * dimension + 32.0) * 2.0**-23


def is_in_float32(found: ApproximateCosines, vectors: StoredVectors, scales: Vectors, texts: Vectors) -> bool:
    """Whether a device's cosines of a few documents are the sums that :func:`sum_error` is of.

    A device's faults are not seen, nor are settings that let it sum less precisely than it was asked to.

    Args:
        found: What it computed.
        vectors: Shape (N, d).
        scales: Shape (N,), theirs.
        texts: Shape (T, d), of length 1.
    """
    rows = np.unique(np.linspace(0, len(vectors) - 1, _CHECKED).astype(np.intp))
    known = scales[rows, None]
    halves = (np.where(known != 0.0, vectors[rows], np.float32(0.0)) * known).astype(np.float16)
    expected = texts.astype(np.float16).astype(np.float64) @ halves.T.astype(np.float64)
    off = np.abs(found.cosines[:, rows] - expected)
    return bool((off <= sum_error(texts.shape[1]) + cosine_error(texts.shape[1])).all())


def beginning(error: BaseException) -> str:
    """The first two sentences of a message."""
    text = str(error).strip().splitlines()
    return ": ".join(text[0].split(". ")[:2]).rstrip(".") if text else type(error).__name__
