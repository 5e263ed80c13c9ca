"""benchmarks/readers.py on a set of three questions: what it counts, and that the recorded model is really asked."""

import json

import pytest
import readers

QUESTIONS = [
    # Read by rules; with a sign that no rule knows, so that the model is asked; with a negation that excludes nothing.
    ("1", "green tea, excluding brewing", '"green tea" AND NOT "brewing"'),
    ("2", "Bäume ohne Nadeln oder Zapfen bitte nicht, nur die anderen", '"Bäume" AND NOT "Nadeln"'),
    ("3", "Which birds are not able to fly?", '"Which birds are not able to fly?"'),
]
JUDGE = """
def compare(rows, predicted):
    for row in rows:
        said, gold = predicted[row["id"]], row["form"]
        yield row, said, {"right": said.casefold() == gold.casefold(), "gold": " NOT " in gold, "said": " NOT " in said}

def summary(verdicts):
    rows = list(verdicts)
    found = sum(r["gold"] and r["said"] for r in rows)
    gold = sum(r["gold"] for r in rows)
    return dict(n=len(rows), exclusions=gold, recall=found / gold, precision=1.0, scope=0.5, false_not=0.0)
"""


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data" / "ask"
    folder.mkdir(parents=True)
    rows = [{"id": i, "group": "g", "kind": "k", "question": q, "form": f, "also": []} for i, q, f in QUESTIONS]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    forms = "\n".join(f"{i}\t{f}" for i, _, f in QUESTIONS)
    (folder / "logical_forms.prompt_d.tsv").write_text(f"query-id\tlogical-query\n{forms}\n", encoding="utf-8")
    (tmp_path / "judge.py").write_text(JUDGE, encoding="utf-8")
    return tmp_path


def test_the_table_of_a_judged_set(data, capsys):
    assert readers.main([str(data / "data"), "--judge", str(data / "judge.py"), "--no-search"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    rows = {(cells[1], cells[2]): cells[3:] for cells in lines[1:]}
    assert rows["all", "rules"][:2] == ["3", "2"]
    assert rows["all", "always"][2:7] == ["1.000", "1.000", "0.500", "0.000", "1.000"]
    assert float(rows["all", "rules"][2]) <= float(rows["all", "auto"][2])
    assert rows["all", "rules"][6] == "0.000"


def test_a_set_without_a_judge_is_named(data, capsys):
    readers.main([str(data / "data"), "--no-search"])
    assert "there is no" in capsys.readouterr().out


def test_the_recorded_model_answers_plain_questions_with_themselves():
    made = readers.read_all(['Who wrote "Emma"?'], {})["always"]
    assert [str(one.made.query) for one in made] == ['"Who wrote \\"Emma\\"?"']
    assert [one.sent for one in made] == [True]
