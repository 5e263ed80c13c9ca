"""Questions that people asked: how large a share of each fixture the reader gets right, without a model.

Nobody looks at single questions here: a share that falls says that the network was taught less well. Their writers had
not seen the marked lines. Those who judged what the questions of other languages exclude had.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from agreement import judge_best

from logical_retriever import QuestionReader
from logical_retriever.query import positive_terms
from logical_retriever.reading.questions.tagger.tagger import WISHLESS_FROM

pytestmark = pytest.mark.slow

FIXTURES = Path(__file__).parents[1] / "fixtures"


def strangers():
    rows = map(json.loads, (FIXTURES / "strangers" / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    return [(row["question"], [row["form"], *row.get("also", ())]) for row in rows]


def cases(name):
    """Blocks of a question, its query ("=": the question itself) and a comment."""
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    blocks = "\n".join(line for line in lines if not line.startswith("#")).split("\n\n")
    return [(block.split("\n")[0], [block.split("\n")[1]]) for block in map(str.strip, blocks) if block]


# Least shares of exclusions that get a NOT, and that are read right; most that are neither read nor reported as unsure;
# most questions without an exclusion that get a NOT.
SHARES = {
    "strangers": (0.93, 0.80, 0.02, 0.06),
    **{f"languages/{code}.txt": (0.93, 0.70, 0.04, 0.10) for code in ("de", "es", "fr", "it", "pt")},
    **{f"languages/{code}.txt": (0.89, 0.75, 0.03, 0.21) for code in ("nl", "pl", "ru")},
    **{f"languages/{code}.txt": (0.78, 0.65, 0.04, 0.38) for code in ("ja", "zh")},
}


@pytest.mark.parametrize("name", SHARES)
def test_the_share_that_is_read_right(name):
    rows = strangers() if name == "strangers" else cases(name)
    reader, counts = QuestionReader(), Counter()
    for question, forms in rows:
        plain = json.dumps(question, ensure_ascii=False)
        made = reader.transform(question)
        assert positive_terms(made.query) or made.confidence >= WISHLESS_FROM, question
        verdict = judge_best([plain if form == "=" else form for form in forms], question, str(made.query))
        if verdict.gold_not:
            counts["exclusions"] += 1
            counts["found"] += verdict.predicted_not
            counts["right"] += verdict.right
            counts["lost"] += not verdict.predicted_not and made.problem is None
        else:
            counts["plain"] += 1
            counts["false"] += verdict.predicted_not
    found, right, lost, false = SHARES[name]
    shares = {key: round(counts[key] / counts["exclusions"], 3) for key in ("found", "right", "lost")}
    shares["false"] = round(counts["false"] / max(counts["plain"], 1), 3)
    assert shares["found"] >= found, shares
    assert shares["right"] >= right, shares
    assert shares["lost"] <= lost, shares
    assert shares["false"] <= false, shares
