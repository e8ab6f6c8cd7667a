from __future__ import annotations

import pytest

from crawler.durable.journal import Journal, next_number
from crawler.durable.keys import u64_of
from crawler.durable.records import pack_record, unpack_record
from crawler.durable.sealing import (
    Backlog,
    BacklogMeter,
    Shard,
    append_record,
    check_shards,
    read_log,
    read_shards,
    recover,
    seal,
    shard_files,
)
from crawler.errors import FormatError


class CutError(Exception):
    pass


@pytest.fixture
def journal(tmp_path):
    journal = Journal.open_writer(tmp_path / "journal")
    yield journal
    journal.close()


def append(journal, n_rows):
    def work(txn):
        number = next_number(txn, "sequence")
        append_record(txn, "docs", number, pack_record([number] * n_rows, n_rows))

    journal.write(work)


def measured(journal, meter):
    with journal.read() as txn:
        return meter.measure(txn)


def sealed(journal, folder, meter):
    def write(paths):
        rows = [
            row
            for record in read_log(journal, "docs", last=backlog.last, n_bytes=1)
            for row in unpack_record(record)
        ]
        paths["lines"].write_text("".join(f"{row}\n" for row in rows))
        return {"lines": len(rows)}

    backlog = measured(journal, meter)
    return seal(
        journal,
        folder,
        logs={"docs": backlog},
        files={"lines": "lines/", "none": "none/"},
        write=write,
    )


def test_rows_move_from_the_log_to_a_shard(journal, tmp_path):
    meter = BacklogMeter("docs")
    assert measured(journal, meter) == Backlog()
    for n_rows in (2, 3):
        append(journal, n_rows)
    backlog = measured(journal, meter)
    assert (backlog.rows, backlog.first, backlog.last) == (5, 1, 2)
    shard = Shard("lines/0000-000001.parquet", 5, 10, "docs", 1, 1, 2)
    assert sealed(journal, tmp_path, meter) == [shard]
    assert shard.kind == "lines"
    assert (tmp_path / shard.name).read_text() == "1\n1\n2\n2\n2\n"
    assert measured(journal, meter) == Backlog()
    append(journal, 1)
    assert measured(journal, meter).first == 3
    assert sealed(journal, tmp_path, meter)[0].name == "lines/0000-000002.parquet"
    with journal.read() as txn:
        assert [found.first for found in read_shards(txn)] == [1, 3]
        assert txn.n_rows("docs") == 0


def test_the_meter_reads_on(journal):
    meter = BacklogMeter("docs")
    for number in range(1, 6):
        append(journal, number)
        assert measured(journal, meter) == measured(journal, BacklogMeter("docs"))
    assert measured(journal, meter).rows == 15


@pytest.mark.parametrize("step", ["seal written", "seal renamed", "before commit"])
def test_a_cut_seal_leaves_the_rows_in_the_log(journal, tmp_path, step):
    append(journal, 2)

    def cut(reached):
        if reached == step:
            raise CutError

    journal.on_step = cut
    with pytest.raises(CutError):
        sealed(journal, tmp_path, BacklogMeter("docs"))
    journal.on_step = lambda reached: None
    assert len(shard_files(tmp_path, ["lines"])) == 1
    assert [name.removesuffix(".tmp") for name in recover(journal, tmp_path, ["lines"])] == [
        "lines/0000-000001.parquet"
    ]
    assert shard_files(tmp_path, ["lines"]) == []
    assert len(sealed(journal, tmp_path, BacklogMeter("docs"))) == 1
    assert recover(journal, tmp_path, ["lines"]) == []
    assert (tmp_path / "lines/0000-000001.parquet").read_text() == "1\n1\n"


def test_what_comes_during_a_seal_stays_in_the_log(journal, tmp_path):
    append(journal, 2)
    journal.on_step = lambda step: append(journal, 4) if step == "seal written" else None
    sealed(journal, tmp_path, BacklogMeter("docs"))
    journal.on_step = lambda step: None
    assert measured(journal, BacklogMeter("docs")).rows == 4
    with journal.read() as txn:
        assert [u64_of(key) for key, _ in txn.scan("docs")] == [2]


def test_prefixed_kinds():
    shard = Shard("graph/0000/arcs-0000-000012.parquet", 1, 1, "arcs", 12, 1, 1)
    assert shard.kind == "graph/0000/arcs"


def test_recorded_shards_are_checked(tmp_path):
    shard = Shard("lines/0000-000001.parquet", 1, 3, "docs", 1, 1, 1)
    with pytest.raises(FormatError, match="is missing"):
        check_shards(tmp_path, [shard])
    (tmp_path / "lines").mkdir()
    (tmp_path / shard.name).write_bytes(b"ab")
    with pytest.raises(FormatError, match="has 2 bytes instead of 3"):
        check_shards(tmp_path, [shard])
    (tmp_path / shard.name).write_bytes(b"abc")
    check_shards(tmp_path, [shard])


def test_a_damaged_row_of_a_shard(journal):
    journal.write(lambda txn: txn.put("shards", b"lines/0000-000001.parquet", b"\x80"))
    with journal.read() as txn, pytest.raises(FormatError, match="damaged"):
        read_shards(txn)
