"""Answers of frameworks' models: whether one was cut off, or a model cannot do what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from logical_retriever.errors import LLMCallError

_REASONS: Final = ("finish_reason", "stop_reason", "done_reason")
_CUT_OFF: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_NOT_SUPPORTED: Final = frozenset({400, 404, 405, 415, 422, 501})


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


def not_supported(error: Exception) -> bool:
    """Whether an error says that a model or its server cannot do what was asked, rather than that it failed."""
    status = getattr(error, "status_code", getattr(error, "code", None))
    return isinstance(error, (NotImplementedError, TypeError)) or status in _NOT_SUPPORTED
