"""Chat models by name, ``provider:model``, through LangChain's own table of providers."""

from __future__ import annotations

import difflib
import importlib
import json
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Any

from pydantic import BaseModel

from logical_retriever.errors import InvalidArgumentError, LLMCallError, MissingPackageError
from logical_retriever.transform.base import AsyncChatModel, Message
from logical_retriever.transform.provider_answers import fills_forms, given_up, refuse_cut_off

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
        name: What it is called.

    Attributes:
        model_name: The same, or None.
    """

    def __init__(self, model: Any, name: str | None = None) -> None:
        self._model, self.model_name = model, name
        self._no_forms = Event()
        self._base = importlib.import_module("langchain_core.language_models").BaseChatModel

    @property
    def structured(self) -> bool:
        """Whether the model fills forms: it has structured output, of its own or by tools, and no server refused."""
        return fills_forms(self._model, self._base) and not self._no_forms.is_set()

    def complete(self, messages: Sequence[Message]) -> str:
        """Answer a conversation with the text of the next assistant message."""
        return _text(self._model.invoke(list(messages)))

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """Asynchronous twin of :meth:`complete`."""
        return _text(await self._model.ainvoke(list(messages)))

    def complete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Answer with a filled form as JSON; where the model writes something else, with its text.

        A server that refuses forms altogether is asked for text in its place, now and from then on.
        """
        try:
            return _filled(self._form(form).invoke(list(messages)))
        except Exception as error:
            given_up(error, self._no_forms)
        return self.complete(messages)

    async def acomplete_structured(self, messages: Sequence[Message], form: type[BaseModel]) -> str:
        """Asynchronous twin of :meth:`complete_structured`."""
        try:
            return _filled(await self._form(form).ainvoke(list(messages)))
        except Exception as error:
            given_up(error, self._no_forms)
        return await self.acomplete(messages)

    def _form(self, form: type[BaseModel]) -> Any:
        schema = importlib.import_module("langchain_core.utils.function_calling").convert_to_json_schema(form)
        return self._model.with_structured_output(schema, include_raw=True)


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
    return LangChainChatModel(made, f"{provider}:{model}")


def _unknown_provider(name: str, provider: str) -> InvalidArgumentError:
    close = difflib.get_close_matches(provider, PROVIDER_PACKAGES, n=1)
    suggestion = f"Did you mean {close[0]!r}? " if close else ""
    return InvalidArgumentError(
        f"LangChain knows no provider {provider!r} (in {name!r}).",
        hint=f"{suggestion}Known providers: {', '.join(PROVIDER_PACKAGES)}.",
    )


def _filled(answer: Mapping[str, Any]) -> str:
    """The filled form of an answer as JSON; else the call of a tool that it has, else its text."""
    raw, parsed = answer["raw"], answer["parsed"]
    text = _text(raw)
    if isinstance(parsed, Mapping):
        return json.dumps(parsed, ensure_ascii=False)
    calls = getattr(raw, "tool_calls", None)
    return json.dumps(calls[0]["args"], ensure_ascii=False) if calls else text


def _text(message: Any) -> str:
    """The text of an answer, its other content blocks left out; a method before LangChain 1.0, a property since.

    Raises:
        LLMCallError: The answer was cut off at the bound on tokens.
    """
    refuse_cut_off(message.response_metadata)
    text = message.text
    return str(text if isinstance(text, str) else text())
