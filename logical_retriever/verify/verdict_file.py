"""Verdicts in a file, so that no passage is read twice for a term."""

from __future__ import annotations

from logical_retriever.answer_file import AnswerFile
from logical_retriever.results import Verdict
from logical_retriever.verify.base import read_verdict


class VerdictFile(AnswerFile):
    """Verdicts in an SQLite file, by term, passage and the verifier's name.

    Terms and passages are kept as digests alone. Safe to use from several threads and processes. A file that fails
    later on is a cache without entries: the log says so once, and the verifier is asked.

    Args:
        path: The file; made where there is none.
        max_entries: Most verdicts kept, at least 1; the oldest go first.

    Raises:
        InvalidArgumentError: ``max_entries`` is below 1.
        CacheFileError: The file is something else, damaged, or cannot be opened.
    """

    application_id = 0x4C6F6756
    version = 1
    columns = ("label TEXT NOT NULL", "probability REAL")

    def get(self, term: str, passage: str, verifier: str) -> Verdict | None:
        """The remembered verdict; None where there is none."""
        row = self._row(verifier, term, passage)
        if row is None:
            return None
        label, probability = row
        return read_verdict(Verdict(label, probability))  # type: ignore[arg-type]  # as SQLite gives it, checked there

    def put(self, term: str, passage: str, verifier: str, verdict: Verdict) -> None:
        """Remember a verdict, unless there is one already."""
        self._keep((verifier, term, passage), (verdict.label, verdict.probability))
