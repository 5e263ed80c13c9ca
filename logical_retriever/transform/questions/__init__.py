"""The readers of questions."""

from logical_retriever.transform.questions.conversation import in_conversation as in_conversation
from logical_retriever.transform.questions.forms import Comparison as Comparison
from logical_retriever.transform.questions.llm import LogicalQueryTransformer as LogicalQueryTransformer
from logical_retriever.transform.questions.prompt import PROMPT_NAMES as PROMPT_NAMES, load_prompt as load_prompt
from logical_retriever.transform.questions.reader import QuestionReader as QuestionReader
from logical_retriever.transform.questions.tagger import Tagger as Tagger, WeightsError as WeightsError
