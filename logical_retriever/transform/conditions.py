"""Conditions on metadata for a language model: what it is told of the fields, and the form that it fills."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import LogicalQuery
from logical_retriever.query.fields import Fields
from logical_retriever.transform.alternatives import LogicalQueryForm, Wish
from logical_retriever.transform.base import Message
from logical_retriever.transform.comparisons import Comparison
from logical_retriever.transform.conversation import StandaloneForm
from logical_retriever.transform.prompt import load_text


class WishWithConditions(Wish):
    """One thing that is sought, and what must be so of its metadata."""

    where: list[Comparison] = Field(description="Conditions that must all hold; often none.")
    where_not: list[Comparison] = Field(description="Conditions none of which may hold; often none.")


class FormWithConditions(LogicalQueryForm):
    """A question as separate wishes, each with its terms and its conditions on metadata."""

    model_config = ConfigDict(extra="forbid", title="LogicalQuery")

    alternatives: list[WishWithConditions] = Field(  # type: ignore[assignment]  # the same with more in each
        description="The separate wishes; one where the question has one."
    )


class StandaloneFormWithConditions(StandaloneForm):
    """The same for a question that needs its conversation."""

    alternatives: list[WishWithConditions] = Field(  # type: ignore[assignment]  # as above
        description="The separate wishes; one where the question has one."
    )


class ConditionRules:
    """The part of a prompt about conditions, and what a model's conditions are held to.

    Args:
        fields: The fields of the collection.
        today: Gives the date that relative dates count from.
    """

    def __init__(self, fields: Fields, today: Callable[[], date] = date.today) -> None:
        self.fields, self._today = fields, today

    def form(self, *, in_conversation: bool) -> type[BaseModel]:
        """The form that a model fills."""
        return StandaloneFormWithConditions if in_conversation else FormWithConditions

    def told(self, messages: list[Message], *, in_form: bool) -> list[Message]:
        """The conversation with a section on conditions at the end of its instructions."""
        note = load_text("conditions_form" if in_form else "conditions")
        sampled = "\nThey were seen in a sample; there may be more values." if self.fields.sampled else ""
        note = note.replace("{fields}", f"{self.fields}{sampled}").replace("{today}", self._dated())
        first = messages[0]
        if first["role"] != "system":
            return [{"role": "system", "content": note}, *messages]
        return [{"role": "system", "content": f"{first['content']}\n\n{note}"}, *messages[1:]]

    @property
    def fingerprint(self) -> str:
        """All that an answer depends on beside prompt and question, for cache keys."""
        return f"{self.fields}|{self._dated()}"

    def _dated(self) -> str:
        today = self._today()
        return f"{today.isoformat()}, a {today.strftime('%A')}"


def refuse_unasked(query: LogicalQuery, answer: str) -> None:
    """Refuse conditions of a model that was told of no fields.

    Raises:
        LLMAnswerError: Written for the model.
    """
    if asked := query.conditions():
        raise LLMAnswerError(
            f"The answer has the condition {asked[0]}, and no fields are known.",
            hint="Write what is sought as terms in double quotes.",
            answers=(answer,),
        )
