"""Captures with made answers, and WARC files read back with their digests verified."""

from __future__ import annotations

import zlib
from datetime import UTC, datetime

from fastwarc.warc import ArchiveIterator

from crawler.durable.capture import Capture
from crawler.durable.exchange import Exchange, response_head

WHEN = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def exchange(body=b"<p>text</p>", *headers, status=200, **options):
    head = response_head("HTTP/1.1", status, [(b"Content-Type", b"text/html"), *headers])
    return Exchange(b"GET / HTTP/1.1\r\nHost: a.com\r\n", head, body, **options)


def ended(number, **options):
    """A capture that has ended, of page *number*."""
    values = {"url": f"http://a.com/{number}", "host": "a.com", "fetched_at": WHEN} | options
    capture = Capture(page_id=number, **values)
    capture.exchange = exchange(b"<p>%d</p>" % number)
    capture.keep({"url": capture.url})
    return capture


def records_of(path, offset=0):
    """All records of *path* from *offset* on as (type, URI, payload), their digests verified."""
    found = []
    with path.open("rb") as stream:
        stream.seek(offset)
        for record in ArchiveIterator(stream, parse_http=False):
            assert record.verify_block_digest()
            kind = record.headers["WARC-Type"]
            if kind == "response":
                record.parse_http()
                assert record.verify_payload_digest()
            found.append((kind, record.headers.get("WARC-Target-URI"), record.reader.read()))
    return found


def whole_lengths(path):
    """The offsets at which the gzip members of *path* end; raises when the last one has no end."""
    data, ends = path.read_bytes(), [0]
    while ends[-1] < len(data):
        unpacker = zlib.decompressobj(31)
        unpacker.decompress(data[ends[-1] :])
        assert unpacker.eof
        ends.append(len(data) - len(unpacker.unused_data))
    return ends
