"""The common part of Elasticsearch and OpenSearch as LangChain wraps them."""

from __future__ import annotations

from typing import Any

from langchain_logical_retriever.stores._common import VectorStoreAdapter
from langchain_logical_retriever.stores._superset_conditions import SearchEngineConditions
from logical_retriever.integration import Body, Filter, LogicalQuery, SearchEngineIndex


class SearchEngineAdapter(VectorStoreAdapter, SearchEngineIndex):
    """An index that a vector store of LangChain writes."""

    @property
    def client(self) -> Any:
        """The vector store's."""
        return self.vectorstore.client

    def superset_filter(self, filter: Filter, condition: LogicalQuery) -> Body | None:
        """The filter and what the query language says of a condition on fields as they are mapped."""
        if self.absent:
            return None
        with self.errors("read the index's mapping"):
            mappings = self.client.indices.get_mapping(index=self.index)
        # An alias may stand for several indexes, each with a mapping of its own.
        known = [one["mappings"].get("properties", {}).get(self.metadata_field, {}) for one in mappings.values()]
        if len(known) != 1 or known[0].get("type", "object") != "object":
            return None
        given = filter if isinstance(filter, list) else [] if filter is None else [filter]
        language = SearchEngineConditions(self.metadata_field, known[0].get("properties", {}))
        said = language.superset(condition)
        return None if said is None else language.every([*given, said])
