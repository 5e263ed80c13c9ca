import json
from collections import Counter

import pytest

from logical_retriever.corpus import Passage
from logical_retriever.errors import InvalidArgumentError
from logical_retriever.evaluation.loading import load_dataset
from logical_retriever.lab.synthesis import query_types, synthesize_typed


def test_all_types_are_made_and_read_by_the_evaluation(tmp_path, corpus, world_model):
    result = synthesize_typed(corpus, world_model(), output=tmp_path, queries=42, max_calls=500)
    dataset = load_dataset(tmp_path)
    assert result.finished
    assert not dataset.problems
    assert Counter(q.type for q in dataset.questions) == dict.fromkeys(query_types(), 3)
    assert not (tmp_path / "logical_forms.tsv").exists()
    titles = {document.id: document.title for document in corpus}
    grades = set()
    for question in dataset.questions:
        assert len({titles[document] for document in question.relevance}) == 1
        assert question.relevant
        assert not question.relevant & question.violations
        grades |= set(question.relevance.values())
    assert {1, 2} <= grades


def test_violations_are_passages_on_the_excluded_alone(tmp_path, corpus, world_model):
    synthesize_typed(corpus, world_model(), output=tmp_path, queries=20, types=["2in", "pin"], max_calls=500, seed=4)
    dataset = load_dataset(tmp_path)
    found = [(q, d) for q in dataset.questions for d in q.violations]
    assert found
    assert all(question.relevance[document] == 0 for question, document in found)


def test_distractors_have_titles_of_no_query(tmp_path, corpus, world_model):
    synthesize_typed(corpus, world_model(), output=tmp_path / "a", queries=3, max_calls=50, distractors=4)
    dataset = load_dataset(tmp_path / "a")
    by_id = {document.id: document for document in corpus}
    used = {document for question in dataset.questions for document in question.relevance}
    others = {document.id for document in dataset.documents} - used
    assert len(others) == 4
    assert not {by_id[d].title for d in used} & {by_id[d].title for d in others}
    assert [d.id for d in dataset.documents] == [d.id for d in corpus if d.id in used | others]
    synthesize_typed(corpus, world_model(), output=tmp_path / "b", queries=3, max_calls=50, distractors=0)
    assert {d.id for d in load_dataset(tmp_path / "b").documents} == used


def test_titles_that_differ_in_case_alone_are_one_article(tmp_path, world_model):
    corpus = [Passage(f"d{n}", f"Zora{n} saw Yuri{n} at noon", title) for n, title in enumerate(["The  X", "the x"])]
    synthesize_typed(corpus, world_model(), output=tmp_path, queries=1, types=["1p"], max_calls=9, seed=0)
    assert all(question.relevance for question in load_dataset(tmp_path).questions)
    ids = {document.id for document in load_dataset(tmp_path).documents}
    assert ids == set(load_dataset(tmp_path).questions[0].relevance)


def test_documents_without_title_are_articles_of_their_own(tmp_path, world_model):
    corpus = [Passage(f"d{n}", f"Zora{n} saw Yuri{n} at noon and Xena{n} too") for n in range(6)]
    synthesize_typed(corpus, world_model(), output=tmp_path, queries=6, max_calls=60)
    dataset = load_dataset(tmp_path)
    assert all(len(question.relevance) == 1 for question in dataset.questions)
    assert len(dataset.documents) == 6


def test_invalid_generations_are_counted_repaired_or_dropped(tmp_path, corpus, world_model):
    spoilt = ["no idea", '{"query": "Who?"}']
    model = world_model(lambda call, kind: spoilt[call] if call < len(spoilt) else None)
    result = synthesize_typed(corpus, model, output=tmp_path, queries=2, max_calls=50)
    assert result.invalid == {"not_json": 1, "generation_form": 1}
    assert result.dropped == {"no_valid_query": 1}
    assert (result.queries, result.calls) == (2, 4)


def test_evidence_that_is_made_up_never_reaches_the_set(tmp_path, corpus, world_model, valid_answer):
    def spoil(call, kind):
        answer = valid_answer("1p", [corpus[0].content])
        answer["facts"][0]["quote"] = "these words stand nowhere"
        return json.dumps(answer)

    result = synthesize_typed(corpus, world_model(spoil), output=tmp_path, queries=2, types=["1p"], max_calls=50)
    assert result.queries == 0
    assert result.invalid == {"quote_not_in_passage": 12}
    assert result.dropped == {"no_valid_query": 6}
    assert not (tmp_path / "corpus.jsonl").exists()


def test_the_set_does_not_depend_on_the_threads(tmp_path, corpus, world_model):
    made = []
    for workers in (1, 5):
        output = tmp_path / str(workers)
        synthesize_typed(corpus, world_model(), output=output, queries=20, max_calls=90, workers=workers)
        made.append([(output / name).read_bytes() for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv")])
    assert made[0] == made[1]


@pytest.mark.parametrize("arguments", [{"types": ["9p"]}, {"distractors": -1}, {"queries": 0}])
def test_arguments_out_of_range(tmp_path, corpus, world_model, arguments):
    with pytest.raises(InvalidArgumentError):
        synthesize_typed(corpus, world_model(), output=tmp_path / "set", **arguments)
    assert not (tmp_path / "set").exists()
