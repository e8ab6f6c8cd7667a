"""One Spark cluster for all tests of a process: two executors, each its own process, on loopback.

``local-cluster`` starts a master, two workers and their executors. They write to ``work/`` of Spark's
home, so that is a folder of links to the installed one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

MASTER = "local-cluster[2,1,2048]"
# Nothing here runs long enough for the better compiler and the collector of many threads.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = (
    ("spark.executor.memory", "1g"),
    ("spark.driver.memory", "1g"),
    ("spark.driver.extraJavaOptions", _JAVA),
    ("spark.executor.extraJavaOptions", _JAVA),
)


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """The context that `crawler.ranking.spark.spark_context` yields within; skipped without Java."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java here: Spark cannot run")
    from crawler.ranking.spark import spark_context

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(linked_home(tmp_path_factory.mktemp("spark-home"))))
        with spark_context(MASTER, SETTINGS) as context:
            yield context


def linked_home(folder: Path) -> Path:
    """Make *folder* a home of Spark whose files are links to those of the installed one."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    for path in Path(pyspark.__file__).parent.iterdir():
        if path.name not in {"work", "__pycache__"}:
            (folder / path.name).symlink_to(path)
    return folder
