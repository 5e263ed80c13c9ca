"""Engines that the tests of several rooms share."""

import pytest
from spark_cluster import JAVA_SINCE, java_version, spark_cluster

SPARK = {
    "spark.sql.adaptive.enabled": "false",
    # Compiling Java for statements that run once over sixty rows would take longer than all else.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="module")
def spark(start_spark):
    """A real Spark: a driver and two worker processes."""
    yield from start_spark(2)


@pytest.fixture(scope="module")
def start_spark():
    """A function that starts a real Spark of so many worker processes; of none, where the driver computes alone."""
    return started


def started(workers):
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if java_version() < JAVA_SINCE:
        pytest.skip(f"Spark 4 needs Java {JAVA_SINCE} or newer")
    # Quick starts rather than quick code.
    settings = SPARK | {"spark.sql.shuffle.partitions": str(max(workers, 1))}
    with spark_cluster(workers, settings=settings, java="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC") as session:
        yield session
