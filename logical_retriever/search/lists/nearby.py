"""The nearest documents of all texts in one request, and in a second one those that only words bring among the best.

An index of the store's words knows what every document has of each text's words. So of the documents that are in no
list only those are read that their words, with the cosines at the ends of the lists, could bring among the best k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from logical_retriever.errors import StoreError
from logical_retriever.results import DocumentId, Plan
from logical_retriever.search.access import Reader
from logical_retriever.search.problem import Array, Lexical, Problem
from logical_retriever.search.ranking import top_k
from logical_retriever.search.reading import Candidates, Reading
from logical_retriever.semantics import NullDistributions
from logical_retriever.stores.base import IndexedWords
from logical_retriever.vectors import precise_cosines

MARGIN = 8
"""Entries of each list beyond the k best."""
WORDED = 50
"""Documents with most of each wanted text's words, and of all, that are looked at; and most that are read of these."""

SAMPLED = 16
"""Of as many documents one tells how much the others must have to be looked at."""


def plan_nearby(plan: Plan, reader: Reader) -> Plan:
    """The plan as it was carried out: with the length that lists had, and how words found candidates."""
    words = plan.words
    if words is not None and plan.effort != "one_request":
        language = "" if plan.language == "en" else f"; words are read as {plan.language!r}"
        by = reader.capabilities.words
        words = f"of every document, by {by}; at most {WORDED} are read that no list names{language}"
    return replace(plan, fetch_k=_length(plan, reader), lexical_k=None, words=words)


def _length(plan: Plan, reader: Reader) -> int:
    most = plan.k + MARGIN if plan.fetch_k is None else min(plan.k + MARGIN, plan.fetch_k)
    return reader.capped(most if plan.max_candidates is None else min(most, plan.max_candidates))


def read_nearby(problem: Problem, plan: Plan, reader: Reader) -> Reading | None:
    """Read the nearest documents of each wanted text once, and those that words may bring among the best.

    Args:
        problem: Its texts encoded, with the statistics of words where these are evidence.
        plan: Of a search by lists; its effort says whether there may be a second request.
        reader: The store.

    Returns:
        Candidates with their documents and the evidence of their words; None where a second request is allowed, and no
        index of words says which documents it should be for.
    """
    kept = reader.indexed_words(problem.language) if problem.words is not None else None
    if kept is None and plan.effort != "one_request":
        return None
    return _Nearby(problem, plan, reader, kept).read()


class _Nearby:
    def __init__(self, problem: Problem, plan: Plan, reader: Reader, kept: IndexedWords | None) -> None:
        self.problem, self.plan, self.reader, self.kept = problem, plan, reader, kept
        self.everywhere: Lexical = {} if kept is None else reader.lexical(problem, kept)
        self.length = _length(plan, reader)

    def read(self) -> Reading:
        rows = list(self.problem.rows(self.plan.wanted_texts))
        lists = self.reader.nearest(self.problem.vectors[rows], self.length)
        found, lexical = self._scored(id for ids in lists for id in ids)
        what, beside = f"the nearest {self.length} documents of each wanted text were read", ""
        if self.kept is not None and self.plan.effort != "one_request":
            try:
                more = self._passing_contenders(lists, found, lexical)
                self.reader.documents((*more, *self._foreseen(found, lexical)))
                if more:
                    found, lexical = self._joined(found, lexical, more)
                    beside = f" and {len(more)} more that have its words"
            except StoreError as error:  # the first answer stands
                beside = f", but not those that have its words: {error}"
        return Reading(
            candidates=found,
            reason=f"{what}{beside}; others were left aside (effort={self.plan.effort!r})",
            depths={text: len(ids) for text, ids in zip(self.plan.wanted_texts, lists, strict=True)},
            rounds=1,
            with_words=True,
            lexical=lexical,
        )

    def _scored(self, ids: Iterable[DocumentId]) -> tuple[Candidates, Lexical]:
        """Documents with their cosines, and the evidence of their words."""
        batch = self.reader.documents(ids)
        documents = {document.id: document for document in batch.documents}
        count = len(self.problem.texts)
        cosines = precise_cosines(self.problem.vectors, batch.vectors) if documents else np.empty((count, 0))
        found = Candidates(batch.ids, cosines, documents)
        if self.kept is None:
            return found, self.problem.lexical([document.text for document in batch.documents])
        places = np.array([self.kept.place_of(d.id, d.text) for d in batch.documents], np.int64)
        lexical = {bag: values[places] for bag, values in self.everywhere.items()}
        # Texts that the index has not met yet, or met as they were before.
        unknown = np.flatnonzero(places < 0)
        if len(unknown):
            fresh = self.problem.lexical([batch.documents[row].text for row in unknown.tolist()])
            for bag, values in fresh.items():
                lexical[bag][unknown] = values
        return found, lexical

    def _joined(self, found: Candidates, lexical: Lexical, more: Sequence[DocumentId]) -> tuple[Candidates, Lexical]:
        """Documents that were scored before, and some further ones."""
        new, words = self._scored(more)
        if not new.ids:
            return found, lexical
        documents = {**(found.documents or {}), **(new.documents or {})}
        cosines = np.concatenate([found.cosines, new.cosines], axis=1)
        both = {bag: np.concatenate([values, words[bag]]) for bag, values in lexical.items()}
        return Candidates((*found.ids, *new.ids), cosines, documents), both

    def _foreseen(self, found: Candidates, lexical: Lexical) -> list[DocumentId]:
        """Documents that the same question is about to ask for: what words may make the best of an excluded term."""
        nulls, ids = self.problem.nulls, list[DocumentId]()
        if nulls is None or not found.ids:
            return ids
        best = top_k(self.problem.scores(found.cosines, lexical), found.ids, self.plan.k)
        for one in self.reader.foreseen():
            if not set(one.problem.texts) <= set(self.problem.texts):  # this is one of these searches itself
                continue
            row = self.problem.rows(one.problem.texts)
            its = NullDistributions(nulls.means[list(row)], nulls.deviations[list(row)])
            term = replace(one.problem, nulls=its, words=self.problem.words)
            there = [(found.documents or {})[found.ids[column]].text for column in best]
            if term.scores(found.cosines[list(row)][:, best], term.lexical(there)).max() < one.least:
                continue
            plan = replace(self.plan, k=one.k, texts=term.texts, wanted_texts=term.texts)
            nearby = _Nearby(term, plan, self.reader, self.kept)
            lists = self.reader.nearest(term.vectors, nearby.length)
            ids += nearby._passing_contenders(lists, *nearby._scored(lists[0]))
        return ids

    def _passing_contenders(
        self, lists: Sequence[Sequence[DocumentId]], found: Candidates, lexical: Lexical
    ) -> list[DocumentId]:
        """The contenders that pass the filter; looked for once."""
        key = (self.problem.query, self.plan.k, self.length)
        looked = self.reader.contenders
        if key not in looked:
            looked[key] = self.reader.passing(self._contenders(lists, found, lexical))
        return looked[key]

    def _contenders(
        self, lists: Sequence[Sequence[DocumentId]], found: Candidates, lexical: Lexical
    ) -> list[DocumentId]:
        """Documents in no list that their words may bring among the best, the likeliest first."""
        if self.kept is None:
            return []
        read = [self.kept.places[id] for id in found.ids if id in self.kept.places]
        looked: set[int] = set()
        each = [self.everywhere[bag] for bag in self.problem.wanted_bags]
        # Those that have something of all are seldom the first of any.
        for values in (*each, np.sum(each, axis=0)) if len(each) > 1 else each:
            looked.update(_greatest(values, WORDED + len(read)).tolist())
        rows = np.array(sorted(looked.difference(read)), np.int64)
        if not len(rows):
            return []
        high = np.ones((len(self.problem.texts), len(rows)))
        for row, ids in zip(self.problem.rows(self.plan.wanted_texts), lists, strict=True):
            high[row] = self._end(row, ids, found)
        most = self.problem.upper_bounds(
            np.full_like(high, -1.0), high, {bag: values[rows] for bag, values in self.everywhere.items()}
        )
        scores = self.problem.scores(found.cosines, lexical)
        if len(scores) >= self.plan.k:
            kth = scores[top_k(scores, found.ids, self.plan.k)[-1]]
            rows, most = rows[most >= kth], most[most >= kth]
        limit = self.plan.max_candidates
        count = WORDED if limit is None else max(0, min(WORDED, limit - len(found.ids)))
        return [self.kept.ids[row] for row in rows[np.argsort(-most, kind="stable")[:count]].tolist()]

    def _end(self, row: int, ids: Sequence[DocumentId], found: Candidates) -> float:
        """The greatest cosine that a document can have which a list does not name."""
        if len(ids) < self.length:  # nor does the store have any other
            return -1.0
        named = set(ids)
        cosines: Array = found.cosines[row, [column for column, id in enumerate(found.ids) if id in named]]
        return float(cosines.min(initial=1.0))


def _greatest(values: Array, number: int) -> npt.NDArray[np.intp]:
    """Where the greatest so many of some values stand; those of 0 are none."""
    some = values[::SAMPLED]
    # As many of a part as are wanted of all: below the least of these is none of the greatest.
    least = np.partition(some, len(some) - number)[len(some) - number] if number < len(some) else 0.0
    rows = np.flatnonzero(values >= least) if least > 0.0 else np.flatnonzero(values)
    return rows if len(rows) <= number else rows[np.argpartition(-values[rows], number)[:number]]
