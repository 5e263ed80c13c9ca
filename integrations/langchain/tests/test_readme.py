"""The README's code runs as printed; the test provides the embeddings and the chat model."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
QUERY = '"Vitamin D benefits" AND NOT "bone health"'


async def test_readme_code_runs(tmp_path, model, hashing_embeddings, capsys, monkeypatch):
    from langchain_logical_retriever.stores import registry

    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    names = {
        "embeddings": hashing_embeddings(),
        "llm": model(QUERY),
        "folder": str(tmp_path / "chroma"),
        "MyStore": lambda vectorstore: vectorstore,
    }
    assert len(BLOCKS) == 11
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    shown = capsys.readouterr().out
    assert shown.startswith("Vitamin D lifts the mood.\n")
    assert shown.count('"benefits of vitamin D" AND NOT "bone health"') >= 2  # by the tagger: no call of the model
    assert "\nVitamin D lifts the mood.\n2 passages for " in shown
    assert 'Left out: 1 passage that is about "bone health", which you excluded' in shown
    mood, *_ = names["varied"].invoke("Benefits of vitamin D other than bone health")
    assert mood.page_content == "Vitamin D lifts the mood."
    assert names["answer"] == QUERY  # the scripted model's only answer, through the whole chain
    events = [query async for query in names["queries"]("vitamin D benefits, anything else than bone health")]
    assert events == [QUERY]


def test_the_support_table_is_true():
    from langchain_logical_retriever.stores import known_stores

    for name in known_stores():
        assert f"`{name.rsplit('.', 1)[1]}`" in README
