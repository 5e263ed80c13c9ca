"""The form of :mod:`logical_retriever.transform.alternatives` as a pydantic class, for frameworks that ask for one."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Wish(BaseModel):
    """One thing that is sought."""

    model_config = ConfigDict(extra="forbid")

    all_of: list[str] = Field(description="Terms that a passage must all be about; mostly one.")
    none_of: list[str] = Field(description="Terms whose passages are pushed away; often none.")


class LogicalQueryForm(BaseModel):
    """A question as separate wishes, each with the terms that it wants and the terms that it does not."""

    model_config = ConfigDict(extra="forbid", title="LogicalQuery")

    alternatives: list[Wish] = Field(description="The separate wishes; one where the question has one.")


class StandaloneForm(LogicalQueryForm):
    """A question of a conversation in words that stand alone, and its separate wishes."""

    question: str = Field(description="The question in words that stand alone.")
