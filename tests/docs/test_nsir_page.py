"""Every Python block of the page about NS-IR runs, in order, in one namespace."""

import contextlib
import io
import re
from pathlib import Path

from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.schema import NodeWithScore, TextNode

from logical_retriever.testing import ScriptedChatModel

PAGE = (Path(__file__).parents[2] / "docs" / "nsir.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)
ANSWER = "Predicates:\nA(x)\nConclusion:\nAA(x)\nPremises:\nAA(x) ∧ ¬BB(x)"


class Answering(CustomLLM):
    """An LLM that knows one answer."""

    @property
    def metadata(self):
        return LLMMetadata(model_name="answering")

    def complete(self, prompt, formatted=False, **kwargs):
        return CompletionResponse(text=ANSWER)

    def stream_complete(self, prompt, formatted=False, **kwargs):
        raise NotImplementedError


class Nodes:
    """A LlamaIndex retriever, as far as the page uses one."""

    def retrieve(self, question):
        return [NodeWithScore(node=TextNode(text=text)) for text in ("Vitamin D.", "Coffee.")]


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain, llm, langchain, llama_index = BLOCKS
    names = {"question": "vitamin D benefits other than bone health"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(plain, names)
        names["llm"] = ScriptedChatModel([ANSWER] * 4)
        exec(llm, names)
        names["llm"] = FakeListChatModel(responses=[ANSWER])
        names["retriever"] = RunnableLambda(lambda question: [Document("Vitamin D."), Document("Coffee.")])
        exec(langchain, names)
        names |= {"llm": Answering(), "retriever": Nodes()}
        exec(llama_index, names)
    lines = printed.getvalue().splitlines()
    assert lines[0] == "Vitamin_D_benefits(x) ∧ ¬bone_health(x)"
    assert len(lines) == 5
    assert lines[-1] == "{} 4"
    assert len(names["documents"]) == len(names["nodes"]) == 2


def test_the_command_names_methods_that_exist():
    import logical_retriever.lab.methods  # noqa: F401  makes its names known
    from logical_retriever.evaluation import METHODS

    (methods,) = re.findall(r"logical-retriever eval --methods (\S+)", PAGE)
    assert set(methods.split(",")) <= set(METHODS)
    for name in re.findall(r"^\| `([a-z-]+)`", PAGE, flags=re.MULTILINE):
        assert name in METHODS
