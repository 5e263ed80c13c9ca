"""Labelled pairs, and the method that uses the curve fitted to them."""

import json

import pytest

from logical_retriever.errors import CorpusError, InvalidArgumentError
from logical_retriever.evaluation import MethodOptions, get_method
from logical_retriever.lab.calibrate import LabelledPair, cosines_of, read_pairs
from logical_retriever.semantics import Logistic
from logical_retriever.testing import HashingEmbedder

PAIRS = [
    {"term": "green tea", "text": "green tea and its health effects", "label": 1},
    {"term": "green tea", "text": "a history of jazz", "label": 0},
    {"term": "black coffee", "text": "black coffee in the morning", "label": 1},
    {"term": "black coffee", "text": "green fields of wheat", "label": 0},
]


@pytest.fixture
def write(tmp_path):
    def writer(text, name="pairs.jsonl"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return writer


def lines(records):
    return "".join(f"{json.dumps(record)}\n" for record in records)


def test_json_lines_with_texts_and_cosines(write):
    pairs = read_pairs(write(lines([PAIRS[0], {"term": "tea", "cosine": 0, "label": 0}])))
    assert pairs == [
        LabelledPair("green tea", 1, text="green tea and its health effects"),
        LabelledPair("tea", 0, cosine=0.0),
    ]


def test_tables_with_either_column_in_any_order(write):
    assert read_pairs(write("label\tterm\tcosine\n1\ttea\t0.5\n0\ttea\t-0.25\n", "pairs.tsv")) == [
        LabelledPair("tea", 1, cosine=0.5),
        LabelledPair("tea", 0, cosine=-0.25),
    ]
    assert read_pairs(write("term\ttext\tlabel\ntea\tgreen tea\t1\n", "pairs.tsv")) == [
        LabelledPair("tea", 1, text="green tea")
    ]


def test_cosines_are_computed_where_they_are_not_given(write):
    embedder = HashingEmbedder()
    pairs = [*read_pairs(write(lines(PAIRS))), LabelledPair("tea", 0, cosine=-0.5)]
    found = cosines_of(pairs, lambda: embedder)
    terms = embedder.embed_queries([record["term"] for record in PAIRS])
    texts = embedder.embed_documents([record["text"] for record in PAIRS])
    assert found[:4] == pytest.approx([float(a @ b) for a, b in zip(terms, texts, strict=True)], abs=1e-6)
    assert found[4] == -0.5


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"term": "a"\n', 1, "not JSON"),
        ("[1]\n", 1, "expected a JSON object, found a list"),
        (f"{lines(PAIRS[:1])}\n" + '{"text": "a", "label": 1}\n', 3, "no text under the key 'term'"),
        ('{"term": " ", "text": "a", "label": 1}\n', 1, "no text under the key 'term'"),
        ('{"term": "a", "text": "b", "label": 2}\n', 1, "the label is 2, not 0 or 1"),
        ('{"term": "a", "text": "b", "label": true}\n', 1, "the label is True"),
        ('{"term": "a", "text": "b"}\n', 1, "the label is None"),
        ('{"term": "a", "label": 1}\n', 1, "neither 'text' nor 'cosine'"),
        ('{"term": "a", "text": "b", "cosine": 0.1, "label": 1}\n', 1, "both 'text' and 'cosine'"),
        ('{"term": "a", "text": "", "label": 1}\n', 1, "holds no text"),
        ('{"term": "a", "cosine": NaN, "label": 1}\n', 1, "the cosine is nan"),
        ('{"term": "a", "cosine": 1.5, "label": 1}\n', 1, "the cosine is 1.5"),
        ('{"term": "a", "cosine": "0.5", "label": 1}\n', 1, "the cosine is '0.5'"),
        ("\n", None, "no labelled pair"),
    ],
)
def test_a_wrong_line_is_named(write, text, line, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_pairs(write(text))
    assert caught.value.line == line
    assert '"term"' in caught.value.hint


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("tea\tgreen tea\t1\n", 1, "the header is"),
        ("term\ttext\tcosine\tlabel\n", 1, "the header is"),
        ("term\ttext\tlabel\ntea\t1\n", 2, "expected 3 cells"),
        ("term\ttext\tlabel\ntea\tgreen tea\tyes\n", 2, "the label is 'yes'"),
        ("term\tcosine\tlabel\ntea\tnan\t1\n", 2, "the cosine is nan"),
        ("term\tcosine\tlabel\ntea\thigh\t1\n", 2, "the cosine is 'high'"),
        ("term\tcosine\tlabel\n", None, "no labelled pair"),
    ],
)
def test_a_wrong_row_is_named(write, text, line, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_pairs(write(text, "pairs.tsv"))
    assert caught.value.line == line


def test_given_cosines_need_no_encoder():
    def never():
        raise AssertionError("the encoder is not needed")

    assert cosines_of([LabelledPair("tea", 1, cosine=0.5)], never).tolist() == [0.5]


def test_the_method_needs_a_curve():
    assert get_method("logistic", MethodOptions(calibration=Logistic(0.3, 10.0))).name == "logistic"
    with pytest.raises(InvalidArgumentError, match="needs a fitted curve") as caught:
        get_method("logistic")
    assert "--calibration FILE" in caught.value.hint
