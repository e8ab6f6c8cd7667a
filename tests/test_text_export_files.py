"""Exports in several files, and packed ones: the same documents, each file whole, none of an earlier export left."""

from __future__ import annotations

import errno
import gzip
import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.items import Page
from pipelines.jobs.text_export.files import write_files
from tests.conftest import ROOT
from tests.graph_commands import run_command
from tests.laws_corpus import AT, url, write_pages

N = 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pages = [
        Page(1, i, url(i), "a.com", AT, 200, language="en", blocks=[], text=f"Text {i}", n_words=2)
        for i in range(N)
    ]
    folder = tmp_path_factory.mktemp("corpus")
    write_pages(folder, pages)
    return folder


def export(folder, output, *options):
    done = run_command("export", "--corpus", folder, "--output", output, *options, "--json")
    assert done.code == 0, done.errors
    return json.loads(done.out)


def unpacked(path):
    if path.suffix == ".zst":
        return pa.CompressedInputStream(str(path), "zstd").read()
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.mark.parametrize(("packing", "end"), [("none", ""), ("gzip", ".gz"), ("zstd", ".zst")])
@pytest.mark.parametrize(("most", "sizes"), [("3", [3, 3, 1]), ("7", [7]), ("0", [7])])
def test_files_hold_the_documents_in_their_order(folder, tmp_path, packing, end, most, sizes):
    options = ("--format", "jsonl", "--compress", packing, "--part-documents", most)
    report = export(folder, tmp_path, *options)
    names = [f"documents-{n:05}.jsonl{end}" for n in range(len(sizes))]
    if most == "0":
        names = [f"documents.jsonl{end}"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert (report["files"], report["documents"]) == (len(sizes), N)
    whole = b"".join(unpacked(tmp_path / name) for name in names)
    found = [unpacked(tmp_path / name).count(b"\n") for name in names]
    assert found == sizes
    assert [json.loads(line)["url"] for line in whole.splitlines()] == [url(i) for i in range(N)]


def test_parquet_in_files(folder, tmp_path):
    report = export(folder, tmp_path, "--format", "parquet", "--part-documents", "4")
    assert report["file"] == str(tmp_path / "documents-*.parquet")
    tables = [pq.read_table(path) for path in sorted(tmp_path.iterdir())]
    assert [len(table) for table in tables] == [4, 3]
    assert pa.concat_tables(tables)["url"].to_pylist() == [url(i) for i in range(N)]


def test_what_an_export_into_more_files_left_is_removed(folder, tmp_path):
    for others in ("documents.jsonl.gz", "documents-00009.txt", "documents-x.jsonl"):
        (tmp_path / others).touch()
    export(folder, tmp_path, "--format", "jsonl", "--part-documents", "1")
    assert len(list(tmp_path.glob("documents-0*.jsonl"))) == N
    report = export(folder, tmp_path, "--format", "jsonl", "--part-documents", "4")
    assert report["files"] == 2
    assert len(list(tmp_path.glob("documents-0*.jsonl"))) == 2
    assert len(list(tmp_path.iterdir())) == 5


def test_an_export_in_one_file_and_one_in_several_take_each_other_s_place(folder, tmp_path):
    (tmp_path / "documents-x.jsonl").touch()
    for most, names in (("0", [""]), ("4", ["-00000", "-00001"]), ("0", [""])):
        export(folder, tmp_path, "--format", "jsonl", "--part-documents", most)
        left = {path.name for path in tmp_path.iterdir()}
        assert left == {"documents-x.jsonl", *(f"documents{name}.jsonl" for name in names)}


def test_no_documents_make_one_file(folder, tmp_path):
    options = ("--format", "jsonl", "--min-words", "99", "--part-documents", "2")
    assert export(folder, tmp_path, *options)["files"] == 1
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [0]


KILLED = """
import sys, time
from pathlib import Path
import pyarrow as pa
from pipelines.jobs.text_export.files import write_files

def write(part, path):
    path.write_text("new")
    if path.name == "documents-00001.x":
        print("begun", flush=True)
        time.sleep(600)

write_files([pa.record_batch({"n": [1, 2, 3]})], Path(sys.argv[1]), ".x", 1, write)
"""


def test_a_killed_export_leaves_the_files_of_the_one_before(tmp_path):
    def write(part, path):
        path.write_text(str([n for batch in part for n in batch["n"].to_pylist()]))

    def files():
        return {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()}

    batch = pa.record_batch({"n": [1, 2]})
    write_files([batch], tmp_path, ".x", 1, write)
    before = files()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as killed:
        assert killed.stdout.readline() == "begun\n"
        killed.kill()
    assert files() == before == {"documents-00000.x": "[1]", "documents-00001.x": "[2]"}
    write_files([batch], tmp_path, ".x", 2, write)
    assert files() == {"documents-00000.x": "[1, 2]"}
    assert [path.name for path in tmp_path.iterdir()] == ["documents-00000.x"]


KILLED_IN_MOVING = """
import os, sys
from pathlib import Path
import pyarrow as pa
from pipelines.jobs.text_export.files import write_files

folder, most, left = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

def kill_at_the_last(event, args):
    global left
    if event in {"os.rename", "os.remove", "os.rmdir"}:
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)

def write(part, path):
    path.write_text("new" + str([n for batch in part for n in batch["n"].to_pylist()]))

sys.addaudithook(kill_at_the_last)
write_files([pa.record_batch({"n": range(3)})], folder, ".x", most, write)
"""


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1, 2])
def test_an_export_that_is_killed_while_its_files_take_their_places_is_ended_by_the_next(
    tmp_path, first
):
    """Files of both were there, and the rest of the new ones was thrown away."""

    def write(part, path):
        path.write_text(str([n for batch in part for n in batch["n"].to_pylist()]))

    def write_nothing(part, path):
        raise OSError(errno.ENOSPC, "No space left on device")

    def texts(folder):
        return [path.read_text() for path in sorted(folder.iterdir()) if path.is_file()]

    for moment in range(1, 30):
        folder = tmp_path / str(moment)
        write_files([pa.record_batch({"n": range(5)})], folder, ".x", first, write)
        before = texts(folder)
        command = [sys.executable, "-c", KILLED_IN_MOVING, str(folder), "1", str(moment)]
        killed = subprocess.run(command, cwd=ROOT, check=False)
        if not killed.returncode:
            break
        with pytest.raises(InputError, match="No space left"):
            write_files([pa.record_batch({"n": [0]})], folder, ".x", 1, write_nothing)
        assert texts(folder) in (before, ["new[0]", "new[1]", "new[2]"])
        assert not [path for path in folder.iterdir() if path.is_dir()]
    assert moment > 4
    assert texts(folder) == ["new[0]", "new[1]", "new[2]"]


def test_files_that_cannot_take_their_places_are_kept(tmp_path):
    def write(part, path):
        path.write_text(str([n for batch in part for n in batch["n"].to_pylist()]))

    batch = pa.record_batch({"n": range(3)})
    (tmp_path / "documents-00001.x" / "in the way").mkdir(parents=True)
    with pytest.raises(InputError, match=r"cannot move all files of .*documents-parts\.x to"):
        write_files([batch], tmp_path, ".x", 1, write)
    (tmp_path / "documents-00001.x" / "in the way").rmdir()
    (tmp_path / "documents-00001.x").rmdir()
    with pytest.raises(ZeroDivisionError):
        write_files([batch], tmp_path, ".x", 1, lambda part, path: 1 / 0)
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts == {f"documents-0000{n}.x": f"[{n}]" for n in range(3)}
    (tmp_path / "documents-parts.x").mkdir()
    write_files([batch], tmp_path, ".x", 0, write)
    assert [path.name for path in tmp_path.iterdir()] == ["documents.x"]


def write_numbers(part, path):
    path.write_text(str([n for batch in part for n in batch["n"].to_pylist()]))


def texts_of(folder):
    return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("most", [0, 1])
def test_a_folder_of_somebody_else_is_left_alone(tmp_path, most):
    """Its files were moved out of it or removed, and the files of the export before removed with them."""
    batches = [pa.record_batch({"n": range(3)})]
    write_files(batches, tmp_path, ".x", 1, write_numbers)
    (tmp_path / "documents-parts.x").mkdir()
    (tmp_path / "documents-parts.x" / "mine").write_text("mine")
    before = texts_of(tmp_path)
    with pytest.raises(InputError, match=r"documents-parts\.x to .* \(Directory not empty\)"):
        write_files(batches, tmp_path, ".x", most, write_numbers)
    assert texts_of(tmp_path) == before


def test_an_export_in_one_file_first_ends_one_in_parts_that_was_killed(tmp_path):
    """It threw the rest of the new files away; of one that failed, those of two exports stayed."""
    batches = [pa.record_batch({"n": range(3)})]
    write_files(batches, tmp_path, ".x", 1, write_numbers)
    (tmp_path / "documents-parts.x").mkdir()
    for number in (2, 3):
        (tmp_path / "documents-parts.x" / f"documents-0000{number}.x").write_text("new")
    with pytest.raises(ZeroDivisionError):
        write_files(batches, tmp_path, ".x", 0, lambda part, path: 1 / 0)
    assert texts_of(tmp_path) == {
        f"documents-0000{number}.x": text
        for number, text in enumerate(["[0]", "[1]", "new", "new"])
    }
    write_files(batches, tmp_path, ".x", 0, write_numbers)
    assert texts_of(tmp_path) == {"documents.x": "[0, 1, 2]"}


def test_a_folder_with_the_name_of_a_part_is_no_part(tmp_path):
    """An export in one file ended with IsADirectoryError behind it."""
    (tmp_path / "documents-00003.x").mkdir()
    for most in (0, 1):
        write_files([pa.record_batch({"n": range(2)})], tmp_path, ".x", most, write_numbers)
        assert (tmp_path / "documents-00003.x").is_dir()


@given(st.lists(st.integers(0, 6), max_size=8), st.integers(1, 7))
def test_any_batches_in_parts(tmp_path_factory, sizes, most):
    numbers = iter(range(100))
    batches = [
        pa.record_batch({"n": pa.array([next(numbers) for _ in range(size)], pa.int64())})
        for size in sizes
    ]
    parts = []

    def write(part, path):
        parts.append([n for batch in part for n in batch["n"].to_pylist()])
        path.touch()

    n_files = write_files(iter(batches), tmp_path_factory.mktemp("parts"), ".x", most, write)
    total = list(range(sum(sizes)))
    expected = [total[first : first + most] for first in range(0, len(total), most)] or [[]]
    assert (parts, n_files) == (expected, len(expected))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--format", "jsonl", "--compress", "bz2"), "--compress is 'bz2'; give one of none"),
        (("--format", "parquet", "--compress", "zstd"), "--compress is for --format text"),
        (("--format", "jsonl", "--part-documents", "x"), "--part-documents is 'x'"),
        (("--format", "edges", "--part-documents", "2"), "--part-documents is for --format"),
        (("--format", "jsonl", "--output", "-", "--compress", "gzip"), "leave them out for -"),
    ],
)
def test_wrong_calls(folder, options, told):
    done = run_command("export", "--corpus", folder, *options)
    assert done.code == 2
    assert told in done.errors
