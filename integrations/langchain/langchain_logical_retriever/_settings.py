"""Settings of a retriever, on it, in ``search_kwargs`` as of LangChain's ``as_retriever()``, and of one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from logical_retriever.integration import SETTINGS as SETTINGS, InvalidArgumentError, check_relevance

SearchType = Literal["similarity", "similarity_score_threshold", "mmr"]


def split_settings(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settings, and what is left for the store's own search; LangChain's ``score_threshold`` is ``min_relevance``.

    Raises:
        InvalidArgumentError: A threshold that is no number from 0 to 1.
    """
    settings = {name: value for name, value in given.items() if name in SETTINGS}
    left = {name: value for name, value in given.items() if name not in SETTINGS}
    if "score_threshold" in left:
        settings["min_relevance"] = left.pop("score_threshold")
        if settings["min_relevance"] is not None:
            check_relevance("score_threshold", settings["min_relevance"])
    return settings, left


def refuse_twice(search_kwargs: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse settings that stand in ``search_kwargs`` and beside it.

    Raises:
        InvalidArgumentError: Naming the first of them.
    """
    for name in split_settings(search_kwargs)[0]:
        if name in given:
            raise InvalidArgumentError(
                f"{name} was given twice: as an argument and in search_kwargs.", hint="Keep one of the two."
            )


def with_search_kwargs(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of the retriever's class with the settings in ``search_kwargs`` in their place.

    A retriever with ``configurable_fields(search_kwargs=...)`` is made anew with all its arguments and other
    ``search_kwargs``, which therefore count more here. With "mmr", ``fetch_k`` is LangChain's.

    Raises:
        InvalidArgumentError: An unknown search type, one without what it needs, or an argument of no use.
    """
    kwargs, kind = given.get("search_kwargs", {}), given.get("search_type", "similarity")
    if not isinstance(kwargs, Mapping):
        return dict(given)
    if kind not in get_args(SearchType):
        raise InvalidArgumentError(
            f"There is no search_type {kind!r}.", hint=f"Choose one of {', '.join(get_args(SearchType))}."
        )
    settings, left = split_settings(kwargs)
    if kind == "mmr" and "fetch_k" in settings:
        left["fetch_k"] = settings.pop("fetch_k")
    if kind != "mmr" and "lambda_mult" in left:
        raise InvalidArgumentError(
            f"lambda_mult was given, and search_type is {kind!r}.", hint='Pass search_type="mmr" with it.'
        )
    merged = {**given, **settings, "search_type": "mmr" if kind == "mmr" else "similarity", "search_kwargs": left}
    if kind == "similarity_score_threshold" and merged.get("min_relevance") is None:
        raise InvalidArgumentError(
            "search_type is 'similarity_score_threshold', and there is no threshold.",
            hint='Pass search_kwargs={"score_threshold": 0.5}: a relevance from 0 to 1.',
        )
    return merged
