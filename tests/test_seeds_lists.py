"""Category tables and URL lists: columns, bare hosts, headers, what is skipped."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.categories import clean_category
from crawler.seeds.lists import LINE_MAX_BYTES, parse_line, read_lines
from crawler.seeds.seed import Seed, matches_category


def read(data: bytes) -> tuple[list[Seed], dict[str, int]]:
    skipped: Counter[str] = Counter()
    return list(read_lines(io.BytesIO(data), skipped)), dict(skipped)


LINES = [
    ("http://a.example/", "http://a.example/", ()),
    ("  https://a.example/x,y  ", "https://a.example/x,y", ()),  # commas belong to the URL
    ("HTTP://A.example/", "HTTP://A.example/", ()),
    ("a.example", "http://a.example/", ()),
    ("a.example/path", "http://a.example/path", ()),
    ("a.example:8080", "http://a.example:8080/", ()),
    ("münchen.example", "http://münchen.example/", ()),
    ("Top/Arts\thttp://a.example/", "http://a.example/", ("Top/Arts",)),
    ("http://a.example/\tTop/Arts", "http://a.example/", ("Top/Arts",)),
    ("Top/Arts\ta.example\ttitle", "http://a.example/", ("Top/Arts",)),
    ("Top/Arts,http://a.example/", "http://a.example/", ("Top/Arts",)),
    ('"Top/Arts, Crafts",http://a.example/?a=1', "http://a.example/?a=1", ("Top/Arts, Crafts",)),
    ('"Top/Arts","http://a.example/x,y"', "http://a.example/x,y", ("Top/Arts",)),
    ("\thttp://a.example/", "http://a.example/", ()),
    ("youtube.com\t2.62144E7", "http://youtube.com/", ()),  # host and harmonic centrality
    ("12\thttp://a.example/", "http://a.example/", ()),
    ('"http://a.example/"', "http://a.example/", ()),
    (' "a.example"', "http://a.example/", ()),
    ("http://a.example/ # the best", "http://a.example/", ()),
    ("http://a.example/ # the best, or so", "http://a.example/", ()),
    # Rows without a header that begin with their URL: the whole of them was taken for it.
    ("http://a.example/,Arts and Crafts", "http://a.example/", ("Arts and Crafts",)),
    ('http://a.example/?a=1,"Top/Arts"', "http://a.example/?a=1", ("Top/Arts",)),
    ('http://a.example/,12,"Arts, Crafts",x', "http://a.example/", ("Arts, Crafts",)),
    ("http://a.example/x,y,12.html", "http://a.example/x,y,12.html", ()),
    ("http://a.example/x,url", "http://a.example/x,url", ()),
    # Behind a host alone no comma is one of its URL.
    ("http://a.example/,Arts", "http://a.example/", ("Arts",)),
    ("https://a.example:80,0.95,Arts,en", "https://a.example:80", ("Arts",)),
    ("http://a.example/x#part", "http://a.example/x#part", ()),
    ("http://a.example/a b", "http://a.example/a b", ()),
]


@pytest.mark.parametrize(("line", "url", "categories"), LINES)
def test_line_with_a_seed(line, url, categories):
    assert parse_line(line) == Seed(url, categories)


BAD_LINES = [
    ("hello world", "bad_url"),
    ("Top/Arts\tno url here", "no_url"),
    ("Top/Arts\t", "no_url"),
    ("ftp://a.example/", "scheme"),
    ("Top/Arts\tmailto:x@a.example", "scheme"),
    ("http://", "bad_url"),
    ("http://a.example/ https://b.example/", "bad_url"),
    ("http://a.example/, https://b.example/", "bad_url"),
    ("http://a.example/\x00", "bad_url"),
    ("2.5E7", "bad_url"),
    ('"Top/Arts,http://a.example/', "bad_csv"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_line_without_a_seed(line, reason):
    assert parse_line(line) == reason


def test_file_with_everything():
    data = (
        b"\xef\xbb\xbf# my seeds\r\n\r\n  # of mine\r\nTop/A\thttp://a.example/\r\n"
        b"Top/B\thttp://b.example/\xff\nhttp://c.example/" + b"c" * LINE_MAX_BYTES + b"\n"
        b"Top/D\thttp://d.example/"
    )
    seeds, skipped = read(data)
    assert seeds == [Seed("http://a.example/", ("Top/A",)), Seed("http://d.example/", ("Top/D",))]
    assert skipped == {"illegal_utf8": 1, "too_long": 1}


HEADERS = [
    (b"category\turl\nhttp://x.example/\thttp://a.example/\n", ("http://x.example",)),
    (b"# note\n\nURL,title,Category\nhttp://a.example/,T,Top/A\n", ("Top/A",)),
    (b'"url","category"\n"http://a.example/","Top/A"\n', ("Top/A",)),
    (b"url\nhttp://a.example/\n", ()),
    (b'url;category\nhttp://a.example/;"Top/A; B, C"\n', ("Top/A; B, C",)),
]


@pytest.mark.parametrize(("data", "categories"), HEADERS)
def test_header_names_the_columns(data, categories):
    # the first row's category is a URL, which cleaning leaves without its double slash
    expected = tuple(clean_category(c.replace("//", "/")) for c in categories)
    assert read(data) == ([Seed("http://a.example/", expected)], {})


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            b"# mine\nhttp://a.example/x,Arts,0.5\n\nhttp://b.example/,Arts,0.7\n",
            {"x": "Arts", "": "Arts"},
        ),
        (
            b"http://a.example/x,Arts\nhttp://b.example/y,Arts and Crafts\n",
            {"x": "Arts", "y": "Arts and Crafts"},
        ),
        # Addresses of pages, none of them surely a row; or with other commas, or other lines.
        (
            b"http://a.example/0,1518,1.html\nhttp://b.example/0,1518,2.html",
            {"0,1518,1.html": "", "0,1518,2.html": ""},
        ),
        (b"http://a.example/x,y\nhttp://b.example/,Arts,1\n", {"x,y": "", "": "Arts"}),
        (
            b"http://a.example/x,y\nhttp://b.example/,Arts\nTop\thttp://c.example/z,1",
            {"x,y": "", "": "Arts", "z,1": "Top"},
        ),
    ],
)
def test_rows_that_begin_with_their_url(data, found):
    seeds, skipped = read(data)
    rows = {seed.url.split("example/")[1]: "".join(seed.categories) for seed in seeds}
    assert (rows, skipped) == (found, {})


def test_rows_are_told_by_the_first_lines():
    lines = [f"http://a.example/{n},Arts" for n in range(200)]
    lines[50] = "http://b.example/,Arts"
    seeds, _ = read("\n".join(lines).encode())
    assert {seed.categories for seed in seeds} == {("Arts",)}


def test_a_cell_in_quotes_may_hold_line_ends():
    described = b'Top/A,http://a.example/,"one\n\n#two, ""of"" http://x.example/"\r\n'
    last = b"Top/B,http://b.example/,\n"
    seeds = [Seed("http://a.example/", ("Top/A",)), Seed("http://b.example/", ("Top/B",))]
    assert read(b"category,url,text\n" + described + last) == (seeds, {})
    # A quote in excess costs its own row.
    for excess in (b'"', b'"\nTop/B,http://b.example/,"5" of it', b'"' + b"\n\n" * LINE_MAX_BYTES):
        found, skipped = read(
            b"category,url,text\nTop/A,http://a.example/," + excess + b"\n" + last
        )
        assert (found, skipped["bad_csv"]) == (seeds[1:], 1 + excess.count(b"5"))


def test_row_shorter_than_the_header_is_skipped():
    assert read(b"category\turl\nTop/A\nTop/A\thttp://a.example/\n") == (
        [Seed("http://a.example/", ("Top/A",))],
        {"no_url": 1},
    )


@given(st.text(max_size=60))
def test_any_line_is_a_seed_or_a_reason(line):
    seed = parse_line(line)
    assert isinstance(seed, (Seed, str))
    if isinstance(seed, Seed):
        assert seed.url.lower().startswith("http")


@pytest.mark.parametrize(
    ("category", "prefix", "matches"),
    [
        ("Top/Arts/Animation", "Top/Arts", True),
        ("Top/Arts/Animation", "Arts", True),
        ("Arts/Animation", "Top/Arts", True),
        ("Top/Arts", "Top/Arts/", True),
        ("Top/Arts", "Top", True),
        ("Top/ArtsX", "Top/Arts", False),
        ("Top/Arts", "Top/Arts/Animation", False),
        ("Top/Topology", "Top/Top", False),
        ("Top/World/Arts", "Arts", False),
        ("Top/World/Fran\u00e7ais", "World/Franc\u0327ais", True),  # one spelling of two
    ],
)
def test_category_prefix_goes_by_components(category, prefix, matches):
    assert matches_category(category, prefix) is matches
