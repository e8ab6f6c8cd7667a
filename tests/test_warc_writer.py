"""WARC files: what is written is read back by fastwarc, and after a crash they end at the last commit."""

from __future__ import annotations

import os
import random
import resource
from contextlib import contextmanager
from io import BytesIO
from urllib.parse import urlsplit

import pytest
from fastwarc.warc import ArchiveIterator
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.capture import Capture
from crawler.durable.exchange import Exchange, request_head, response_head
from crawler.durable.journal import Journal
from crawler.durable.keys import u64_key
from crawler.durable.layout import journal_folder
from crawler.durable.warc_files import TABLE, read_lengths, recover_warcs
from crawler.durable.warc_records import capture_records
from crawler.durable.warc_writer import MAX_OPEN_BYTES, WarcWriter
from crawler.errors import FormatError, InputError
from crawler.frontier.store.crawl_store import CrawlStore, check_corpus
from crawler.seeds.warc import WarcReader
from pipelines.corpus.manifest import write_manifest
from pipelines.jobs.dedup.output import new_corpus
from tests.made_warcs import WHEN, ended, exchange, records_of, whole_lengths
from tests.toy_store import A, B, C


@pytest.fixture
def corpus(tmp_path):
    """A corpus folder with a journal: a maker of writers, and its parts."""
    journal = Journal.open_writer(journal_folder(tmp_path))
    yield tmp_path, journal
    journal.close()


def writer_in(corpus, *, max_bytes=10**9):
    return WarcWriter(*corpus, max_bytes=max_bytes, info=[("software", "Winnow/test")])


def commit(journal, captures):
    puts = [put for capture in captures for put in capture.puts]
    journal.write(lambda txn: [txn.put(*put) for put in puts])


def test_what_is_written_is_read_back(corpus):
    writer = writer_in(corpus)
    captures = [ended(number, categories=("Top/Arts", "Top/Ärzte")) for number in range(3)]
    captures[1].exchange = exchange(b"cut", ip="192.0.2.1", fetch_ms=12, truncated="disconnect")
    captures[2].reject(stage="quality", reason="short_text")
    for capture in captures:
        writer.put(capture)
    writer.settle(captures)
    writer.close()
    path = corpus[0] / "warc/0000-000001.warc.gz"
    kinds = [kind for kind, _, _ in records_of(path)]
    assert kinds == ["warcinfo", *["response", "request", "metadata"] * 3]
    assert len(whole_lengths(path)) == 11
    for number, capture in enumerate(captures):
        assert capture.row["warc_file"] == "warc/0000-000001.warc.gz"
        found = records_of(path, capture.row["warc_offset"])[:3]
        assert {uri for _, uri, _ in found} == {f"http://a.com/{number}"}
    _, request, metadata = records_of(path, captures[2].row["warc_offset"])[:3]
    assert request[2] == b"GET / HTTP/1.1\r\nHost: a.com\r\n\r\n"
    assert metadata[2].decode().splitlines() == [
        "pageId: 0:2", "depth: 0", "redirects: 0", "category: Top/Arts", "category: Top/Ärzte",
        "outcome: rejected", "stage: quality", "reason: short_text",
    ]  # fmt: skip
    reader = WarcReader(path)
    answers = list(reader)
    assert [answer.body for answer in answers] == [b"<p>0</p>", b"cut", b"<p>2</p>"]
    assert {answer.fetched_at for answer in answers} == {WHEN}
    assert reader.broken is None


def test_headers_of_records(corpus):
    writer = writer_in(corpus)
    capture = ended(1)
    capture.exchange = exchange(b"cut", ip="192.0.2.1", fetch_ms=12, truncated="disconnect")
    writer.put(capture)
    writer.settle([capture])
    writer.close()
    with (corpus[0] / capture.row["warc_file"]).open("rb") as stream:
        info, response, request, metadata = [
            (dict(record.headers), record.reader.read() and None)
            for record in ArchiveIterator(stream, parse_http=False)
        ]
    headers = response[0]
    assert headers["WARC-IP-Address"] == "192.0.2.1"
    assert headers["WARC-Truncated"] == "disconnect"
    assert headers["WARC-Warcinfo-ID"] == info[0]["WARC-Record-ID"]
    assert request[0]["WARC-Concurrent-To"] == headers["WARC-Record-ID"]
    assert metadata[0]["WARC-Refers-To"] == headers["WARC-Record-ID"]
    assert info[0]["WARC-Filename"] == "0000-000001.warc.gz"


@given(st.binary(), st.lists(st.tuples(st.just(b"X-A"), st.binary())), st.booleans())
def test_any_bytes_survive(body, headers, coded):
    coding = [(b"Content-Encoding", b"gzip")] * coded
    head = response_head("HTTP/1.1", 200, [*headers, *coding])
    assert head.count(b"\r\n") == 1 + len(headers) + coded
    assert head.count(b"\n") == head.count(b"\r") == head.count(b"\r\n")
    capture = Capture(page_id=1, url="http://a.com/", host="a.com", fetched_at=WHEN)
    first = capture_records(capture, Exchange(b"", head, body), "<urn:uuid:1>")[0]
    record = next(ArchiveIterator(BytesIO(first), parse_http=False))
    assert record.verify_block_digest()
    assert record.reader.read() == head + b"\r\n" + body


def test_request_head_has_no_credentials():
    head = request_head(urlsplit("http://me:secret@a.com"), [])
    assert head == b"GET / HTTP/1.1\r\nHost: a.com\r\n"


def test_pages_to_be_tried_again_are_left_out(corpus):
    writer = writer_in(corpus)
    captures = [ended(1), ended(2, state="queued"), ended(3)]
    captures[2].exchange = None
    for capture in captures:
        writer.put(capture)
    writer.settle(captures)
    writer.settle([ended(4, state="queued")])
    writer.close()
    path = corpus[0] / "warc/0000-000001.warc.gz"
    assert [uri for kind, uri, _ in records_of(path) if kind == "response"] == ["http://a.com/1"]
    assert "warc_file" not in captures[2].row


def test_a_file_is_ended_at_a_commit(corpus):
    writer = writer_in(corpus, max_bytes=3500)
    for group in range(4):
        captures = [ended(10 * group + number) for number in range(2)]
        for capture in captures:
            writer.put(capture)
        writer.settle(captures)
        commit(corpus[1], captures)
    writer.close()
    with corpus[1].read() as txn:
        lengths = read_lengths(txn)
    assert list(lengths) == ["warc/0000-000001.warc.gz", "warc/0000-000002.warc.gz"]
    assert {name: (corpus[0] / name).stat().st_size for name in lengths} == lengths
    # The next writer begins a file of its own.
    writer = writer_in(corpus)
    capture = ended(50)
    writer.put(capture)
    writer.settle([capture])
    writer.close()
    assert capture.row["warc_file"] == "warc/0000-000003.warc.gz"


def test_cut_at_the_last_commit(corpus):
    writer = writer_in(corpus)
    committed, lost = [ended(1), ended(2)], [ended(3)]
    for group in (committed, lost):
        for capture in group:
            writer.put(capture)
        writer.settle(group)
    writer.close()
    commit(corpus[1], committed)
    path = corpus[0] / "warc/0000-000001.warc.gz"
    with path.open("ab") as stream:
        stream.write(b"\x1f\x8b half a record")
    second = path.with_name("0000-000002.warc.gz")
    second.write_bytes(b"\x1f\x8b")
    assert recover_warcs(corpus[1], corpus[0]) == [
        "warc/0000-000001.warc.gz",
        "warc/0000-000002.warc.gz",
    ]
    assert [uri for kind, uri, _ in records_of(path) if kind == "response"] == [
        "http://a.com/1",
        "http://a.com/2",
    ]
    whole_lengths(path)
    assert not second.exists()
    assert recover_warcs(corpus[1], corpus[0]) == []


def damaged(corpus):
    writer = writer_in(corpus)
    captures = [ended(1)]
    writer.put(captures[0])
    writer.settle(captures)
    writer.close()
    commit(corpus[1], captures)
    return corpus[0] / "warc/0000-000001.warc.gz"


def test_a_shorter_file_is_an_error(corpus):
    path = damaged(corpus)
    os.truncate(path, path.stat().st_size - 1)
    with pytest.raises(FormatError, match=r"bytes instead of \d+; restore it from a copy"):
        recover_warcs(corpus[1], corpus[0])
    corpus[1].close()
    with pytest.raises(FormatError, match="bytes instead of"):
        check_corpus(corpus[0])
    path.unlink()
    with pytest.raises(FormatError, match="is missing; restore it"):
        CrawlStore(corpus[0])


def test_files_of_another_journal_are_not_touched(corpus):
    path = damaged(corpus)
    path.rename(path.with_name("0000-000003.warc.gz"))
    corpus[1].write(lambda txn: txn.delete(TABLE, b"warc/0000-000001.warc.gz"))
    with pytest.raises(FormatError, match="is not named by the journal"):
        recover_warcs(corpus[1], corpus[0])
    corpus[1].close()
    (journal_folder(corpus[0]) / "data.mdb").unlink()
    with pytest.raises(FormatError, match="is not named by the journal"):
        check_corpus(corpus[0])
    assert path.with_name("0000-000003.warc.gz").exists()


@contextmanager
def file_limit(n_bytes):
    """Let no file grow beyond *n_bytes* within the block, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_said_and_mended(corpus):
    rng = random.Random(1)
    writer = writer_in(corpus)
    captures = [ended(number) for number in range(6)]
    for capture in captures:
        capture.exchange.body = rng.randbytes(50_000)
    with file_limit(120_000):
        for capture in captures:
            writer.put(capture)
        with pytest.raises(InputError, match="make room on the disk and start again"):
            writer.settle(captures)
    writer.settle(captures)
    writer.close()
    path = corpus[0] / "warc/0000-000001.warc.gz"
    assert [uri for kind, uri, _ in records_of(path) if kind == "response"] == [
        capture.url for capture in captures
    ]
    whole_lengths(path)
    assert u64_key(path.stat().st_size) == captures[-1].puts[-1][2]


def test_a_large_answer_brings_the_commit(tmp_path):
    store = CrawlStore(tmp_path)
    store.archive = WarcWriter(tmp_path, store.journal, max_bytes=1, info=[])
    store.add_seeds([(key, []) for key in (A, B, C)])
    body = bytes(MAX_OPEN_BYTES)
    sizes = []
    for now, size in enumerate((10, len(body), 10)):
        lease = store.next_page(10.0 * now)
        capture = store.open_capture(lease)
        capture.fetched_at = WHEN
        capture.exchange = exchange(body[:size])
        capture.keep({"host_id": 0, "local_id": now, "url": lease.url})
        store.finish(capture, 10.0 * now)
        sizes.append(store.counts()["fetched"])
    store.close()
    assert sizes == [0, 2, 2]
    names = sorted(path.name for path in (tmp_path / "warc").iterdir())
    assert names == ["0000-000001.warc.gz", "0000-000002.warc.gz"]


def test_a_copy_of_the_corpus_has_files_of_its_own(corpus, tmp_path_factory):
    writer = writer_in(corpus, max_bytes=1)
    for number in range(2):
        writer.put(capture := ended(number))
        writer.settle([capture])
        commit(corpus[1], [capture])
    writer.close()
    corpus[1].close()
    write_manifest(corpus[0], settings="", counts={}, shards=[])
    output = tmp_path_factory.mktemp("copies") / "copy"
    with new_corpus(corpus[0], output):
        pass
    last = "warc/0000-000002.warc.gz"
    with (corpus[0] / last).open("ab") as stream:
        stream.write(b"more")
    CrawlStore(output).close()
    assert len(records_of(output / last)) == 4
    assert (corpus[0] / last).stat().st_size == 4 + (output / last).stat().st_size
