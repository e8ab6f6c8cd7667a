"""The Spark engines at other sizes, and with code that the executors do not have."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.webgraph.large_web import LargeWeb, WebShape
from tests.conftest import ROOT
from tests.spark_session import MASTER, linked_home, spark

__all__ = ["spark"]
pytestmark = pytest.mark.long

# Prints where the executors have the code from, and the largest difference to the local engine.
SHIPPED = """
import sys
from crawler.ranking.methods import pagerank
from crawler.ranking.options import RankOptions
from crawler.ranking.cluster.spark import spark_context, spark_pagerank
from tests.ranking_graphs import random_graph
from tests.spark_session import MASTER, SETTINGS
master = sys.argv[1]
graph, options = random_graph(1), RankOptions(alpha=0.6, tolerance=1e-11)
with spark_context(master, SETTINGS, ship=True if master == MASTER else None) as context:
    where = context.parallelize([0], 1).map(lambda _: __import__("crawler").__file__).collect()
    result = spark_pagerank(graph, options, n_partitions=3)
print(where[0], abs(result.rank - pagerank(graph, options).rank).max())
"""


@pytest.mark.parametrize("dangling", ["redistribute", "drop", "self"])
@pytest.mark.parametrize("n_partitions", [1, 8, 16])
def test_ranks_of_a_larger_web(spark, n_partitions, dangling):
    from crawler.ranking.cluster.spark import spark_pagerank

    graph = LargeWeb(WebShape.large(200_000, dangling=0.1)).host_graph()
    options = RankOptions(tolerance=1e-13, dangling=dangling)
    result = spark_pagerank(graph, options, n_partitions=n_partitions)
    assert np.abs(result.rank - pagerank(graph, options).rank).max() < 1e-9


def check_shipped(home, master):
    """Rank at *master* with code that was sent, from a process of its own."""
    environment = {"SPARK_HOME": str(home), "PYTHONPATH": str(ROOT), "SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [sys.executable, "-c", SHIPPED, master],
        env={**os.environ, **environment, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    where, difference = run.stdout.split()
    assert where.startswith(str(home / "work"))
    assert float(difference) < 1e-9


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return linked_home(folder)


def test_executors_take_the_code_that_they_are_sent(home):
    check_shipped(home, MASTER)


@contextlib.contextmanager
def started(home, log, *arguments):
    """Run a daemon of Spark with its log in *log*."""
    command = [
        str(home / "bin/spark-class"),
        *arguments,
        "--host",
        "127.0.0.1",
        "--webui-port",
        "0",
    ]
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    with (
        log.open("w") as file,
        subprocess.Popen(command, env=environment, stdout=file, stderr=file) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def address_in(log):
    """The address that a master tells in its *log*."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if found := re.search(r"spark://127\.0\.0\.1:\d+", log.read_text()):
            return found[0]
        time.sleep(0.2)
    raise AssertionError(log.read_text())


def test_a_standalone_master_and_its_worker(home, tmp_path):
    deploy = "org.apache.spark.deploy"
    log = tmp_path / "master.log"
    with started(home, log, f"{deploy}.master.Master", "--port", "0"):
        address = address_in(log)
        worker = (f"{deploy}.worker.Worker", "--cores", "2", "--memory", "2g", address)
        with started(home, tmp_path / "worker.log", *worker):
            check_shipped(home, address)


def test_no_master_is_one_line(tmp_path):
    code = (
        "from crawler.errors import InputError\n"
        "from crawler.ranking.cluster.spark import spark_context\n"
        "try:\n"
        "    with spark_context('spark:/nowhere'): pass\n"
        "except InputError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.count("\n") == 1
    assert run.stdout.startswith("no Spark at spark:/nowhere (")
