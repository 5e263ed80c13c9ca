"""Answers of frameworks' models: one that was cut off is refused, and one that cannot fill forms is asked for text."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from threading import Event
from typing import Any, Final

from logical_retriever.errors import LLMCallError

_REASONS: Final = ("finish_reason", "stop_reason", "done_reason")
_CUT_OFF: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_NOT_SUPPORTED: Final = frozenset({400, 404, 405, 415, 422, 501})

_log: Final = logging.getLogger(__name__)


def refuse_cut_off(metadata: Mapping[str, Any]) -> None:
    """Refuse an answer that ended at a bound on tokens: what is missing could be a NOT.

    Args:
        metadata: What the provider says of the answer; each has its own names for the reason of its end.

    Raises:
        LLMCallError: It was cut off.
    """
    for name in _REASONS:
        reason = metadata.get(name)
        if isinstance(reason, str) and reason.casefold() in _CUT_OFF:
            raise LLMCallError(
                f"The language model's answer was cut off ({name} {reason!r}).",
                hint="Raise the model's bound on tokens; a logical query needs about two hundred.",
            )


def given_up(error: Exception, no_forms: Event) -> None:
    """Take an error of a model that was asked to fill a form: from now on it is asked for text, and the log says so.

    Args:
        error: What the model raised.
        no_forms: Set where the error says that the model or its server cannot fill forms.

    Raises:
        Exception: The error itself, where it says that the model failed.
    """
    status = getattr(error, "status_code", getattr(error, "code", None))
    if not isinstance(error, (NotImplementedError, TypeError)) and status not in _NOT_SUPPORTED:
        raise error
    if not no_forms.is_set():
        _log.warning("The language model fills no forms (%s), and is asked for text from now on.", type(error).__name__)
    no_forms.set()


def fills_forms(model: object, base: type) -> bool:
    """Whether a LangChain chat model has structured output, of its own or by tools.

    A model with a profile says so itself. Any other has it where its class does more than LangChain's base class, which
    raises ``NotImplementedError``.

    Args:
        model: The chat model.
        base: LangChain's base class, which this package does not import.
    """
    profile = getattr(model, "profile", None) or {}
    if profile.get("structured_output") or profile.get("tool_calling"):
        return True
    if profile.get("tool_calling") is False:
        return False
    return any(
        getattr(type(model), name, None) is not getattr(base, name, None)
        for name in ("bind_tools", "with_structured_output")
    )
