"""Index nodes replaced by what they stand for, with the scores they were found with.

LlamaIndex's own replacement reads ``score or 1.0``: what was certainly not wanted, 0.0, would become certain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import BaseNode, IndexNode, NodeWithScore, QueryBundle

from llama_index.retrievers.logical._convert import copied
from logical_retriever.integration import AnswerMetadata, MetadataStyle


def recurse(
    retriever: BaseRetriever, query_bundle: QueryBundle, nodes: list[NodeWithScore], *, metadata_key: str | None
) -> list[NodeWithScore]:
    """Replace index nodes, then keep the first of each node id.

    Args:
        retriever: Whose ``object_map`` is looked in, and which retrieves from objects.
        query_bundle: Handed on to objects that are retrieved from.
        nodes: What was found.
        metadata_key: Where a node that stands for another carries the reasons of that one's place.
    """
    found: list[NodeWithScore] = []
    for node in nodes:
        target = _target(retriever, node)
        if target is None:
            found.append(node)
        elif isinstance(target, BaseNode):
            found.append(_instead(node, target, metadata_key))
        else:
            found.extend(retriever._retrieve_from_object(target, query_bundle=query_bundle, score=_score(node)))
    return _distinct(found)


async def arecurse(
    retriever: BaseRetriever, query_bundle: QueryBundle, nodes: list[NodeWithScore], *, metadata_key: str | None
) -> list[NodeWithScore]:
    """Asynchronous twin of :func:`recurse`."""
    found: list[NodeWithScore] = []
    for node in nodes:
        target = _target(retriever, node)
        if target is None:
            found.append(node)
        elif isinstance(target, BaseNode):
            found.append(_instead(node, target, metadata_key))
        else:
            found.extend(await retriever._aretrieve_from_object(target, query_bundle=query_bundle, score=_score(node)))
    return _distinct(found)


def _target(retriever: BaseRetriever, node: NodeWithScore) -> Any:
    """The object that an index node stands for; None for any other node."""
    if not isinstance(node.node, IndexNode):
        return None
    return node.node.obj if node.node.obj is not None else retriever.object_map.get(node.node.index_id)


def _instead(node: NodeWithScore, target: BaseNode, metadata_key: str | None) -> NodeWithScore:
    why = None if metadata_key is None else node.node.metadata.get(metadata_key)
    style: MetadataStyle = "apart" if isinstance(node.node.metadata, AnswerMetadata) else "nested"
    if why is None:
        return NodeWithScore(node=copied(target, {}, None), score=node.score)
    return NodeWithScore(node=copied(target, why, metadata_key, style), score=node.score)


def _score(node: NodeWithScore) -> float:
    return 1.0 if node.score is None else node.score


def _distinct(nodes: Iterable[NodeWithScore]) -> list[NodeWithScore]:
    first: dict[str, NodeWithScore] = {}
    for node in nodes:
        first.setdefault(node.node.node_id, node)
    return list(first.values())
