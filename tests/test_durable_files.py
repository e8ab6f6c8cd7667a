from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from crawler.durable.files import (
    WriterLock,
    atomic_folder,
    atomic_path,
    make_folder,
    temporary,
    write_atomic,
)
from crawler.errors import InputError
from tests.conftest import ROOT


def test_written_whole(tmp_path):
    path = tmp_path / "file"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def write_half():
        with atomic_path(path) as unfinished:
            unfinished.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_library_that_does_not_say_what_it_could_not_write(tmp_path):
    path = tmp_path / "file"
    with (
        pytest.raises(OSError, match=r"\[Errno 28\] No space left on device: '.*/file'"),
        atomic_path(path),
    ):
        raise OSError(errno.ENOSPC, "Error writing bytes to file")


WRITER = """
import sys
from pathlib import Path
from crawler.durable import files
with getattr(files, sys.argv[1])(Path(sys.argv[2])) as unfinished:
    print("begun", flush=True)
    sys.stdin.read()
    path = unfinished / "part" if unfinished.is_dir() else unfinished
    path.write_text("first")
"""


@contextmanager
def first_writer(way, path):
    """Yield a process that has begun to write *path* in this *way*, and ends when it is asked to or killed."""
    command = [sys.executable, "-c", WRITER, way.__name__, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as process:
        assert process.stdout.readline() == b"begun\n"
        yield process


@pytest.mark.parametrize("way", [atomic_path, atomic_folder])
def test_what_another_process_writes_is_left_to_it(tmp_path, way):
    path = tmp_path / "written"
    told = f"another process is writing {path}"
    with first_writer(way, path) as first, pytest.raises(InputError, match=told), way(path):
        raise AssertionError("both write it")
    assert first.returncode == 0
    assert (path / "part" if path.is_dir() else path).read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("way", [atomic_path, atomic_folder])
def test_what_a_killed_writer_left_is_in_no_ones_way(tmp_path, way):
    path = tmp_path / "written"
    with first_writer(way, path) as first:
        if way is atomic_folder:
            (temporary(path) / "part").write_text("half")
        first.kill()
    with way(path) as unfinished:
        if way is atomic_path:
            unfinished.write_text("new")
    assert list(tmp_path.iterdir()) == [path]
    assert not path.is_dir() or not list(path.iterdir())


def test_one_writer(tmp_path):
    lock = WriterLock(tmp_path)
    with pytest.raises(InputError, match="another process is crawling"):
        WriterLock(tmp_path)
    lock.release()
    lock.release()
    WriterLock(tmp_path).release()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot make the folder"):
        make_folder(tmp_path / "file" / "folder")


def test_no_device_or_pipe_is_replaced(tmp_path):
    """As root, ``--output /dev/null`` made a file of it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    link = tmp_path / "link"
    link.symlink_to(path)
    for each in (path, link):
        with pytest.raises(InputError, match="a device or a pipe"):
            write_atomic(each, b"new")
    assert path.is_fifo()
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]
