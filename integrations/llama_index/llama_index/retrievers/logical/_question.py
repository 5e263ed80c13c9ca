"""The question of a query bundle, as the user or an agent asked it."""

from __future__ import annotations

from llama_index.core.schema import QueryBundle

from llama_index.retrievers.logical._tool_input import ToolInput, read_tool_input
from logical_retriever.integration import InvalidArgumentError, check_question


def question_of(bundle: QueryBundle) -> ToolInput:
    """Read a bundle; it is not changed.

    ``embedding`` is passed over: other retrievers keep the question's own vector there, and each term has its own.

    Raises:
        EmptyQuestionError: The question has no visible character.
        InvalidArgumentError: The bundle asks for something else than its text: other strings to embed, which LlamaIndex
            averages into one vector, or an image.
    """
    if bundle.custom_embedding_strs is not None and any(
        text != bundle.query_str for text in bundle.custom_embedding_strs
    ):
        raise InvalidArgumentError(
            f"The query bundle has custom_embedding_strs beside the question {bundle.query_str[:60]!r}.",
            hint="Each term of a logical query is embedded on its own; pass the question alone (no HyDE).",
        )
    if bundle.image_path is not None:
        raise InvalidArgumentError(
            f"The query bundle has an image, {bundle.image_path!r}.",
            hint="Logical retrieval compares texts; pass a question.",
        )
    asked = read_tool_input(bundle.query_str)
    check_question(asked.question)
    return asked


def given(bundle: QueryBundle | None, *, whose: str) -> QueryBundle:
    """The bundle that a postprocessor needs.

    Raises:
        InvalidArgumentError: There is none, or as for :func:`question_of`.
    """
    if bundle is None:
        raise InvalidArgumentError(
            f"{whose} was given no question.", hint="Pass query_str=... or query_bundle=... with the nodes."
        )
    question_of(bundle)
    return bundle
