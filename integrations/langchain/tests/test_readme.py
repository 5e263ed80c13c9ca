"""The README's code runs as printed, with the real encoder; the test provides the chat model."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
QUERY = '"Vitamin D benefits" AND NOT "bone health"'
ANSWER = ["Vitamin D lifts the mood."]


async def test_readme_code_runs_and_shows_nothing_that_is_excluded(tmp_path, model, minilm, capsys, monkeypatch):
    from langchain_logical_retriever.stores import registry

    monkeypatch.setattr(registry.ADAPTERS, "_factories", dict(registry.ADAPTERS._factories))
    names = {
        "embeddings": minilm,
        "llm": model(QUERY),
        "folder": str(tmp_path / "chroma"),
        "MyStore": lambda vectorstore: vectorstore,
    }
    assert len(BLOCKS) == 11
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)
    output = capsys.readouterr().out
    assert output.startswith(f"{ANSWER}\n")
    assert output.count(f"{ANSWER}\n") == 2
    assert '\n1 passage for "benefits of vitamin D" AND NOT "bone health".' in output
    assert 'Left out: 1 passage that is about "bone health", which you excluded' in output
    varied = await names["varied"].ainvoke("Benefits of vitamin D other than bone health")
    for documents in (names["documents"], names["answer_to_logic"], names["shown"], varied):
        assert [document.page_content for document in documents] == ANSWER
    assert names["answer"] == QUERY  # the scripted model's only answer, through the whole chain
    events = [query async for query in names["queries"]("vitamin D benefits, anything else than bone health")]
    assert events == [QUERY]


def test_the_support_table_is_true():
    from langchain_logical_retriever.stores import known_stores

    for name in known_stores():
        assert f"`{name.rsplit('.', 1)[1]}`" in README
