"""Retrievers and postprocessors copied and pickled with the index that they are over."""

from __future__ import annotations

from typing import Any

from llama_index.core.indices.vector_store.base import VectorStoreIndex

from logical_retriever.integration import CopiedByArguments, InvalidArgumentError


class CopiedWithIndex(CopiedByArguments):
    """An object that is copied with its index, where nothing of the index is lost on the way.

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
            raise InvalidArgumentError(
                f"index of this {type(self).__name__}, a VectorStoreIndex, cannot be pickled: "
                f"{', '.join(lost)} of its {type(index.vector_store).__name__} cannot be.",
                hint="Make it anew where it is needed; copy.copy() shares its parts.",
            )
        return super().__reduce_ex__(protocol)


def _lost(vector_store: Any) -> list[str]:
    """Attributes that are left out when the vector store is pickled, and that a copy does not make anew."""
    state, copy = vector_store.__getstate__(), object.__new__(type(vector_store))
    copy.__setstate__(state)
    every = {**vector_store.__dict__, **(vector_store.__pydantic_private__ or {})}
    return sorted(name for name in every if not hasattr(copy, name))
