"""An index that was filled with another encoder is noticed; texts are encoded as they were, with their metadata."""

import logging

import pytest
from llama_index.core.schema import TextNode

from llama_index.retrievers.logical import LogicalRetriever
from logical_retriever.demo import load_passages

LONG = {"path": "/srv/data/2024/archive/" * 60}


@pytest.mark.parametrize("kind", ["simple", "chroma", "qdrant"])
async def test_it_is_said_in_the_log_and_only_then(make_index, id_of, kind, minilm, hashing, caplog):
    nodes = [TextNode(id_=id_of(one.id), text=one.text, metadata=LONG) for one in load_passages()[:20]]
    index = make_index(kind, nodes, embed_model=minilm, whole=True)
    with caplog.at_level(logging.WARNING):
        assert LogicalRetriever.from_index(index).retrieve("vitamin D, but not bone health")
        assert caplog.records == []
        other = LogicalRetriever.from_index(index, embed_model=hashing(384))
        for _ in range(2):
            await other.aretrieve("vitamin D, but not bone health")
    [record] = caplog.records
    assert "do not look like those of HashEmbedding" in record.getMessage()
