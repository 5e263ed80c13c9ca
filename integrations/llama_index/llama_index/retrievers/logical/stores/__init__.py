"""LlamaIndex vector stores as stores of the core: one adapter a file, found by class name."""

from llama_index.retrievers.logical.stores.registry import (
    as_store,
    check_filters,
    known_stores,
    refused,
    register_adapter,
)

__all__ = ["as_store", "check_filters", "known_stores", "refused", "register_adapter"]
