"""The logical query in a language model's answer.

An answer is the query and nothing else: a filled form, or a line of the grammar. Reasoning before ``</think>``, a code
fence around the whole answer and a label "Query:" are removed. Any other text beside the query is an error, and the
model is shown it: choosing among several texts could drop a NOT.

A single term means "no logic". It becomes the user's own question, word for word, never the model's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from logical_retriever.errors import LLMAnswerError, LogicalQueryError
from logical_retriever.query import And, Condition, LogicalQuery, Or, Term, contradiction, parse
from logical_retriever.reading.base import Message, shown
from logical_retriever.reading.questions.prompt import as_data

_FORMAT: Final = 'Answer with the query alone: terms in double quotes, joined with AND, OR, NOT, like "a" AND NOT "b".'
_OPERATOR: Final = re.compile(r"\b(?:AND|OR|NOT)\b")
_ANSWER: Final = re.compile(
    r"\A(?:```\w*\n)?(?:Question:[ \t]*([^\n]+)\n\s*)?(?:Query:)?(.*?)(?:\n```)?\Z", re.DOTALL | re.IGNORECASE
)
# Chinese, Japanese, Korean and Thai put no space between words: each character is a word.
_UNSPACED: Final = r"[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_WORD: Final = re.compile(rf"{_UNSPACED}|(?:(?!{_UNSPACED})[^\W_])+")
_COMMON: Final = frozenset(
    _WORD.findall(
        "a an and any are as at be but by do for from has he her his how i in is it its me my no nor not of on or our "
        "she so than that the them then they this to too us was we what when who why with you al ao au aus avec con da "
        "das de del dem den der des die do du e ein el em en er es et eu fur il im ist la las le les lo los mais mit "
        "na ne nel no nos o os ou par pas per pour que se si su sur un una und une uno von zu"
    )
)
"""Words that say nothing about a text's subject."""

_FORM_HINT: Final = (
    'Answer with {"alternatives": [{"all_of": ["..."], "none_of": ["..."]}]}, each term a string without operators.'
)
# A model is shown the docstrings and descriptions of the classes below: a change of them can change its answers.
_FORM_ABOUT: Final = "A question as separate wishes, each with the terms that it wants and the terms that it does not."


def read_answer(answer: str, question: str, history: Sequence[Message] = ()) -> tuple[str | None, LogicalQuery]:
    """Read the logical query in a model's answer.

    Args:
        answer: A filled form, or a query in the grammar.
        question: The user's question.
        history: The messages before it. With a history, the answer must also restate the question.

    Returns:
        The question in words that need no conversation (None without a history), and the query. A query without
        operators is the question as one term.

    Raises:
        LogicalQueryError: The answer is not in the grammar, or over its bounds.
        InvalidArgumentError: A filled form has a blank term or an impossible condition.
        LLMAnswerError: The answer is prose, has another form, or is about something else. The messages of all these
            errors are written for the model.
    """
    [(standalone, text)] = _ANSWER.findall(answer.rpartition("</think>")[2].strip())
    standalone, text = standalone.strip(' "'), text.strip()
    if text.startswith("{") and text.endswith("}"):
        standalone, query = _read_form(text, in_conversation=bool(history))
    else:
        query = _read_text(text, standalone or question)
    if history and not standalone:
        raise LLMAnswerError(
            "The answer does not say the question in words that stand alone.",
            hint='Answer with a line "Question: ..." and a line "Query: ...".',
            answers=(answer,),
        )
    wanted, context = (standalone, f"{question} {as_data(history)}") if history else (question, question)
    for term in query.terms():
        operators = set(_OPERATOR.findall(term)) - set(_OPERATOR.findall(wanted))
        # A name in capitals may contain an AND or OR of the question.
        if "NOT" in operators or (operators and term.casefold() not in wanted.casefold()):
            raise LLMAnswerError(
                f"An operator stands inside the quotes of a term: {shown(term)}", hint=_FORMAT, answers=(answer,)
            )
    if (twice := contradiction(query)) is not None:
        raise LLMAnswerError(
            f"The answer wants and excludes {Term(twice)}.", hint="Exclude only what is not wanted.", answers=(answer,)
        )
    query = Term(wanted) if isinstance(query, Term) else query
    _check_subject((wanted, *query.terms()), context)
    return standalone if history else None, query


def _read_text(text: str, question: str) -> LogicalQuery:
    """Parse a text that must be a query in the grammar, or the question itself, and nothing else."""
    repeated = text.strip(' ".?!').casefold() == question.strip(' ".?!\n').casefold()
    try:
        query = Term(question) if repeated and '"' not in text else parse(text)
    except LogicalQueryError:
        if repeated:
            return Term(question)
        raise
    terms = [node.span for node in query.walk() if isinstance(node, Term) and node.span]
    if not repeated and any(text[span.start] != '"' for span in terms):
        raise LLMAnswerError(f"The answer has words outside quotes: {shown(text)}", hint=_FORMAT, answers=(text,))
    return query


def _check_subject(terms: Iterable[str], question: str) -> None:
    """Reject terms that have nothing to do with the question.

    A term is about the question if one of its words, or the first four letters of one, is spelt like a word of the
    question or nearly so. Without a word of two letters in either of them, nothing is checked.

    Args:
        terms: The terms of a query.
        question: The user's question, with the messages before it.

    Raises:
        LLMAnswerError: A term is about something else; written for the model.
    """
    there = content_words(question)
    for term in terms if there else ():
        own = content_words(term)
        if own and not any(word in there or get_close_matches(word, there, 1, 0.72) for word in own):
            raise LLMAnswerError(
                f"The term {shown(term)} is about something that the question does not mention.",
                hint="Write every term in words of the question, in its language.",
                answers=(term,),
            )


def content_words(text: str) -> dict[str, None]:
    """Return the words of a text without common ones, each also cut to its first four letters."""
    words = [
        word for word in _WORD.findall(text.casefold()) if word not in _COMMON and (len(word) > 1 or word >= "\u0e00")
    ]
    return dict.fromkeys([*words, *(word[:4] for word in words)])


class Comparison(BaseModel):
    """A condition on one field of the metadata."""

    model_config = ConfigDict(extra="forbid")

    field: str = Field(description="A field's name, as listed.")
    op: str = Field(description="One of =, !=, <, <=, >, >=, in, not in, contains, exists.")
    value: str | int | float | bool | list[str | int | float] | None = Field(
        description='The value; a list after "in" and "not in", null after "exists". Dates are written 2020-01-31.'
    )

    @model_validator(mode="before")
    @classmethod
    def _without_value(cls, data: Any) -> Any:
        return {"value": None, **data} if isinstance(data, dict) else data

    def condition(self) -> Condition:
        """Convert to a condition of the query language.

        Raises:
            InvalidArgumentError: The operator is unknown, or does not go with the value.
        """
        value: Any = tuple(self.value) if isinstance(self.value, list) else self.value
        return Condition(self.field, self.op, value)  # type: ignore[arg-type]  # checked there


class Wish(BaseModel):
    """One thing that is sought."""

    # Strict modes of providers want every field required and nothing beside.
    model_config = ConfigDict(extra="forbid")

    all_of: list[str] = Field(description="Terms that a passage must all be about; mostly one.")
    none_of: list[str] = Field(
        description="Things that a passage must not be about or have, each without its negation; often none."
    )

    @model_validator(mode="before")
    @classmethod
    def _without_empty_lists(cls, data: Any) -> Any:
        empty = dict.fromkeys(cls.model_fields, ())
        return {**empty, **{k: v for k, v in data.items() if v is not None}} if isinstance(data, dict) else data


class WishWithConditions(Wish):
    """One thing that is sought, and what must be so of its metadata."""

    where: list[Comparison] = Field(description="Conditions that must all hold; often none.")
    where_not: list[Comparison] = Field(description="Conditions none of which may hold; often none.")

    def query(self) -> LogicalQuery:
        """Join all parts of the wish with AND.

        Raises:
            InvalidArgumentError: A term is blank, a condition is impossible, or the wish is empty.
        """
        parts: list[LogicalQuery] = [Term(text.strip()) for text in self.all_of]
        parts += [~Term(text.strip()) for text in self.none_of]
        parts += [comparison.condition() for comparison in self.where]
        parts += [~comparison.condition() for comparison in self.where_not]
        return parts[0] if len(parts) == 1 else And(tuple(parts))


@cache
def form_class(in_conversation: bool, with_conditions: bool, /) -> type[BaseModel]:
    """Build the class of the form for a model.

    Args:
        in_conversation: Add a field for the question in words that need no conversation.
        with_conditions: Add conditions on metadata to each wish.
    """
    wishes: Any = list[WishWithConditions] if with_conditions else list[Wish]
    fields: dict[str, Any] = (
        {"question": (str, Field(description="The question in words that stand alone."))} if in_conversation else {}
    )
    fields["alternatives"] = (wishes, Field(description="The separate wishes; one where the question has one."))
    return create_model(
        "LogicalQuery", __config__={"extra": "forbid", "title": "LogicalQuery"}, __doc__=_FORM_ABOUT, **fields
    )


def _read_form(text: str, *, in_conversation: bool) -> tuple[str, LogicalQuery]:
    """Read a filled form.

    Args:
        text: JSON.
        in_conversation: Whether the form also has the question in words that need no conversation.

    Returns:
        The question in words that need no conversation (empty without one), and the query.

    Raises:
        LLMAnswerError: The text does not fit the form; written for the model. No part of a form is ignored.
        LogicalQueryError: The query is over the bounds of the language.
        InvalidArgumentError: A term is blank, a condition is impossible, or the form has no wish.
    """
    try:
        form: Any = form_class(in_conversation, True).model_validate_json(text)
    except ValidationError as error:
        problem = "; ".join(f"{'.'.join(map(str, mistake['loc']))}: {mistake['msg']}" for mistake in error.errors()[:3])
        raise LLMAnswerError(f"The form does not fit. {problem}.", hint=_FORM_HINT, answers=(text,)) from error
    wishes = tuple(wish.query() for wish in form.alternatives)
    return form.question.strip() if in_conversation else "", wishes[0] if len(wishes) == 1 else Or(wishes)
