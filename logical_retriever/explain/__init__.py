"""The explanation of an answer, as data, as text and as a page."""

from logical_retriever.explain.explanation import Explanation as Explanation
from logical_retriever.explain.html import MADE_BY as MADE_BY
