"""A second opinion on passages whose scores leave a doubt."""

from __future__ import annotations

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform.chat_models import chat_model_from_name
from logical_retriever.verify.asking import Asking as Asking, Verification as Verification, in_thread as in_thread
from logical_retriever.verify.base import Verifier as Verifier
from logical_retriever.verify.chat import ChatVerifier as ChatVerifier
from logical_retriever.verify.function import FunctionVerifier as FunctionVerifier


def as_verification(given: object) -> Verification | None:
    """A ``verify=`` argument: a verifier, one with its budget, its name, or None or False for none.

    A name is that of a chat model, "provider:model".

    Raises:
        InvalidArgumentError: It is none of these.
        LLMCallError: The provider needs a key, and none is set.
    """
    if given is None or given is False:
        return None
    if isinstance(given, Verification):
        return given
    if isinstance(given, str) and ":" in given:
        given = ChatVerifier(chat_model_from_name(given))
    elif isinstance(given, str):
        raise InvalidArgumentError(f"There is no verifier {given!r}.", hint="A chat model is provider:model.")
    return Verification(given)  # type: ignore[arg-type]  # checked there
