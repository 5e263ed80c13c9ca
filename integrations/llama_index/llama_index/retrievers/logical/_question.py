r"""The question of a query bundle, and its reading.

An agent's ``RetrieverTool`` writes its arguments into the question: "\ninput is cats, not dogs\n", or
"cats, not dogs\n\n". Unless it is removed, "input is" becomes part of a term.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]  # re-exported
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import QueryBundle

from llama_index.retrievers.logical._convert import from_messages
from llama_index.retrievers.logical.events import LogicalQueryEvent
from logical_retriever.adapters import (
    InvalidArgumentError,
    Message,
    QueryTransformer,
    ReadQuestion,
    check_question,
    in_conversation,
)

dispatcher = get_dispatcher(__name__)

History = Sequence[ChatMessage | Message]
"""A conversation, oldest message first: LlamaIndex's messages, or mappings with role and content."""
_TOOL_CALL: Final = re.compile(r"\n(?:input|query|query_str|question) is (.*)\n|(.+)\n\n", re.DOTALL)


@dataclass
class LogicalQueryBundle(QueryBundle):
    """A question with its logical query, or with the conversation before it.

    ``query_str`` is the question itself, so everything else in a pipeline (a response synthesizer, another retriever)
    works as before. After a conversation, it is the question in words that stand alone.

    Attributes:
        read: The question with its logical query; None for a question that is still to be read.
        history: The earlier messages of the conversation, oldest first.
    """

    read: ReadQuestion | None = None
    history: History = ()


def question_of(bundle: QueryBundle) -> str:
    r"""Return the question of a bundle, without an agent's additions.

    The bundle's ``embedding`` is ignored: it is the whole question's, and each term needs its own.

    Raises:
        EmptyQuestionError: The question has no visible character.
        InvalidArgumentError: The bundle has other strings to embed, which LlamaIndex averages into one vector, or an
            image.

    Examples:
        >>> question_of(QueryBundle("\ninput is cats, not dogs\n"))
        'cats, not dogs'
    """
    if any(text != bundle.query_str for text in bundle.custom_embedding_strs or ()):
        raise InvalidArgumentError(
            f"The query bundle has custom_embedding_strs beside the question {bundle.query_str[:60]!r}.",
            hint="Each term of a logical query is embedded on its own; pass the question alone (no HyDE).",
        )
    if bundle.image_path is not None:
        raise InvalidArgumentError(
            f"The query bundle has an image, {bundle.image_path!r}.",
            hint="Logical retrieval compares texts; pass a question.",
        )
    call = _TOOL_CALL.fullmatch(bundle.query_str)
    return check_question(bundle.query_str if call is None else call[1] or call[2] or "")


def read(transformer: QueryTransformer, bundle: QueryBundle) -> ReadQuestion:
    """Read the question of a bundle, unless it has its logical query already, and dispatch the event."""
    question, history = question_of(bundle), _history(transformer, bundle)
    read_question = bundle.read if isinstance(bundle, LogicalQueryBundle) else None
    return _announced(transformer.transform(question, **history) if read_question is None else read_question)


async def aread(transformer: QueryTransformer, bundle: QueryBundle) -> ReadQuestion:
    """Asynchronous twin of :func:`read`."""
    question, history = question_of(bundle), _history(transformer, bundle)
    read_question = bundle.read if isinstance(bundle, LogicalQueryBundle) else None
    return _announced(await transformer.atransform(question, **history) if read_question is None else read_question)


def _history(transformer: QueryTransformer, bundle: QueryBundle) -> dict[str, Any]:
    return in_conversation(transformer, from_messages(getattr(bundle, "history", ())))


def _announced(read_question: ReadQuestion) -> ReadQuestion:
    dispatcher.event(LogicalQueryEvent.of(read_question))
    return read_question
