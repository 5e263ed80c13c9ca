"""Recorded logical queries in place of a language model."""

from __future__ import annotations

from collections.abc import Mapping

from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.transform.base import Transformation, check_question


class RecordedQueryTransformer:
    """A reader that looks each question up; an unknown question is one plain term.

    Recorded queries are kept exactly as they are, even a single term.

    Args:
        forms: Logical query, as text or tree, by question text.

    Raises:
        LogicalQueryError: A query is not in the grammar.
        EmptyQuestionError: A question is empty.
    """

    def __init__(self, forms: Mapping[str, str | LogicalQuery]) -> None:
        self._queries = {
            check_question(question): parse(form) if isinstance(form, str) else form for question, form in forms.items()
        }

    def transform(self, question: str) -> Transformation:
        """Return the query recorded for a question.

        Raises:
            InvalidArgumentError: The question is not a string.
            EmptyQuestionError: The question has no visible character.
        """
        query = self._queries.get(check_question(question))
        return Transformation(question, Term(question) if query is None else query, method="recorded")

    async def atransform(self, question: str) -> Transformation:
        """Asynchronous twin of :meth:`transform`."""
        return self.transform(question)
