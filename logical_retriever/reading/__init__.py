"""Questions to logical queries: typed logic, the tagger and a language model in one reader.

Every name that other parts of the package use is listed here; the modules below are private to this one.
"""

from logical_retriever.reading.base import (
    ChatModel as ChatModel,
    Message as Message,
    QueryTransformer as QueryTransformer,
    ReadQuestion as ReadQuestion,
    TransformWarning as TransformWarning,
    check_question as check_question,
    in_conversation as in_conversation,
)
from logical_retriever.reading.chat_models import chat_model_from_name as chat_model_from_name
from logical_retriever.reading.layers import WeightsError as WeightsError
from logical_retriever.reading.llm_calls import (
    check_llm as check_llm,
    refuse_cut_off as refuse_cut_off,
    refuses_forms as refuses_forms,
)
from logical_retriever.reading.questions import (
    PROMPT_NAMES as PROMPT_NAMES,
    Comparison as Comparison,
    LogicalQueryTransformer as LogicalQueryTransformer,
    QuestionReader as QuestionReader,
    Tagger as Tagger,
    default_tagger as default_tagger,
    load_prompt as load_prompt,
    read_query as read_query,
)
