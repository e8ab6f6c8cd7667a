"""What a crawl noted of its answers: read with them, where the record behind names them; metadata of others are not."""

from __future__ import annotations

import pytest

from crawler.seeds.warc import WarcReader, WarcResponse
from tests.warc_records import TEXT, html, named, notes, record, revisit

OURS = ("pageId: 0:7", "depth: 3", "redirects: 0", "category: Top/Ärzte", "category: /Top//B: C")


def answer(name):
    return named(record(f"http://a.sample/{name}", html(TEXT), "Content-Type: text/html"), name)


def found_in(path, *records):
    path.write_bytes(b"".join(records))
    reader = WarcReader(path)
    found = [each for each in reader.records() if isinstance(each, WarcResponse)]
    assert (reader.broken, reader.skipped) == (None, 0)
    assert [each.url for each in WarcReader(path)] == [each.url for each in found]
    return {each.record_id.removeprefix("urn:uuid:"): each.notes for each in found}


def test_notes_are_of_the_answer_that_they_name(tmp_path):
    request = answer("b").replace(b"Type: response", b"Type: request")
    again = named(revisit("http://a.sample/c", "2022-01-01T00:00:00Z", None), "c")
    found = found_in(
        tmp_path / "a.warc",
        *(notes("x", *OURS), answer("a"), notes("b", *OURS), answer("b"), request),
        *(notes("b", *OURS), again, notes("c", *OURS), answer("d"), notes("d", *OURS[:2])),
    )
    assert [*found] == ["a", "b", "d"]
    assert found["a"] is None
    assert (found["b"].depth, found["b"].categories) == (3, ("Top/Ärzte", "Top/B: C"))
    assert (found["d"].depth, found["d"].categories) == (3, ())


@pytest.mark.parametrize(
    "others",
    [
        notes("a", "hopsFromSeed: L", "via: http://b.sample/", "fetchTimeMs: 7", "depth: 7"),
        notes("a", *OURS, kind="text/plain"),
        notes("a", "pageId: 0:7", "depth: -1"),
        notes("a", "pageId: 0:7"),
        notes("a", *OURS).replace(b"WARC-Refers-To", b"WARC-Concurrent-To"),
        notes("a"),
    ],
)
def test_metadata_of_others_say_nothing(tmp_path, others):
    found = found_in(tmp_path / "a.warc", answer("a"), others, answer("b"))
    assert found == {"a": None, "b": None}


def test_notes_that_are_cut_are_none(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes((answer("a") + notes("a", *OURS))[:-40])
    (found,) = WarcReader(path).records()
    assert found.url == "http://a.sample/a"
