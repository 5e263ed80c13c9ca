"""From a request and its vectors to the answer: look at the store, score, leave out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from logical_retriever.errors import StoreCapabilityError
from logical_retriever.lexical import distinct_words
from logical_retriever.query import LogicalQuery, Term, decider, negative_terms, positive_terms
from logical_retriever.query.conditions import all_of
from logical_retriever.results import Cost, SearchResult
from logical_retriever.search.background import Background, Statistics
from logical_retriever.search.candidates import Candidates, Look
from logical_retriever.search.everything import score_everything
from logical_retriever.search.exclusion import likeness, shares_of_best, strongest_of
from logical_retriever.search.filters import Narrowing, narrow
from logical_retriever.search.in_engine import ranked_by_engine
from logical_retriever.search.leave_out import Answer, Exclusions
from logical_retriever.search.listing import list_documents
from logical_retriever.search.nearest import nearest_and_words
from logical_retriever.search.ranking import Group
from logical_retriever.search.request import SearchRequest
from logical_retriever.search.scorer import Array, Scorer, open_ended
from logical_retriever.search.store_reader import StoreReader
from logical_retriever.semantics import CalibratedSemantics, NullDistributions
from logical_retriever.semantics.relevance import SEEN
from logical_retriever.stages import Stopwatch
from logical_retriever.stores.base import Capabilities, Store
from logical_retriever.vectors import Vectors

NEAREST = 40
"""Least length of a first list of nearest documents; with it the ten best were found on the development sets."""
OTHER_ORDER = 4
"""How many times longer it is where a store does not order by cosine."""
GROWTH = 8
"""How many times longer a look is where too few documents stay."""
SAME = 0.8
"""Likeness from which a wanted term is what is always excluded in other words."""
SHOWN = 5
"""Missing documents that the reason names."""


def run_search(
    request: SearchRequest, vectors: Vectors, store: Store, background: Background, clock: Stopwatch
) -> SearchResult:
    """Answer a request.

    Args:
        request: What is searched for.
        vectors: Of the request's texts, shape (T, d).
        store: The documents.
        background: What their evidence is compared with.
        clock: Takes the time of the stages.

    Raises:
        StoreCapabilityError: Documents about none of the terms answer the query, and the store cannot be scanned.
        VectorMismatchError: The vectors have another dimension than the store's.
        StoreError: The store failed.
    """
    can = store.capabilities
    count = store.count() if can.in_process else background.count()
    if not request.scorers:
        return _listing(request, store, can, count)
    exclusions = Exclusions(request.options)
    calibrated = any(s.semantics.calibrated or exclusions.needed(s.query) for s in request.scorers)
    with clock.stage("background"):
        statistics = background.statistics() if calibrated else None
    if calibrated and statistics is None:
        return SearchResult((), (), True, "the store is empty", str(request.query), Cost("everything", count=0))
    search = _Search(request, vectors, store, can, statistics, count, clock)
    number, length = search.first_number(), search.first_length()
    while True:
        groups = search.groups(number, length)
        with clock.stage("score"):
            if search.barred:
                return search.result(groups, Answer(()))
            answer = search.exclusions.answer(groups)
        if answer.full or all(group.candidates.ended for group in groups) or search.widest(length, groups):
            return search.result(groups, answer)
        number, length = GROWTH * number, GROWTH * length


class _Search:
    """One request over one store."""

    def __init__(
        self,
        request: SearchRequest,
        vectors: Vectors,
        store: Store,
        can: Capabilities,
        statistics: Statistics | None,
        count: int | None,
        clock: Stopwatch,
    ) -> None:
        self.request, self.store, self.can, self.count, self.clock = request, store, can, count, clock
        self.options = request.options
        self.exclusions = Exclusions(request.options)
        self._vectors, self._statistics = vectors, statistics
        self._rows = {text: row for row, text in enumerate(request.texts)}
        self._nulls: NullDistributions | None = None
        self._correlations: Array | None = None
        if statistics is not None:
            self._nulls, self._correlations = statistics.distributions(vectors)
        self.readers: list[StoreReader] = []
        self.narrowings: list[Narrowing] = []
        self.scorers = tuple(map(self._encoded, request.scorers))
        self.guard = None if request.guard is None else self._guard(request.guard)
        self.barred = self._is_barred()

    def first_number(self) -> int:
        """How many documents to look for at first: what relevance is told by, and more where some may be left out."""
        return max(SEEN, 4 * self.options.k + 16)

    def first_length(self) -> int:
        """Length of the first lists of nearest documents."""
        wanted = max(NEAREST, 2 * self.options.k + 12)
        if not self.can.cosine_order:  # an order by distance is another one where lengths of vectors differ
            wanted *= OTHER_ORDER
        return max(self.options.k, min(wanted, self.options.fetch_k))

    def widest(self, length: int, groups: Sequence[Group]) -> bool:
        """Whether a longer look is not worth it: one longer list is read, and no more."""
        return length > self.first_length() and all(group.candidates.strategy != "everything" for group in groups)

    def groups(self, number: int, length: int) -> list[Group]:
        """Documents that may be in the answer, scored, by what scores them."""
        kinds, can, common = self.request.parts.kinds, self.can, self._common()
        if can.scan and (can.in_process or any(open_ended(scorer.query) for scorer in self.scorers)):
            looks = [
                self._look(scorer, kind.condition, number, length)
                for kind, scorer in zip(kinds, self.scorers, strict=True)
            ]
            with self.clock.stage("find"):
                candidates = [score_everything(look) for look in looks]
            with self.clock.stage("score"):
                groups = zip(self.scorers, candidates, kinds, strict=True)
                return [self._group(scorer, some, kind.fulfilled) for scorer, some, kind in groups]
        whole = self.scorers[0] if len(kinds) == 1 else self._whole()
        if open_ended(whole.query):
            raise StoreCapabilityError(
                f"Documents about none of its terms answer {whole.query}, and {can.name} cannot be scanned.",
                hint="Say what is wanted as well: 'A AND NOT B' instead of 'NOT B'.",
            )
        look = self._look(whole, common, number, length)
        with self.clock.stage("find"):
            proposed = ranked_by_engine(look) if len(kinds) == 1 else None
            nearest = nearest_and_words(look) if proposed is None else proposed
        with self.clock.stage("score"):
            return self._parted(nearest)

    def result(self, groups: Sequence[Group], answer: Answer) -> SearchResult:
        """The answer with what it cost."""
        first = groups[0].candidates
        missing = [id for reader in self.readers for id in reader.missing]
        approximate = next((g.candidates for g in groups if not g.candidates.complete), None)
        reason = first.reason if approximate is None else approximate.reason
        if missing:
            named = ", ".join(map(repr, missing[:SHOWN])) + (", ..." if len(missing) > SHOWN else "")
            lost = f"{self.can.name} named {len(missing)} documents and did not bring them back ({named})"
            reason = f"{lost}; of the others: {reason}"
        sure = not missing and self.can.stored_vectors
        if not self.can.stored_vectors:
            reason = f"{reason}; vectors were encoded again from the texts"
        if first.strategy == "engine" and self._statistics is not None and self._statistics.extremes:
            reason = f"{reason}, but lengths of vectors are such that an engine's float32 may lose some"
            sure = False
        words = self.scorers[0].words
        return SearchResult(
            documents=answer.documents,
            left_out=answer.left_out,
            exact=approximate is None and sure,
            reason=reason,
            searched=self._searched(self.scorers[0]),
            cost=Cost(
                first.strategy,
                count=self.count,
                scored=sum(group.candidates.scored for group in groups if group.candidates.strategy == "everything")
                or first.scored,
                requests=sum(reader.requests for reader in self.readers),
                vectors=sum(reader.vectors for reader in self.readers),
                words=None if words is None else self.can.words or "of the candidates alone",
                language="en" if words is None else words.language,
                told=_either(narrowing.told for narrowing in self.narrowings),
                checked=_either(narrowing.checked for narrowing in self.narrowings),
                statement=first.statement,
                milliseconds=self.clock.milliseconds,
            ),
            too_low=answer.too_low,
            always_excluded=tuple(str(Term(text)) for text in self.options.always_exclude),
            barred=self.barred,
            second_opinion=answer.second_opinion,
        )

    def _encoded(self, scorer: Scorer) -> Scorer:
        """A scorer with all that it needs, over all texts of the request."""
        statistics, nulls = self._statistics, self._nulls
        texts = tuple(dict.fromkeys((*scorer.texts, *self.request.texts)))
        rows = [self._rows[text] for text in texts]
        scorer = replace(scorer, texts=texts, vectors=self._vectors[rows])
        if statistics is None or nulls is None:
            return scorer
        return replace(
            scorer,
            nulls=NullDistributions(nulls.means[rows], nulls.deviations[rows]),
            words=statistics.lexical if scorer.bags else None,
            unrelated=statistics.unrelated if scorer.semantics.calibrated else None,
        )

    def _guard(self, guard: Scorer) -> Scorer:
        calibrated = guard.semantics if guard.semantics.calibrated else CalibratedSemantics()
        return self._encoded(replace(guard, semantics=calibrated))

    def _whole(self) -> Scorer:
        """The query without any of its conditions, by which documents of all kinds are found."""
        scored, first = self.request.parts.scored, self.scorers[0]
        return first if scored is None else first.about(scored, question=first.question)

    def _common(self) -> LogicalQuery | None:
        """The condition that every answer must fulfil."""
        kinds = self.request.parts.kinds
        return kinds[0].condition if len(kinds) == 1 else self.request.parts.necessary

    def _look(self, scorer: Scorer, condition: LogicalQuery | None, number: int, length: int) -> Look:
        narrowing = narrow(self.store, self.request.filter, condition)
        reader = StoreReader(self.store, narrowing.filter, self.can)
        self.readers.append(reader)
        self.narrowings.append(narrowing)
        return Look(
            scorer=scorer,
            judge=self._judge(scorer),
            guard=self.guard,
            reader=reader,
            narrowing=narrowing,
            count=self.count,
            number=number,
            length=length,
            fetch_k=max(self.options.k, self.options.fetch_k),
        )

    def _judge(self, scorer: Scorer) -> Scorer | None:
        """The scorer by whose calibrated evidence exclusions are judged; None where nothing depends on it."""
        if not self.exclusions.needed(scorer.query):
            return None
        if scorer.semantics.calibrated:
            return scorer
        judge = scorer.about(scorer.query, CalibratedSemantics())
        return judge if self._statistics is None else replace(judge, words=self._statistics.lexical)

    def _parted(self, candidates: Candidates) -> list[Group]:
        """Candidates by what scores them, told by their metadata."""
        kinds = self.request.parts.kinds
        if len(kinds) == 1:
            return [self._group(self.scorers[0], candidates, kinds[0].fulfilled)]
        groups, left = [], list(range(len(candidates.documents)))
        for kind, scorer in zip(kinds, self.scorers, strict=True):
            holds = None if kind.condition is None else decider(kind.condition)
            rows = [row for row in left if holds is None or holds(candidates.documents[row].metadata)]
            left = [row for row in left if row not in set(rows)]
            groups.append(self._group(scorer, candidates.subset(rows), kind.fulfilled))
        return groups

    def _group(self, scorer: Scorer, candidates: Candidates, fulfilled: bool) -> Group:
        composition = scorer.compose(scorer.evidence(candidates.cosines, candidates.lexical))
        judge = self._judge(scorer)
        if judge is None:
            return Group(scorer, candidates, composition, {}, {}, fulfilled)
        judged = (
            composition if judge is scorer else judge.compose(judge.evidence(candidates.cosines, candidates.lexical))
        )
        excluded = negative_terms(scorer.query)
        alike = likeness(scorer.query, scorer, self._correlated(scorer))
        shares = dict(shares_of_best(judged, excluded, alike, strongest_of(judged, candidates, excluded)))
        if self.guard is not None:
            guard, standing = self.guard, self.options.always_exclude
            alone = guard.compose(guard.evidence(self._for(guard, scorer, candidates.cosines), candidates.lexical))
            shares.update(shares_of_best(alone, standing, {}, strongest_of(alone, candidates, standing)))
        truths = {node.text: values for node, values in judged.values.items() if isinstance(node, Term)}
        return Group(scorer, candidates, composition, truths, shares, fulfilled)

    def _for(self, other: Scorer, scorer: Scorer, cosines: Array) -> Array:
        """Cosines with the texts of another scorer, in its order."""
        return cosines[[scorer.texts.index(text) for text in other.texts]]

    def _correlated(self, scorer: Scorer) -> Array:
        rows = [self._rows[text] for text in scorer.texts]
        together = np.eye(len(self._rows)) if self._correlations is None else self._correlations
        correlated: Array = together[np.ix_(rows, rows)]
        return correlated

    def _searched(self, scorer: Scorer) -> str:
        necessary = self.request.parts.necessary
        if len(self.request.parts.kinds) > 1:
            return str(self.request.query)
        return str(scorer.query if necessary is None else all_of((necessary, scorer.query)))

    def _is_barred(self) -> bool:
        """Whether each wanted term is one that is always excluded, in other words."""
        standing = self.options.always_exclude
        scorer = self.scorers[0]
        wanted = positive_terms(scorer.query)
        if not wanted or not standing or self._statistics is None:
            return False
        alike = likeness(scorer.query, scorer, self._correlated(scorer))
        language = self._statistics.lexical.language
        return all(
            any(
                alike[term].get(text, 1.0) >= SAME or not distinct_words(text, (term,), language=language)
                for term in standing
            )
            for text in wanted
        )


def _listing(request: SearchRequest, store: Store, can: Capabilities, count: int | None) -> SearchResult:
    conditions = [kind.condition for kind in request.parts.kinds]
    if not conditions:
        reason = "no document can fulfil the query"
        return SearchResult((), (), True, reason, str(request.query), Cost("listing", count=count))
    narrowing = narrow(store, request.filter, request.parts.necessary)
    reader = StoreReader(store, narrowing.filter, can)
    return list_documents(reader, narrowing, request.options.k, count, str(request.query))


def _either(conditions: Iterable[LogicalQuery | None]) -> str | None:
    texts = dict.fromkeys(str(condition) for condition in conditions if condition is not None)
    return " | ".join(texts) if texts else None
