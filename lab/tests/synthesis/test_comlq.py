from collections import Counter

from lab.synthesis import query_types, synthesize_typed
from logical_retriever.evaluation.loading import load_dataset


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


def test_distractors_have_titles_of_no_query(tmp_path, corpus, world_model):
    synthesize_typed(corpus, world_model(), output=tmp_path, queries=3, max_calls=50)
    titles = {document.id: document.title for document in corpus}
    dataset = load_dataset(tmp_path)
    used = {document for question in dataset.questions for document in question.relevance}
    taken = {titles[id] for id in used}
    others = {id for id, title in titles.items() if title not in taken}
    assert [document.id for document in dataset.documents] == [one.id for one in corpus if one.id in used | others]


def test_invalid_generations_are_counted_repaired_or_dropped(tmp_path, corpus, world_model):
    spoilt = ["no idea", '{"query": "Who?"}']
    model = world_model(lambda call, kind: spoilt[call] if call < len(spoilt) else None)
    result = synthesize_typed(corpus, model, output=tmp_path, queries=2, max_calls=50)
    assert result.invalid == {"not_json": 1, "generation_form": 1}
    assert result.dropped == {"no_valid_query": 1}
    assert (result.queries, result.calls) == (2, 4)
