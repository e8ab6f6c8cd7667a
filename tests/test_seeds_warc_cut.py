"""Plain WARC files of which a record was cut in its body, by a crash of its writer, and the next one written behind
it.
"""

from __future__ import annotations

import tempfile
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crawler.seeds.warc import WarcReader
from tests.warc_records import html, record

SIZES = st.lists(st.integers(1, 3000), min_size=2, max_size=4)
END = b"\r\n\r\n"
# Of less than its version nobody can tell the next record from text.
LEAST = len(b"WARC/1.1")


@given(SIZES, st.integers(1, 4000))
def test_what_is_there_of_it_is_read_and_all_behind_it(sizes, n_lost):
    bodies = [html(f"{place} " * size) for place, size in enumerate(sizes)]
    records = [record(f"http://a.sample/{place}", body) for place, body in enumerate(bodies)]
    n_lost = min(n_lost, len(bodies[0]))
    # By chance the length may lead to where another one ends.
    assume(not any(0 <= end - n_lost <= len(END) for end in accumulate(map(len, records[1:]))))
    cut = records[0][: -len(END) - n_lost]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cut.warc"
        path.write_bytes(cut + b"".join(records[1:]))
        reader = WarcReader(path)
        found = [(response.url[16:], response.body, response.truncated) for response in reader]
    left = bodies[0][: len(bodies[0]) - n_lost]
    if n_lost < LEAST:
        assert found[0][1].startswith(left)
    else:
        assert found[0] == ("0", left, True)
    assert found[1:] == [(f"{n}", body, False) for n, body in enumerate(bodies) if n]
    assert (reader.n_damages, reader.skipped) == (1, 0)


@pytest.mark.parametrize("n_behind", [0, 1])
def test_a_page_that_shows_a_record_is_whole(tmp_path, n_behind):
    shown = html(f"So it begins: {record('http://b.sample/', html('text')).decode()}")
    records = [record("http://a.sample/0", shown), record("http://a.sample/1", html("text"))]
    (tmp_path / "shown.warc").write_bytes(b"".join(records[: 1 + n_behind]))
    reader = WarcReader(tmp_path / "shown.warc")
    found = [(response.body, response.truncated) for response in reader]
    assert found == [(shown, False), (html("text"), False)][: 1 + n_behind]
    assert reader.broken is None


def conversion(size):
    """A record that is not read."""
    text = record("http://a.sample/0", html("1 " * size))
    return text.replace(b"WARC-Type: response", b"WARC-Type: conversion")


@pytest.mark.parametrize("n_behind", [0, 1, 2])
@pytest.mark.parametrize("cut", [conversion(5000), record("http://a.sample/0", html("1 " * 5000))])
def test_what_stands_behind_one_that_asks_for_more_than_the_file_has_is_read(
    tmp_path, cut, n_behind
):
    pages = [html(f"{n} " * 9) for n in range(1 + n_behind)]
    records = [record(f"http://a.sample/{n + 1}", body) for n, body in enumerate(pages)]
    (tmp_path / "cut.warc").write_bytes(records[0] + cut[:-5000] + b"".join(records[1:]))
    reader = WarcReader(tmp_path / "cut.warc", max_bytes=4000)
    found = {response.url[16:]: response.body for response in reader}
    assert [found[f"{n + 1}"] for n in range(1 + n_behind)] == pages
    assert (reader.n_damages, reader.broken) == (1, "a record ends too early")


@pytest.mark.parametrize("ends", [b"\n\n", b"\r\n", b"\n", b"\r\r\n\r\r\n"])
def test_nor_do_other_line_ends_behind_it_make_it_one_that_was_cut(tmp_path, ends):
    shown = html(f"So it begins: {record('http://b.sample/', html('text')).decode()}")
    records = [record("http://a.sample/0", shown), record("http://a.sample/1", shown)]
    (tmp_path / "ends.warc").write_bytes(b"".join(each[: -len(END)] + ends for each in records))
    reader = WarcReader(tmp_path / "ends.warc")
    assert [response.body for response in reader] == [shown, shown]
    for end in (b"", END + b"  \n"):
        (tmp_path / "last.warc").write_bytes(records[0][: -len(END)] + end)
        reader = WarcReader(tmp_path / "last.warc")
        assert [(response.body, response.truncated) for response in reader] == [(shown, False)]
        assert reader.broken is None
