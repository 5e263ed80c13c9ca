"""The arguments of LangChain's ``as_retriever()``, as the retriever's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from logical_retriever.integration import InvalidArgumentError, check_relevance

SearchType = Literal["similarity", "similarity_score_threshold", "mmr"]

_NAMED = {"k": "k", "fetch_k": "fetch_k", "lambda_mult": "lambda_mult", "score_threshold": "min_relevance"}
"""Names that stand in LangChain's ``search_kwargs``, and are arguments here."""


def read_search_type(
    search_type: str, search_kwargs: Mapping[str, Any], *, given: Mapping[str, Any]
) -> tuple[Literal["similarity", "mmr"], dict[str, Any], dict[str, Any]]:
    """Read the arguments.

    Args:
        search_type: One of LangChain's.
        search_kwargs: As for LangChain.
        given: Arguments of the retriever that were given beside them.

    Returns:
        How documents are chosen, arguments of the retriever, and what is left for the store.

    Raises:
        InvalidArgumentError: An unknown type, one without what it needs, or an argument twice or of no use.
    """
    if search_type not in get_args(SearchType):
        raise InvalidArgumentError(
            f"There is no search_type {search_type!r}.", hint=f"Choose one of {', '.join(get_args(SearchType))}."
        )
    diverse = search_type == "mmr"
    check_threshold(search_kwargs.get("score_threshold"))
    named: dict[str, Any] = {}
    for name, ours in {**_NAMED, **({"fetch_k": "mmr_fetch_k"} if diverse else {})}.items():
        if name in search_kwargs:
            if ours in given:
                raise InvalidArgumentError(
                    f"{name} was given twice: as {ours} and in search_kwargs.", hint="Keep one of the two."
                )
            named[ours] = search_kwargs[name]
    if search_type == "similarity_score_threshold" and {**given, **named}.get("min_relevance") is None:
        raise InvalidArgumentError(
            "search_type is 'similarity_score_threshold', and there is no threshold.",
            hint='Pass search_kwargs={"score_threshold": 0.5}: a relevance from 0 to 1.',
        )
    if "lambda_mult" in {**given, **named} and not diverse:
        raise InvalidArgumentError(
            f"lambda_mult was given, and search_type is {search_type!r}.", hint='Pass search_type="mmr" with it.'
        )
    left = {name: value for name, value in search_kwargs.items() if name not in _NAMED}
    return "mmr" if diverse else "similarity", named, left


def with_search_kwargs(given: Any) -> Any:
    """Arguments of the retriever's class with what ``search_kwargs`` says in their place.

    A retriever with ``configurable_fields(search_kwargs=...)`` is made anew with all its arguments and other
    ``search_kwargs``, which therefore count more here.

    Raises:
        InvalidArgumentError: As of :func:`read_search_type`.
    """
    kwargs = given.get("search_kwargs", {})
    if not isinstance(kwargs, Mapping):
        return given
    least = given.get("min_relevance") if "score_threshold" not in kwargs else None
    asked = {} if least is None else {"min_relevance": least}
    kind, named, left = read_search_type(given.get("search_type", "similarity"), kwargs, given=asked)
    return {**given, **named, "search_type": kind, "search_kwargs": left}


def check_threshold(score_threshold: object) -> None:
    """Refuse a threshold that is neither None nor a number from 0 to 1.

    Raises:
        InvalidArgumentError: Naming it.
    """
    if score_threshold is not None:
        check_relevance("score_threshold", score_threshold)
