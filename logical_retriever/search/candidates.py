"""Documents that may be in the answer, with the evidence about each; and what a look at a store is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from logical_retriever.lexical import LexicalModel, WordIndex
from logical_retriever.query import negative_terms
from logical_retriever.results import DocumentId, Strategy
from logical_retriever.search.filters import Narrowing
from logical_retriever.search.scorer import Array, Lexical, Scorer
from logical_retriever.search.store_reader import Fetched, StoreReader
from logical_retriever.semantics import BagOfWords
from logical_retriever.stores.base import StoredDocument, WordQuery
from logical_retriever.vectors import precise_cosines

WORDED = 50
"""Documents in each list by words."""


@dataclass(frozen=True)
class Candidates:
    """N documents that may be in the answer.

    Attributes:
        documents: N documents.
        cosines: Shape (T, N), in [-1, 1]: with each text of the scorer.
        lexical: Evidence of their words, shape (N,) for each bag of words.
        strategy: How they were found.
        complete: Whether all documents that pass the filter were scored.
        scored: How many documents were scored.
        ended: Whether a longer look would bring no other documents.
        reason: How they were found, in one sentence.
        strongest: Evidence of the document that is most about each excluded term, where all documents were scored.
        statement: What was sent to the engine; None where it scored nothing.
    """

    documents: tuple[StoredDocument, ...]
    cosines: Array
    lexical: Lexical
    strategy: Strategy
    complete: bool
    scored: int
    ended: bool
    reason: str
    strongest: Mapping[str, float] = field(default_factory=dict)
    statement: str | None = None

    def subset(self, rows: Sequence[int]) -> Candidates:
        """Some of them, in the order given."""
        chosen = list(rows)
        return replace(
            self,
            documents=tuple(self.documents[row] for row in chosen),
            cosines=self.cosines[:, chosen],
            lexical={bag: values[chosen] for bag, values in self.lexical.items()},
        )


@dataclass(frozen=True)
class Look:
    """The purpose of one look at the store.

    Attributes:
        scorer: Scores the documents, its texts encoded.
        judge: Tells how far documents are about the excluded terms; None where nothing depends on that.
        guard: Tells the same of the standing exclusions alone; None where there are none.
        reader: Reads the store.
        narrowing: The filter, and what is left to be decided on metadata.
        count: Documents in the store; None where it cannot tell.
        number: How many of the best documents are wanted, at least 1.
        length: Length of a list of nearest documents, at least 1.
        fetch_k: How many documents an engine proposes.
    """

    scorer: Scorer
    judge: Scorer | None
    guard: Scorer | None
    reader: StoreReader
    narrowing: Narrowing
    count: int | None
    number: int
    length: int
    fetch_k: int

    @cached_property
    def excluded(self) -> tuple[str, ...]:
        """Excluded terms whose nearest documents are needed, to know what is most about them."""
        return () if self.judge is None else negative_terms(self.judge.query)

    def scored(self, pool: Fetched, *, read: bool = True) -> tuple[tuple[StoredDocument, ...], Array, Lexical]:
        """The documents that pass, compared with all texts in float64, and the evidence of their words.

        Args:
            pool: Documents with their vectors.
            read: Whether their texts are read for words.
        """
        passes = self.narrowing.passes
        rows = [pair for pair in pool.values() if passes is None or passes(pair[0].metadata)]
        documents = tuple(document for document, _ in rows)
        if not documents:
            return (), np.empty((len(self.scorer.texts), 0)), {}
        cosines = precise_cosines(self.scorer.vectors, np.stack([vector for _, vector in rows]))
        return documents, cosines, self.lexical([document.text for document in documents]) if read else {}

    def lexical(self, texts: Sequence[str] | WordIndex) -> Lexical:
        """Evidence of the words of texts, or of all texts of an index, for the scorer and the judge."""
        values: dict[BagOfWords, Array] = {}
        for scorer in self._scorers:
            values.update(scorer.lexical(texts))
        return values

    @cached_property
    def words(self) -> LexicalModel | None:
        """Statistics of the store's words, where words are evidence of anything."""
        return next((scorer.words for scorer in self._scorers if scorer.words is not None), None)

    @property
    def _scorers(self) -> tuple[Scorer, ...]:
        """All scorers with words of their own."""
        judges = (self.scorer, self.judge, self.guard)
        return tuple(dict.fromkeys(scorer for scorer in judges if scorer is not None))

    def named(self, pool: Fetched) -> Fetched:
        """Documents that are not among some, and have the rarest words of a wanted or an excluded term."""
        return self.reader.fetch(id for id in self.named_ids() if id not in pool)

    def named_ids(self) -> list[DocumentId]:
        """Ids of documents that have the rarest words of a wanted or an excluded term."""
        return self.reader.words(self._word_queries(), WORDED)

    def _word_queries(self) -> list[WordQuery]:
        """The words of each wanted text and of all together, and of each excluded term."""
        scorer, words = self.scorer, self.words
        if words is None:
            return []
        wanted = [bag for bag in scorer.bags if bag.text in scorer.wanted_texts]
        excluded = [] if self.judge is None else [bag for bag in self.judge.bags if bag.text in self.excluded]
        queries, together = [], dict[str, float]()
        for bag in (*wanted, *excluded):
            weights = words.rarest(bag.text, bag.without, bag.keeping)
            if not weights:
                continue
            vector = scorer.vectors[scorer.texts.index(bag.text)]
            queries.append(WordQuery(tuple(weights), vector, tuple(weights.values()), words.language))
            if bag in wanted:
                together.update(weights)
        if len(queries) > 1 and len(wanted) > 1:
            ordered = dict(sorted(together.items(), key=lambda entry: -entry[1]))
            vector = scorer.vectors[scorer.rows(scorer.wanted_texts)].mean(axis=0)
            queries.append(WordQuery(tuple(ordered), vector, tuple(ordered.values()), words.language))
        return queries
