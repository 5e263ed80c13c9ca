"""Answers recorded from a real model, in varied wrapping, through the whole chain: every query comes back unchanged."""

import os
import random
from pathlib import Path

import pytest
from recorded_forms import read_forms, read_queries, read_questions

from logical_retriever.query import Term
from logical_retriever.testing import ScriptedChatModel
from logical_retriever.transform import LogicalQueryTransformer, RecordedQueryTransformer

DATA = Path(os.environ.get("LOGICAL_RETRIEVER_DATA", Path(__file__).parents[3] / "shared" / "data"))
SETS = ("negconstraint", "excluir", "boolquestions_not", "comlq")
SAMPLE = 150

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"no benchmark sets at {DATA}; set LOGICAL_RETRIEVER_DATA to their folder"
)


NOISE = {
    "plain": "{}".format,
    "fence": "```\n{}\n```".format,
    "label": "Query: {}".format,
    "reasoning": '<think>"x" AND NOT "y"?</think>\n\n{}'.format,
    "several lines": lambda form: form.replace(" AND ", "\nAND ").replace(" OR ", " OR\n"),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("prompt", ["prompt_a", "prompt_c"])
@pytest.mark.parametrize("noise", NOISE)
def test_recorded_answers_come_back_unchanged(name, prompt, noise):
    questions = read_questions(DATA / name / "queries.jsonl")
    path = DATA / name / f"logical_forms.{prompt}.tsv"
    recorded, raw = read_queries(path), read_forms(path)
    ids = sorted(recorded)
    sample = random.Random(f"{name} {prompt} {noise}").sample(ids, min(SAMPLE, len(ids)))
    transformer = LogicalQueryTransformer(
        ScriptedChatModel([NOISE[noise](raw[i]) for i in sample]), on_failure="raise", cache=0
    )
    for i in sample:
        # A form without operators says that the question is plain, and is then the question itself.
        expected = Term(questions[i]) if isinstance(recorded[i], Term) else recorded[i]
        assert transformer.transform(questions[i]).query == expected


@pytest.mark.parametrize("name", SETS)
def test_recorded_forms_answer_their_questions(name):
    for prompt in "abc":
        path = DATA / name / f"logical_forms.prompt_{prompt}.tsv"
        forms, questions = read_queries(path), read_questions(path.with_name("queries.jsonl"))
        transformer = RecordedQueryTransformer({questions[i]: form for i, form in forms.items()})
        assert all(transformer.transform(text).query == forms.get(i, Term(text)) for i, text in questions.items())
