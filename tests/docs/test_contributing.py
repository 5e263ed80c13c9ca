"""How-to pages on writing parts, done: their examples go into a copy of the project, and the suites named are run."""

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
PAGE = "\n".join(PAGES.values())
EXAMPLE = re.compile(
    r"^(?:New file|In) `(?P<path>[^`]+)`(?:, (?P<where>after|before) `(?P<anchor>[^`]+)`)?:"
    r"\n\n```\w+\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
EXAMPLES = [found.groupdict() for found in EXAMPLE.finditer(PAGE)]
NEW = {example["path"] for example in EXAMPLES if example["anchor"] is None}
SUITES = (
    *("test_sqlite_store.py", "tests/compile/test_sqlite_json.py", "tests/semantics/test_families.py"),
    "tests/transform/test_cue_cases.py",
)
EXAMPLES_ALONE = "Sqlite or einstein or barring or every"
USE = """
import json
from logical_retriever import LogicalRetriever
from logical_retriever.lab.support import support_table
from logical_retriever.compile.registry import COMPILERS, compiler_class
from logical_retriever.evaluation.loading import Question
from logical_retriever.evaluation.measures import get_measure
from logical_retriever.evaluation.ranking import Ranking
from logical_retriever.testing import HashingEmbedder, ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer
from tinyrag_logical_retriever import LogicalTinyRetriever

texts = ["green tea and health", "green tea and brewing", "black coffee and health"]
core = LogicalRetriever.from_texts(texts, HashingEmbedder(), semantics="einstein", transformer="dash", k=1)
tiny = LogicalTinyRetriever(texts, HashingEmbedder(), transformer="dash", k=1)
model = ScriptedChatModel(['"tea" AND NOT "health"'])
read = LogicalQueryTransformer(model, prompt="short").transform("tea, no health")
question, measure = Question("q", "tea", relevance={"d2": 1}), get_measure("FoundAny@2")
table = support_table([compiler_class(name) for name in COMPILERS]).splitlines()
print(json.dumps({
    "core": [document.text for document in core.retrieve("green tea - brewing")],
    "framework": tiny.run("green tea - health"),
    "engines": {row.split("|")[1].strip(): row for row in table},
    "asked": model.conversations[0][0]["content"],
    "read": str(read.query),
    "measure": measure.name,
    "measured": [measure.value(question, Ranking(ids)) for ids in (("d1", "d2"), ("d1", "d3"))],
}))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project with every example in it."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("logical_retriever", "tests", "benchmarks"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for example in EXAMPLES:
        path, text, anchor = copy / example["path"], example["text"], example["anchor"]
        if anchor is None:
            assert not path.exists()
            path.write_text(text, encoding="utf-8")
            continue
        before, found, after = path.read_text(encoding="utf-8").partition(anchor)
        assert found, f"{example['path']} has no {anchor!r}"
        if example["where"] == "before":
            written = f"{before}{text}{found}{after}"
        elif after.startswith("\n"):
            written = f"{before}{found}\n{text}{after.removeprefix(chr(10))}"
        else:
            written = f"{before}{found}{text.strip()} {after}"
        path.write_text(written, encoding="utf-8")
    return copy


def run(folder, *arguments, project=None):
    """Run Python in a folder, over what is in it and, if named, a project."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, filter(None, (folder, project))))}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def test_the_suites_that_it_names_pass_with_its_examples(copy):
    done = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", EXAMPLES_ALONE, *SUITES)
    assert done.returncode == 0, done.stdout[-3000:]
    for path in (path for path in NEW if path.startswith("tests/")):
        assert path in SUITES


def test_every_example_is_found_by_its_name_and_works(copy):
    done = run(copy, "-c", USE)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["core"] == ["green tea and health"]
    assert found["framework"] == ["green tea and brewing"]
    engines, einstein = (
        [cell.strip() for cell in found["engines"][row].split("|")] for row in ("semantics", "einstein")
    )
    assert {einstein[engines.index(engine)] for engine in ("SQLite with JSON", "DuckDB")} == {"exact"}
    assert found["asked"].startswith("Write the question as search terms")
    assert found["read"] == '"tea" AND NOT "health"'
    assert (found["measure"], found["measured"]) == ("FoundAny@2", [1.0, 0.0])


def test_every_kind_of_part_has_files_a_suite_and_an_example():
    names = ("compiler", "measure", "reader", "semantics", "store")
    assert list(PAGES) == [*(f"write-a-{name}" for name in names), "write-for-a-framework"]
    assert re.findall(r"^## Add an? (\w+)", PAGES["write-a-reader"], re.MULTILINE) == ["prompt", "cue", "transformer"]
    for page in PAGES.values():
        for section in re.split(r"^## Add ", page, flags=re.MULTILINE)[1:] or [page]:
            assert "\n- Files" in section
            assert "\n- Suite: " in section
            assert EXAMPLE.search(section)


def test_a_store_of_ones_own_passes_the_suite_in_an_empty_folder(tmp_path):
    for example in EXAMPLES:
        if "/" not in example["path"] and "sqlite" in example["path"]:
            (tmp_path / example["path"]).write_text(example["text"], encoding="utf-8")
    done = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sqlite_store.py", project=ROOT)
    assert done.returncode == 0, done.stdout[-3000:]
