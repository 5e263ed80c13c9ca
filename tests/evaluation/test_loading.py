import numpy as np
import pytest

from logical_retriever.errors import CorpusError
from logical_retriever.evaluation import load_dataset, load_sample

QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t2\n"
FORMS = 'query-id\tlogical-query\nq1\t"vitamin d" AND NOT "bone health"\n'
QUERY_LINES = '{"_id": "q1", "text": "vitamin d, excluding bone health"}\n{"_id": "q2", "text": "history of tea"}\n'


def test_a_folder_is_read_whole(write):
    folder = write()
    dataset = load_dataset(folder, logical_forms=folder / "forms.tsv")
    assert dataset.name == "tiny"
    texts = ["Vitamin D vitamin d and immune health", "vitamin d and bone health"]
    assert [document.text for document in dataset.documents][:2] == texts
    first, second = dataset.questions
    assert (first.form, first.type) == ('"vitamin d" AND NOT "bone health"', "2in_1")
    assert (dict(first.relevance), first.violations) == ({"d1": 1}, {"d2"})
    assert (second.form, dict(second.relevance)) == (None, {"d3": 2})
    assert dataset.problems == {}


def test_forms_in_the_folder_are_used_unless_a_file_is_named(write):
    other = FORMS.replace("vitamin d", "vitamins")
    folder = write(logical_forms_tsv=other)
    assert load_dataset(folder).questions[0].form == '"vitamins" AND NOT "bone health"'
    named = load_dataset(folder, logical_forms=folder / "forms.tsv").questions[0].form
    assert named == '"vitamin d" AND NOT "bone health"'


def test_beir_keeps_judgements_in_a_folder_and_may_leave_the_header_out(write):
    folder = write(qrels_tsv=None)
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("q1\td1\t1\nq2\td3\t0\n", encoding="utf-8")
    dataset = load_dataset(folder)
    assert [dict(question.relevance) for question in dataset.questions] == [{"d1": 1}, {"d3": 0}]
    assert dataset.problems == {"queries without a relevant document (every method scores 0)": ("q2",)}


def test_a_byte_order_mark_carriage_returns_and_blank_lines_do_not_count(write):
    folder = write(qrels_tsv="\ufeff" + QRELS.replace("\n", "\r\n\r\n"))
    assert [dict(question.relevance) for question in load_dataset(folder).questions] == [{"d1": 1}, {"d3": 2}]


def test_what_does_not_fit_is_counted_and_left_out(write):
    folder = write(
        queries_jsonl=QUERY_LINES + '{"_id": "q3", "text": "unjudged"}\n',
        qrels_tsv=QRELS + "q1\tmissing\t1\nq9\td1\t1\n",
        violations_tsv="q1\td2\nq1\tgone\nq1\td1\n",
        forms_tsv=FORMS + 'q9\t"x"\n',
    )
    dataset = load_dataset(folder, logical_forms=folder / "forms.tsv")
    assert dataset.problems == {
        "relevance judgements for unknown documents (left out)": ("q1 missing",),
        "relevance judgements for unknown queries (left out)": ("q9 d1",),
        "violations for unknown documents (left out)": ("q1 gone",),
        "documents judged both relevant and violating": ("q1 d1",),
        "queries without relevance judgements (left out)": ("q3",),
        "logical forms for unknown queries (left out)": ("q9",),
    }
    assert [question.id for question in dataset.questions] == ["q1", "q2"]


@pytest.mark.parametrize(
    ("file", "content", "line", "expected"),
    [
        ("corpus_jsonl", '{"_id": "d1", "text": "x"}\n{"_id": \n', 2, "not JSON"),
        ("corpus_jsonl", "\n", None, "there is no passage in it"),
        ("queries_jsonl", '{"_id": "q1", "text": " "}\n', 1, "the question is empty"),
        ("queries_jsonl", QUERY_LINES + '{"_id": "3", "text": 3}', 3, "the key 'text': Input should be a valid string"),
        ("queries_jsonl", '{"_id": "q1"}\n', 1, "the question is empty"),
        ("queries_jsonl", QUERY_LINES * 2, 3, "the _id 'q1' occurs a second time"),
        ("queries_jsonl", '{"_id": "q1", "text": "x", "labels": {"d1": "no"}}\n', 1, "the key 'labels'"),
        ("qrels_tsv", "q1 d1 1\n", 1, "expected 3 cells (query-id, corpus-id, score) separated by tabs"),
        ("qrels_tsv", QRELS + "q1\td1\tyes\n", 4, "'yes' is not a whole number"),
        ("qrels_tsv", QRELS + "q1\td1\t-1\n", 4, "'-1' is not a whole number of at least 0"),
        ("qrels_tsv", QRELS + "unknown\td1\tyes\n", 4, "'yes' is not a whole number"),
        ("violations_tsv", "q1\td2\t1\n", 1, "expected 2 cells (query-id, corpus-id)"),
        ("forms_tsv", FORMS + "q1\tagain\n", 3, "has a second logical form"),
    ],
)
def test_malformed_files_name_file_line_and_what_was_expected(write, file, content, line, expected):
    folder = write(**{file: content})
    with pytest.raises(CorpusError) as caught:
        load_dataset(folder, logical_forms=folder / "forms.tsv")
    assert expected in caught.value.message
    assert caught.value.path.endswith(file.replace("_", "."))
    assert caught.value.line == line


def test_missing_files_and_folders_are_named(write, tmp_path):
    with pytest.raises(CorpusError, match="nowhere"):
        load_dataset(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match=r"has no relevance judgements \(qrels.tsv or qrels/test.tsv\)"):
        load_dataset(write(qrels_tsv=None))


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.ones((3, 8)), r"shape \(4, d\), found \(3, 8\)"),
        (np.ones(4), "expected finite numbers"),
        (np.full((4, 8), "x"), "is not a NumPy array file"),
        (np.array([[1.0, 2.0], [1.0, np.nan], [1.0, 1.0], [np.inf, 1.0]]), "expected finite numbers"),
        (np.array([{"a": 1}], dtype=object), "is not a NumPy array file"),
    ],
)
def test_vectors_must_fit_the_corpus(write, tmp_path, array, expected):
    np.save(tmp_path / "v.npy", array)
    with pytest.raises(CorpusError, match=expected):
        load_dataset(write(), vectors=tmp_path / "v.npy")


def test_the_sample_has_a_small_corpus_for_every_query():
    sample = load_sample()
    assert (len(sample.questions), len(sample.documents), sample.problems) == (192, 960, {})
    first = sample.questions[0]
    assert first.text == "dream research AND wind turbines AND diabetes diet"
    assert first.form == '"dream research" AND "wind turbines" AND "diabetes diet"'
    assert first.candidates is not None
    assert set(first.candidates) == set(first.relevance)
    assert first.relevant == {"s00-0-p0"}
    assert {len(question.candidates or ()) for question in sample.questions} <= {4, 5, 6}
