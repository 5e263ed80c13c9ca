"""Transformers by name: this package's, and those of other installed packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from logical_retriever.errors import InvalidArgumentError
from logical_retriever.transform import (
    TRANSFORMERS,
    CueQueryTransformer,
    QuestionReader,
    RecordedQueryTransformer,
    get_transformer,
)

THE_FILE = '''
from logical_retriever.query import parse
from logical_retriever.transform import Transformation


class Typed:
    """Every question is a query already."""

    def transform(self, question):
        return Transformation(question, parse(question), "typed")

    async def atransform(self, question):
        return self.transform(question)

    def batch(self, questions):
        return [self.transform(question) for question in questions]


def nonsense():
    return "no transformer"
'''


def test_reader_and_rules_are_found_by_name_and_the_reader_is_the_default():
    assert isinstance(get_transformer("cue"), CueQueryTransformer)
    assert isinstance(get_transformer("auto"), QuestionReader)
    assert isinstance(get_transformer(), QuestionReader)
    assert list(TRANSFORMERS) == ["auto", "cue"]


def test_an_instance_is_returned_as_it_is():
    recorded = RecordedQueryTransformer({})
    assert get_transformer(recorded) is recorded


@pytest.mark.parametrize("wrong", ["cues", "", 7, None, CueQueryTransformer])
def test_what_has_no_name_is_refused_with_the_names_that_there_are(wrong):
    with pytest.raises(InvalidArgumentError, match="There is no transformer") as caught:
        get_transformer(wrong)
    assert "Known names: auto, cue" in caught.value.hint
    assert ("Did you mean 'cue'?" in caught.value.hint) == (wrong == "cues")


def test_transformers_of_other_packages_are_found_and_a_broken_one_is_named(tmp_path):
    (tmp_path / "typed.py").write_text(THE_FILE, encoding="utf-8")
    record = tmp_path / "typed_questions-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: typed-questions\nVersion: 1.0\n", encoding="utf-8")
    entries = "typed = typed:Typed\nbroken = no_such_module:Typed\nnonsense = typed:nonsense\n"
    (record / "entry_points.txt").write_text(f"[logical_retriever.transformers]\n{entries}", encoding="utf-8")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from logical_retriever.errors import LogicalRetrieverError
from logical_retriever.transform import get_transformer
assert "typed" not in sys.modules
for name in ("cue", "typed", "broken", "nonsense", "tiped"):
    try:
        print(get_transformer(name).transform('"tea" AND NOT "milk"').method)
    except LogicalRetrieverError as error:
        print(type(error).__name__, error.message, error.hint)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    cue, typed, broken, nonsense, misspelt = shown.splitlines()
    assert (cue, typed) == ("cue", "typed")
    assert broken.startswith("PluginError 'broken' of logical_retriever.transformers, which typed-questions adds")
    assert nonsense.startswith("PluginError What is named 'nonsense' in logical_retriever.transformers makes str")
    assert misspelt.startswith("InvalidArgumentError There is no transformer 'tiped'. Did you mean 'typed'?")
