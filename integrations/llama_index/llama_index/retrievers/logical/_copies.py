"""Retrievers and postprocessors copied and pickled with the index that they are over."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex

from logical_retriever.integration import CopiedByArguments, cannot_be_copied


class CopiedWithIndex(CopiedByArguments):
    """An object that is pickled with its index, if nothing of the index is lost on the way.

    LlamaIndex leaves out of a pickled vector store what cannot be pickled, such as its connection, and the copy fails
    when it is first asked.
    """

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Pickled as the arguments.

        Raises:
            InvalidArgumentError: One cannot be pickled, such as an index over a connection to a server.
        """
        index = self.arguments()["index"]
        if isinstance(index, VectorStoreIndex) and (lost := _lost(index.vector_store)):
            why = f"{', '.join(lost)} of its {type(index.vector_store).__name__} cannot be"
            raise cannot_be_copied(type(self).__name__, "index", index, "pickled", why)
        return super().__reduce_ex__(protocol)


def _lost(vector_store: Any) -> list[str]:
    """Attributes that a copy lacks: left out when it was pickled, and not made anew."""
    state = vector_store.__getstate__()
    there = {**vector_store.__dict__, **(vector_store.__pydantic_private__ or {})}
    left_out = there.keys() - state["__dict__"].keys() - (state.get("__pydantic_private__") or {}).keys()
    if not left_out:
        return []
    copy: Any = object.__new__(type(vector_store))
    copy.__setstate__(state)
    return sorted(name for name in left_out if not hasattr(copy, name))
