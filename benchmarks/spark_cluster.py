"""A Spark of several worker processes on this machine, for as long as tests or measurements need it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

JAVA_SINCE = 17
"""Oldest Java that Spark 4 runs on."""
SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def java_version() -> int:
    """Major version of the Java that Spark would start; 0 where there is none."""
    if shutil.which("java") is None:
        return 0
    said = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr
    return int(said.split('"')[1].split(".")[0]) if '"' in said else 0


@contextmanager
def spark_cluster(
    workers: int, *, memory_mb: int = 512, settings: Mapping[str, str] | None = None, java: str = ""
) -> Iterator[Any]:
    """Start a driver and worker processes of one core each; needs pyspark and Java 17.

    Args:
        workers: Processes beside the driver; with 0 it computes everything itself, in one thread and a third of the
            time that small statements take otherwise.
        memory_mb: Memory of each, in MiB.
        settings: Of Spark, beside or in place of those that keep it on this machine and quiet.
        java: Options of all its Java processes.

    Yields:
        The ``SparkSession``.
    """
    import pyspark
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory(prefix="spark") as name:
        folder = Path(name)
        (folder / "log4j2.properties").write_text("rootLogger.level = off\n")
        # Workers keep their files in a folder of Spark's own, which is where the package was installed.
        (folder / "home").mkdir()
        for part in ("bin", "jars"):
            (folder / "home" / part).symlink_to(Path(pyspark.__file__).parent / part)
        with _environment(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, SPARK_HOME=str(folder / "home")):
            chosen = {
                **SETTINGS,
                "spark.executor.memory": f"{memory_mb}m",
                "spark.sql.warehouse.dir": str(folder / "warehouse"),
                **({} if settings is None else settings),
            }
            options = f"{java} -Dlog4j2.configurationFile={folder / 'log4j2.properties'}".strip()
            builder: Any = SparkSession.builder
            builder = builder.master(f"local-cluster[{workers},1,{memory_mb}]" if workers else "local[1]").appName(
                "logical-retriever"
            )
            for key, value in chosen.items():
                builder = builder.config(key, value)
            for process in ("driver", "executor"):
                builder = builder.config(f"spark.{process}.extraJavaOptions", options)
            session = builder.getOrCreate()
            try:
                yield session
            finally:
                session.stop()
                _end_java()


def _end_java() -> None:
    """End the driver's Java process, which outlives its session and would serve the next one with these settings."""
    from pyspark import SparkContext

    context: Any = SparkContext
    gateway = context._gateway  # there is no public way to it
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=60)
    context._gateway = context._jvm = None


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
