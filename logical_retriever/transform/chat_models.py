"""Chat models by name, ``provider:model``, through LangChain's own table of providers."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Sequence
from typing import Any

from logical_retriever.errors import InvalidArgumentError, LLMCallError, MissingPackageError
from logical_retriever.transform.base import AsyncChatModel, Message

_PROVIDERS = (
    "anthropic anthropic_bedrock azure_ai azure_openai baseten bedrock bedrock_converse bedrock_mantle_anthropic "
    "bedrock_mantle_openai cohere deepseek fireworks google_anthropic_vertex google_genai google_vertexai groq "
    "huggingface ibm langsmith litellm meta mistralai nvidia ollama openai openrouter perplexity together upstage xai"
)
_OTHER_PACKAGES = {
    **dict.fromkeys(("anthropic_bedrock", "bedrock", "bedrock_converse"), "langchain-aws"),
    **dict.fromkeys(("azure_openai", "langsmith"), "langchain-openai"),
    "bedrock_mantle_anthropic": '"langchain-aws[anthropic]"',
    "bedrock_mantle_openai": '"langchain-aws[openai]"',
    "google_anthropic_vertex": "langchain-google-vertexai",
    "nvidia": "langchain-nvidia-ai-endpoints",
}
PROVIDER_PACKAGES = {
    name: _OTHER_PACKAGES.get(name, f"langchain-{name.replace('_', '-')}") for name in _PROVIDERS.split()
}
"""The package to install for each provider that LangChain's ``init_chat_model`` knows; used in messages alone."""


class LangChainChatModel:
    """A LangChain chat model as the chat model that the transformer asks for.

    Args:
        model: A ``BaseChatModel``.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return _text(self._model.invoke(list(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return _text(await self._model.ainvoke(list(messages)))


def chat_model_from_name(name: str) -> AsyncChatModel:
    """Make a chat model from its name.

    Args:
        name: ``provider:model``, for example ``openai:gpt-4o-mini`` or ``ollama:llama3.1``. The provider is one
            that LangChain's ``init_chat_model`` knows; everything after the first colon is the provider's own name
            of the model.

    Raises:
        InvalidArgumentError: The name has not this form, or LangChain does not know the provider.
        MissingPackageError: ``langchain`` or the provider's package is not installed.
        LLMCallError: The model cannot be set up, mostly for want of an API key.
    """
    provider, _, model = (part.strip() for part in name.partition(":"))
    if not provider or not model:
        raise InvalidArgumentError(
            f"The language model {name!r} is not of the form PROVIDER:MODEL.",
            hint="Write, for example, openai:gpt-4o-mini, anthropic:claude-haiku-4-5 or ollama:llama3.1.",
        )
    provider = provider.lower().replace("-", "_")
    package = PROVIDER_PACKAGES.get(provider)
    try:
        chat_models = importlib.import_module("langchain.chat_models")
    except ImportError as error:
        packages = "langchain" if package is None else f"langchain {package}"
        raise MissingPackageError(f"The language model {name!r}", install=f"pip install {packages}") from error
    try:
        made = chat_models.init_chat_model(model, model_provider=provider)
    except ImportError as error:
        # A provider that a newer LangChain knows: its own message names the package.
        install = str(error) if package is None else f"pip install {package}"
        raise MissingPackageError(f"The language model {name!r}", install=install) from error
    except Exception as error:
        if package is None and isinstance(error, ValueError):
            raise _unknown_provider(name, provider) from error
        raise LLMCallError(
            f"The language model {name!r} could not be set up: {type(error).__name__}: {error}",
            hint="Check the name, and set the provider's API key in the environment.",
        ) from error
    return LangChainChatModel(made)


def _unknown_provider(name: str, provider: str) -> InvalidArgumentError:
    close = difflib.get_close_matches(provider, PROVIDER_PACKAGES, n=1)
    suggestion = f"Did you mean {close[0]!r}? " if close else ""
    return InvalidArgumentError(
        f"LangChain knows no provider {provider!r} (in {name!r}).",
        hint=f"{suggestion}Known providers: {', '.join(PROVIDER_PACKAGES)}.",
    )


def _text(message: Any) -> str:
    """The text of an answer, its other content blocks left out; a method before LangChain 1.0, a property since."""
    text = message.text
    return str(text if isinstance(text, str) else text())
