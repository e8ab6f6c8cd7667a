"""Revisit records as they are read: what they name, and what they leave open."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.seeds.warc import WarcReader, WarcResponse, withdrawal
from tests.warc_records import html, record, revisit

URL, AT, THEN = "http://a.sample/", "2020-02-02T02:02:02Z", "2019-01-01T00:00:00Z"
DIGEST = "WARC-Payload-Digest: sha1:AB"
FIRST = datetime(2019, 1, 1, tzinfo=UTC)
NOT_MODIFIED = b"HTTP/1.1 304 Not Modified\r\n\r\n"


@pytest.mark.parametrize(
    ("fields", "refers_to", "block", "expected"),
    [
        ((), THEN, b"", (FIRST, None, False)),
        ((), "2019-01-01T01:00:00.5+01:00", b"", (FIRST.replace(microsecond=500_000), None, False)),
        # Another form of the address of the same page.
        (("WARC-Refers-To-Target-URI: <HTTP://a.sample:80#x>",), THEN, b"", (FIRST, None, False)),
        (("WARC-Refers-To-Target-URI: http://b.sample/",), THEN, b"", (None, None, False)),
        ((), None, b"", (None, None, False)),
        ((), "long ago", b"", (None, None, False)),
        ((), "0001-01-01T00:00:00Z", b"", (None, None, False)),
        (
            ("WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified",),
            THEN,
            NOT_MODIFIED,
            (FIRST, 304, True),
        ),
        (
            ("WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",),
            THEN,
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
            (FIRST, 200, False),
        ),
    ],
)
def test_what_a_revisit_says(tmp_path, fields, refers_to, block, expected):
    path = tmp_path / "a.warc"
    answer = record(URL, html("text")).replace(b"WARC-Date", f"{DIGEST}\r\nWARC-Date".encode())
    path.write_bytes(answer + revisit(URL, AT, refers_to, DIGEST, *fields, block=block) + answer)
    reader = WarcReader(path)
    _, found, last = reader.records()
    assert isinstance(last, WarcResponse)
    assert last.digest == "sha1:AB"
    assert (found.refers_to, found.status, found.is_not_modified) == expected
    assert found.digest == ("" if "b.sample" in "".join(fields) else "sha1:AB")
    assert (found.url, found.fetched_at) == (URL, datetime(2020, 2, 2, 2, 2, 2, tzinfo=UTC))
    assert found.source == f"a.warc:{len(answer)}"
    assert (reader.broken, reader.skipped) == (None, 0)
    assert len(list(WarcReader(path))) == 2


@pytest.mark.parametrize(
    ("status", "tag", "withdraws"),
    [
        ("304 Not Modified", "noindex", True),
        ("304 Not Modified", "Winnow: none", True),
        ("304 Not Modified", "unavailable_after: 2020-02-01", True),
        ("304 Not Modified", "unavailable_after: 2020-02-03", False),
        ("304 Not Modified", "otherbot: noindex", False),
        ("200 OK", "noindex", False),  # as the answer that it names
    ],
)
def test_a_page_that_is_withdrawn(tmp_path, status, tag, withdraws):
    path = tmp_path / "a.warc"
    head = f"HTTP/1.1 {status}\r\nx-robots-tag: {tag}\r\n\r\n"
    path.write_bytes(revisit(URL, AT, THEN, block=head.encode()))
    (found,) = WarcReader(path).records()
    made = withdrawal(found, "winnow")
    assert (made is not None) == withdraws
    if made is not None:
        assert (made.url, made.status, made.withdraws) == (URL, 304, True)
        assert (made.fetched_at, made.source) == (found.fetched_at, "a.warc:0")


def test_a_revisit_that_ends_too_early(tmp_path):
    cut = revisit(URL, AT, THEN, block=NOT_MODIFIED)[:-20]
    path = tmp_path / "a.warc"
    path.write_bytes(record(URL, html("text")) + cut)
    reader = WarcReader(path)
    assert len(list(reader.records())) == 2
    assert reader.broken
