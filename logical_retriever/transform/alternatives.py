"""The flat form of a query that models with structured output fill: alternatives of what is wanted and what is not.

The form is read into the grammar's text, and from there on like any other answer: both are held to the same rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import And, LogicalQuery, Not, Or, Term, to_nnf
from logical_retriever.transform.base import AsyncChatModel, ChatModel, Message, StructuredChatModel, shown
from logical_retriever.transform.comparisons import comparisons


class Wish(BaseModel):
    """One thing that is sought."""

    model_config = ConfigDict(extra="forbid")

    all_of: list[str] = Field(description="Terms that a passage must all be about; mostly one.")
    none_of: list[str] = Field(description="Terms whose passages are pushed away; often none.")


class LogicalQueryForm(BaseModel):
    """A question as separate wishes, each with the terms that it wants and the terms that it does not."""

    # As strict modes of providers ask for it: everything required, nothing more allowed.
    model_config = ConfigDict(extra="forbid", title="LogicalQuery")

    alternatives: list[Wish] = Field(description="The separate wishes; one where the question has one.")


_LISTS: Final = ("all_of", "none_of")
_CONDITIONS: Final = ("where", "where_not")
_BESIDE: Final = frozenset({"alternatives", "question", "reasoning", "explanation"})
_HINT: Final = (
    'Answer with {"alternatives": [{"all_of": ["..."], "none_of": ["..."]}]}, each term a string without operators.'
)


class InForm:
    """A chat model that is asked for the form.

    Args:
        llm: The model.
        form: The form.
    """

    def __init__(self, llm: StructuredChatModel, form: type[BaseModel]) -> None:
        self._llm, self._form = llm, form

    def complete(self, messages: Sequence[Message]) -> str:
        """The filled form as JSON; or, where the model wrote something else, its text."""
        return self._llm.complete_structured(messages, self._form)

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return await self._llm.acomplete_structured(messages, self._form)


def in_form(llm: ChatModel | AsyncChatModel) -> bool:
    """Whether a model says that it fills forms."""
    return isinstance(llm, StructuredChatModel) and llm.structured


def text_of(form: Mapping[str, Any]) -> str:
    """A filled form as text in the grammar.

    Raises:
        LLMAnswerError: It is another form, or has nothing in it; written for the model. Nothing of it is left out.
    """
    alternatives = form.get("alternatives")
    if more := sorted(map(str, form.keys() - _BESIDE)):
        raise _unusable(f"The object has {shown(', '.join(more))} beside alternatives.", form)
    if not isinstance(alternatives, list) or not alternatives:
        raise _unusable("alternatives is not a list of at least one object.", form)
    wishes = [_wish(one, form) for one in alternatives]
    return str(wishes[0] if len(wishes) == 1 else Or(tuple(wishes)))


def _wish(given: object, form: Mapping[str, Any]) -> LogicalQuery:
    if not isinstance(given, dict) or given.keys() - {*_LISTS, *_CONDITIONS}:
        raise _unusable(f"An alternative is {shown(json.dumps(given, ensure_ascii=False))}.", form)
    wanted, unwanted = (_terms(name, given.get(name), form) for name in _LISTS)
    parts: list[LogicalQuery] = [*wanted, *map(Not, unwanted)]
    for name in _CONDITIONS:
        parts += comparisons(name, given.get(name), lambda problem: _unusable(problem, form))
    if not parts:
        raise _unusable("An alternative has no term at all.", form)
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _terms(name: str, given: object, form: Mapping[str, Any]) -> list[Term]:
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(text, str) and text.strip() for text in given):
        raise _unusable(f"{name} is {shown(json.dumps(given, ensure_ascii=False))}, not a list of terms.", form)
    return [Term(text.strip()) for text in given]


def form_of(query: LogicalQuery) -> dict[str, Any] | None:
    """A query as a filled form; None where the form would be far longer than the query."""
    wishes = _alternatives(to_nnf(query))
    if wishes is None:
        return None
    return {"alternatives": [{"all_of": list(wanted), "none_of": list(unwanted)} for wanted, unwanted in wishes]}


_Wish = tuple[tuple[str, ...], tuple[str, ...]]
_MOST_WISHES: Final = 16


def _alternatives(query: LogicalQuery) -> list[_Wish] | None:
    """The disjunctive normal form: wanted and unwanted terms of each alternative."""
    if isinstance(query, Term):
        return [((query.text,), ())]
    if query.conditions():
        return None
    if isinstance(query, Not):
        return [((), query.terms())]
    parts = [_alternatives(operand) for operand in query.children]
    if any(part is None for part in parts):
        return None
    found: list[_Wish] = [] if isinstance(query, Or) else [((), ())]
    for part in parts:
        assert part is not None
        if isinstance(query, Or):
            found = [*found, *part]
        else:
            found = [(one[0] + other[0], one[1] + other[1]) for one in found for other in part]
        if len(found) > _MOST_WISHES:
            return None
    return found


def _unusable(problem: str, form: Mapping[str, Any]) -> LLMAnswerError:
    return LLMAnswerError(problem, hint=_HINT, answers=(json.dumps(form, ensure_ascii=False),))
