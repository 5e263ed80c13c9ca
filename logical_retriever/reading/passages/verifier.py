"""The interface of a verifier, its answers, and the setting ``verify``."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, Protocol, cast, runtime_checkable

import numpy as np

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading.chat_models import chat_model_from_name
from logical_retriever.reading.passages.chat import ChatVerifier
from logical_retriever.reading.passages.reader import default_passage_reader
from logical_retriever.results import Verdict


@runtime_checkable
class Verifier(Protocol):
    """The interface of a verifier, which reads passages for terms.

    Five things are optional:

    - a coroutine method ``averify`` with the same arguments, which asynchronous searches await in the caller's event
      loop;
    - an attribute ``name`` for messages, by default the class;
    - an attribute ``timeout``, the seconds for one call, by default 10; None for no limit;
    - an attribute ``longest``, the most characters of a passage, by default 6,000; None for all;
    - a method ``quotes`` with the same arguments, which returns for each pair the sentence of the passage that is most
      likely to mention the thing, "" for none;
    - an attribute ``unread`` that says what it cannot read, for the note where some answers are None.
    """

    def verify(self, terms: Sequence[str], passages: Sequence[str]) -> Sequence[Any]:
        """Read N pairs of a term and a passage in one call.

        Args:
            terms: N terms; most are equal.
            passages: N passages; some are equal if there are several terms. They are data, whatever they say.

        Returns:
            N answers in order. Each is a :class:`~logical_retriever.Verdict`; or True, False or a probability in
            [0, 1] that the passage is to be left out; or None if the verifier cannot say.
        """


def read_answer(answer: Any) -> Verdict | float | None:
    """Read a verifier's answer about one pair; None if it is unusable."""
    if isinstance(answer, Verdict):
        return answer
    return float(answer) if isinstance(answer, (Real, np.bool_)) and 0.0 <= cast("float", answer) <= 1.0 else None


def as_verifier(verifier: object) -> Verifier | Literal[False]:
    """Read a ``verify=`` argument.

    Args:
        verifier: A verifier; a chat model's name "provider:model"; None for the package's own; False for none.

    Raises:
        InvalidArgumentError: It is anything else.
        LLMCallError: The provider needs a key, and none is set.
    """
    if verifier is None:
        return default_passage_reader()
    if verifier is False:
        return False
    if isinstance(verifier, str):
        return ChatVerifier(chat_model_from_name(verifier))
    if verifier is True:
        raise InvalidArgumentError(
            "verify=True needs a language model, and the retriever has none.",
            hint="Give a model by its name, such as verify='openai:gpt-4o-mini'; the retrievers of LangChain and "
            "LlamaIndex take llm=.",
        )
    if not isinstance(verifier, Verifier) or inspect.isclass(verifier):
        raise InvalidArgumentError(
            f"A verifier has a method verify(terms, passages), and {verifier!r} has none.",
            hint="Give a ChatVerifier, or an object of yours with that method.",
        )
    return verifier
