"""Checks of a typed query: its form, its structure, its evidence (ComLQ's expert verification).

The paper's annotators check by hand that a query has the structure wanted (structure conformity) and that its
evidence is spread over its passages (evidence distribution). Here the model states the triples it read, and both are
computed: the triples, evaluated by the type's set expression, must give exactly the answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lab.asking import InvalidAnswer
from lab.synthesis.answers import read_object
from lab.synthesis.typed_queries import Fact, QueryType, derive

MAX_QUERY_WORDS: Final = 80
MIN_QUOTE_WORDS: Final = 2

_ALIKE = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u2011": "-"})
_REFERS = re.compile(r"\b(?:according to|in|from|mentioned in) (?:the|this|these) (?:passages?|texts?)\b", re.I)


@dataclass(frozen=True)
class TypedQuery:
    """A query that passed every check.

    Attributes:
        text: The query.
        answers: Its answers, as the model wrote them.
        labels: For each of P passages: 2 if it alone gives all answers, 1 if it holds part of the evidence of an
            answer, 0 if it holds none.
        violations: Positions of passages that show an excluded entity and no evidence of an answer.
    """

    text: str
    answers: tuple[str, ...]
    labels: tuple[int, ...]
    violations: tuple[int, ...]


def read_typed_query(answer: str, kind: QueryType, passages: Sequence[str]) -> TypedQuery:
    """Read and check what the model wrote for a type and P passages.

    Raises:
        InvalidAnswer: A check failed. Reasons: not_json, generation_form, query_form, query_refers_to_passage,
            structure_names, quote_not_in_passage, facts_contradict, indicator_not_satisfied, branches_identical,
            answers_do_not_follow, answer_not_in_passages, answer_in_query, evidence_not_distributed.
    """
    data = read_object(answer)
    query = _query(data.get("query"))
    entities = _names(data, "entities", kind.entities())
    relations = _names(data, "relations", kind.relations())
    facts = _facts(data.get("facts"), kind, passages)
    answers = data.get("answers")
    if not isinstance(answers, list) or not answers or not all(isinstance(a, str) and normal(a) for a in answers):
        raise InvalidAnswer("generation_form", '"answers" must be a list of one or more texts.')
    _structure(kind, entities, relations, facts)
    derived = derive(kind.expression, entities, facts)
    if set(derived) != {normal(a) for a in answers}:
        follows = ", ".join(sorted(derived)) if derived else "nothing"
        raise InvalidAnswer(
            "answers_do_not_follow", f"by the formal definition, {follows} follows from the facts, not the answers."
        )
    _answers(query, answers, passages)
    used = {fact.passage for fact in facts}
    unused = [number + 1 for number in range(len(passages)) if number not in used]
    if unused:
        raise InvalidAnswer(
            "evidence_not_distributed", f"passage {unused[0]} holds no evidence. Use all passages for the query."
        )
    support = {facts[position].passage for positions in derived.values() for position in positions}
    return TypedQuery(
        text=query,
        answers=tuple(dict.fromkeys(answers)),
        labels=tuple(
            _label(kind, entities, facts, n, set(derived)) if n in support else 0 for n in range(len(passages))
        ),
        violations=tuple(sorted(_excluding(kind, facts) - support)),
    )


def normal(text: str) -> str:
    """Normalise a text for comparison: compatibility characters, quotation marks, dashes, case and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).casefold().split())


def _query(value: object) -> str:
    if not isinstance(value, str) or not any(c.isalnum() for c in value):
        raise InvalidAnswer("query_form", '"query" must be a question or request in natural language.')
    if len(value.split()) > MAX_QUERY_WORDS or len(value.strip().split("\n")) > 1:
        raise InvalidAnswer("query_form", f'"query" must be one line of at most {MAX_QUERY_WORDS} words.')
    if _REFERS.search(value):
        raise InvalidAnswer("query_refers_to_passage", '"query" must be understandable without the passages.')
    return " ".join(value.split())


def _names(data: Mapping[str, Any], field: str, wanted: Sequence[str]) -> dict[str, str]:
    value = data.get(field)
    if not isinstance(value, dict) or not all(isinstance(v, str) and normal(v) for v in value.values()):
        raise InvalidAnswer("generation_form", f'"{field}" must map names to texts.')
    if set(value) != set(wanted):
        raise InvalidAnswer("structure_names", f'"{field}" must have {", ".join(wanted)} and no others.')
    return {name: normal(value[name]) for name in wanted}


def _facts(value: object, kind: QueryType, passages: Sequence[str]) -> list[Fact]:
    if not isinstance(value, list) or not value:
        raise InvalidAnswer("generation_form", '"facts" must be a list of one or more facts.')
    deniable = {projection.relation for projection in kind.projections() if projection.outermost}
    texts = [normal(passage) for passage in passages]
    return [_fact(item, number, kind.relations(), deniable, texts) for number, item in enumerate(value, start=1)]


def _fact(item: object, number: int, relations: Sequence[str], deniable: set[str], texts: Sequence[str]) -> Fact:
    def wrong(problem: str) -> InvalidAnswer:
        return InvalidAnswer("generation_form", f"fact {number}: {problem}")

    if not isinstance(item, dict):
        raise wrong("it must be an object.")
    fields = [item.get(field) for field in ("relation", "subject", "object", "quote")]
    if not all(isinstance(field, str) and normal(field) for field in fields):
        raise wrong('"relation", "subject", "object" and "quote" must be texts.')
    relation, subject, target, quote = (str(field) for field in fields)
    holds, passage = item.get("holds"), item.get("passage")
    if not isinstance(holds, bool) or type(passage) is not int or not 1 <= passage <= len(texts):
        raise wrong(f'"holds" must be true or false and "passage" a number from 1 to {len(texts)}.')
    if relation not in relations:
        raise InvalidAnswer("structure_names", f"fact {number}: there is no relation {relation}.")
    if not holds and relation not in deniable:
        raise InvalidAnswer("structure_names", f'fact {number}: "holds" may be false in a negated relation alone.')
    if len(quote.split()) < MIN_QUOTE_WORDS or normal(quote) not in texts[passage - 1]:
        raise InvalidAnswer(
            "quote_not_in_passage",
            f"fact {number}: the quote does not occur in passage {passage}. Copy two or more words from it.",
        )
    return Fact(relation, normal(subject), normal(target), holds, passage - 1)


def _structure(
    kind: QueryType, entities: Mapping[str, str], relations: Mapping[str, str], facts: Sequence[Fact]
) -> None:
    """Check that the facts make up the type's subgraph: every relation starts where it should and leads somewhere."""
    truths = {(f.relation, f.subject, f.object): f.holds for f in facts}
    if any(truths[f.relation, f.subject, f.object] != f.holds for f in facts):
        raise InvalidAnswer("facts_contradict", "one triple both holds and does not hold.")
    reached: dict[str, set[str]] = {}
    for projection in kind.projections():
        subjects = set(derive(projection.source, entities, facts))
        reached[projection.relation] = subjects
        matching = [f for f in facts if f.relation == projection.relation and f.subject in subjects]
        # What is negated may hold for nobody, but then the passage must say so of somebody.
        if not any(f.holds or projection.outermost for f in matching):
            raise InvalidAnswer(
                "indicator_not_satisfied",
                f"no fact of {projection.relation} starts from {' or '.join(sorted(subjects)) or 'an entity found'}.",
            )
    stray = next((f for f in facts if f.subject not in reached[f.relation]), None)
    if stray is not None:
        raise InvalidAnswer(
            "indicator_not_satisfied",
            f"the {stray.relation} fact about {stray.subject} is not part of the structure. Leave it out, or write "
            "its subject as in the other facts.",
        )
    anchored = [(entities[p.source], relations[p.relation]) for p in kind.projections() if isinstance(p.source, str)]
    if len(set(anchored)) < len(anchored):
        raise InvalidAnswer("branches_identical", "two conditions are the same.")


def _answers(query: str, answers: Sequence[str], passages: Sequence[str]) -> None:
    texts, question = [normal(passage) for passage in passages], normal(query)
    for answer in answers:
        pattern = rf"(?<!\w){re.escape(normal(answer))}(?!\w)"
        if not any(re.search(pattern, text) for text in texts):
            raise InvalidAnswer("answer_not_in_passages", f"the answer {answer!r} does not occur in the passages.")
        if re.search(pattern, question):
            raise InvalidAnswer("answer_in_query", f"the query names its answer {answer!r}.")


def _label(kind: QueryType, entities: Mapping[str, str], facts: Sequence[Fact], passage: int, answers: set[str]) -> int:
    own = [position for position, fact in enumerate(facts) if fact.passage == passage]
    return 2 if set(derive(kind.expression, entities, facts, own)) == answers else 1


def _excluding(kind: QueryType, facts: Sequence[Fact]) -> set[int]:
    """Return the passages that show a negated triple to hold."""
    negated = {projection.relation for projection in kind.projections() if projection.outermost}
    return {fact.passage for fact in facts if fact.holds and fact.relation in negated}
