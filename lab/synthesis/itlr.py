"""Three-term queries from a corpus: templates, topics, documents, questions, labels (papers: ITLR, 3.1, H and I)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from lab.asking import Asker, InvalidAnswer, in_parallel
from lab.synthesis.answers import (
    Judgement,
    read_judgement,
    read_passage,
    read_question,
    read_topics,
)
from lab.synthesis.pooling import bm25_ranker, pool
from lab.synthesis.prompts import fill
from lab.synthesis.running import (
    TRIES,
    Candidate,
    Dropped,
    GeneratedQuery,
    Synthesis,
    as_documents,
    ask,
    needed,
    run_synthesis,
)
from lab.synthesis.three_terms import (
    Condition,
    QueryTemplate,
    hard_negatives,
    negated_terms,
    positive_conditions,
    query_templates,
    satisfies,
)
from logical_retriever.corpus import Passage
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.query import LogicalQuery
from logical_retriever.reading import ChatModel

TOPIC_DOCUMENTS: Final = 20
"""Documents whose topics the written sets draw from."""


def synthesize_templates(
    corpus: str | Path | Iterable[Passage],
    llm: ChatModel,
    *,
    output: str | Path,
    queries: int = 32,
    max_calls: int = 1000,
    seed: int = 0,
    written: bool = False,
    pool_size: int = 20,
    workers: int = 1,
) -> Synthesis:
    """Make a test set of three-term queries over a user's documents.

    The templates take turns, in a seeded order, so that every 32 queries hold each one. Without ``written``
    (appendix I) the three terms are topics of one document of the corpus, the corpus is the user's, and the language
    model judges a pool of its documents. With it (section 3.1, appendix H) the terms are random topics and
    the language model writes up to three matching documents and up to three hard negatives for each query; each is
    judged before it is kept.

    A label is kept when two judgements agree: the question's (relevant or not) and the logical query's, evaluated on
    the topics that the document is said to be about. Where they differ the document stays unjudged and is counted
    ("judgement_at_odds").

    Args:
        corpus: The documents, or the path of ``corpus.jsonl`` or of a folder that holds it.
        llm: The language model.
        output: Folder of the test set, new or empty.
        queries: Queries wanted.
        max_calls: Most calls of the language model.
        seed: Everything random depends on it.
        written: Whether documents are written for each query, which ranks them alone. Otherwise each query ranks the
            whole corpus, and a document outside the pool counts as one about none of the terms: relevant to a query
            such as NOT A, irrelevant to others.
        pool_size: Most documents judged for one query.
        workers: Threads that ask.

    Returns:
        The number of queries made, and their cost.

    Raises:
        InvalidArgumentError: An argument is out of range, or there are files in the folder.
        CorpusError: The corpus cannot be read.
        LLMCallError: The model raised.
    """
    if pool_size < 2:
        raise InvalidArgumentError(f"pool_size is {pool_size}.", hint="Give 2 or more.")
    texts = as_documents(corpus)

    def prepare(asker: Asker) -> Candidate:
        if written:
            return _Written(asker, texts, seed, workers).candidate
        return _Judged(asker, texts, seed, pool_size).candidate

    def corpus_of(queries: Sequence[GeneratedQuery]) -> Sequence[Passage]:
        return [document for query in queries for document in query.documents] if written else texts

    return run_synthesis(
        prepare,
        corpus_of,
        llm=llm,
        output=output,
        queries=queries,
        max_calls=max_calls,
        workers=workers,
        own_corpora=written,
    )


class _Maker:
    """The part that both kinds share: the order of documents and templates, topics, questions, judgements."""

    def __init__(self, asker: Asker, documents: Sequence[Passage], seed: int) -> None:
        self.asker = asker
        self.documents = documents
        self.seed = seed
        rng = Random(f"{seed}")
        self.order = rng.sample(range(len(documents)), len(documents))
        every = query_templates()
        self.templates = rng.sample(every, len(every))
        self.numbers = {template: number for number, template in enumerate(every)}

    def rng(self, number: int, attempt: int) -> Random:
        return Random(f"{self.seed}/{number}/{attempt}")

    def template(self, number: int) -> QueryTemplate:
        return self.templates[number % len(self.templates)]

    def topics(self, document: Passage) -> tuple[str, ...] | None:
        return ask(self.asker, fill("topic_extraction", document=document.content), read_topics)

    def question(self, query: LogicalQuery) -> str:
        return needed(ask(self.asker, fill("query_to_question", query=str(query)), read_question), "no_question")

    def judge(self, question: str, query: LogicalQuery, document: Passage) -> Judgement | None:
        """Ask for the judgement of a document; None where none agrees with itself."""
        terms = query.terms()
        numbered = "\n".join(f"{number}. {term}" for number, term in enumerate(terms, start=1))
        prompt = fill("judge_document", question=question, topics=numbered, document=document.content)

        def check(answer: str) -> Judgement:
            judgement = read_judgement(answer, terms)
            if judgement.relevant != satisfies(query, judgement.about):
                raise InvalidAnswer(
                    "judgement_at_odds",
                    '"relevant" does not follow from "topics" and what the question asks for and excludes. '
                    "Look at the document once more.",
                )
            return judgement

        return ask(self.asker, prompt, check)

    def made(
        self,
        number: int,
        question: str,
        query: LogicalQuery,
        judged: Sequence[tuple[Passage, Judgement]],
        documents: tuple[Passage, ...] = (),
    ) -> GeneratedQuery:
        """Build the query; one without a relevant or an irrelevant document is dropped."""
        labels = {document.id: int(judgement.relevant) for document, judgement in judged}
        for label, reason in ((1, "no_relevant_document"), (0, "no_irrelevant_document")):
            if label not in labels.values():
                raise Dropped(reason)
        excluded = negated_terms(query)
        template = self.template(number)
        return GeneratedQuery(
            id=f"q{number:05d}",
            text=question,
            type=template.shape,
            labels=labels,
            unjudged=int(satisfies(query, ())),
            violations=tuple(d.id for d, judgement in judged if not judgement.relevant and judgement.about & excluded),
            logical_query=str(query),
            extra={"negations": template.negations, "template": self.numbers[template]},
            documents=documents,
        )


class _Judged(_Maker):
    """Documents of the corpus, judged."""

    def __init__(self, asker: Asker, documents: Sequence[Passage], seed: int, pool_size: int) -> None:
        super().__init__(asker, documents, seed)
        self.pool_size = pool_size
        self.ranker = bm25_ranker([document.content for document in documents])

    def candidate(self, number: int, attempt: int) -> GeneratedQuery:
        rng = self.rng(number, attempt)
        # Topics of one document: three topics of different documents would leave most conjunctions without a match.
        source = self.order[(number * TRIES + attempt) % len(self.order)]
        topics = needed(self.topics(self.documents[source]), "no_topics")
        if len(topics) < 3:
            raise Dropped("too_few_topics")
        query = self.template(number).fill(rng.sample(topics, 3))
        question = self.question(query)
        positions = pool(
            self.ranker,
            [question, *query.terms()],
            source=source,
            size=self.pool_size,
            corpus_size=len(self.documents),
            rng=rng,
        )
        judged = [(self.documents[p], self.judge(question, query, self.documents[p])) for p in positions]
        return self.made(number, question, query, [(d, verdict) for d, verdict in judged if verdict is not None])


class _Written(_Maker):
    """Documents written for the query's conditions."""

    def __init__(self, asker: Asker, documents: Sequence[Passage], seed: int, workers: int) -> None:
        super().__init__(asker, documents, seed)
        sources = [documents[position] for position in self.order[:TOPIC_DOCUMENTS]]
        lists = in_parallel(self.topics, sources, workers)
        self.all_topics = list({topic.casefold(): topic for topics in lists for topic in topics or ()}.values())

    def candidate(self, number: int, attempt: int) -> GeneratedQuery:
        # Three terms, and one topic for documents about none of them.
        *terms, elsewhere = _apart(self.rng(number, attempt).sample(self.all_topics, len(self.all_topics)), 4)
        query = self.template(number).fill(terms)
        question = self.question(query)
        positives = positive_conditions(query)
        written: list[tuple[Passage, Judgement]] = []
        for kind, conditions in (("p", positives), ("n", hard_negatives(query, positives))):
            for index, condition in enumerate(conditions):
                document = self._write(f"q{number:05d}-{kind}{index}", condition, elsewhere)
                judgement = None if document is None else self.judge(question, query, document)
                if document is None or judgement is None:
                    continue
                if judgement.about != set(condition.about):
                    self.asker.invalid.append("passage_off_condition")
                    continue
                written.append((document, judgement))
        return self.made(number, question, query, written, tuple(d for d, _ in written))

    def _write(self, identifier: str, condition: Condition, elsewhere: str) -> Passage | None:
        about = condition.about if condition.about else (elsewhere,)
        prompt = fill("write_document", about=_list(about), not_about=_list(condition.not_about))
        text = ask(self.asker, prompt, read_passage)
        return None if text is None else Passage(identifier, text)


def _apart(topics: Sequence[str], count: int) -> list[str]:
    """Choose the first topics that share no word of four or more letters, such as "diabetes diet" and "diet".

    Raises:
        Dropped: There are fewer.
    """
    chosen: list[str] = []
    taken: set[str] = set()
    for topic in topics:
        words = {word for word in topic.casefold().split() if len(word) > 3} or {topic.casefold()}
        if not words & taken:
            chosen.append(topic)
            taken |= words
        if len(chosen) == count:
            return chosen
    raise Dropped("too_few_topics")


def _list(terms: Sequence[str]) -> str:
    return "\n".join(f"- {term}" for term in terms) if terms else "- (none)"
