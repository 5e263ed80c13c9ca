"""The vectors of a store on a device, as these change, and the processor where the device fails."""

from __future__ import annotations

import threading
import warnings

from logical_retriever.stores.notes import current_notes
from logical_retriever.vectors import StoredVectors, Vectors
from logical_retriever.vectors.approximate import ApproximateCosines
from logical_retriever.vectors.device import Device, HeldVectors, beginning, is_in_float32


class DeviceWarning(UserWarning):
    """A device does not compare vectors for a store, though it was to; the processor does, with the same answers."""


class StoreDevice:
    """A device that compares the vectors of one store, for all that search it.

    Args:
        name: As torch calls it.

    Raises:
        InvalidArgumentError: torch has no such device.
        MissingPackageError: torch is not installed.
    """

    def __init__(self, name: str) -> None:
        self.device = Device(name, f"InMemoryStore(device={name!r})")
        self._warned = False

    def fail(self, why: str) -> None:
        """Say why the processor does it: in the plan of the search, and the first time as a warning."""
        said = f"the processor, because {self.device.label} {why}"
        _note(said)
        if not self._warned:
            self._warned = True
            warnings.warn(f"All vectors are compared by {said}.", DeviceWarning, stacklevel=2)


class DeviceCopy:
    """One content of a store on its device: copied by the first search, and used by all.

    Args:
        store: The store's device.
        head: Of the first vectors, where those are there already.
    """

    def __init__(self, store: StoreDevice, head: HeldVectors | None = None) -> None:
        self._store, self._head = store, head
        self._held: HeldVectors | None = None
        self._refused: str | None = None
        self._lock = threading.Lock()

    def next(self, unchanged: int) -> DeviceCopy:
        """For the content after this, whose first vectors are those of this one."""
        with self._lock:
            there = self._head if self._held is None else self._held
        return DeviceCopy(self._store, None if there is None else there.head(unchanged))

    def compare(self, vectors: StoredVectors, scales: Vectors, texts: Vectors) -> ApproximateCosines | None:
        """Cosines with texts of length 1; None where the processor has to do it, which is said.

        Args:
            vectors: Shape (N, d), of this content.
            scales: Shape (N,), theirs.
            texts: Shape (T, d).
        """
        held = self._copied(vectors, scales)
        if held is None:
            self._store.fail(str(self._refused))
            return None
        try:
            found = held.compare(texts)
        except RuntimeError as error:
            why = failure(error)
        else:
            if is_in_float32(found, vectors, scales, texts):
                _note(f"{self._store.device.label}, in float16")
                return found
            why = "computes less precisely than sums of float32"
        self._store.device.free()
        self._store.fail(why)
        return None

    def _copied(self, vectors: StoredVectors, scales: Vectors) -> HeldVectors | None:
        with self._lock:
            if self._held is None and self._refused is None:
                try:
                    self._held = self._store.device.hold(vectors, scales, self._head)
                except RuntimeError as error:
                    self._refused = failure(error)
                self._head = None
                if self._held is None:
                    self._store.device.free()
            return self._held


def failure(error: RuntimeError) -> str:
    """A device that cannot go on, by what torch says of it, as a predicate."""
    told = beginning(error)
    return f"is out of memory ({told})" if "memory" in str(error).lower() else f"failed ({told})"


def _note(what: str) -> None:
    if (notes := current_notes()) is not None:
        notes.note_device(what)
