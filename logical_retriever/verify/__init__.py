"""Verifiers, which read the passages about to be shown.

Every name that other parts of the package use is listed here; the modules below are private to this one.
"""

from __future__ import annotations

import inspect

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.reading import chat_model_from_name
from logical_retriever.verify.base import Verifier as Verifier
from logical_retriever.verify.chat import ChatVerifier as ChatVerifier
from logical_retriever.verify.verifier_calls import VerifierCalls as VerifierCalls, in_thread as in_thread


def as_verifier(verifier: object) -> Verifier | None:
    """Read a ``verify=`` argument: a verifier, a chat model's name "provider:model", or None or False for none.

    Raises:
        InvalidArgumentError: It is anything else.
        LLMCallError: The provider needs a key, and none is set.
    """
    if verifier is None or verifier is False:
        return None
    if isinstance(verifier, str):
        return ChatVerifier(chat_model_from_name(verifier))
    if verifier is True:
        raise InvalidArgumentError(
            "verify=True needs a language model, and the retriever has none.",
            hint="Give verify=ChatVerifier(llm); the retrievers of LangChain and LlamaIndex take llm=.",
        )
    if not isinstance(verifier, Verifier) or inspect.isclass(verifier):
        raise InvalidArgumentError(
            f"A verifier has a method verify(terms, passages), and {verifier!r} has none.",
            hint="Give a ChatVerifier, or an object of yours with that method.",
        )
    return verifier
