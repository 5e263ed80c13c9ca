"""The how-to pages on writing parts: their examples go into a copy of the package, and work there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "how-to").glob("write-*.md"))}
EXAMPLE = re.compile(
    r"^(?:New file|In) `(?P<path>[^`]+)`(?:, (?P<where>after|before) `(?P<anchor>[^`]+)`)?:"
    r"\n\n```\w+\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
EXAMPLES = [example.groupdict() for page in PAGES.values() for example in EXAMPLE.finditer(page)]
USE = """
import json
from logical_retriever import LogicalRetriever
from logical_retriever.evaluation.loading import Question
from logical_retriever.evaluation.measures import Ranking, get_measure
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer
from dash import DashQueryTransformer
from tinyrag_logical_retriever import LogicalTinyRetriever

texts = ["green tea and health", "green tea and brewing", "black coffee and health"]
dash = DashQueryTransformer()
core = LogicalRetriever.from_texts(texts, HashingEmbedder(), semantics="einstein", transformer=dash, k=1)
tiny = LogicalTinyRetriever(texts, HashingEmbedder(), transformer=dash, k=1)
model = ScriptedChatModel(['"tea" AND NOT "health"'])
read = LogicalQueryTransformer(model, prompt="short").transform("tea, no health")
question, measure = Question("q", "tea", relevance={"d2": 1}), get_measure("FoundAny@2")
print(json.dumps({
    "core": [document.text for document in core.retrieve("green tea - brewing")],
    "framework": tiny.run("green tea - health"),
    "prompt": model.conversations[0][0]["content"],
    "read": str(read.query),
    "measure": measure.name,
    "values": [measure.values([question], {"q": Ranking(ids)})["q"] for ids in (("d1", "d2"), ("d1", "d3"))],
}))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the package with every example in it."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("logical_retriever", "tests/fixtures", "tests/support"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for example in EXAMPLES:
        path, text, anchor = copy / example["path"], example["text"], example["anchor"]
        if anchor is None:
            assert not path.exists()
            path.write_text(text, encoding="utf-8")
            continue
        before, match, after = path.read_text(encoding="utf-8").partition(anchor)
        assert match, f"{example['path']} has no {anchor!r}"
        if example["where"] == "before":
            changed = f"{before}{text}{match}{after}"
        elif after.startswith("\n"):
            changed = f"{before}{match}\n{text}{after.removeprefix(chr(10))}"
        else:
            changed = f"{before}{match}{text.strip()} {after}"
        path.write_text(changed, encoding="utf-8")
    return copy


def run(folder, *arguments, project=None):
    """Run Python in a folder, over the modules in it and those of a project, if one is named."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (folder, project))))}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def test_every_example_works_by_its_name(copy):
    done = run(copy, "-c", USE)
    assert done.returncode == 0, done.stderr[-3000:]
    answers = json.loads(done.stdout)
    assert answers["core"] == ["green tea and health"]
    assert answers["framework"] == ["green tea and brewing"]
    assert answers["prompt"].startswith("Write the question as search terms")
    assert answers["read"] == '"tea" AND NOT "health"'
    assert (answers["measure"], answers["values"]) == ("FoundAny@2", [1.0, 0.0])


def test_every_kind_of_part_has_files_a_suite_and_an_example():
    assert list(PAGES) == [
        *(f"write-a-{name}" for name in ("dialect", "measure", "reader", "semantics", "store")),
        "write-for-a-framework",
    ]
    assert re.findall(r"^## Add an? (\w+)", PAGES["write-a-reader"], re.MULTILINE) == ["prompt", "transformer"]
    for page in PAGES.values():
        for section in re.split(r"^## Add ", page, flags=re.MULTILINE)[1:] or [page]:
            assert "\n- Files" in section
            assert "\n- Suite: " in section
            assert EXAMPLE.search(section)


@pytest.mark.parametrize("name", ["sqlite_store", "sqlite_dialect"])
def test_a_store_of_ones_own_passes_the_suite_in_an_empty_folder(tmp_path, name):
    for example in EXAMPLES:
        if example["path"] in (f"{name}.py", f"test_{name}.py"):
            (tmp_path / example["path"]).write_text(example["text"], encoding="utf-8")
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"test_{name}.py", project=ROOT)
    assert done.returncode == 0, done.stdout[-3000:]
