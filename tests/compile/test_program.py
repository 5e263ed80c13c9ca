"""Programs of NumPy find what every engine owes, many questions in one pass over batches of Arrow."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from logical_retriever.compile.program import ProgramCompiler
from logical_retriever.query import parse
from logical_retriever.semantics import ProductSemantics
from logical_retriever.stores.spark_scores import best_of_partition
from logical_retriever.testing.compiler_corpus import SEMANTICS, ask, assert_true_answer, corpus, questions


def batches(documents, size):
    columns = {"lr_id": pa.array(documents.ids), "lr_text": pa.array(documents.ids)}
    vectors = pa.array(documents.vectors.tolist(), pa.list_(pa.float32()))
    return pa.table({**columns, "lr_vector": vectors}).to_batches(max_chunksize=size)


def answers(asked, documents, k, size):
    """Ids and scores for each question, of one partition."""
    compiled = [ProgramCompiler().compile(**one.arguments, k=k) for one in asked]
    texts = np.concatenate([one.parameters["vectors"] for one in compiled])
    places = np.split(np.arange(len(texts)), np.cumsum([len(one.texts) for one in compiled])[:-1])
    requests = [(one.statement, rows, k) for one, rows in zip(compiled, places, strict=True)]
    [found] = best_of_partition(requests, texts)(iter(batches(documents, size)))
    rows = found.to_pylist()
    return [
        [(row["lr_id"], row["lr_score"]) for row in rows if row["lr_question"] == number]
        for number in range(len(asked))
    ]


@pytest.mark.parametrize("size", [1, 7, 100])
def test_generated_queries(size):
    documents = corpus()
    asked = [one for name in SEMANTICS for one in questions(name, 5, documents)]
    for one, found in zip(asked, answers(asked, documents, 12, size), strict=True):
        assert_true_answer(found, one, documents, 12)


def test_vectors_of_another_dimension_are_refused():
    asked = ask(parse("a AND NOT b"), ProductSemantics(), corpus())
    compiled = ProgramCompiler().compile(**asked.arguments, k=3)
    find = best_of_partition([(compiled.statement, [0, 1], 3)], np.eye(2, 5, dtype=np.float32))
    with pytest.raises(ValueError, match="dimension 5 were to be compared with one of 8"):
        list(find(iter(batches(corpus(), 100))))


def test_a_worker_without_this_package_can_run_it(tmp_path):
    cloudpickle = pytest.importorskip("pyspark.cloudpickle", reason="pyspark is not installed")
    from logical_retriever.stores import spark_scores

    cloudpickle.register_pickle_by_value(spark_scores)
    find = best_of_partition([((0, 1.0, 1, "subtract", "multiply"), [0, 1], 1)], np.eye(2, dtype=np.float32))
    (tmp_path / "job").write_bytes(cloudpickle.dumps(find))
    code = (
        "import pickle, sys\nimport pyarrow as pa\n"
        "sys.modules['logical_retriever'] = None\n"
        "job = pickle.load(open(sys.argv[1], 'rb'))\n"
        "vectors = pa.array([[1.0, 1.0], [2.0, 0.0]], pa.list_(pa.float32()))\n"
        "batch = pa.RecordBatch.from_arrays([pa.array([5, 6]), pa.array(['5', '6']), vectors], "
        "['lr_id', 'lr_text', 'lr_vector'])\n"
        "print(next(job(iter([batch]))).to_pylist())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "job"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "[{'lr_question': 0, 'lr_id': 6, 'lr_text': '6', 'lr_score': 1.0}]\n"
