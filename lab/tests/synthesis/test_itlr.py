import json
import re
from collections import Counter

import pytest

from lab.synthesis import synthesize_templates
from logical_retriever.errors import InvalidArgumentError, LLMCallError
from logical_retriever.evaluation.loading import load_dataset
from logical_retriever.query import parse


@pytest.fixture
def synthesize(tmp_path, corpus, world_model):
    """Makes a set in a folder of the test's, by a model that answers well unless something spoils its answers."""

    def synthesize(name="set", spoil=lambda call, kind: None, **arguments):
        settings = {"queries": 64, "max_calls": 9000, **arguments}
        return synthesize_templates(corpus, world_model(spoil), output=tmp_path / name, **settings)

    return synthesize


def spelled(form):
    return form.replace("AND", "and").replace("OR", "or").replace("NOT", "not")


def evaluate(form, topics):
    """Truth of a logical query by Python's own operators."""
    return bool(eval(spelled(re.sub(r'"([^"]*)"', lambda m: str(m[1] in topics), form))))


def records_of(folder):
    return [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]


def test_a_set_over_the_corpus_is_read_by_the_evaluation(tmp_path, corpus, synthesize):
    result = synthesize()
    dataset = load_dataset(tmp_path / "set", logical_forms=tmp_path / "set" / "logical_forms.tsv")
    assert result.finished
    assert not dataset.problems
    assert len(dataset.questions) == result.queries > 24
    assert len(dataset.documents) == len(corpus) == result.documents
    assert {question.type for question in dataset.questions} == {"AND AND", "AND OR", "OR AND", "OR OR"}
    assert len({record["template"] for record in records_of(tmp_path / "set")}) > 16
    contents = {document.id: document.content for document in corpus}
    for question in dataset.questions:
        assert question.text == f"Show {spelled(question.form)}."
        terms = parse(question.form).terms()
        for document, grade in question.relevance.items():
            assert grade == evaluate(question.form, [t for t in terms if t in contents[document]])
        assert not any(question.relevance[document] for document in question.violations)
        assert 0 in question.relevance.values()
    assert any(question.violations for question in dataset.questions)


def test_open_queries_take_unjudged_documents_as_relevant(tmp_path, corpus, synthesize):
    synthesize(pool_size=5)
    dataset = load_dataset(tmp_path / "set")
    assert {len(question.relevance) for question in dataset.questions} == {5, len(corpus)}
    for record, question in zip(records_of(tmp_path / "set"), dataset.questions, strict=True):
        opened = evaluate(record["logical_query"], [])
        assert len(question.relevance) == (len(corpus) if opened else 5)


def test_written_documents_match_their_conditions(tmp_path, synthesize):
    assert synthesize(written=True).queries == 64
    dataset = load_dataset(tmp_path / "set")
    assert not dataset.problems
    assert Counter(record["template"] for record in records_of(tmp_path / "set")) == dict.fromkeys(range(32), 2)
    texts = {document.id: document.text for document in dataset.documents}
    for question in dataset.questions:
        terms = parse(question.form).terms()
        relevant = sum(question.relevance.values())
        assert 1 <= relevant <= 3
        assert 1 <= len(question.candidates) - relevant <= 3
        assert len({texts[document] for document in question.candidates}) == len(question.candidates)
        for document in question.candidates:
            present = [term for term in terms if term in texts[document]]
            assert question.relevance[document] == evaluate(question.form, present) == ("-p" in document)


def test_the_set_depends_on_the_seed_and_not_on_the_threads(tmp_path, synthesize):
    def files(name, **arguments):
        synthesize(name, queries=12, **arguments)
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    first = files("first", seed=1)
    assert first == files("again", seed=1)
    assert first == files("threads", seed=1, workers=6)
    assert first != files("other", seed=2)


def test_invalid_answers_are_counted_by_reason_and_repaired(synthesize):
    spoilt = {"question": ['A AND "B"'], "judge": ["yes", '{"relevant": 3}', '{"relevant": true, "topics": []}']}

    def spoil(call, kind):
        return spoilt[kind].pop(0) if spoilt.get(kind) else None

    result = synthesize(spoil=spoil, queries=4, written=True)
    assert result.queries == 4
    assert {"question_has_operators": 1, "not_json": 1, "judgement_form": 1}.items() <= result.invalid.items()
    assert "not_json 1" in str(result)


def test_judgements_at_odds_leave_the_document_out(tmp_path, synthesize):
    def spoil(call, kind):
        # Neither the question's judgement nor the topics' can be right for every query: all queries are dropped.
        return '{"relevant": true, "topics": []}' if kind == "judge" else None

    result = synthesize(spoil=spoil, queries=6, pool_size=4, seed=3)
    assert result.invalid["judgement_at_odds"] > 0
    assert result.queries == 0
    assert set(result.dropped) <= {"no_relevant_document", "no_irrelevant_document", "too_few_topics"}
    assert not (tmp_path / "set" / "queries.jsonl").exists()


def test_passages_that_miss_their_condition_are_left_out(synthesize):
    nothing = "nothing of the kind was ever written down here " * 3
    result = synthesize(spoil=lambda call, kind: nothing if kind == "write" else None, queries=3, written=True)
    assert result.invalid["passage_off_condition"] > 0
    assert result.queries == 0
    assert sum(result.dropped.values()) == 9


@pytest.mark.parametrize("arguments", [{"pool_size": 1}, {"queries": 0}, {"max_calls": -1}, {"workers": 0}])
def test_arguments_out_of_range(tmp_path, synthesize, arguments):
    with pytest.raises(InvalidArgumentError):
        synthesize(**arguments)
    assert not (tmp_path / "set").exists()


def test_a_model_that_is_down_ends_the_run(tmp_path, synthesize):
    def down(call, kind):
        raise ConnectionError("refused")

    with pytest.raises(LLMCallError, match="refused"):
        synthesize(".", down, queries=2, max_calls=10, workers=2)
    assert not any(tmp_path.iterdir())


def test_a_foreign_folder_is_left_alone(tmp_path, synthesize):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "mine", "text": "keep me"}\n')
    with pytest.raises(InvalidArgumentError, match="has files in it"):
        synthesize(".", queries=1)
    assert "keep me" in (tmp_path / "corpus.jsonl").read_text()
    with pytest.raises(InvalidArgumentError, match="is a file"):
        synthesize("corpus.jsonl", queries=1)


def test_the_bound_on_calls_ends_the_run(tmp_path, synthesize):
    result = synthesize(queries=8, max_calls=40, pool_size=4)
    assert not result.finished
    assert result.calls == 40
    assert 0 < result.queries == len(load_dataset(tmp_path / "set").questions) < 8
    written = synthesize("written", queries=8, max_calls=3, written=True)
    assert (written.finished, written.queries, written.calls) == (False, 0, 3)
    assert "Stopped at the limit of calls" in str(written)
