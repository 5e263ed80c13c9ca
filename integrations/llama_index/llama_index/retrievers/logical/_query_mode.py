"""The arguments of LlamaIndex's ``as_retriever()`` that say how nodes are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from llama_index.core.vector_stores.types import VectorStoreQueryMode

from logical_retriever.integration import (
    DEFAULT_LAMBDA_MULT,
    DiverseSearch,
    InvalidArgumentError,
    LogicalRetriever as CoreRetriever,
    check_count,
    check_lambda_mult,
)

PREFETCH_FACTOR = 4
"""As of LlamaIndex's vector stores."""
_KNOWN = ("mmr_threshold", "mmr_prefetch_factor", "mmr_prefetch_k")


def read_query_mode(
    mode: object, kwargs: Mapping[str, Any] | None, core: CoreRetriever
) -> CoreRetriever | DiverseSearch:
    """The search that the arguments ask for: that of the core's retriever, or one for nodes that also differ.

    Raises:
        InvalidArgumentError: Another mode, or an argument that it does not take.
    """
    given = {} if kwargs is None else dict(kwargs)
    if mode not in (VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.MMR):
        raise InvalidArgumentError(
            f"vector_store_query_mode is {mode!r}.", hint='Choose "default" or "mmr"; words are evidence in both.'
        )
    diverse = mode == VectorStoreQueryMode.MMR
    for name in given:
        if name not in _KNOWN or not diverse:
            raise InvalidArgumentError(
                f"vector_store_kwargs has {name!r}, which the mode {VectorStoreQueryMode(mode).value!r} does not take.",
                hint=f'Known with "mmr": {", ".join(_KNOWN)}.',
            )
    if not diverse:
        return core
    for name in _KNOWN[1:]:
        if name in given:
            check_count(name, given[name])
    if "mmr_prefetch_factor" in given and "mmr_prefetch_k" in given:
        raise InvalidArgumentError("mmr_prefetch_factor and mmr_prefetch_k were given.", hint="Keep one of the two.")
    threshold = given.get("mmr_threshold", DEFAULT_LAMBDA_MULT)
    check_lambda_mult("mmr_threshold", threshold)
    factor = given.get("mmr_prefetch_factor", PREFETCH_FACTOR)
    return DiverseSearch(core, given.get("mmr_prefetch_k", factor * core.options.k), threshold)
