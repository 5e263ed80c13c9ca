"""The learned reader: a small network that labels the words of a question as wanted, excluded or neither."""

from tagger.tagger import Reading, Tagger
from tagger.weights import WeightsError

__all__ = ["Reading", "Tagger", "WeightsError"]
