"""Heads of answers in WARC files."""

from __future__ import annotations

import gzip
import re

import pytest

from crawler.seeds.warc import WarcReader
from tests.warc_records import DATE, TEXT, html, record, revisit

HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"


@pytest.mark.parametrize(
    "before", [b"HTTP/1.1 100 Continue\r\n\r\n", HINTS * 2, b"HTTP/1.1 100\n\n"]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_interim_answers_stand_before_the_final_one(tmp_path, before, pack):
    def behind(whole):
        packed = whole.replace(b"HTTP/1.1 ", before + b"HTTP/1.1 ", 1)
        size = re.search(rb"Content-Length: ([0-9]+)", whole)
        return packed.replace(size[0], b"Content-Length: %d" % (int(size[1]) + len(before)), 1)

    headers = ("Content-Type: text/html", "no colon", "X-Robots-Tag: noindex,", "  nofollow")
    again = b"HTTP/1.1 304 Not Modified\r\nX-Robots-Tag: noindex\r\n\r\n"
    records = [
        behind(record("http://a.sample/page", html(TEXT), *headers)),
        behind(record("http://a.sample/gone", b"", status="404 Gone")),
        behind(revisit("http://a.sample/page", DATE, DATE, block=again)),
        record("http://a.sample/alone", b"", status="103 Early Hints"),
        behind(record("http://a.sample/endless", b"", "X: " + "x" * 2**19)),
        record("http://a.sample/last", html(TEXT)),
    ]
    (tmp_path / "interim.warc").write_bytes(b"".join(map(pack, records)))
    reader = WarcReader(tmp_path / "interim.warc", max_bytes=len(html(TEXT)))
    page, gone, again, alone, last = reader.records()
    assert (page.status, page.body, page.truncated) == (200, html(TEXT), False)
    assert page.headers == [
        (b"Content-Type", b"text/html"), (b"X-Robots-Tag", b"noindex, nofollow")
    ]  # fmt: skip
    assert (gone.status, gone.body) == (404, b"")
    assert (again.status, again.wishes) == (304, (b"noindex",))
    assert (alone.status, last.body) == (103, html(TEXT))
    assert (reader.skipped, reader.broken) == (1, None)


@pytest.mark.parametrize(
    "line",
    ["http/1.1 200 OK", "HTTP/1.1  200 OK", "HTTP/1.0\t200\tOK", "HTTP 200 OK", "ICY 200 OK"],
)
def test_lines_of_status_are_read_as_browsers_do(tmp_path, line):
    data = record("http://a.sample/", html(TEXT)).replace(b"HTTP/1.1 200 OK", b"%s")
    head, _, block = data.partition(b"%s")
    size = re.search(rb"Content-Length: ([0-9]+)", head)
    longer = int(size[1]) + len(line) - len("HTTP/1.1 200 OK")
    head = head.replace(size[0], b"Content-Length: %d" % longer)
    (tmp_path / "lines.warc").write_bytes(head + line.encode() + block)
    (page,) = WarcReader(tmp_path / "lines.warc")
    assert (page.status, page.body) == (200, html(TEXT))
