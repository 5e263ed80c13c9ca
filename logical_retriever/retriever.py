"""The framework-free retriever: the one file that knows every stage."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Sequence

from logical_retriever.embedding import Embedder, aembed_terms, embed_terms
from logical_retriever.errors import InvalidArgumentError, UnsupportedByEngineError
from logical_retriever.explain import Explanation
from logical_retriever.moved import renamed
from logical_retriever.query import LogicalQuery, Term, parse
from logical_retriever.results import Plan, RankedDocument, SearchResult
from logical_retriever.search import (
    DEFAULT_FETCH_K,
    MAX_CANDIDATES,
    Census,
    EvidenceSource,
    Pushdown,
    SearchMode,
    StatisticsCache,
    check_count,
    check_evidence,
    check_limit,
    check_mode,
    check_pushdown,
    plan_search,
    run_search,
)
from logical_retriever.semantics import DEFAULT_SEMANTICS, ItlrSemantics, Semantics, get_semantics
from logical_retriever.stores.base import Filter, Store, StoredDocument
from logical_retriever.stores.found import FoundDocuments
from logical_retriever.stores.in_memory import InMemoryStore
from logical_retriever.transform import CueQueryTransformer, QueryTransformer, Transformation
from logical_retriever.vectors import Vectors

DENSE_RANKS = 50
"""How many places of plain dense retrieval an explanation compares with."""


class LogicalRetriever:
    """Questions in, documents out, with the question's NOT, AND and OR honoured.

    Args:
        store: The documents.
        embedder: The encoder that the store's documents were encoded with.
        transformer: Turns questions into logical queries; the cue rules, which need no language model, unless given.
        semantics: How scores are composed: a name of :data:`~logical_retriever.semantics.SEMANTICS` or an instance.
        k: Documents to return, at least 1.
        fetch_k: Candidates per positive term where the store is not scanned, at least 1; also how many of the best
            candidates have their texts read for lexical evidence.
        evidence: "auto" reads texts where the semantics has a use for them, "dense" compares vectors alone.
        max_candidates: Most documents read where the store is not scanned, at least 1, raised to k where it is
            smaller; None for no limit. What is found within it is said to be approximate.
        max_rounds: Most times that a store is asked for longer lists, at least 1; None for no limit.
        mode: "exact" looks until the best k are proved, where the store allows it. "sqo" asks the store once, for the
            ``fetch_k`` documents nearest to the one vector that the semantics would score highest, and scores these.
            "deo" asks it once for those nearest to the question's vector, moved towards what is wanted and away from
            what is not, and ranks by that alone: its scores are cosines.
        pushdown: Whether the store's engine computes the scores itself, in one request: "auto" where it can as well
            as this process and the store is too large to be scanned, "always" or an error, "never".

    Raises:
        InvalidArgumentError: A count below 1, or a semantics, evidence, mode or pushdown of an unknown name.

    Examples:
        >>> from logical_retriever.testing import HashingEmbedder
        >>> texts = ["green tea and health", "green tea and brewing", "black coffee and health"]
        >>> retriever = LogicalRetriever.from_texts(texts, HashingEmbedder(), k=1)
        >>> [document.text for document in retriever.retrieve("green tea, excluding brewing")]
        ['green tea and health']
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        *,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        k: int = 4,
        fetch_k: int = DEFAULT_FETCH_K,
        evidence: EvidenceSource = "auto",
        max_candidates: int | None = MAX_CANDIDATES,
        max_rounds: int | None = None,
        mode: SearchMode = "exact",
        pushdown: Pushdown = "auto",
    ) -> None:
        check_count("k", k)
        check_count("fetch_k", fetch_k)
        check_limit("max_candidates", max_candidates)
        check_limit("max_rounds", max_rounds)
        check_evidence(evidence)
        check_mode(mode)
        check_pushdown(pushdown, mode)
        self.store = store
        self.embedder = embedder
        self.transformer: QueryTransformer = CueQueryTransformer() if transformer is None else transformer
        self.semantics = get_semantics(semantics)
        self.k = k
        self.fetch_k = fetch_k
        self.evidence = evidence
        self.max_candidates = max_candidates
        self.max_rounds = max_rounds
        self.mode: SearchMode = mode
        self.pushdown: Pushdown = pushdown
        self._statistics = StatisticsCache(embedder)
        self._census = Census()

    @classmethod
    def from_texts(
        cls,
        texts: Sequence[str],
        embedder: Embedder,
        *,
        transformer: QueryTransformer | None = None,
        semantics: str | Semantics = DEFAULT_SEMANTICS,
        k: int = 4,
    ) -> LogicalRetriever:
        """Encode texts into an in-memory store and retrieve from it; ids are "0", "1", ..."""
        documents = [StoredDocument(str(i), text) for i, text in enumerate(texts)]
        store = InMemoryStore(documents, embedder.embed_documents(texts) if documents else ())
        return cls(store, embedder, transformer=transformer, semantics=semantics, k=k)

    def retrieve(self, question: str, *, k: int | None = None, filter: Filter = None) -> tuple[RankedDocument, ...]:
        """Answer a question with the best k documents.

        Args:
            question: The user's question, in natural language.
            k: Documents to return; the retriever's own k unless given.
            filter: In the store's own language.

        Raises:
            EmptyQuestionError: The question has no visible character.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        return self.search(self.transformer.transform(question), k=k, filter=filter).documents

    async def aretrieve(
        self, question: str, *, k: int | None = None, filter: Filter = None
    ) -> tuple[RankedDocument, ...]:
        """Asynchronous twin of :meth:`retrieve`."""
        made = await self.transformer.atransform(question)
        return (await self.asearch(made, k=k, filter=filter)).documents

    def search(
        self, query: LogicalQuery | Transformation | str, *, k: int | None = None, filter: Filter = None
    ) -> SearchResult:
        """Search for a query that is already logical.

        Args:
            query: A query, a text in the grammar, or a transformation; the last goes to plain dense retrieval of
                its question where it has no logic.
            k: Documents to return; the retriever's own k unless given.
            filter: In the store's own language.

        Raises:
            LogicalSyntaxError: The text is not in the grammar.
            LogicalRetrieverError: See :mod:`logical_retriever.errors`.
        """
        routed, plan, wanted = self._prepare(query, k, self.pushdown)
        vectors = embed_terms(self.embedder, plan.texts)
        try:
            return self._run(routed, plan, vectors, wanted, filter)
        except UnsupportedByEngineError:
            if self.pushdown == "always":
                raise
        routed, plan, wanted = self._prepare(query, k, "never")
        return self._run(routed, plan, vectors, wanted, filter)

    async def asearch(
        self, query: LogicalQuery | Transformation | str, *, k: int | None = None, filter: Filter = None
    ) -> SearchResult:
        """Asynchronous twin of :meth:`search`: the store's blocking calls run in a thread."""
        routed, plan, wanted = await asyncio.to_thread(self._prepare, query, k, self.pushdown)
        vectors = await aembed_terms(self.embedder, plan.texts)
        try:
            return await asyncio.to_thread(self._run, routed, plan, vectors, wanted, filter)
        except UnsupportedByEngineError:
            if self.pushdown == "always":
                raise
        routed, plan, wanted = await asyncio.to_thread(self._prepare, query, k, "never")
        return await asyncio.to_thread(self._run, routed, plan, vectors, wanted, filter)

    def explain(
        self, question: str | LogicalQuery | Transformation, *, k: int | None = None, filter: Filter = None
    ) -> Explanation:
        """Retrieve, and tell the whole story beside plain dense retrieval.

        Args:
            question: A question; or a query, whose canonical text then stands for the question.
            k: Documents to return; the retriever's own k unless given.
            filter: In the store's own language.
        """
        made = self._transformed(question)
        result = self.search(made, k=k, filter=filter)
        dense = self.dense(made.question, k=max(DENSE_RANKS, self._k(k)), filter=filter).documents
        found = {document.id for document in result.documents}
        missing = [document.id for document in dense[: len(found)] if document.id not in found]
        return Explanation(
            transformation=made,
            searched=str(effective_query(made, self.semantics)),
            result=result,
            dense=dense,
            left_out=self._scored(made, missing),
            clear=self.semantics.clear,
        )

    def dense(self, question: str, *, k: int | None = None, filter: Filter = None) -> SearchResult:
        """Plain dense retrieval of a question, for comparison: the cosine of its vector, nothing else."""
        plain = copy.copy(self)
        plain.semantics, plain.evidence, plain.mode, plain.pushdown = ItlrSemantics(), "dense", "exact", "never"
        return plain.search(Term(question), k=k, filter=filter)

    def _scored(self, made: Transformation, ids: Sequence[str]) -> tuple[RankedDocument, ...]:
        """Some documents of the store, in the order asked, scored with all the evidence."""
        found = self.store.fetch(ids) if ids else None
        if found is None or not found.documents:
            return ()
        over = copy.copy(self)
        over.store = FoundDocuments(found.documents, found.vectors, self.store)
        over.k = over.fetch_k = len(found.documents)
        over.pushdown = "never"
        scored = {document.id: document for document in over.search(made).documents}
        return tuple(scored[id] for id in found.ids if id in scored)

    def _transformed(self, question: str | LogicalQuery | Transformation) -> Transformation:
        if isinstance(question, LogicalQuery):
            return Transformation(question=str(question), query=question, method="given")
        return question if isinstance(question, Transformation) else self.transformer.transform(question)

    def _prepare(
        self, query: LogicalQuery | Transformation | str, k: int | None, pushdown: Pushdown
    ) -> tuple[LogicalQuery, Plan, int]:
        k = self._k(k)
        question: str | None = None
        if isinstance(query, Transformation):
            routed = effective_query(query, self.semantics)
            question = None if query.method == "given" else query.question
        elif isinstance(query, str):
            routed = parse(query)
        elif isinstance(query, LogicalQuery):
            routed = query
        else:
            raise InvalidArgumentError(
                f"A query must be a LogicalQuery or a text, got {type(query).__name__}.",
                hint='Use parse(\'"A" AND NOT "B"\'), or retrieve(question) for a question.',
            )
        plan = plan_search(
            routed,
            store=self.store,
            semantics=self.semantics,
            k=k,
            fetch_k=self.fetch_k,
            evidence=self.evidence,
            max_candidates=self.max_candidates,
            max_rounds=self.max_rounds,
            question=question,
            mode=self.mode,
            pushdown=pushdown,
            census=self._census,
        )
        return routed, plan, k

    def _k(self, k: int | None) -> int:
        chosen = self.k if k is None else k
        check_count("k", chosen)
        return chosen

    def _run(self, query: LogicalQuery, plan: Plan, vectors: Vectors, k: int, filter: Filter) -> SearchResult:
        return run_search(
            query,
            plan,
            vectors,
            store=self.store,
            semantics=self.semantics,
            statistics=self._statistics,
            k=k,
            filter=filter,
        )


def effective_query(made: Transformation, semantics: str | Semantics = DEFAULT_SEMANTICS) -> LogicalQuery:
    """The query to search for: the logical one, or the question word for word where that retrieves better.

    The promise never to be worse than plain retrieval is kept by being exactly that wherever the semantics has nothing
    to add; see :meth:`~logical_retriever.semantics.Semantics.plain`. A query that the caller wrote is always taken as
    it is.
    """
    if made.method == "given" or not get_semantics(semantics).plain(made.query):
        return made.query
    return Term(made.question)


__getattr__ = renamed(__name__, {"route": "effective_query"})
