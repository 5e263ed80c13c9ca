"""Engines that the tests of several rooms share."""

import pytest
from spark_cluster import JAVA_SINCE, java_version, spark_cluster

SPARK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    # Compiling Java for statements that run once over sixty rows would take longer than all else.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="module")
def spark():
    """A real Spark: a driver and two worker processes."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if java_version() < JAVA_SINCE:
        pytest.skip(f"Spark 4 needs Java {JAVA_SINCE} or newer")
    # Quick starts rather than quick code.
    with spark_cluster(2, settings=SPARK, java="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC") as session:
        yield session
