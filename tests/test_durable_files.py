from __future__ import annotations

import errno

import pytest

from crawler.durable.files import WriterLock, atomic_path, make_folder, write_atomic
from crawler.errors import InputError


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
