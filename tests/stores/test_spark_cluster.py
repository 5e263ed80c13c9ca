"""Scores on Spark, in four worker processes beside the driver."""

import pytest
from compiler_corpus import ask, assert_true_answer, corpus, engine_scores
from spark_frames import store_over

from logical_retriever.query import parse
from logical_retriever.stores import ScoreExpression

pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.engines
WORKERS = 4


@pytest.fixture(scope="module")
def spark(start_spark):
    yield from start_spark(WORKERS)


@pytest.mark.parametrize("values", [pa.float32(), pa.float64()], ids=str)
def test_scores_are_computed_by_several_processes_and_cosines_once(spark, values):
    documents = corpus()
    columns = {"id": pa.array(documents.ids), "vector": pa.array(documents.vectors.tolist(), pa.list_(values))}
    frame = spark.createDataFrame(pa.table({**columns, "text": columns["id"]})).repartition(WORKERS).cache()
    # Memory is kept per executor; the driver's is among them and runs nothing.
    assert spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == WORKERS + 1
    asked, store = ask(parse("(a OR b) AND NOT c"), documents), store_over(frame)
    assert_true_answer(engine_scores(store, asked, 20), asked, documents, 20)
    expression = ScoreExpression(asked.formula, asked.vectors)
    statement, parameters = store.compiler.by_score(expression, 20, store.within)
    plan = spark.sql(f"EXPLAIN {statement}", args=parameters).collect()[0][0]
    assert plan.count("vector_cosine_similarity") == 3, plan
