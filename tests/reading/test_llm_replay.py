"""Answers recorded from a real model, in varied wrapping, through the whole chain: every query comes back unchanged."""

import json
import random

import pytest
from benchmark_sets import SETS, data_folder

from logical_retriever.query import Term, parse
from logical_retriever.reading import LogicalQueryTransformer
from logical_retriever.testing import ScriptedChatModel

DATA = data_folder()
NOISE = {
    "plain": "{}".format,
    "fence": "```\n{}\n```".format,
    "label": "Query: {}".format,
    "reasoning": '<think>"x" AND NOT "y"?</think>\n\n{}'.format,
    "several lines": lambda form: form.replace(" AND ", "\nAND ").replace(" OR ", " OR\n"),
}

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"no benchmark sets at {DATA}; set LOGICAL_RETRIEVER_DATA to their folder"
)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("prompt", ["prompt_a", "prompt_c"])
@pytest.mark.parametrize("noise", NOISE)
def test_recorded_answers_come_back_unchanged(name, prompt, noise):
    rows = map(json.loads, (DATA / name / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    questions = {row["_id"]: row["text"] for row in rows}
    _, *lines = (DATA / name / f"logical_forms.{prompt}.tsv").read_text(encoding="utf-8").splitlines()
    forms = dict(line.split("\t") for line in lines)
    sample = random.Random(f"{name} {prompt} {noise}").sample(sorted(forms), min(150, len(forms)))
    model = ScriptedChatModel([NOISE[noise](forms[i]) for i in sample])
    transformer = LogicalQueryTransformer(model, on_failure="raise", cache=0)
    for i in sample:
        query = parse(forms[i])
        # A form without operators says that the question is plain, and is then the question itself.
        expected = Term(questions[i]) if isinstance(query, Term) else query
        assert transformer.transform(questions[i]).query == expected
