"""The robots.txt files on disk: what is put is there again, bounded, and after kill -9."""

from __future__ import annotations

import inspect
import os
import random
import signal

import lmdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import FormatError
from crawler.frontier.robots.record import RobotsRecord, RobotsTimes, answered, failed
from crawler.frontier.robots.store import KEEP_SECS, RobotsStore
from tests.conftest import start_python

NOW = 1.8e9
TIMES = RobotsTimes()
SITE = "https://www.a.example:8080"


def made(number, size=50):
    return answered(
        200, f"User-agent: *\nDisallow: /{number}\n".encode() * (size // 28 + 1), NOW, TIMES
    )


def test_what_is_put_is_there(tmp_path):
    store = RobotsStore(tmp_path / "robots")
    records = {
        SITE: made(1),
        "http://b.example": answered(404, b"", NOW + 0.25, TIMES),
        "http://c.example": failed(failed(made(2), NOW, TIMES), NOW + 5, TIMES, status=503),
    }
    for site, record in records.items():
        assert store.get(site) is None
        store.put(site, record)
        assert store.get(site) == record  # before it is written
    store.close(NOW)
    store = RobotsStore(tmp_path / "robots")
    assert {site: store.get(site) for site in records} == records
    store.put(SITE, made(3))
    store.close(NOW)
    store = RobotsStore(tmp_path / "robots")
    assert store.get(SITE) == made(3)
    assert len(store) == 3
    store.close(NOW)


RECORDS = st.builds(
    RobotsRecord,
    body=st.binary(max_size=50),
    status=st.integers(0, 65535),
    fetched_at=st.floats(0, 1e10),
    expires_at=st.floats(0, 1e10),
    unreachable_since=st.floats(0, 1e10),
    n_failures=st.integers(0, 2**32 - 1),
)


@given(st.lists(RECORDS, min_size=50, max_size=50))
@settings(max_examples=10)
def test_any_record_comes_back(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("store")
    store = RobotsStore(folder)
    for number, record in enumerate(records):
        store.put(f"http://{number}", record)
    store.flush(0.0)
    assert [store.get(f"http://{number}") for number in range(len(records))] == records
    store.close(0.0)


def test_names_too_long_for_a_key_are_not_kept(tmp_path):
    store = RobotsStore(tmp_path / "robots")
    store.put("http://" + "a" * 600, made(1))
    store.flush(NOW)
    assert (len(store), store.get("http://" + "a" * 600)) == (0, None)
    store.close(NOW)


def test_rows_that_nobody_renews_are_dropped(tmp_path):
    store = RobotsStore(tmp_path / "robots")
    for number in range(10):
        store.put(f"http://{number}.example", made(number))
    store.flush(NOW)
    last = NOW + TIMES.cache_secs + KEEP_SECS
    store.put("http://3.example", answered(200, b"new", last, TIMES))
    store.flush(last)
    assert len(store) == 10
    store.flush(last + 1)
    assert len(store) == 1
    assert store.get("http://3.example").body == b"new"
    store.close(last)


def test_rows_are_bounded_by_their_bytes_and_the_oldest_go_first(tmp_path):
    store = RobotsStore(tmp_path / "robots", max_bytes=2**20)
    rng = random.Random(7)
    for number in range(600):
        body = rng.randbytes(8000)  # which no compression makes smaller
        store.put(f"http://{number}.example", answered(200, body, NOW + number, TIMES))
        if number % 20 == 19:
            store.flush(NOW + number)
    kept = [number for number in range(600) if store.get(f"http://{number}.example")]
    assert 60 <= len(kept) <= 131  # of 8,000 bytes in pages of 4 KiB each
    assert kept == list(range(600 - len(kept), 600))
    store.close(NOW)
    assert (tmp_path / "robots" / "data.mdb").stat().st_size < 4 * 2**20


def test_large_bodies_never_fill_the_map(tmp_path):
    store = RobotsStore(tmp_path / "robots", max_bytes=2**20)
    body = random.Random(8).randbytes(500 * 1024)
    for number in range(200):
        store.put(f"http://{number}.example", answered(200, body, NOW + number, TIMES))
    store.flush(NOW)
    assert len(store) <= 12
    store.close(NOW)


def test_another_version_and_a_damaged_folder_are_refused_in_one_line(tmp_path):
    RobotsStore(tmp_path / "robots").close(NOW)
    env = lmdb.open(str(tmp_path / "robots"), max_dbs=3)
    with env.begin(write=True) as txn:
        txn.put(b"version", b"\0\x63", db=env.open_db(b"meta", txn))
    env.close()
    with pytest.raises(FormatError, match="of another version; delete"):
        RobotsStore(tmp_path / "robots")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "data.mdb").write_bytes(b"no database" * 1000)
    with pytest.raises(FormatError, match=r"damaged .*; delete"):
        RobotsStore(tmp_path / "broken")


@pytest.mark.parametrize("n_pages", [3, 5, 10, 20])
def test_a_file_that_lost_its_end_is_refused_in_one_line(tmp_path, n_pages):
    # LMDB maps it whole: a read beyond its end is SIGBUS.
    folder = tmp_path / "robots"
    store = RobotsStore(folder)
    for number in range(500):
        store.put(f"http://{number}.example", made(number, 4000))
    store.close(NOW)
    kept = 4096 * n_pages
    assert kept < (folder / "data.mdb").stat().st_size
    os.truncate(folder / "data.mdb", kept)
    for _ in range(2):
        with pytest.raises(FormatError, match=r"damaged .*; delete"):
            RobotsStore(folder)
        assert (folder / "data.mdb").stat().st_size == kept


def test_free_pages_that_the_end_of_the_file_lacks_are_no_damage(tmp_path):
    folder = tmp_path / "robots"
    store = RobotsStore(folder)
    store.put("http://a.example", made(1, 9))
    store.close(NOW)
    env = lmdb.open(str(folder), max_dbs=4)
    for count in (200, 0):
        with env.begin(write=True) as txn:
            table = env.open_db(b"more", txn)
            for number in range(count):
                txn.put(b"%d" % number, bytes(9000), db=table)
            if not count:
                txn.drop(table)
    n_used = 4096 * (1 + env.info()["last_pgno"])
    env.close()
    os.truncate(folder / "data.mdb", n_used - 4096 * 50)
    store = RobotsStore(folder)
    assert store.get("http://a.example") == made(1, 9)
    store.close(NOW)


# Without this module, whose imports take longer than what is looked at.
KILLED = f"""
import sys
from pathlib import Path
from crawler.frontier.robots.record import RobotsTimes, answered
from crawler.frontier.robots.store import RobotsStore

NOW, TIMES = {NOW}, RobotsTimes()

{inspect.getsource(made)}

store = RobotsStore(Path(sys.argv[1]), max_bytes=2**22)
for number in range(10**9):
    store.put(f"http://{{number % 5000}}.example", made(number, 4000))
    if number % 50 == 49:
        store.flush(NOW)
        print(number, flush=True)
"""


def test_kill_loses_nothing_that_was_flushed(tmp_path):
    rng = random.Random(9)
    for _ in range(4):
        with start_python("-c", KILLED, tmp_path / "robots") as process:
            flushed = 0
            for _ in range(rng.randrange(1, 30)):
                flushed = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            flushed = max([flushed, *(int(line) for line in process.stdout.read().split())])
        store = RobotsStore(tmp_path / "robots", max_bytes=2**22)
        for number in range(flushed - 49, flushed + 1):
            assert store.get(f"http://{number}.example").body in {
                made(number + 5000 * lap, 4000).body for lap in range(3)
            }
        store.close(NOW)
