"""The fields of an agent's call as ``MetadataFilters``, joined by AND with those that the program has set."""

from __future__ import annotations

from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from logical_retriever.integration import FieldValues, InvalidArgumentError, Store


def narrowed(store: Store, filters: MetadataFilters | None, fields: FieldValues) -> MetadataFilters | None:
    """The filters that let through what ``filters`` let through and whose fields have these values.

    Args:
        store: Searched with them.
        filters: The program's; None for all nodes.
        fields: The call's.

    Raises:
        InvalidArgumentError: A value that LlamaIndex's filters do not take.
    """
    if not fields:
        return filters
    wanted: list[MetadataFilter | MetadataFilters] = []
    for name, values in fields.items():
        if any(isinstance(value, bool) for value in values):
            raise InvalidArgumentError(
                f"{store.capabilities.name} cannot be filtered by truth values, as {name} is.",
                hint="Call again without it in filter.",
            )
        one = values[0] if len(values) == 1 else list(values)
        operator = FilterOperator.EQ if len(values) == 1 else FilterOperator.IN
        wanted.append(MetadataFilter(key=name, value=one, operator=operator))
    if filters is None or not filters.filters:
        return MetadataFilters(filters=wanted)
    if filters.condition == FilterCondition.AND:  # side by side: not every vector store takes filters in filters
        return MetadataFilters(filters=[*filters.filters, *wanted])
    return MetadataFilters(filters=[filters, *wanted])
