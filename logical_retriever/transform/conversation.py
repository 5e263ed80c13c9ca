"""A question as the last message of a conversation: what the model is told of the others, and what it makes of it."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, Field

from logical_retriever.errors import InvalidArgumentError, LLMAnswerError
from logical_retriever.query import LogicalQuery, Term
from logical_retriever.transform.alternatives import LogicalQueryForm, Wish
from logical_retriever.transform.answer import read_answer, unwrapped
from logical_retriever.transform.base import Message
from logical_retriever.transform.prompt import load_text
from logical_retriever.transform.subject import check_subject

MAX_MESSAGES: Final = 12
"""Most earlier messages that the model is told, the latest."""
MAX_MESSAGE_LENGTH: Final = 2_000
"""Most characters of each of them, from its beginning."""

_LINE: Final = re.compile(
    r"^[ \t*_]*question[ \t*_]*:[ \t*_]*(?P<question>[^\n]+?)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_TAG: Final = re.compile(r"<(\s*/?\s*(?:conversation|question)\s*/?\s*)>", re.IGNORECASE)


class StandaloneForm(BaseModel):
    """A question of a conversation in words that stand alone, and its separate wishes."""

    model_config = LogicalQueryForm.model_config

    question: str = Field(description="The question in words that stand alone.")
    alternatives: list[Wish] = Field(description="The separate wishes; one where the question has one.")


def check_history(history: object) -> tuple[Message, ...]:
    """The messages of a conversation by users and assistants, in order; others, such as a system's, are left out.

    Raises:
        InvalidArgumentError: It is no sequence of messages with a role and a content.
    """
    if isinstance(history, (str, bytes)) or not isinstance(history, Sequence):
        raise InvalidArgumentError(
            f"history is {type(history).__name__}, not a list of messages.",
            hint='Give the earlier messages, oldest first: [{"role": "user", "content": "..."}, ...].',
        )
    for number, message in enumerate(history, start=1):
        fine = isinstance(message, dict) and all(isinstance(message.get(key), str) for key in ("role", "content"))
        if not fine:
            raise InvalidArgumentError(
                f"Message {number} of history is {message!r:.80}.",
                hint='Each is {"role": "user" or "assistant", "content": "..."}.',
            )
    return tuple(one for one in history if one["role"] in ("user", "assistant") and one["content"].strip())


def in_conversation(transformer: object, history: Sequence[Message]) -> dict[str, Any]:
    """Arguments that tell a transformer of the messages before a question; none where there are no messages.

    Raises:
        InvalidArgumentError: There are some, and the transformer does not read questions in their context.
    """
    if not history:
        return {}
    read = getattr(transformer, "transform", None)
    if not callable(read) or "history" not in inspect.signature(read).parameters:
        raise InvalidArgumentError(
            f"history is given, and {type(transformer).__name__} reads each question for itself.",
            hint="Use QuestionReader(llm), or leave history out.",
        )
    return {"history": history}


def told(history: Sequence[Message]) -> str:
    """The earlier messages as data, between their tags; tags inside them are written with square brackets."""
    texts = [(one["role"], _TAG.sub(r"[\1]", one["content"][:MAX_MESSAGE_LENGTH])) for one in history[-MAX_MESSAGES:]]
    lines = [f"{role}: {text}" for role, text in texts]
    return "<conversation>\n" + "\n".join(lines) + "\n</conversation>"


def with_history(messages: Sequence[Message], history: Sequence[Message], *, in_form: bool) -> list[Message]:
    """The conversation with the model about a question, told of the user's own conversation before it."""
    first, *between = messages[:-1] if messages[0]["role"] == "system" else (None, *messages[:-1])
    note = "\n\n".join((load_text("history_note"), load_text("history_form" if in_form else "history_lines")))
    system = note if first is None else f"{first['content']}\n\n{note}"
    asked = f"{told(history)}\n\n{messages[-1]['content']}"
    return [{"role": "system", "content": system}, *between, {"role": "user", "content": asked}]


def digest_of(history: Sequence[Message]) -> str:
    """The part of a cache's key that keeps conversations apart; empty without one."""
    return hashlib.sha256(told(history).encode("utf-8", "surrogatepass")).hexdigest() if history else ""


def read_in_conversation(
    answer: str, question: str, history: Sequence[Message], *, own_words: bool
) -> tuple[str, LogicalQuery]:
    """The question in words that stand alone, and its logical query; the query of one without logic is these words.

    Raises:
        LogicalQueryError: As :func:`~logical_retriever.transform.answer.read_answer`.
        LLMAnswerError: The question is missing, or is about something else than the conversation.
    """
    standalone, rest = _parts(answer)
    query = read_answer(rest, standalone)
    if own_words:
        said = told(history)
        check_subject(Term(standalone), question, said)
        check_subject(query, question, said)
    return standalone, query


def _parts(answer: str) -> tuple[str, str]:
    try:
        form = json.loads(answer)
    except (ValueError, RecursionError):
        form = None
    if isinstance(form, dict) and isinstance(form.get("question"), str) and form["question"].strip():
        return form["question"].strip(), answer
    text = unwrapped(answer)
    line = _LINE.search(text)
    if line is None:
        raise LLMAnswerError(
            "The answer does not say the question in words that stand alone.",
            hint='Answer with a line "Question: ..." and a line "Query: ...".',
            answers=(answer,),
        )
    return line["question"].strip(' "'), f"{text[: line.start()]}{text[line.end() :]}".strip()
