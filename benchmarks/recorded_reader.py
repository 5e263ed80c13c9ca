"""A reader that looks each question up in a table of recorded queries."""

from __future__ import annotations

from collections.abc import Mapping

from logical_retriever.query import LogicalQuery, Term, negative_terms, parse
from logical_retriever.reading import ReadQuestion, default_tagger


class RecordedReader:
    """Recorded queries in place of a reader; an unknown question is one plain term.

    Args:
        queries: Query, as text or tree, by question.
    """

    def __init__(self, queries: Mapping[str, str | LogicalQuery]) -> None:
        self._queries = {text: parse(query) if isinstance(query, str) else query for text, query in queries.items()}

    def transform(self, question: str) -> ReadQuestion:
        """Return the query recorded for a question."""
        query = self._queries.get(question, Term(question))
        return ReadQuestion(question, query, "recorded", kinds=default_tagger().kinds(question, negative_terms(query)))

    async def atransform(self, question: str) -> ReadQuestion:
        """Asynchronous twin of :meth:`transform`."""
        return self.transform(question)
