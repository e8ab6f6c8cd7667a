from __future__ import annotations

from collections import Counter

import pytest

from crawler.durable.journal import Journal
from crawler.durable.journals import (
    CHANGE,
    Edit,
    change_all,
    finish_decided,
    open_readers,
    open_writers,
)
from crawler.durable.layout import fleet_folder, journal_folder
from crawler.errors import FormatError, InputError

SHARDS = ("0000", "0001", "0002")


class CutError(Exception):
    pass


@pytest.fixture
def corpus(tmp_path):
    for shard in SHARDS:
        journal = Journal.open_writer(journal_folder(tmp_path, shard))
        journal.write(lambda txn: txn.put("extra", b"old", b"1"))
        journal.close()
    return tmp_path


def edits():
    return {
        shard: [Edit("extra", b"old", None), Edit("extra", b"new", shard.encode())]
        for shard in SHARDS
    }


def rows(corpus):
    found = []
    with open_readers(corpus) as journals:
        for journal in journals:
            with journal.read() as txn:
                found.append(dict(txn.scan("extra")))
    return found


OLD = [{b"old": b"1"}] * 3
NEW = [{b"new": shard.encode()} for shard in SHARDS]


def cut_at(step, number):
    reached = Counter()

    def on_step(name):
        reached[name] += 1
        if (name, reached[name]) == (step, number):
            raise CutError

    return on_step


@pytest.mark.parametrize(
    ("step", "number", "after"),
    [
        ("before commit", 1, NEW),  # decided, and in no journal yet
        ("change decided", 1, NEW),
        ("after commit", 1, NEW),
        ("before commit", 2, NEW),
        ("change decided", 3, NEW),
        ("after commit", 3, NEW),
        ("never", 1, NEW),
    ],
)
def test_a_change_that_is_cut_is_finished_by_the_next_writer(corpus, step, number, after):
    on_step = cut_at(step, number)
    try:
        with open_writers(corpus) as journals:
            for journal in journals:
                journal.on_step = on_step
            change_all(corpus, journals, edits())
    except CutError:
        assert (fleet_folder(corpus) / CHANGE).exists()
    finish_decided(corpus)
    assert rows(corpus) == after
    assert not (fleet_folder(corpus) / CHANGE).exists()


def test_a_change_that_was_not_decided_leaves_no_trace(corpus):
    fleet_folder(corpus).mkdir()
    (fleet_folder(corpus) / f"{CHANGE}.tmp").write_bytes(b"half")
    with open_writers(corpus):
        pass
    assert rows(corpus) == OLD


def test_a_damaged_change_is_not_passed_over(corpus):
    fleet_folder(corpus).mkdir()
    (fleet_folder(corpus) / CHANGE).write_bytes(b"\xc1")
    with pytest.raises(FormatError, match="is damaged"), open_writers(corpus):
        pass


def test_one_journal_needs_no_file(tmp_path):
    Journal.open_writer(journal_folder(tmp_path)).close()
    with open_writers(tmp_path) as journals:
        change_all(tmp_path, journals, {"0000": edits()["0000"]})
    assert rows(tmp_path) == [{b"new": b"0000"}]
    assert not fleet_folder(tmp_path).exists()


def test_no_journals(tmp_path):
    with pytest.raises(InputError, match="no journal in"), open_readers(tmp_path):
        pass
