"""The form for models with structured output: separate wishes, each with its terms and conditions."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from logical_retriever.errors import LLMAnswerError
from logical_retriever.query import And, Condition, LogicalQuery, Or, Term

_HINT: Final = (
    'Answer with {"alternatives": [{"all_of": ["..."], "none_of": ["..."]}]}, each term a string without operators.'
)
# A model is shown the docstrings and descriptions of the classes below: a change of them can change its answers.
_ABOUT: Final = "A question as separate wishes, each with the terms that it wants and the terms that it does not."


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
    none_of: list[str] = Field(description="Terms whose passages are pushed away; often none.")

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
        "LogicalQuery", __config__={"extra": "forbid", "title": "LogicalQuery"}, __doc__=_ABOUT, **fields
    )


def read_form(text: str, *, in_conversation: bool) -> tuple[str, LogicalQuery]:
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
        raise LLMAnswerError(f"The form does not fit. {problem}.", hint=_HINT, answers=(text,)) from error
    wishes = tuple(wish.query() for wish in form.alternatives)
    return form.question.strip() if in_conversation else "", wishes[0] if len(wishes) == 1 else Or(wishes)
