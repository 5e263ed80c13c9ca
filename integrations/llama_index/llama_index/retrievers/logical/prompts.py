"""LlamaIndex prompt templates as the core's prompts, and back."""

from __future__ import annotations

from llama_index.core.llms import MessageRole
from llama_index.core.prompts import BasePromptTemplate, ChatPromptTemplate, PromptTemplate

from logical_retriever.integration import InvalidArgumentError, Prompt, load_prompt

PROMPT_KEY = "logical_query_prompt"
"""Key of the transformer's prompt in ``get_prompts()``; below a retriever, ``transformer:logical_query_prompt``."""

_SLOT = "{question}"


def to_template(prompt: Prompt) -> PromptTemplate:
    """A prompt as one text: a line ``[system]`` before the system part, a line ``[user]`` before the user part."""
    system = f"[system]\n{prompt.system}\n[user]\n" if prompt.system else ""
    return PromptTemplate(f"{system}{prompt.user}")


def from_template(template: BasePromptTemplate) -> Prompt:
    """The prompt that a template stands for.

    Variables that the template already has values for are filled in. ``{question}`` remains, and ``{query_str}`` is
    another name for it; other braces are text.

    Args:
        template: A ``PromptTemplate``, whose text may have the lines ``[system]`` and ``[user]``, or a
            ``ChatPromptTemplate`` of at most one system message and one user message.

    Raises:
        InvalidArgumentError: Another kind of template, one with functions or an output parser, or one without the
            question.
    """
    if not isinstance(template, (PromptTemplate, ChatPromptTemplate)):
        raise InvalidArgumentError(
            f"{PROMPT_KEY} is {type(template).__name__}, which cannot be used.",
            hint="Give a PromptTemplate or a ChatPromptTemplate with {question} in it.",
        )
    if template.function_mappings or template.output_parser is not None:
        what = "function_mappings" if template.function_mappings else "an output_parser"
        raise InvalidArgumentError(
            f"{PROMPT_KEY} has {what}, which would not be used: the answer is always read as a logical query.",
            hint="Give the template alone; examples belong to LogicalQueryTransformer(examples=[...]).",
        )
    # The question is put in later by the core, which marks it as data; until then its slot stands for itself.
    if isinstance(template, PromptTemplate):
        return load_prompt(template.format(question=_SLOT, query_str=_SLOT))
    return _from_chat(template)


def _from_chat(template: ChatPromptTemplate) -> Prompt:
    messages = template.format_messages(question=_SLOT, query_str=_SLOT)
    roles = [message.role for message in messages]
    if roles not in ([MessageRole.USER], [MessageRole.SYSTEM, MessageRole.USER]):
        raise InvalidArgumentError(
            f"{PROMPT_KEY} has messages of the roles {', '.join(role.value for role in roles)}.",
            hint="Give one system message and one user message; examples belong to "
            "LogicalQueryTransformer(examples=[...]).",
        )
    texts = ["" if message.content is None else message.content for message in messages]
    return Prompt("custom", user=texts[-1], system=texts[0] if len(texts) == 2 else "")
