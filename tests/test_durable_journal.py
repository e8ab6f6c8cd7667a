from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import msgpack
import pytest

from crawler.durable import environment
from crawler.durable.journal import TABLES, Journal, next_number
from crawler.durable.keys import u64_key
from crawler.errors import FormatError, InputError

ROOT = Path(__file__).parent.parent


def rows(n, size=100):
    return [(u64_key(number), bytes(size)) for number in range(n)]


def fill(folder, n=2_000):
    journal = Journal.open_writer(folder)
    journal.write(lambda txn: txn.put_many("claims", rows(n)))
    journal.close()


def test_a_failed_transaction_leaves_no_trace(tmp_path):
    journal = Journal.open_writer(tmp_path)

    def work(txn):
        txn.put("extra", b"key", b"value")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        journal.write(work)
    with journal.read() as txn:
        assert txn.get("extra", b"key") is None
    journal.close()
    journal.close()


def test_the_map_grows(tmp_path):
    journal = Journal.open_writer(tmp_path, map_bytes=2**20)
    assert journal.write(lambda txn: txn.put_many("claims", rows(30_000))) is None
    with journal.read() as txn:
        assert txn.n_rows("claims") == 30_000
        assert sum(len(value) for _, value in txn.scan("claims", u64_key(29_000))) == 100_000
    journal.close()


def test_the_map_does_not_grow_under_a_reader(tmp_path):
    journal = Journal.open_writer(tmp_path, map_bytes=2**20)
    with journal.read(), pytest.raises(RuntimeError, match="read transaction"):
        journal.write(lambda txn: txn.put_many("claims", rows(30_000)))
    journal.close()


def test_the_tables_of_a_transaction(tmp_path):
    journal = Journal.open_writer(tmp_path)

    def work(txn):
        assert txn.first_key("extra") is txn.last_key("extra") is None
        txn.put_many("extra", [(b"a", b"1"), (b"b", b"2"), (b"d", b"4")])
        assert not txn.put_new("extra", b"a", b"9")
        assert txn.put_new("extra", b"c", b"3")
        assert txn.get_many("extra", [b"a", b"c", b"x"]) == {b"a": b"1", b"c": b"3"}
        assert list(txn.scan("extra", b"bb")) == [(b"c", b"3"), (b"d", b"4")]
        assert (txn.first_key("extra"), txn.last_key("extra")) == (b"a", b"d")
        assert txn.delete("extra", b"a")
        assert not txn.delete("extra", b"a")
        return [next_number(txn, "sequence") for _ in range(3)]

    assert journal.write(work) == [1, 2, 3]
    with pytest.raises(FormatError, match="out of order"):
        journal.write(lambda txn: txn.append("extra", b"a", b""))
    journal.close()


def test_readers_see_what_was_committed_when_they_began(tmp_path):
    journal = Journal.open_writer(tmp_path)
    reader = Journal.open_reader(tmp_path)  # in the writer's process it shares its environment
    with reader.read() as before:
        journal.write(lambda txn: txn.put("extra", b"key", b"value"))
        assert before.get("extra", b"key") is None
    with reader.read() as after:
        assert after.get("extra", b"key") == b"value"
    journal.close()
    with reader.read() as still_open:
        assert still_open.get("extra", b"key") == b"value"
    reader.close()


def test_a_reader_in_another_process_follows_the_growing_map(tmp_path):
    code = (
        "import sys; from pathlib import Path; from crawler.durable.journal import Journal\n"
        "journal = Journal.open_reader(Path(sys.argv[1]))\n"
        "for _ in sys.stdin:\n"
        "    with journal.read() as txn: print(sum(1 for _ in txn.scan('claims')), flush=True)\n"
    )
    journal = Journal.open_writer(tmp_path, map_bytes=2**20)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as reader:
        for n in (10, 1_000, 40_000):
            journal.write(lambda txn, n=n: txn.put_many("claims", rows(n)))
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert int(reader.stdout.readline()) == n
        reader.stdin.close()
    journal.close()


def test_one_writer(tmp_path):
    journal = Journal.open_writer(tmp_path)
    with pytest.raises(InputError, match="another process is crawling"):
        Journal.open_writer(tmp_path)
    journal.close()
    Journal.open_writer(tmp_path).close()


def test_no_journal(tmp_path):
    with pytest.raises(InputError, match="run a crawl first"):
        Journal.open_reader(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_another_format(tmp_path):
    journal = Journal.open_writer(tmp_path)
    journal.write(lambda txn: txn.put("meta", b"format", msgpack.packb(7)))
    journal.close()
    for opener in (Journal.open_writer, Journal.open_reader):
        with pytest.raises(FormatError, match="has format 7, this program reads 3 to 4; use the"):
            opener(tmp_path)
    assert not environment._open  # a refused journal is closed again


def test_an_older_format_is_read_and_becomes_the_newest_when_a_crawl_goes_on(tmp_path):
    def format_of(journal):
        with journal.read() as txn:
            return msgpack.unpackb(txn.get("meta", b"format"))

    journal = Journal.open_writer(tmp_path)
    journal.write(lambda txn: txn.put("meta", b"format", msgpack.packb(3)))
    journal.close()
    for opener in (Journal.open_reader, Journal.open_writer):
        journal = opener(tmp_path)
        assert format_of(journal) == 3
        journal.close()
    journal = Journal.open_writer(tmp_path)
    journal.upgrade()
    assert format_of(journal) == 4
    journal.close()


def test_a_folder_whose_name_is_not_utf_8(tmp_path):
    with pytest.raises(InputError, match="not UTF-8"):
        Journal.open_writer(tmp_path / os.fsdecode(b"caf\xe9"))


def cut_in_half(file):
    os.truncate(file, file.stat().st_size // 2)


def overwrite_its_start(file):
    with file.open("r+b") as opened:
        opened.write(b"\xff" * 8192)


def replace_with_text(file):
    file.write_bytes(b"hello")


@pytest.mark.parametrize("damage", [cut_in_half, overwrite_its_start, replace_with_text])
@pytest.mark.parametrize("opener", [Journal.open_writer, Journal.open_reader])
def test_a_damaged_file(tmp_path, damage, opener):
    fill(tmp_path)
    file = tmp_path / "data.mdb"
    damage(file)
    content = file.read_bytes()
    for _ in range(2):  # the refusal changes nothing
        with pytest.raises(FormatError, match=r"damaged|shorter"):
            opener(tmp_path)
        assert file.read_bytes() == content
    assert not environment._open


def test_a_value_that_is_too_short_is_damage(tmp_path):
    journal = Journal.open_writer(tmp_path)
    told = []
    journal.on_failure = told.append
    journal.write(lambda txn: txn.put("extra", b"key", b"x"))
    with pytest.raises(FormatError, match="damaged"), journal.read() as txn:
        struct.unpack("<Q", txn.get("extra", b"key"))
    with pytest.raises(FormatError, match="damaged"):
        journal.write(lambda txn: struct.unpack("<Q", txn.get("extra", b"key")))
    assert len(told) == 2
    journal.close()


def test_a_file_that_somebody_removes_is_told(tmp_path):
    """LMDB goes on writing to what is nowhere."""
    journal = Journal.open_writer(tmp_path)
    told = []
    journal.on_failure = told.append
    (tmp_path / "data.mdb").unlink()
    with pytest.raises(FileNotFoundError):
        journal.write(lambda txn: txn.put("extra", b"key", b"value"))
    assert [type(error) for error in told] == [FileNotFoundError]
    journal.close()


def test_a_file_that_is_short_of_unused_pages_only(tmp_path):
    fill(tmp_path)
    journal = Journal.open_writer(tmp_path)
    # Values of many pages at the end of the file, deleted again: nothing that is used lies there.
    journal.write(lambda txn: txn.put("extra", b"large", bytes(10**6)))
    journal.write(lambda txn: txn.delete("extra", b"large"))
    journal.close()
    file = tmp_path / "data.mdb"
    os.truncate(file, file.stat().st_size - 500_000)
    journal = Journal.open_writer(tmp_path)
    with journal.read() as txn:
        assert txn.n_rows("claims") == 2_000
    journal.close()


def test_an_empty_file_is_no_journal(tmp_path):
    # A process that was killed while it made the file left it empty.
    (tmp_path / "data.mdb").write_bytes(b"")
    with pytest.raises(InputError, match="run a crawl first"):
        Journal.open_reader(tmp_path)
    journal = Journal.open_writer(tmp_path)
    assert journal.is_new
    with journal.read() as txn:
        assert {table: txn.n_rows(table) for table in TABLES} == dict.fromkeys(TABLES, 0) | {
            "meta": 2
        }
    journal.close()


def test_a_reader_needs_no_right_to_write(tmp_path):
    fill(tmp_path)
    tmp_path.chmod(0o500)
    for file in tmp_path.iterdir():
        file.chmod(0o400)
    journal = Journal.open_reader(tmp_path)
    with journal.read() as txn:
        assert txn.n_rows("claims") == 2_000
    journal.close()
    tmp_path.chmod(0o700)
