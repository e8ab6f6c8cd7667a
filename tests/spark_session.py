"""One Spark cluster for all tests of a process: executors, each its own process, on loopback.

``local-cluster`` starts a master, workers and their executors. They write to ``work/`` of Spark's
home, so that is a folder of links to the installed one.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

MASTER = "local-cluster[2,1,2048]"
# For `make test`: as many processes of Python in one executor. The start of each executor takes ten seconds
# of a processor, and that they exchange what is sent is Spark's own part.
QUICK_MASTER = "local[2]"
# Nothing here runs long enough for the better compiler and the collector of many threads; and what is loaded
# is what is installed.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_JAVA += " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
SETTINGS = (
    ("spark.executor.memory", "1g"),
    ("spark.driver.memory", "1g"),
    ("spark.driver.extraJavaOptions", _JAVA),
    ("spark.executor.extraJavaOptions", _JAVA),
)


@pytest.fixture(scope="session")
def spark(pytestconfig, tmp_path_factory):
    """The context that `crawler.ranking.cluster.spark.spark_context` yields within; skipped without Java."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("no Java here: Spark cannot run")
    from crawler.ranking.cluster.spark import spark_context

    master = QUICK_MASTER if pytestconfig.option.markexpr == "not long" else MASTER
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", str(linked_home(tmp_path_factory.mktemp("spark-home"))))
        with spark_context(master, SETTINGS) as context:
            yield context


def linked_home(folder: Path) -> Path:
    """Make *folder* a home of Spark whose files are links to those of the installed one."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    for path in Path(pyspark.__file__).parent.iterdir():
        if path.name not in {"work", "__pycache__"}:
            (folder / path.name).symlink_to(path)
    return folder
