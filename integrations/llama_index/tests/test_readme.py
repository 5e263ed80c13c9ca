"""The README's code runs as printed; the test provides the embedding model and the LLM."""

import re
from pathlib import Path

from llama_index.retrievers.logical.stores import known_stores, registry

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
QUERY = '"Vitamin D benefits" AND NOT "bone health"'


def test_readme_code_runs(embedding, scripted, capsys, monkeypatch):
    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    llm = scripted(QUERY, "It lifts the mood.")
    names = {"embed_model": embedding, "llm": llm, "MyStore": lambda vector_store: vector_store}
    assert len(BLOCKS) == 10
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    shown = capsys.readouterr().out
    assert shown.startswith("Vitamin D lifts the mood.\n")
    assert shown.count('"benefits of vitamin D" AND NOT "bone health"') >= 2  # by the tagger: no call of the LLM
    assert str(names["answer"]) == "It lifts the mood."
    assert "lifts the mood" in names["varied"].retrieve("Benefits of vitamin D other than bone health")[0].text
    assert "lifts the mood" in names["output"].content
    assert len(llm.prompts) == 2


def test_the_support_table_is_true():
    for name in known_stores():
        assert f"`{name.rsplit('.', 1)[1]}`" in README
