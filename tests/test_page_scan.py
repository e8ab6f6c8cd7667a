"""The compiled scan against the slow one: the same on every page and every source."""

from __future__ import annotations

import gzip
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crawler.page import PageLimits, PageRules
from crawler.page.encoding.text import decode
from crawler.page.head import refresh_target
from crawler.page.links import LinkKind
from crawler.page.pagelets import with_residuals
from crawler.page.scanning.results import scan_source
from crawler.page.tags import names
from tests.reference_scan import ReferenceScan

RULES = [
    PageRules(inline=inline, hidden=hidden)
    for inline in ("gap", "transparent", "phrasing")
    for hidden in ("keep", "drop")
]
_TAGS = sorted(
    names(
        "a b br div p li ul ol table tr td th h1 img area iframe frame link meta base html head body title script "
        "style template textarea noscript svg select option span x-y X-Y hr blockquote i cite wbr ruby rt rp "
        "annotation dialog o:p st1:country-region xmp picture g"
    )
)
_ATTRIBUTES = (
    "href='/x?a=1&amp;b&copy=2'",
    'href="#f"',
    "href",
    "href=//b.c/d",
    "name=n",
    "hidden",
    "open",
    "hidden='Until-Found'",
    "class=katex-html",
    "style='color:red; DISPLAY : none'",
    'style="visibility:hidden"',
    "style='display:none;Display:block'",
    "style='visibility:visible'",
    "popover",
    "rel='next nofollow'",
    "rel=canonical",
    "rel=alternate type=application/rss+xml",
    "alt='a picture&eacute;'",
    "src=/s",
    "content='0; url=/r'",
    "content='noindex, follow'",
    "content='max-image-preview: none nofollow'",
    "content='de-AT'",
    "http-equiv=refresh",
    "name=robots",
    "property=og:locale",
    "lang=fr",
    "shadowrootmode=open",
    "ShadowRootMode",
    "ShadowRootMode=Closed",
    "=x",
    "x='",
    'y="',
    "/",
    "HREF=/big",
)
_TEXTS = (
    *("word", " ", "two words", "\n", "3.5", "-", "&nbsp;", "&amp;", "&eacute", "&#8211;", "&#x1;"),
    *(
        "数据科学",
        "ไทยไทย",
        "e\u0301",
        "\u0301",
        "\x01",
        "<",
        ">",
        "<3",
        "</",
        "<!-- c -->",
        "<!--",
    ),
    *(
        "-->",
        "<?pi?>",
        "<!d>",
        "é",
        "\u00a0",
        "</math></span><span CLASS='Katex-html x'>E = m",
        "&notit;",
        "&",
        "don't",
        "カ\u3099",
        "A" * 90,
        "ex\u00adam&shy;ple",
        "\ufeff",
        "\u2060",
        "\x85",
    ),
)
start_tags = st.builds(
    lambda name, attributes, end: f"<{' '.join([name, *attributes])}{end}",
    st.sampled_from(_TAGS),
    st.lists(st.sampled_from(_ATTRIBUTES), max_size=3),
    st.sampled_from((">", ">", ">", "/>", " >", "")),
)
end_tags = st.builds(lambda name: f"</{name}>", st.sampled_from(_TAGS))
sources = st.lists(start_tags | end_tags | st.sampled_from(_TEXTS), max_size=40).map("".join)


def check(source: bytes, rules=RULES[0], *, is_xml=False, scripting=True, limits=None):
    """Assert that both scans find the same in *source*."""
    limits = limits or PageLimits()
    fast = scan_source(source, limits, rules, is_xml=is_xml, scripting=scripting)
    slow = ReferenceScan(source.decode(), limits, rules, is_xml=is_xml, scripting=scripting)
    blocks = fast.blocks
    columns = (
        *(blocks.text, blocks.n_words.tolist(), blocks.linked_words.tolist()),
        *(blocks.n_lines.tolist(), blocks.last_line_tokens.tolist(), blocks.gap_mask.tolist()),
        *(blocks.path, blocks.hidden.tolist()),
    )
    rows = list(zip(*columns, strict=True))
    slow_rows = [(*row[:5], row[5] % (1 << 64), *row[6:]) for row in slow.blocks]
    assert rows == slow_rows
    check_links(fast, slow)
    raw = {name: value[: 8 * limits.max_head_chars] for name, value in slow.head.items()}
    assert fast.head.values == raw
    assert fast.noindex == (not slow.robots.isdisjoint({"noindex", "none"}))
    assert fast.nofollow == (not slow.robots.isdisjoint({"nofollow", "none"}))
    assert fast.has_noscript == slow.has_noscript
    check_pagelets(fast, slow, rules.pagelet_links)


def check_links(fast, slow):
    links = fast.references
    kinds = [LinkKind(kind) for kind in links.kind.tolist()]
    found = zip(
        links.href, links.anchor, kinds, links.nofollow.tolist(), links.block.tolist(), strict=True
    )
    expected = [
        (
            (refresh_target(href) or "about:reload") if kind == LinkKind.REFRESH else href,
            *(anchor, kind, nofollow, block),
        )
        for href, anchor, kind, nofollow, block in slow.links
    ]
    assert [(link[0], *link[2:]) for link in found] == [(link[0], *link[2:]) for link in expected]
    # Across the ends of tags a letter and its accent may be composed or not.
    assert [_bare(text) for text in links.anchor] == [_bare(link[1]) for link in expected]


def _bare(text):
    return unicodedata.normalize("NFD", text)


def check_pagelets(fast, slow, k):
    pagelets = with_residuals(fast.pagelets, len(fast.blocks), len(fast.references))
    found = [
        (list(range(first, end)), list(range(first_link, end_link)))
        for first, end, first_link, end_link, residual in zip(
            *(pagelets.first_block.tolist(), pagelets.end_block.tolist()),
            *(pagelets.first_link.tolist(), pagelets.end_link.tolist()),
            pagelets.is_residual.tolist(),
            strict=True,
        )
        if not residual
    ]
    assert found == slow.root.pagelets(k)
    assert sum(pagelets.end_block - pagelets.first_block) == len(fast.blocks)
    assert sum(pagelets.end_link - pagelets.first_link) == len(fast.references)


@settings(max_examples=200, deadline=None)
@given(source=sources, k=st.integers(1, 10))
def test_pagelets_of_any_k(source, k):
    check(source.encode(), PageRules(pagelet_links=k))


def test_pagelets_need_a_link():
    with pytest.raises(ValueError, match="pagelet_links must be at least 1, got 0"):
        PageRules(pagelet_links=0)


@settings(max_examples=200, deadline=None)
@given(sources, st.sampled_from(RULES), st.booleans(), st.booleans())
@example("<a>カ\u3099カ\u3099", RULES[0], False, False)
@example("カ<a>\u3099カ</a>\u3099<a>カ\u3099", RULES[0], False, False)
def test_made_up_sources(source, rules, is_xml, scripting):
    check(source.encode(), rules, is_xml=is_xml, scripting=scripting)


_STYLES = (
    "display",
    "Visibility",
    "none",
    "hidden",
    "visible",
    "initial",
    "collapse",
    "block",
    ":",
    ":",
    ";",
    "!",
    "important",
)
_STYLES += ("flex", "-webkit-box", "inline", " ", "/*", "*/", "/", "-", "x", "\x0b", "K")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_STYLES), max_size=12).map("".join), st.sampled_from(RULES))
@example("display:none!important;display:block", RULES[0])
@example("visibility:visible/*;*/!/**/important;visibility:hidden", RULES[0])
def test_styles(style, rules):
    check(f'<p style="{style}" hidden>one<p style="{style}">two'.encode(), rules)
    check(f'<p>one<b style="{style}">two</b>three'.encode(), rules)


_SIGHTS = ("<%s style=visibility:hidden>", "<%s style=visibility:visible>", "<%s hidden>", "<%s>")
_LINES = (
    "<%s hidden style=visibility:visible>",
    "<%s style='display:block;visibility:hidden'>",
    "<%s style=display:flex>",
)
sights = st.builds(
    lambda tag, name: tag % name,
    st.sampled_from((*_SIGHTS, *_LINES, "</%s>", "</%s>", "</%s>")),
    st.sampled_from(("a", "b", "i", "div", "p")),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(sights | st.just("word"), max_size=30).map("".join), st.sampled_from(RULES))
@example("<a hidden><b><a>word", RULES[1])
@example(
    "<b style=visibility:hidden>" * 2 + "<b style=visibility:visible>" * 2 + "x</b>y", RULES[5]
)
@example(
    ("<b style=visibility:hidden><b style=visibility:visible>" * 9) + "x" + "</b>y" * 17, RULES[5]
)
def test_sight(source, rules):
    check(source.encode(), rules)


@settings(max_examples=150, deadline=None)
@given(sources, st.integers(1, 3), st.integers(1, 12))
def test_limits(source, few, chars):
    limits = PageLimits(max_blocks=few, max_links=few, max_depth=few, max_anchor_chars=chars)
    check(source.encode(), limits=limits)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("<>/!-='\" abAP&;#x\n"), max_size=60))
def test_broken_markup(source):
    check(source.encode())


def read(path) -> bytes:
    body = gzip.decompress(path.read_bytes())
    return decode(body).utf8.replace(b"\0", b"")


def test_real_pages(shared):
    for path in sorted(shared.glob("data/extraction/dev/*/pages/*.gz"))[::40]:
        check(read(path))


@pytest.mark.long
def test_all_real_pages(shared):
    for path in sorted(shared.glob("data/extraction/*/*/pages/*.gz")):
        for rules in RULES:
            check(read(path), rules)
