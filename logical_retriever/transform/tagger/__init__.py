"""The learned reader: a small network that labels the words of a question as wanted, excluded or neither."""

from logical_retriever.transform.tagger.tagger import Reading, Tagger, shipped_tagger
from logical_retriever.transform.tagger.weights import WeightsError

__all__ = ["Reading", "Tagger", "WeightsError", "shipped_tagger"]
