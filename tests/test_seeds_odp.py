"""ODP dumps: what is read out of good, damaged and hostile ones."""

from __future__ import annotations

import io
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.seeds import odp
from crawler.seeds.odp import read_odp
from crawler.seeds.seed import Seed
from tests.traced_memory import least_traced

HEAD = b"""<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
"""
GOOD = b"""<ExternalPage about="http://good.example/">
  <d:Title>Good</d:Title><topic>Top/Arts</topic></ExternalPage>
"""
GOOD_SEED = Seed("http://good.example/", ("Top/Arts",))


def page(about: bytes, topic: bytes = b"Top/Arts") -> bytes:
    return b'<ExternalPage about="%s"><topic>%s</topic></ExternalPage>\n' % (about, topic)


def read(data: bytes) -> tuple[list[Seed], dict[str, int]]:
    skipped: Counter[str] = Counter()
    return list(read_odp(io.BytesIO(data), skipped)), dict(skipped)


class Dribble(io.BufferedIOBase):
    """Gives its bytes in pieces of *size*, whatever is asked for."""

    def __init__(self, data: bytes, size: int):
        self.data = io.BytesIO(data)
        self.size = size

    def read1(self, size: int = -1, /) -> bytes:
        return self.data.read(self.size)


RECORDS = [
    (b'<ExternalPage about="http://a.example/"><topic>Top/A</topic></ExternalPage>', "http://a.example/"),
    (b"<ExternalPage about='http://a.example/'><topic>Top/A</topic></ExternalPage>", "http://a.example/"),
    (b'<ExternalPage\n  about = "http://a.example/"\n><topic>\nTop/A\n</topic></ExternalPage>', "http://a.example/"),
    # a ">" in an attribute, an ampersand as entity, as number, and bare as real dumps have it
    (page(b"http://a.example/?x>y"), "http://a.example/?x>y"),
    (page(b"http://a.example/?a=1&amp;b=2"), "http://a.example/?a=1&b=2"),
    (page(b"http://a.example/?a=1&#38;b=2&#x26;c=3"), "http://a.example/?a=1&b=2&c=3"),
    (page(b"http://a.example/?a=1&copy=2"), "http://a.example/?a=1&copy=2"),
    # the description is what a careless program would choke on
    ((b'<ExternalPage about="http://a.example/"><d:Description>a < b & \xff\x00\x0c <b>x'
      b"</d:Description><topic>Top/A</topic></ExternalPage>"), "http://a.example/"),
    # no end tag: the next record ends it
    (b'<ExternalPage about="http://a.example/"><topic>Top/A</topic>', "http://a.example/"),
    (b'<ExternalPage about="http://a.example/"><topic>Top/A</ExternalPage>', "http://a.example/"),
    (page("http://a.example/ö".encode()), "http://a.example/ö"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "url"), RECORDS)
def test_reads_a_record_and_its_neighbours(record, url):
    seeds, skipped = read(HEAD + GOOD + record + GOOD + b"</RDF>")
    assert [seed.url for seed in seeds] == [GOOD_SEED.url, url, GOOD_SEED.url]
    assert skipped == {}


SKIPPED = [
    (b"<ExternalPage><topic>Top/A</topic></ExternalPage>", "no_url"),
    (page(b""), "no_url"),
    (b'<ExternalPage about="http://a.example/><topic>Top/A</topic></ExternalPage>', "no_url"),
    (b'<ExternalPage about="http://a.example/"><d:Title>x</d:Title></ExternalPage>', "no_topic"),
    (page(b"http://a.example/", topic=b" "), "no_topic"),
    (b'<ExternalPage about="http://a.example/"/>', "no_topic"),
    (page(b"http://a.example/\xff"), "illegal_utf8"),
    (page(b"http://a.example/&#xFFFFFF;"), "illegal_utf8"),
    (page(b"http://a.example/\x01x"), "bad_url"),
    (page(b"http://a.example/&#7;x"), "bad_url"),
    (page(b"http://a.example/&#xD800;"), "bad_url"),
    (page(b"http:///path"), "bad_url"),
    (page(b"ftp://a.example/"), "scheme"),
    (page(b"news:alt.test"), "scheme"),
]


@pytest.mark.parametrize(("record", "reason"), SKIPPED)
def test_skips_a_damaged_record_and_keeps_its_neighbours(record, reason):
    seeds, skipped = read(HEAD + GOOD + record + GOOD + b"</RDF>")
    assert seeds == [GOOD_SEED, GOOD_SEED]
    assert skipped == {reason: 1}


def test_topics_repeated_in_a_record_come_once_and_several_stay():
    record = (
        b'<ExternalPage about="http://a.example/"><topic>Top/A</topic><topic>Top/B/</topic>'
        b"<topic>Top/A</topic></ExternalPage>"
    )
    assert read(record) == ([Seed("http://a.example/", ("Top/A", "Top/B"))], {})


def test_url_under_two_topics_comes_twice():
    seeds, _ = read(page(b"http://a.example/", b"Top/A") + page(b"http://a.example/", b"Top/B"))
    assert [seed.categories for seed in seeds] == [("Top/A",), ("Top/B",)]


def test_illegal_characters_of_a_category_are_mended():
    seeds, skipped = read(page(b"http://a.example/", b"Top/A\x02rts/\xe9t\xc3\xa9 &amp; more"))
    assert seeds == [Seed("http://a.example/", ("Top/Arts/\ufffdté & more",))]
    assert skipped == {}


def test_topic_elements_hold_no_seeds():
    topic = (
        b'<Topic r:id="Top/A"><catid>1</catid><link r:resource="http://b.example/"></link></Topic>'
    )
    assert read(HEAD + topic + GOOD) == ([GOOD_SEED], {})


def test_comment_and_doctype_are_passed_over_and_entities_do_not_expand():
    bomb = b"".join(
        b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10 if i else b"lol" * 10) for i in range(9)
    )
    doctype = b"<!DOCTYPE RDF [%s<!ENTITY p '%s'>]>" % (bomb, page(b"http://evil.example/"))
    comment = b"<!-- " + page(b"http://commented.example/") + b" -->"
    data = HEAD + doctype + comment + page(b"http://a.example/", b"Top/&l8;") + GOOD
    assert read(data) == ([Seed("http://a.example/", ("Top/&l8;",)), GOOD_SEED], {})


def test_comment_without_end_costs_no_record():
    data = b"<!-- broken " + GOOD * 300
    assert len(data) > odp.OPAQUE_MAX_BYTES
    assert read(data) == ([GOOD_SEED] * 300, {})


@pytest.mark.slow
@pytest.mark.parametrize("mark", [b"<!--", b"<!DOCTYPE ", b"<!DOCTYPE [", b"<!DOCTYPE [] "])
def test_marks_without_end_are_looked_for_once(mark):
    """Looked for from each start on, they would take minutes."""
    n_bytes = 3 * 2**20
    found, skipped = read(GOOD + mark * (n_bytes // len(mark)) + b">" + GOOD)
    assert found in ([GOOD_SEED] * 2, [GOOD_SEED])
    assert skipped == {}


def ends_one_by_one(buffer, start):
    """What `odp._Opaque` finds, by a look at the bytes behind each start alone."""
    mark = rb"-->" if start["comment"] else rb"\A[^\[>]*>|\]\s*>"
    behind = buffer[start.end() : start.end() + odp.OPAQUE_MAX_BYTES]
    end = re.search(mark, behind)
    return start.end() + (end.end() if end else 0)


@given(st.lists(st.sampled_from([b"<!--", b"-->", b"<!DOCTYPE", b"[", b"]", b">", b" ", b"x"]), max_size=60),
       st.integers(1, 40))  # fmt: skip
def test_ends_are_those_of_each_start(pieces, limit):
    buffer = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odp, "OPAQUE_MAX_BYTES", limit)
        opaque = odp._Opaque(buffer, at_end=True)
        for start in odp._START.finditer(buffer):
            assert opaque.after(start) == ends_one_by_one(buffer, start)


def test_record_without_end_is_given_up():
    endless = b'<ExternalPage about="http://a.example/">' + b"x" * (3 * odp.RECORD_MAX_BYTES)
    assert read(endless + GOOD) == ([GOOD_SEED], {"too_long": 1})


def test_dump_cut_off_in_a_topic_gives_no_wrong_category():
    cut = b'<ExternalPage about="http://a.example/"><topic>Top/Ar'
    assert read(GOOD + cut) == ([GOOD_SEED], {"no_topic": 1})


@given(st.lists(st.sampled_from([r for r, _ in RECORDS] + [r for r, _ in SKIPPED]), max_size=6),
       st.integers(1, 40))  # fmt: skip
def test_where_chunks_end_changes_nothing(records, size):
    data = HEAD + GOOD + b"".join(records) + GOOD
    skipped: Counter[str] = Counter()
    assert (list(read_odp(Dribble(data, size), skipped)), dict(skipped)) == read(data)


@given(st.lists(st.one_of(st.binary(max_size=30), st.sampled_from(
    [b"<ExternalPage ", b'about="', b'http://a.example/"', b">", b"<topic>", b"</topic>", b"<!--",
     b"-->", b"<!DOCTYPE ", b"[", b"]>", b"</ExternalPage>", b"<Topic>", b"&#38;", b"&amp;"])),
    max_size=30))  # fmt: skip
def test_any_bytes_are_read_without_an_error(pieces):
    for seed in read(b"".join(pieces))[0]:
        assert seed.url.startswith("http")
        assert seed.categories


def generated_dump(n_pages: int) -> io.BufferedIOBase:
    """A dump that is made while it is read, so that only the reader's memory counts."""

    class Generated(io.BufferedIOBase):
        left = n_pages

        def read1(self, size: int = -1, /) -> bytes:
            n = min(self.left, max(1, size // 1000))
            self.left -= n
            return (page(b"http://a.example/") + b"<!--%s-->" % (b"d" * 900)) * n

    return Generated()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_dump(monkeypatch):
    monkeypatch.setattr(odp, "CHUNK_BYTES", 2**16)
    n_pages = 6_000  # 6 MB, of which the records alone are more than what may be held
    n_seeds, _, peak = least_traced(
        lambda: sum(1 for _ in read_odp(generated_dump(n_pages), Counter()))
    )
    assert n_seeds == n_pages
    # a chunk, what was left of the last one, their sum and the records cut out of it
    assert peak < 6 * odp.CHUNK_BYTES
