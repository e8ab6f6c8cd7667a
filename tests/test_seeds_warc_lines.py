"""WARC files whose heads end their lines in LF alone, as some writers do: plain, packed, or packed as a whole."""

from __future__ import annotations

import gzip

import pytest

from crawler.durable.zstandard import zstd
from crawler.errors import InputError
from crawler.seeds.named_warcs import check_warc, record_kinds
from crawler.seeds.warc import WarcReader
from tests.warc_records import TEXT, html, record

KIND = "Content-Type: text/html"
BODIES = [html(f"{TEXT} {number}\r\n\r\nWARC/1.1\nWARC-Type: response\n") for number in range(3)]


def bare(data):
    """*data*, a record, with LF alone at the ends of its lines, but for those of the HTTP head."""
    head, _, rest = data.partition(b"\r\n\r\n")
    return head.replace(b"\r\n", b"\n") + b"\n\n" + rest.removesuffix(b"\r\n\r\n") + b"\n\n"


@pytest.mark.parametrize(
    ("each", "whole"),
    [
        (bytes, bytes),
        (gzip.compress, bytes),
        (zstd.compress, bytes),
        (bytes, gzip.compress),
    ],
    ids=["plain", "gzip", "zstd", "one member"],
)
def test_all_answers_are_read(tmp_path, each, whole):
    records = [bare(record(f"http://a.sample/{n}", body, KIND)) for n, body in enumerate(BODIES)]
    path = tmp_path / "bare.warc"
    path.write_bytes(whole(b"".join(map(each, records))))
    check_warc(path)
    assert record_kinds(path) == ["response"]
    reader = WarcReader(path)
    found = list(reader)
    assert [(one.url, one.status, one.body, one.truncated) for one in found] == [
        (f"http://a.sample/{n}", 200, body, False) for n, body in enumerate(BODIES)
    ]
    assert (reader.broken, reader.skipped) == (None, 0)
    for one in found:
        place, _, number = one.source.partition(":")[2].partition("+")
        if not number:
            assert next(iter(WarcReader(path, start=int(place)))) == one


def test_one_that_is_cut_is_told(tmp_path):
    records = [bare(record(f"http://a.sample/{n}", body, KIND)) for n, body in enumerate(BODIES)]
    path = tmp_path / "cut.warc"
    path.write_bytes(b"".join(records)[:-99])
    reader = WarcReader(path)
    assert [one.truncated for one in reader] == [False, False, True]
    assert reader.broken == "a record ends too early"


def test_a_wacz_that_is_no_zip_is_told(tmp_path):
    path = tmp_path / "a.wacz"
    path.write_bytes(b"<html>Not found</html>")
    with pytest.raises(InputError, match="a WACZ is a ZIP file, and this one is none: fetch it"):
        check_warc(path)
