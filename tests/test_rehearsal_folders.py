"""Folders that rehearsals of kernels leave behind when processes are killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.addon import Winnow
from crawler.extensions.compiled_kernels import mark_of, wanted_kernels
from crawler.rehearsal_folders import PREFIX, hold, rehearsal_folder, remove_left_over
from tests.conftest import ROOT, start_scrapy


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, also of the processes that are started."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def left(temporary):
    # The server of the tests' forks has a folder there if it is started meanwhile.
    names = (path.name for path in temporary.iterdir())
    return sorted(name for name in names if not name.startswith("pymp-"))


def test_a_folder_is_gone_with_its_block(temporary):
    with rehearsal_folder() as (folder, _):
        (folder / "journal").write_bytes(b"x")
        remove_left_over()
        assert left(temporary) == [folder.name]
    assert left(temporary) == []


def test_what_nobody_holds_is_removed_and_nothing_else(temporary):
    held, free = temporary / f"{PREFIX}held", temporary / f"{PREFIX}free"
    others = [temporary / name for name in ("winnow-fleet-1", "rehearsal", "elsewhere")]
    for folder in (held, free, *others):
        (folder / "corpus").mkdir(parents=True)
    (temporary / f"{PREFIX}file").write_text("no folder")
    (temporary / f"{PREFIX}link").symlink_to(others[2])
    descriptor = hold(held)
    remove_left_over()
    assert not free.exists()
    assert held.exists()
    assert all((folder / "corpus").exists() for folder in others)
    assert len(left(temporary)) == 6
    os.close(descriptor)
    remove_left_over()
    assert not held.exists()
    assert hold(held) is None


HOLDS = """
import sys
from crawler.rehearsal_folders import rehearsal_folder
with rehearsal_folder() as (folder, _):
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_many_that_make_and_remove_at_once_have_theirs(temporary):
    """Each of some processes makes and leaves folders while the others remove what is left over."""
    code = """
import os
from crawler.rehearsal_folders import rehearsal_folder, remove_left_over
for _ in range(200):
    with rehearsal_folder() as (folder, _):
        (folder / "file").write_text("x")
        remove_left_over()
        assert (folder / "file").read_text() == "x"
"""
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert left(temporary) == []


def test_a_folder_of_a_killed_process_is_left_over(temporary):
    command = [sys.executable, "-c", HOLDS]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **streams) as process:
        folder = Path(process.stdout.readline().strip())
        remove_left_over()
        assert folder.exists()
        process.kill()
    assert folder.exists()
    remove_left_over()
    assert not folder.exists()


def start_crawl(folder, words):
    """Start a crawl that waits for kernels which no other one needs; return it when it does."""
    wanted = Settings({"DEDUP_SHINGLE_WORDS": words})
    Winnow().update_settings(wanted)
    mark_of(wanted_kernels(wanted)).unlink(missing_ok=True)
    (folder / "seeds.txt").write_text("http://a.test/\n")
    asked = ("-s", f"CORPUS_DIR={folder}/corpus", "-s", f"DEDUP_SHINGLE_WORDS={words}", "--nolog")
    crawl = start_scrapy("crawl", "odp", "-a", f"seeds={folder}/seeds.txt", *asked)
    assert crawl.stderr.readline().startswith("Compiling the kernels of a crawl once")
    return crawl


def compiling_for(process):
    """Return the processes that compile for *process*; one that is but forked still has its files, and their locks."""
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if _parent_of(path) == process.pid and _compiles(path)
    ]


def _compiles(stat):
    with contextlib.suppress(OSError):
        return b"crawler.rehearsal" in stat.with_name("cmdline").read_bytes()
    return False


def _holds(pid):
    """Tell whether the process *pid*, which was killed, may still have files."""
    with contextlib.suppress(OSError):
        return bool(list(Path(f"/proc/{pid}/fd").iterdir()))
    return False


def _parent_of(stat):
    with contextlib.suppress(OSError):
        return int(stat.read_text().rpartition(")")[2].split()[1])
    return None


def test_the_next_crawl_removes_what_a_killed_one_left(tmp_path, temporary):
    crawl = start_crawl(tmp_path, "12")
    deadline = time.monotonic() + 60
    while not (compiling := compiling_for(crawl)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    crawl.kill()
    crawl.communicate()
    remove_left_over()
    (folder,) = left(temporary)  # what compiles lives
    for pid in compiling:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    while any(map(_holds, compiling)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    crawl = start_crawl(tmp_path, "13")
    names = left(temporary)
    crawl.send_signal(signal.SIGINT)
    crawl.communicate(timeout=60)
    assert folder not in names
    assert left(temporary) == []


WAITS = """
import sys, time
from pathlib import Path
from crawler.rehearsal import ends_without
with ends_without(Path(sys.argv[1])):
    print("waits", flush=True)
    time.sleep(120)
"""


@pytest.mark.slow
def test_a_rehearsal_ends_when_its_folder_goes(tmp_path):
    """Whoever cleans up temporary files may take that of one whose crawl was killed; others wait for it to end."""
    folder = tmp_path / "folder"
    folder.mkdir()
    command = [sys.executable, "-c", WAITS, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as rehearsal:
        assert rehearsal.stdout.readline() == "waits\n"
        assert rehearsal.poll() is None
        folder.rmdir()
        assert rehearsal.wait(timeout=60) == 1
