"""What ``meta`` tags declare: the kernel reads them as regular expressions do."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import as_value
from pipelines.metadata.declared import MAX_VALUE_BYTES, read_declarations
from pipelines.metadata.meta_names import NAMES
from pipelines.metadata.places import MAX_META, MAX_TAG_BYTES

START = re.compile(rb"<meta", re.IGNORECASE)
NAME = re.compile(
    rb"""(?:name|property|itemprop)\s*+=\s*+["']?\s*+([^"'\s>]{1,60}+)""", re.IGNORECASE
)
ATTRIBUTES = re.compile(rb"""(?>(?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?|["'])*)""")
CONTENT, VALUE = (
    re.compile(
        rb"""(?:^|[\s"'/])%b\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"']++))""" % name,
        re.IGNORECASE,
    )
    for name in (b"content", b"value")
)
REPEATED = {"author", "article:author", "citation_author", "dc.creator"}


def read_slowly(source: bytes) -> dict[str, list[str]]:
    meta: dict[str, list[str]] = {}
    for match in START.finditer(source, 0, max(len(source) - 2, 0)):
        place, limit = match.end(), match.end() + MAX_TAG_BYTES
        end = source.find(b">", place, limit)
        tag = source[place:end]
        if end < 0 or tag.count(b'"') % 2 or tag.count(b"'") % 2:
            tag = ATTRIBUTES.match(source[place:limit])[0]
        names = [name.decode("utf-8", "replace").lower() for name in NAME.findall(tag)]
        found = CONTENT.search(tag) or VALUE.search(tag)
        value = next(filter(None, found.groups()), b"") if found else b""
        text = value[:MAX_VALUE_BYTES].decode("utf-8", "replace")
        for name in names if as_value(text) else ():
            if name in NAMES and (name not in meta or name in REPEATED):
                meta.setdefault(name, []).append(as_value(text))
    return meta


TAGS = {
    '<meta name=author content="Jane Doe">': {"author": ["Jane Doe"]},
    "<META CONTENT='Jane' NAME = ' Author '>": {"author": ["Jane"]},
    '<meta property="og:title" name="dc.title" content="a">': {"og:title": ["a"], "dc.title": ["a"]},
    "<meta name=author content=a><meta name=author content=b>": {"author": ["a", "b"]},
    "<meta name=date content=a><meta name=date content=b>": {"date": ["a"]},
    "<meta name=date content=' '><meta name=date content=b>": {"date": ["b"]},
    # The sign in a value; a quote that is never closed.
    '<meta content="a > b" name=author>': {"author": ["a > b"]},
    "<meta content=\"it's\" name=author>": {"author": ["it's"]},
    '<meta name=author content="a': {"author": ["a"]},
    "<meta name=author data-content=a>": {},
    "<i itemprop=review><meta itemprop=datePublished content=2024><meta itemprop=Author content=a><meta name=author content=b>": {
        "author": ["b"]
    },
    "<meta name=author>": {},
    "<meta name=authority content=a>": {},
    "<meta name=author/content=a>": {},
    "<meta data-name=author /content=a>": {"author": ["a"]},
    "<meta name=author content=&amp;amp;>": {"author": ["&"]},
    "<meta name=author value='Jane Doe'>": {"author": ["Jane Doe"]},
    "<meta value=a name=author CONTENT=b>": {"author": ["b"]},
    "<meta name=author content='' value=a>": {},
    "<meta name=author data-value=a>": {},
}  # fmt: skip


@pytest.mark.parametrize("source", TAGS)
def test_meta(source):
    assert read_declarations(source.encode()).meta == TAGS[source]


PIECES = [
    *(
        "<meta",
        "<meta ",
        "<META\n",
        "<metadata ",
        ">",
        "/>",
        "<",
        "'",
        '"',
        "=",
        " ",
        "\t",
        "/",
        "é",
    ),
    *(
        "name",
        "Name=",
        "property=",
        "itemprop = ",
        "content",
        "content=",
        "CONTENT =",
        " content='",
        " value=",
    ),
    *('"og:title"', "author", "Article:Author", "' date'", "dc.creator", "no-name", "a" * 70),
    *('name="author" ', 'content="Jane Doe" ', "content='a > b'", ">x<meta name=author content=a>"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_tags_are_read_as_by_expressions(source):
    data = source.encode()
    assert read_declarations(data).meta == read_slowly(data)


def test_a_tag_is_read_to_its_limit_and_no_more_than_so_many_are():
    far = b"<meta name=author " + b"a" * MAX_TAG_BYTES + b" content=a>"
    assert read_declarations(far).meta == read_slowly(far) == {}
    many = b"<meta name=author content=a>" * (MAX_META + 1)
    assert len(read_declarations(many).meta["author"]) == MAX_META


def test_names_are_found_by_their_bytes():
    """No letter beyond ASCII becomes one of theirs when it is made small, as the Kelvin sign does a k."""
    letters = set("".join(NAMES))
    assert not [c for c in map(chr, range(128, 0x110000)) if c.lower() in letters]
