"""The reader of WARC files: all kinds of records and writers, and files that are damaged."""

from __future__ import annotations

import gzip
import os
import random
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.zstandard import zstd
from crawler.errors import InputError
from crawler.seeds.named_warcs import check_warc, check_warcs, find_warcs
from crawler.seeds.warc import WarcReader
from crawler.seeds.warc_chunks import dechunked
from tests.warc_records import DATE, TEXT, chunked, html, record, revisit, segments


@pytest.mark.parametrize(
    ("stored", "body"),
    [
        (chunked(html(TEXT)), html(TEXT)),
        (html(TEXT), html(TEXT)),  # the header stayed, the marks went
        (b"5\r\nwords", b"words"),
        (b"ff\r\nwords", b"words"),
        (b"0\r\n\r\n", b""),
        (chunked(html(TEXT)).replace(b"\r\n", b"\n"), html(TEXT)),
        (b"5\nwords\nB;x=y\n of a page\n\n0\n\n", b"words of a page\n"),
        (b"5\nwords\r\n5\r\n of a\nff\n page", b"words of a page"),
        (b"5\ncars, 7 bicycles", b"5\ncars, 7 bicycles"),
        (b"", b""),
        (b"3\nabc\n1", b"abc"),  # cut in the size of a chunk, whose lines end in LF
        (b"3\nabc\n", b"abc"),
    ],
)
def test_dechunked(stored, body):
    assert dechunked(stored) == body


def test_records_of_all_kinds_and_writers(tmp_path):
    kind, chunks = "Content-Type: text/html", "Transfer-Encoding: chunked"
    other = record("http://a.sample/other", b"").replace(b"Type: response", b"Type: revisit", 1)
    (tmp_path / "mixed.warc").write_bytes(
        b"".join(
            [
                other.replace(b"revisit", b"warcinfo", 1),
                record("http://a.sample/chunked", chunked(html(TEXT)), kind, chunks),
                other,
                record("<http://a.sample/angle>", html(TEXT), kind).replace(b"1.1", b"1.0", 1),
                record("http://a.sample/no-status", html(TEXT), kind, status="what"),
            ]
        )
    )
    reader = WarcReader(tmp_path / "mixed.warc")
    found = [(response.url[16:], response.body, response.truncated) for response in reader]
    assert found == [("chunked", html(TEXT), False), ("angle", html(TEXT), False)]
    assert (reader.skipped, reader.broken) == (1, None)


@pytest.mark.parametrize("kind", ["", "application/HTTP", "text/html"])
def test_answers_are_known_by_their_address_whatever_kind_the_record_names(tmp_path, kind):
    path, known = tmp_path / "kinds.warc", b"Content-Type: application/http; msgtype=response\r\n"
    line = f"Content-Type: {kind}\r\n".encode() if kind else b""
    whole = [record(f"http://a.sample/{n}", html(TEXT), "Content-Type: text/html") for n in "ab"]
    path.write_bytes(b"".join(one.replace(known, line) for one in whole))
    reader = WarcReader(path)
    assert [(found.url[16:], found.status, found.body) for found in reader] == [
        ("a", 200, html(TEXT)),
        ("b", 200, html(TEXT)),
    ]
    assert (reader.skipped, reader.broken) == (0, None)


def test_heads_of_answers_whose_lines_end_in_lf_alone(tmp_path):
    head = "HTTP/1.1 200 OK\nContent-Type: text/html\nX: y\n\n"
    whole = record("http://a.sample/", html(TEXT))
    answer = head.encode() + html(TEXT)
    size = b"Content-Length: %d\r\n\r\n" % len(answer)
    data = whole[: whole.index(b"Content-Length")] + size + answer + b"\r\n\r\n"
    (tmp_path / "lines.warc").write_bytes(data * 2)
    first, second = WarcReader(tmp_path / "lines.warc")
    assert first.body == second.body == html(TEXT)
    assert first.headers == [(b"Content-Type", b"text/html"), (b"X", b"y")]


def test_what_its_writer_has_cut_is_read_and_told(tmp_path):
    whole = record("http://a.sample/", html(TEXT))
    cut = whole.replace(b"\r\n", b"\r\nWARC-Truncated: length\r\n", 1)
    (tmp_path / "cut.warc").write_bytes(whole + cut)
    found = [(response.body, response.truncated) for response in WarcReader(tmp_path / "cut.warc")]
    assert found == [(html(TEXT), False), (html(TEXT), True)]


def test_half_a_page_is_not_taken_for_a_page(tmp_path):
    whole = record("http://a.sample/whole", html(TEXT), "Content-Type: text/html")
    path = tmp_path / "long.warc"
    path.write_bytes(segments("http://a.sample/long", html(TEXT)) + whole)
    reader = WarcReader(path)
    assert [response.url for response in reader] == ["http://a.sample/whole"]
    assert (reader.segmented, reader.skipped, reader.broken) == (1, 0, None)


def test_dates_are_in_utc_or_else_of_the_file(tmp_path):
    dates = {
        "2020-02-02T02:02:02.5Z": "2020-02-02T02:02:02.500000+00:00",
        "2020-02-02T02:02:02+02:00": "2020-02-02T00:02:02+00:00",
        "2020-02-02T02:02Z": "2020-02-02T02:02:00+00:00",
        "2020-02-02": "2020-02-02T00:00:00+00:00",
        "2020-02": "2020-02-01T00:00:00+00:00",
        "2020": "2020-01-01T00:00:00+00:00",
        **dict.fromkeys(
            (
                "",
                "20200202020202",
                "0000-01-01T00:00:00Z",
                "2020-13",
                "0001-01-01T00:00:00+10:00",
                "9999-12-31T23:59:59-10:00",
            ),
            "2017-07-14T02:40:00+00:00",
        ),
    }
    path = tmp_path / "dates.warc"
    path.write_bytes(b"".join(record("http://a.sample/", b"", date=date) for date in dates))
    os.utime(path, (1.5e9, 1.5e9))
    found = [response.fetched_at.isoformat() for response in WarcReader(path)]
    assert found == list(dates.values())


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_header_that_is_too_long_costs_its_record_alone(tmp_path, pack):
    # A crawl takes, and writes, headers of 256 KiB.
    sizes = {"long": 250_000, "longer": 600_000, "last": 1}
    records = [record(f"http://a.sample/{name}", b"", "X: " + "x" * n) for name, n in sizes.items()]
    (tmp_path / "long.warc").write_bytes(b"".join(map(pack, records)))
    reader = WarcReader(tmp_path / "long.warc")
    assert [response.url[16:] for response in reader] == ["long", "last"]
    assert (reader.skipped, reader.broken) == (1, None)


def damages(data, place):
    """Ways to damage *data*, at *place* of it and behind."""
    return {
        "flipped": data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :],
        "zeros": bytes(len(data)),
        "cut": data[:place],
        "garbage behind": data + b"garbage" * 9,
        "a member within": data[:place] + b"\x1f\x8b\x08" + data[place:],
        "longer": data.replace(b"Content-Length: ", b"Content-Length: 9"),
    }


@given(
    st.sampled_from([bytes, gzip.compress, zstd.compress]),
    st.sets(st.integers(1, 7), min_size=1, max_size=3),
    st.sampled_from(sorted(damages(b"x", 0))),
    st.floats(0, 1, exclude_max=True),
)
def test_records_that_are_whole_are_read_whatever_others_are(pack, damaged, way, share):
    bodies = [random.Random(n).randbytes(300) + html(TEXT) for n in range(8)]
    packed = [pack(record(f"http://a.sample/{n}", body)) for n, body in enumerate(bodies)]
    parts = [
        damages(data, int(share * len(data)))[way] if n in damaged else data
        for n, data in enumerate(packed)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.warc"
        path.write_bytes(b"".join(parts))
        reader = WarcReader(path)
        found = [(response.url, response.source) for response in reader]
    starts = [sum(map(len, parts[:n])) for n in range(8)]
    for n in range(
        1, 8
    ):  # what is left of one whose first field is cut is taken for the next one's
        starts[n] -= len(parts[n - 1]) if re.fullmatch(rb"WARC/1\.1\r\n.{,10}", parts[n - 1]) else 0
    whole = [
        (f"http://a.sample/{n}", f"damaged.warc:{starts[n]}") for n in range(8) if n not in damaged
    ]
    assert [row for row in found if row in whole] == whole
    assert len(found) + reader.skipped <= 8
    assert reader.n_damages <= 2 * len(damaged)
    assert bool(reader.broken) == bool(reader.n_damages)


@pytest.mark.parametrize("left", [b"Length: 692", b"Length: 692\r\n", b"Length: 692\r\n\r"])
def test_a_record_cut_in_its_header_does_not_name_the_next_one(tmp_path, left):
    first, second = (record(f"http://a.sample/{n}", html(f"{n} {TEXT}")) for n in (1, 2))
    head = first[: first.index(b"Length: ")] + left
    (tmp_path / "cut.warc").write_bytes(head + second)
    reader = WarcReader(tmp_path / "cut.warc")
    assert [(each.url, each.source) for each in reader] == [
        ("http://a.sample/2", f"cut.warc:{len(head)}")
    ]
    assert reader.skipped == reader.n_damages == 1


@pytest.mark.parametrize("pack", [bytes, zstd.compress])
def test_frames_that_need_the_dictionary_before_them(tmp_path, pack):
    records = [record(f"http://a.sample/{n}", html(f"{n} {TEXT}")) for n in range(9)]
    dictionary = zstd.train_dict([each[n:] for each in records for n in range(9)], 2000)
    content = pack(dictionary.dict_content)
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    frames = [zstd.compress(each, zstd_dict=dictionary) for each in records]
    path = tmp_path / "frames.warc.zst"
    path.write_bytes(head + b"".join(frames[:4]) + frames[4][:-9] + b"".join(frames[5:]))
    reader = WarcReader(path)
    found = list(reader)
    assert [response.url[16:] for response in found] == [*"0123", *"5678"]
    assert (reader.n_damages, bool(reader.broken)) == (1, True)
    for response in found:
        place = int(response.source.rpartition(":")[2])
        assert next(iter(WarcReader(path, start=place))) == response


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_each_record_of_a_member_of_several_has_its_source(tmp_path, pack):
    url = "http://a.sample/"
    records = [record(url, html(TEXT)), revisit(url, "2021-02-02T02:02:02Z", DATE)] * 3
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(pack(b"".join(records)) + pack(b"".join(records)))
    sources = [each.source for each in WarcReader(path).records()]
    assert len(set(sources)) == len(sources) == 12
    assert [each.source for each in WarcReader(path)] == sources[::2]


def test_a_record_that_ends_too_early_is_told(tmp_path):
    bodies = [random.Random(n).randbytes(200_000) for n in range(3)]
    records = [gzip.compress(record(f"http://a.sample/{n}", body)) for n, body in enumerate(bodies)]
    cut, path = len(records[0]) + 100_000, tmp_path / "cut.warc.gz"
    damaged = bytearray(b"".join(records))
    damaged[cut : cut + 9] = bytes(9)
    for data, last in ((b"".join(records)[:cut], bodies[0]), (damaged, bodies[2])):
        path.write_bytes(data)
        reader = WarcReader(path)
        found = [response.body for response in reader if not response.truncated]
        assert (found[0], found[-1]) == (bodies[0], last)
        assert reader.broken
        assert reader.n_damages == 1


@pytest.mark.parametrize("data", [b"", b"WARC/1.1\r\nWARC-Type: response\n\nX: y\n\r\n\r\n"])
def test_what_is_no_warc_is_refused(tmp_path, data):
    (tmp_path / "no.warc").write_bytes(data)
    with pytest.raises(InputError, match=r"no\.warc holds no WARC record"):
        check_warc(tmp_path / "no.warc")


ARC = b"filedesc://a.arc 0.0.0.0 20010101000000 text/plain 76\n1 0 Archive\n\n"


@pytest.mark.parametrize(
    ("data", "mend"),
    [
        (b"PK\x03\x04" + bytes(40), "unpack it, a WACZ has WARC files"),
        (ARC, "it is an ARC file: make it WARC"),
        (gzip.compress(ARC), "it is an ARC file: make it WARC"),
        (b"<html>" * 9, "give a WARC file$"),
        (b"\x1f\x8b no gzip", "give a WARC file$"),
    ],
)
def test_formats_that_hold_pages_are_named(tmp_path, data, mend):
    (tmp_path / "no.warc").write_bytes(data)
    with pytest.raises(InputError, match=mend):
        check_warc(tmp_path / "no.warc")


def test_what_cannot_be_read_twice_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(InputError, match="is a folder or a pipe; give a WARC file"):
            check_warc(path)


def test_all_files_that_cannot_be_read_are_named(tmp_path):
    paths = [tmp_path / f"{n}.warc" for n in range(3)]
    for path, data in zip(paths, [b"", record("http://a.sample/", b""), b"no"], strict=True):
        path.write_bytes(data)
    with pytest.raises(InputError, match=r"/0.warc holds .*; nor can be read: 2.warc$"):
        check_warcs(paths)


def test_a_path_is_no_glob(tmp_path):
    for name in ("crawl[1].warc", "crawl1.warc"):
        (tmp_path / name).touch()
    assert find_warcs(f"{tmp_path}/crawl[1].warc") == [tmp_path / "crawl[1].warc"]
    assert find_warcs(f"{tmp_path}/crawl[12].warc") == [tmp_path / "crawl1.warc"]


@pytest.mark.parametrize("name", ["WARC-Type", "Content-Length", "Content-Type"])
def test_names_of_headers_in_small_letters_are_told(tmp_path, name):
    path = tmp_path / "small.warc"
    path.write_bytes(record("http://a.sample/", b"").replace(name.encode(), name.lower().encode()))
    with pytest.raises(InputError, match=f"the header {name.lower()}, which is read as {name} "):
        check_warc(path)
