"""Evidence of the words of every document of a store, from an index of them: what no list of words can leave open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logical_retriever.results import DocumentId
from logical_retriever.search.access import Reader
from logical_retriever.search.problem import Lexical, Problem
from logical_retriever.semantics import BagOfWords


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Evidence of the words of all N documents that an index has.

    Attributes:
        ids: N identities.
        places: Where each identity stands.
        lexical: Evidence, shape (N,) for each bag of words of the problem.
        wanted: Bags that documents should hold, each of another text.
    """

    ids: Sequence[DocumentId]
    places: Mapping[DocumentId, int]
    lexical: Lexical
    wanted: tuple[BagOfWords, ...]

    def best(self, reader: Reader, n: int) -> tuple[list[DocumentId], dict[str, float]]:
        """The n documents of greatest evidence for each wanted bag, and the most that any other has.

        Args:
            reader: With the filter that documents pass.
            n: At least 1.

        Returns:
            Distinct identities; and for the text of each wanted bag a number that the evidence of no other document
            that passes the filter exceeds, 0 where all that have a word are among them.
        """
        found: dict[DocumentId, None] = {}
        most = {}
        for bag in self.wanted:
            values = self.lexical[bag]
            rows = np.flatnonzero(values)
            passing: list[DocumentId] = []
            size = n
            while len(rows) and len(passing) < n:
                size = min(size, len(rows))
                top = rows[np.argpartition(-values[rows], size - 1)[:size]]
                passing += reader.passing([self.ids[row] for row in top.tolist()])
                rows = np.setdiff1d(rows, top, assume_unique=True)
                size *= 4
            found.update(dict.fromkeys(passing))
            most[bag.text] = float(values[rows].max(initial=0.0))
        return list(found), most

    def of(self, ids: Sequence[DocumentId]) -> Lexical:
        """Evidence of some documents, shape (len(ids),) for each bag; one that the index does not have has no words."""
        rows = np.array([self.places.get(id, -1) for id in ids], np.int64)
        return {bag: np.where(rows >= 0, values[rows], 0.0) for bag, values in self.lexical.items()}

    def limits(self, most: Mapping[str, float], count: int) -> tuple[Lexical, Lexical]:
        """Least and greatest evidence of documents with no more words than :meth:`best` says, shape (count,) each."""
        nothing = dict.fromkeys(self.lexical, np.zeros(count))
        return nothing, {**nothing, **{bag: np.full(count, most[bag.text]) for bag in self.wanted}}


def known_words(problem: Problem, reader: Reader) -> KnownWords | None:
    """The words of all documents; None where the store has no index of them, or words are no evidence."""
    if problem.words is None:
        return None
    indexed = reader.indexed_words(problem.language)
    if indexed is None:
        return None
    return KnownWords(indexed.ids, indexed.places, reader.lexical(problem, indexed), problem.wanted_bags)
