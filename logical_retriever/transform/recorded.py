"""Replays logical queries that were recorded earlier, in place of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from logical_retriever.errors import LogicalQueryError
from logical_retriever.files import json_lines, text_lines, wrong
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.transform.base import Transformation, check_question, check_questions, written_query

_COLUMNS = ("query-id", "logical-query")


class RecordedQueryTransformer:
    """Answers each question with the query recorded for its text; any other question is one plain term.

    Recorded queries are kept exactly as they were recorded, lone terms included.

    Args:
        forms: Logical query, as text or tree, by question text.

    Raises:
        InvalidArgumentError: A query is not in the grammar, or a question is empty.
    """

    def __init__(self, forms: Mapping[str, str | LogicalQuery]) -> None:
        self._queries = {
            check_question(question): written_query(form, f"The form recorded for {question[:60]!r}")
            for question, form in forms.items()
        }

    @classmethod
    def from_tsv(cls, path: str | Path, *, queries: str | Path | None = None) -> RecordedQueryTransformer:
        """Read recorded forms from a file, and the questions that they belong to from another.

        Args:
            path: Tab-separated UTF-8 text with the header ``query-id``, ``logical-query``.
            queries: BEIR file of questions, a JSON object with ``_id`` and ``text`` a line; by default
                ``queries.jsonl`` beside ``path``.

        Raises:
            CorpusError: Either file is missing or malformed, an id is unknown or comes twice, a form is not in the
                grammar, or one question text has two different forms. It names file and line.
        """
        source = Path(path)
        questions = read_questions(source.with_name("queries.jsonl") if queries is None else queries)
        forms: dict[str, LogicalQuery] = {}
        for line, query_id, query in _recorded(source):
            question = questions.get(query_id)
            if question is None:
                raise wrong(source, line, f"query-id {query_id!r} is not among the questions.", "Check the ids.")
            if forms.setdefault(question, query) != query:
                problem = f"the question {question[:60]!r} has another form above."
                raise wrong(source, line, problem, "Questions are looked up by text: keep one form for each text.")
        return cls(forms)

    def __len__(self) -> int:
        return len(self._queries)

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

    def batch(self, questions: Sequence[str]) -> list[Transformation]:
        """Return the queries of several questions, in order."""
        return [self.transform(question) for question in check_questions(questions)]

    async def abatch(self, questions: Sequence[str]) -> list[Transformation]:
        """Asynchronous twin of :meth:`batch`."""
        return self.batch(questions)


def read_recorded_forms(path: str | Path) -> dict[str, LogicalQuery]:
    """Read recorded forms by query id; see :meth:`RecordedQueryTransformer.from_tsv`.

    Raises:
        CorpusError: The file is missing or malformed.
    """
    return {query_id: query for _, query_id, query in _recorded(Path(path))}


def read_questions(path: str | Path) -> dict[str, str]:
    """Read question texts by id from a BEIR ``queries.jsonl``.

    Raises:
        CorpusError: The file is missing or malformed, or an id comes twice.
    """
    source, questions = Path(path), dict[str, str]()
    hint = 'Each line is a JSON object like {"_id": "7", "text": "..."}, with each _id once.'
    for number, row in json_lines(source, hint):
        if not all(isinstance(row.get(key), str) for key in ("_id", "text")):
            raise wrong(source, number, "no object with the strings _id and text.", hint)
        if not row["text"].strip() or row["_id"] in questions:
            problem = "the text is empty." if not row["text"].strip() else f"_id {row['_id']!r} comes twice."
            raise wrong(source, number, problem, hint)
        questions[row["_id"]] = row["text"]
    return questions


def _recorded(path: Path) -> Iterator[tuple[int, str, LogicalQuery]]:
    """Line number, query id and query of each row."""
    seen: set[str] = set()
    hint = f"The file is tab-separated with the header {_COLUMNS[0]}<tab>{_COLUMNS[1]}, each id once."
    rows = text_lines(path)
    first = next(rows, (1, ""))
    if tuple(first[1].split("\t")) != _COLUMNS:
        raise wrong(path, first[0], f"the header is {first[1][:60]!r}.", hint)
    for number, line in rows:
        query_id, separator, form = line.partition("\t")
        if not separator or "\t" in form or not query_id:
            raise wrong(path, number, f"{line[:60]!r} does not have two columns.", hint)
        if query_id in seen:
            raise wrong(path, number, f"query-id {query_id!r} comes twice.", hint)
        seen.add(query_id)
        try:
            yield number, query_id, parse(form)
        except LogicalQueryError as error:
            raise wrong(path, number, f"not a logical query: {error.message}", error.hint) from error
