"""The README's code runs as printed, with the real encoder, and prints what its comments say."""

import re
from pathlib import Path

import pytest

from llama_index.retrievers.logical.stores import registry

pytestmark = pytest.mark.docs

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def expected(block):
    """What a block's comments say that it prints, as a pattern: after a print, or on lines of their own after it."""
    lines = re.findall(r"^# ?(.*)$|print\(.*\)  # (.+)$", block, re.MULTILINE)
    said = "\n".join(alone or behind for alone, behind in lines)
    return re.escape(said).replace(r"\.\.\.", ".+?")


def test_readme_code_runs_and_prints_what_it_says(minilm, scripted, capsys, monkeypatch):
    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    llm = scripted("It lifts the mood.")
    names = {"embed_model": minilm, "llm": llm, "MyStore": lambda vector_store: vector_store}
    silent = 0
    for block in BLOCKS:
        capsys.readouterr()
        exec(compile(block, "README.md", "exec"), names)
        output = capsys.readouterr().out.strip()
        silent += not output
        if "explain(" in block:
            output, _, searched = output.rpartition("\n")
            assert searched == '"benefits of vitamin D" AND NOT "bone health"'
        assert re.fullmatch(expected(block), output, re.DOTALL), output
    assert (len(BLOCKS), silent) == (9, 4)
    assert "Think of synonyms." in names["own"].transformer.get_prompts()["logical_query_prompt"].template
    assert len(llm.asked) == 1  # for the engine's answer: the tagger is sure of these questions
