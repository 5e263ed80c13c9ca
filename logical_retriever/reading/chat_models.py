"""Chat models by name, ``provider:model``, over the HTTP interface of OpenAI that other providers share."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Final, cast

from logical_retriever.errors import InvalidArgumentError, LLMCallError
from logical_retriever.reading.base import Message
from logical_retriever.reading.llm_calls import refuse_cut_off

PROVIDERS: Final = {
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "deepseek": ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "google": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "ollama": ("http://localhost:11434/v1", ""),
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
}
"""Address of each provider, and the environment variable with its key; empty if it needs none."""


class HTTPChatModel:
    """A chat model behind ``/chat/completions``.

    Args:
        name: ``provider:model``.
        url: Address of the server, up to ``/v1``.
        key: The API key; empty for none.

    Attributes:
        model_name: ``provider:model``.
    """

    def __init__(self, name: str, url: str, key: str) -> None:
        self.model_name, self._url, self._key = name, f"{url.rstrip('/')}/chat/completions", f"Bearer {key}"

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        from urllib import error, request

        content = json.dumps({"model": self.model_name.partition(":")[2], "messages": list(messages)}).encode()
        headers = {"Content-Type": "application/json", "Authorization": self._key}
        try:
            with request.urlopen(request.Request(self._url, content, headers), timeout=60) as response:
                choice = json.load(response)["choices"][0]
        except error.HTTPError as failure:
            failure.msg = f"{failure.msg}: {failure.read(1_000).decode(errors='replace')}"
            raise
        refuse_cut_off(choice)
        return cast("str", choice["message"]["content"])


def chat_model_from_name(name: str) -> HTTPChatModel:
    """Build a chat model from its name.

    Args:
        name: ``provider:model``, for example ``openai:gpt-4o-mini`` or ``ollama:llama3.1``. Everything after the first
            colon is the provider's own name of the model. The environment variable ``OPENAI_BASE_URL`` sets another
            address for ``openai``, of any server with the same interface.

    Raises:
        InvalidArgumentError: The name has another form, or an unknown provider.
        LLMCallError: The provider needs a key, and its environment variable is not set.
    """
    provider, _, model = (part.strip() for part in name.partition(":"))
    if not model or provider.lower() not in PROVIDERS:
        raise InvalidArgumentError(
            f"The language model {name!r} is not of the form PROVIDER:MODEL with a provider that is supported.",
            hint=f"Write, for example, openai:gpt-4o-mini. Providers: {', '.join(PROVIDERS)}. For another server write "
            "openai:MODEL, with its address in OPENAI_BASE_URL.",
        )
    url, variable = PROVIDERS[provider.lower()]
    key = os.environ.get(variable, "")
    if variable and not key:
        raise LLMCallError(f"The language model {name!r} needs a key.", hint=f"Set {variable} in the environment.")
    base = os.environ.get("OPENAI_BASE_URL", url) if provider.lower() == "openai" else url
    return HTTPChatModel(f"{provider.lower()}:{model}", base, key)
