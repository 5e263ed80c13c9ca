import json
import re
from collections import Counter

import pytest

from logical_retriever.errors import InvalidArgumentError, LLMCallError
from logical_retriever.evaluation.loading import load_dataset
from logical_retriever.lab.synthesis import synthesize_templates
from logical_retriever.query import parse


def evaluate(form, topics):
    """Truth of a logical query by Python's own operators."""
    text = re.sub(r'"([^"]*)"', lambda m: str(m[1] in topics), form)
    return bool(eval(text.replace("AND", "and").replace("OR", "or").replace("NOT", "not")))


def templates_of(folder):
    return Counter(json.loads(line)["template"] for line in (folder / "queries.jsonl").read_text().splitlines())


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_set_over_the_corpus_is_read_by_the_evaluation(tmp_path, corpus, world_model):
    result = synthesize_templates(corpus, world_model(), output=tmp_path / "set", queries=64, max_calls=5000)
    dataset = load_dataset(tmp_path / "set", logical_forms=tmp_path / "set" / "logical_forms.tsv")
    assert result.finished
    assert not dataset.problems
    assert len(dataset.questions) == result.queries > 24
    assert len(dataset.documents) == len(corpus) == result.documents
    assert {question.type for question in dataset.questions} == {"AND AND", "AND OR", "OR AND", "OR OR"}
    assert len(templates_of(tmp_path / "set")) > 16
    contents = {document.id: document.content for document in corpus}
    violations = 0
    for question in dataset.questions:
        query = parse(question.form)
        assert (
            question.text
            == "Show " + question.form.replace("AND", "and").replace("OR", "or").replace("NOT", "not") + "."
        )
        for document, grade in question.relevance.items():
            assert grade == evaluate(question.form, [t for t in query.terms() if t in contents[document]])
        for document in question.violations:
            assert question.relevance[document] == 0
        violations += len(question.violations)
        assert 0 in question.relevance.values()
    assert violations > 0


def test_open_queries_take_unjudged_documents_as_relevant(tmp_path, corpus, world_model):
    synthesize_templates(corpus, world_model(), output=tmp_path, queries=64, max_calls=9000, pool_size=5)
    dataset = load_dataset(tmp_path)
    records = [json.loads(line) for line in (tmp_path / "queries.jsonl").read_text().splitlines()]
    judged = Counter(len(question.relevance) for question in dataset.questions)
    assert set(judged) == {5, len(corpus)}
    for record, question in zip(records, dataset.questions, strict=True):
        opened = evaluate(record["logical_query"], [])
        assert len(question.relevance) == (len(corpus) if opened else 5)


def test_written_documents_match_their_conditions(tmp_path, corpus, world_model):
    result = synthesize_templates(
        corpus, world_model(), output=tmp_path, queries=64, max_calls=5000, documents="written"
    )
    dataset = load_dataset(tmp_path)
    assert not dataset.problems
    assert result.queries == 64
    assert templates_of(tmp_path) == dict.fromkeys(range(32), 2)
    texts = {document.id: document.text for document in dataset.documents}
    for question in dataset.questions:
        terms = parse(question.form).terms()
        assert 1 <= sum(question.relevance.values()) <= 3
        assert 1 <= len(question.candidates) - sum(question.relevance.values()) <= 3
        assert len({texts[document] for document in question.candidates}) == len(question.candidates)
        for document in question.candidates:
            present = [term for term in terms if term in texts[document]]
            assert question.relevance[document] == evaluate(question.form, present)
            assert question.relevance[document] == ("-p" in document)


def test_the_set_depends_on_the_seed_and_not_on_the_threads(tmp_path, corpus, world_model):
    def made(name, **arguments):
        synthesize_templates(corpus, world_model(), output=tmp_path / name, queries=12, max_calls=5000, **arguments)
        return files(tmp_path / name)

    one = made("one", seed=1)
    assert one == made("again", seed=1)
    assert one == made("threads", seed=1, workers=6)
    assert one != made("other", seed=2)


def test_invalid_answers_are_counted_by_reason_and_repaired(tmp_path, corpus, world_model):
    spoilt = {"question": ['A AND "B"'], "judge": ["yes", '{"relevant": 3}', '{"relevant": true, "topics": []}']}

    def spoil(call, kind):
        return spoilt[kind].pop(0) if spoilt.get(kind) else None

    result = synthesize_templates(
        corpus, world_model(spoil), output=tmp_path, queries=4, max_calls=5000, documents="written"
    )
    assert result.queries == 4
    assert result.invalid.get("question_has_operators") == 1
    assert result.invalid.get("not_json") == 1
    assert result.invalid.get("judgement_form") == 1
    assert "not_json 1" in str(result)


def test_judgements_at_odds_leave_the_document_out(tmp_path, corpus, world_model):
    def spoil(call, kind):
        # Neither the question's judgement nor the topics' can be right for every query: all queries are dropped.
        return '{"relevant": true, "topics": []}' if kind == "judge" else None

    result = synthesize_templates(
        corpus, world_model(spoil), output=tmp_path, queries=6, max_calls=9000, pool_size=4, seed=3
    )
    assert result.invalid["judgement_at_odds"] > 0
    assert result.queries == 0
    assert set(result.dropped) <= {"no_relevant_document", "no_irrelevant_document", "too_few_topics"}
    assert not (tmp_path / "queries.jsonl").exists()


def test_passages_that_miss_their_condition_are_left_out(tmp_path, corpus, world_model):
    def spoil(call, kind):
        return "nothing of the kind was ever written down here " * 3 if kind == "write" else None

    result = synthesize_templates(
        corpus, world_model(spoil), output=tmp_path, queries=3, max_calls=5000, documents="written"
    )
    assert result.invalid["passage_off_condition"] > 0
    assert result.queries == 0
    assert sum(result.dropped.values()) == 9


@pytest.mark.parametrize(
    "arguments",
    [
        {"documents": "invented"},
        {"pool_size": 1},
        {"queries": 0},
        {"max_calls": -1},
        {"workers": 0},
    ],
)
def test_arguments_out_of_range(tmp_path, corpus, world_model, arguments):
    with pytest.raises(InvalidArgumentError):
        synthesize_templates(corpus, world_model(), output=tmp_path / "set", **arguments)
    assert not (tmp_path / "set").exists()


def test_a_model_that_is_down_ends_the_run(tmp_path, corpus):
    class Down:
        def complete(self, messages):
            raise ConnectionError("refused")

    with pytest.raises(LLMCallError, match="refused"):
        synthesize_templates(corpus, Down(), output=tmp_path, queries=2, max_calls=10, workers=2)
    assert not any(tmp_path.iterdir())


def test_a_foreign_folder_is_left_alone(tmp_path, corpus, world_model):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "mine", "text": "keep me"}\n')
    with pytest.raises(InvalidArgumentError, match="has files in it"):
        synthesize_templates(tmp_path, world_model(), output=tmp_path, queries=1)
    assert "keep me" in (tmp_path / "corpus.jsonl").read_text()
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="is a file"):
        synthesize_templates(corpus, world_model(), output=tmp_path / "file", queries=1)


def test_the_bound_on_calls_ends_the_run(tmp_path, corpus, world_model):
    result = synthesize_templates(corpus, world_model(), output=tmp_path / "a", queries=8, max_calls=40, pool_size=4)
    assert not result.finished
    assert result.calls == 40
    assert 0 < result.queries == len(load_dataset(tmp_path / "a").questions) < 8
    written = synthesize_templates(
        corpus, world_model(), output=tmp_path / "b", queries=8, max_calls=3, documents="written"
    )
    assert (written.finished, written.queries, written.calls) == (False, 0, 3)
    assert "Stopped at the limit of calls" in str(written)
