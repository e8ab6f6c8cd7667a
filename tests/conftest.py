"""What the tests share: the real commands, a served sample web, and one crawled corpus a session."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import pickle
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import settings

from tests import compiled_once, forked_commands  # noqa: F401

# The first example of a test may compile a kernel. Each run draws other examples; `make test-long`, with
# --hypothesis-profile=many, more of them.
settings.register_profile("winnow", deadline=None, max_examples=25)
settings.register_profile("many", deadline=None, max_examples=400)
settings.load_profile("winnow")

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

# A disk in memory: what commits waits there for no disk, which on a busy machine takes longer than most tests. Where
# it has less room than a run writes, several times over, files go where temporary files do.
MEMORY_DISK = Path("/dev/shm")
ROOM_BYTES = 4 * 2**30

# The small sample web of the end-to-end tests: all templates and all sins, in a few hundred pages.
SMALL_WEB = ("--hosts", "16", "--pages", "240")


def scrapy_environment(profile: str = "local") -> dict[str, str]:
    return {**os.environ, "SCRAPY_PROJECT": profile, "PYTHONWARNINGS": "default"}


def scrapy_command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "scrapy", *map(str, arguments)]


def run_scrapy(*arguments, profile="local", cwd=ROOT, timeout=240, stdin="", before=None):
    """Run a scrapy command of the project to its end; return the completed process.

    *before* is called in its process first (tests/before_commands.py).
    """
    environment = scrapy_environment(profile)
    return forked_commands.complete(
        [*map(str, arguments)], cwd, environment, timeout=timeout, stdin=stdin, before=before
    )


def start_scrapy(*arguments, log=None, before=None):
    """Start a scrapy command of the project; return it as it runs (tests/forked_commands.py).

    *before* is called in its process first (tests/before_commands.py).
    """
    return forked_commands.Running(
        [*map(str, arguments)], ROOT, scrapy_environment(), log=log, before=before
    )


def start_python(*arguments):
    """Start ``python`` with *arguments* and an input; return it as it runs (tests/forked_commands.py)."""
    return forked_commands.RunningPython([*map(str, arguments)], ROOT, dict(os.environ))


@contextlib.contextmanager
def served_web(folder: Path, *options: str):
    """Serve a sample web on loopback; yield the folder that holds its seeds and hosts file."""
    arguments = ["sampleweb", "--folder", str(folder), *options]
    streams = [Path(os.devnull)] * 3
    # One that an earlier server left says nothing of this one.
    (folder / "hosts.tsv").unlink(missing_ok=True)
    server = forked_commands.start(arguments, ROOT, scrapy_environment(), streams)
    try:
        deadline = time.monotonic() + 60
        while not (folder / "hosts.tsv").exists():
            assert server.is_alive(), "the sample web ended before it served"
            assert time.monotonic() < deadline, "the sample web did not start"
            time.sleep(0.05)
        yield folder
    finally:
        server.terminate()
        server.join(30)


def crawl_arguments(web: Path, corpus: Path) -> list[str]:
    """The arguments of the crawl of *web* into *corpus*."""
    return [
        *("crawl", "odp", "-a", f"seeds={web / 'seeds.rdf'}"),
        *("-s", f"CORPUS_DIR={corpus}", "-s", f"HOSTS_FILE={web / 'hosts.tsv'}", "--nolog"),
    ]


def crawl_small(folder):
    """Crawl the small web into *folder*, once; return the completed process."""
    if not (folder / "done").exists():
        with served_web(folder / "web", *SMALL_WEB) as web:
            done = subprocess.run(
                scrapy_command(*crawl_arguments(web, folder / "corpus")),
                cwd=ROOT,
                env=scrapy_environment(),
                capture_output=True,
                text=True,
                check=False,
            )
        (folder / "done").write_bytes(pickle.dumps(done))
    return pickle.loads((folder / "done").read_bytes())


# Files that last long: one that began last would keep the run from ending.
LONGEST = (
    *("test_spark_engines.py", "test_fleet_cluster_crawl.py", "test_extension_compiled_kernels.py"),
    *("test_kill.py", "test_foreign_parts.py", "test_fleet_crawl.py", "test_hostile_deadlines.py"),
    *("test_crawl_ends.py", "test_fleet_left_rows.py", "test_command_laws.py", "test_recrawl.py"),
)


def pytest_configure(config):
    """Have workers fork one process; and the collector of garbage wait until all is collected: it stays.

    Files of tests are in memory, where there is room.
    Linear algebra has one thread, in what workers start too: others spin while there is nothing for them to do.
    """
    if hasattr(config, "workerinput"):
        gc.disable()
    elif config.getoption("numprocesses", None):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        is_there = os.access(MEMORY_DISK, os.W_OK)
        if is_there and shutil.disk_usage(MEMORY_DISK).free >= ROOM_BYTES:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY_DISK))
        forked_commands.share()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Have each worker of a run begin at other files: what one has rewritten and compiled, the others find."""
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")[2:]
    if worker and collector.path == Path(__file__).parent:
        first = len(report.result) * int(worker) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        report.result = report.result[first:] + report.result[:first]
    return report


def pytest_collection_modifyitems(config, items):
    """Order the files for the workers of a run: the longest first, then crawls, which wait, among what computes.

    By name, the crawls would come together, and the processors would wait with them.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _place(item.path))


def _place(path):
    later = len(LONGEST)
    place = LONGEST.index(path.name) if path.name in LONGEST else later
    return place, zlib.crc32(str(path.relative_to(ROOT)).encode())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Have workers send no names of what a test that passed is part of, three times a test: nobody reads them."""
    report = yield
    if report.passed and hasattr(item.config, "workerinput"):
        report.keywords = {}
    return report


def pytest_collection_finish(session):
    """Have the collector of garbage leave out what was collected and imported: it stays; and come less often."""
    if hasattr(session.config, "workerinput"):
        gc.set_threshold(20_000, 10, 20)
        gc.enable()
        gc.collect()
        gc.freeze()


def pytest_make_parametrize_id(val):
    """Name what is packed by its place: the workers collect apart, and gzip writes the time of day."""
    return "packed" if isinstance(val, bytes) and val[:2] == b"\x1f\x8b" else None


@pytest.fixture(scope="session")
def small_crawl(tmp_path_factory):
    """(web folder, corpus folder, completed crawl) of one uninterrupted crawl of the small web.

    The workers of a run crawl once between them; each has a copy, which its tests may change.
    """
    own = tmp_path_factory.mktemp("small") / "crawl"
    if "PYTEST_XDIST_WORKER" not in os.environ:
        own.mkdir()
        done = crawl_small(own)
    else:
        folder = tmp_path_factory.getbasetemp().parent / "small-crawl"
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = crawl_small(folder)
        shutil.copytree(folder, own)
    assert done.returncode == 0, done.stderr
    return own / "web", own / "corpus", done


@pytest.fixture(scope="session")
def shared():
    """The folder of real data beside the project."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared, which is not part of the project")
    return SHARED
