"""The report of a synthesis: how it ended, what it cost, what was thrown away and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any


class Stop(str, Enum):
    """Why a synthesis ended."""

    FINISHED = "finished"
    """Every query was tried to the end."""
    CALL_LIMIT = "call limit"
    """The calls allowed were used up; the same call continues."""


@dataclass(frozen=True)
class Synthesis:
    """A finished or interrupted synthesis.

    Attributes:
        output: The folder of the test set.
        stop: How it ended.
        wanted: Queries asked for.
        queries: Queries written.
        by_type: Queries written, by type.
        documents: Documents written to ``corpus.jsonl``.
        relevant: Pairs of query and document judged relevant.
        violations: Pairs in ``violations.tsv``.
        calls: Calls of the language model made by this run.
        reused: Answers of earlier runs taken from the journal.
        candidates: Candidate queries tried.
        invalid: Answers thrown away, by reason.
        dropped: Candidate queries thrown away, by reason.
    """

    output: Path
    stop: Stop
    wanted: int
    queries: int
    by_type: Mapping[str, int]
    documents: int
    relevant: int
    violations: int
    calls: int
    reused: int
    candidates: int
    invalid: Mapping[str, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-compatible data."""
        return {
            name: value.value if isinstance(value, Stop) else str(value) if isinstance(value, Path) else value
            for name, value in (
                (name, dict(value) if isinstance(value, Mapping) else value) for name, value in vars(self).items()
            )
        }

    def __str__(self) -> str:
        lines = [
            f"{self.queries} of {self.wanted} queries, {self.documents} documents, {self.relevant} relevant pairs, "
            f"{self.violations} violations: {self.output}",
            f"{self.calls} calls of the language model, {self.reused} answers from the journal, "
            f"{self.candidates} candidate queries",
            f"Invalid answers: {_counts(self.invalid)}",
            f"Dropped queries: {_counts(self.dropped)}",
        ]
        if self.stop is Stop.CALL_LIMIT:
            lines.append("Stopped at the limit of calls; run the same command again to continue.")
        elif self.queries == 0:
            lines.append("No query could be made, so no test set was written; the reasons are above.")
        return "\n".join(lines)


def _counts(counts: Mapping[str, int]) -> str:
    shown = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))
    return f"{sum(counts.values())} ({shown})" if shown else "0"
