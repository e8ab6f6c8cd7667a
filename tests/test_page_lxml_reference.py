"""The scanner's blocks against those of the slow reference, on made pages and on real ones."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.tags import GAP_BITS, OTHER_BIT
from crawler.seeds.warc import WarcReader
from tests.lxml_reference import ReferenceBlock, reference_blocks

# Why the blocks of a real page differ in text or in the tags of a gap; the pages are listed in
# lxml_reference_differences.tsv: collection, page, reason. Of each but the last three it was seen
# that libxml2 finds our blocks once that one thing is mended in the source.
REASONS = {
    "tag in tag": "A tag without its '>' ends at the next '<' for us, which then begins a tag of its "
    "own; for libxml2 and the HTML standard that is an attribute. A gap has one tag less.",
    "open comment": "'<!--' without '-->' ends at the next '>' for us; for libxml2 and the HTML "
    "standard the rest of the page is comment.",
    "open quote": "A quote that nothing closes is an ordinary character of an attribute's value for "
    "us; for libxml2 and the HTML standard the rest of the page is the value, and dropped.",
    "open object": "An object that nothing closes (here: a word in angle brackets) mutes nothing for "
    "us; in the tree all that follows stands within it.",
    "applet closed early": "Text is dropped up to the applet's end tag; in the tree the end of the "
    "paragraph that it was opened in closes it.",
    "noscript kept open": "In the tree a noscript in which a box was not closed has no end, and the "
    "page is muted with it.",
    "row of combining marks": "We divide a row of more than 30 marks on one letter by U+034F before "
    "NFC (UAX #15, section 13).",
}
LISTED = Path(__file__).with_name("lxml_reference_differences.tsv")


def listed(collection):
    rows = [line.split("\t") for line in LISTED.read_text(encoding="utf-8").splitlines()]
    return {page: REASONS[reason] for of, page, reason in rows if of == collection}


def scanned_blocks(model):
    return list(zip(model.blocks.text, model.blocks.gap_mask.tolist(), strict=True))


def expected_blocks(source):
    blocks = []
    for block in reference_blocks(source):
        mask = 0
        for name in block.gap:
            mask |= GAP_BITS.get(name, OTHER_BIT)
        blocks.append((block.text, mask))
    return blocks


def model_of(body, content_type="text/html; charset=utf-8"):
    return build_page(body, url="http://a.example/", content_type=content_type)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("<p>a <i>b</i> c", [("a", {"p"}), ("b", {"i"}), ("c", {"i"})]),
        ("<p>a <a href=x>b</a> c", [("a b c", {"p"})]),
        # Implied tags are not in the source; end tags that match nothing are.
        ("a<table><td>b</table></p>c", [("a", set()), ("b", {"table", "td"}), ("c", {"table", "p"})]),
        ("<a><b>x</a>y", [("xy", {"a", "b"})]),
        ("<li>a<a>", [("a", {"li"})]),
        ("<p>a</a><p>b", [("a", {"p"}), ("b", {"a", "p"})]),
        ("<p>-<p>b", [("b", {"p"})]),
        ("<p>a<script>b</script>c", [("a", {"p"}), ("c", {"script"})]),
        ("<p>a<template><b>b</b></template>c", [("a", {"p"}), ("c", {"template"})]),
        ("<b>x</b></html><i>y</i>", [("x", {"b"}), ("y", {"b", "html", "i"})]),
        ("<noframes><p>b</p></noframes>", [("b", {"noframes", "p"})]),
        ("<a>b</a><a>c</a>", [("b c", {"a"})]),
    ],
)  # fmt: skip
def test_reference(source, expected):
    assert reference_blocks(source) == [
        ReferenceBlock(text, frozenset(gap)) for text, gap in expected
    ]


WORDS = st.sampled_from(["one", "two ", " three", " ", "-", "&amp;", "é", "数据", "a&nbsp;b", "<!-- c -->", "\x02"])  # fmt: skip


def _elements(inner):
    content = st.lists(inner, max_size=4).map("".join)
    closed = st.sampled_from(
        ["p", "div", "b", "a", "ul", "li", "table", "td", "h1", "x-y", "noframe"]
    )
    # Text in these is none; nothing stands in them that could keep them open.
    muted = st.sampled_from(["script", "style", "noscript", "select", "svg", "object", "textarea"])
    stray = st.sampled_from(["<br>", "<hr/>", "<img alt=x>", "</b>", "</i>", "<input title='<p>'>"])
    return (
        st.builds("<{0}>{1}</{0}>".format, closed, content)
        | st.builds("<{0}>{1}</{0}>".format, muted, WORDS)
        | stray
    )


@settings(deadline=None)  # the first page loads tables and kernels
@given(st.lists(st.recursive(WORDS, _elements, max_leaves=12), max_size=6).map("".join))
def test_made_pages_agree(body):
    source = f"<html><body>{body}</body></html>"
    assert scanned_blocks(model_of(source.encode())) == expected_blocks(source)


def extraction_pages(shared):
    for manifest in sorted(shared.glob("data/extraction/*/*/manifest.jsonl")):
        folder = manifest.parent
        for line in manifest.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            page = f"{folder.parent.name}/{folder.name}/{row['id']}"
            # As the data's own description says.
            charset = "; charset=utf-8" if row.get("charset_conflict") else ""
            yield page, folder / "pages" / f"{row['id']}.html.gz", f"text/html{charset}"


def segmentation_pages(shared):
    for file in sorted(shared.glob("data/segmentation/rkrzr-random/*/*.html.gz")):
        yield f"{file.parent.name}/{file.name.removesuffix('.html.gz')}", file, "text/html"


def archived_pages(shared, name):
    for response in WarcReader(shared / "data" / "warc" / f"{name}.warc.gz", max_bytes=1 << 30):
        content_type = dict(response.headers).get(b"Content-Type")
        yield response.url, response.body, content_type and content_type.decode("latin-1")


# Of each collection its pages, how many it has at least, and each how manieth the quick test reads.
COLLECTIONS = {
    "extraction": (extraction_pages, 2157, 36),
    "rkrzr-random": (segmentation_pages, 150, 20),
    "webkb-1997": (partial(archived_pages, name="webkb-1997"), 8198, 100),
    "pages-2011-2026": (partial(archived_pages, name="pages-2011-2026"), 751, 50),
}


def differing(pages):
    found = set()
    for page, stored, content_type in pages:
        body = gzip.decompress(stored.read_bytes()) if isinstance(stored, Path) else stored
        model = model_of(body, content_type)
        if scanned_blocks(model) != expected_blocks(model.source.decode()):
            found.add(page)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_some_real_pages_agree_but_for_the_listed(shared, collection):
    pages, n_pages, step = COLLECTIONS[collection]
    different = listed(collection)
    some = {page for place, page in enumerate(different) if place % 10 == 0}
    sample = [row for place, row in enumerate(pages(shared)) if place % step == 0 or row[0] in some]
    assert len(sample) >= n_pages // step
    assert differing(sample) == {page for page, _, _ in sample} & set(different)


@pytest.mark.long
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_all_real_pages_agree_but_for_the_listed(shared, collection):
    pages, n_pages, _ = COLLECTIONS[collection]
    rows = list(pages(shared))
    assert len(rows) >= n_pages
    assert differing(rows) == set(listed(collection))
