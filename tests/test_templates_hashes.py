"""Gibson's template hashes, of the DOM and of windows of text, against slow versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pipelines.templates.detectors.dom_template_hash import DomTemplateHash
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.registry import get
from pipelines.templates.detectors.text_window_hash import (
    TextWindowHash,
    page_text,
    window_hashes,
)
from tests.site_pages import bodies, page, sites, stays


def subtree(element):
    """All that an element says, written out."""
    parts = [" ".join((element.text or "").split())]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(subtree(child))
        parts.append(" ".join((child.tail or "").split()))
    return (element.tag, sorted(element.items()), parts)


def slow_dom(models, model, low, high, min_pages):
    """Whether each text stays, by a search for each element around it in each page."""
    known = [[subtree(each) for each in other.tree.root.iter(etree.Element)] for other in models]
    nodes, kept = PageNodes(model), []
    for holder in nodes.holder.tolist():
        element = nodes.elements[holder]
        counts = [
            sum(subtree(each) in elements for elements in known)
            for each in (element, *element.iterancestors())
        ]
        is_template = any(n >= min_pages and low <= n / len(models) <= high for n in counts)
        kept.append(not is_template)
    return kept


@settings(deadline=None)
@given(
    site=sites,
    body=bodies,
    low=st.sampled_from([0.1, 0.5]),
    high=st.sampled_from([0.6, 1.0]),
    min_pages=st.integers(1, 3),
)
def test_elements_that_pages_have_alike(site, body, low, high, min_pages):
    models, model = [page(each) for each in site], page(body)
    detector = DomTemplateHash(low=low, high=high, min_pages=min_pages)
    kept = detector.fit(models).extract(model)
    assert kept.texts.tolist() == slow_dom(models, model, low, high, min_pages)


def test_order_of_attributes_and_of_children():
    site = [page("<div id=1 class=2>text</div>"), page("<div class=2 id=1>text</div>")]
    detector = DomTemplateHash().fit(site)
    assert not stays(site[0], detector.extract(site[0]))
    site = [page("<p><b>x</b><i>y</i></p>"), page("<p><i>y</i><b>x</b> </p>")]
    kept = DomTemplateHash(high=1.0).fit(site).extract(site[0])
    # each child is alike, and so goes; around them nothing is
    assert not kept.texts.any()
    other = [page("<p>x<b>y</b>"), page("<p>x<b>z</b>")]
    assert DomTemplateHash().fit(other).extract(other[0]).texts.tolist() == [True, True]


def test_a_tenth_of_the_pages():
    """Two of 20 pages have the notice, one of 20 its own text."""
    site = [page(f"<p>own{n}</p>" + "<div>notice</div>" * (n < 2)) for n in range(20)]
    assert stays(site[0], DomTemplateHash().fit(site).extract(site[0])) == ["own0"]
    site += [page("<p>more</p>")]  # two of 21 are less than a tenth
    assert stays(site[0], DomTemplateHash().fit(site).extract(site[0])) == ["own0", "notice"]


def slow_spans(texts, text, window, min_count):
    """Which characters are in a window that enough texts hold."""
    inside = [False] * len(text)
    for start in range(len(text) - window + 1):
        found = text[start : start + window]
        if sum(found in other for other in texts) >= min_count:
            inside[start : start + window] = [True] * window
    return inside


@settings(deadline=None)
@given(
    site=sites,
    body=bodies,
    window=st.sampled_from([1, 4, 9, 32]),
    min_count=st.integers(1, 3),
)
def test_windows_that_pages_have(site, body, window, min_count):
    models, model = [page(each) for each in site], page(body)
    detector = TextWindowHash(window=window, min_count=min_count).fit(models)
    texts = [page_text(PageNodes(each)) for each in models]
    text = page_text(PageNodes(model))
    expected = slow_spans(texts, text, window, min_count)
    assert detector.spans(text).tolist() == expected
    start = 0
    for each, stay in zip(PageNodes(model).texts, detector.extract(model).texts, strict=True):
        inside = [expected[start + at] for at, char in enumerate(each) if char != " "]
        assert stay == (2 * sum(inside) <= len(inside))
        start += len(each) + 1


def test_published_parameters():
    """Ten pages of two hundred with the same 32 characters, not nine; 29 are no window, nor with the spaces around."""
    detector = TextWindowHash()
    assert (detector.window, detector.min_count, detector.max_pages) == (32, 10, 200)
    notice = "all rights to this are reserved."
    assert len(notice) == 32
    for n_pages, text, left in ((10, notice, False), (9, notice, True), (10, notice[3:], True)):
        # digits: a window over the edge is no other page's
        site = [page(f"<p>{n}{n}{n}</p><p>{text}</p><p>{n}{n}{n}") for n in range(n_pages)]
        kept = TextWindowHash().fit(site).extract(site[0])
        assert kept.texts.tolist() == [True, left, True]


def test_a_page_that_repeats_itself_is_no_template():
    site = [page("<p>say this again and again, as often as you can</p>" * 20), page("<p>other")]
    assert TextWindowHash().fit(site).extract(site[0]).texts.all()


def test_sampled_windows():
    site = [page("<p>" + "the same words on each page of the site, many of them" * 9)] * 3
    for sample, share in ((0, 1.0), (4, 1.0), (2**40, 0.0)):
        detector = TextWindowHash(min_count=3, sample=sample).fit(site)
        assert detector.spans(page_text(PageNodes(site[0]))).mean() == pytest.approx(share, abs=0.2)


def test_each_nth_window_of_the_pages_of_training():
    """Known windows begin at multiples of n; of a page all are looked for, so that one is found anywhere."""
    text = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    site = [page(f"<p>{text}</p>")] * 2
    detector = get("text-windows", window=4, min_count=2, every=8).fit(site)
    assert "".join(np.where(detector.spans(text), list(text), ".")) == "abcd....ijkl....qrst......"
    assert detector.spans("xxijklxx").tolist() == [char in "ijkl" for char in "xxijklxx"]
    assert TextWindowHash(window=4, min_count=2).fit(site).spans(text).all()
    with pytest.raises(ValueError, match="every must be"):
        TextWindowHash(every=0)


def test_windows_of_short_text():
    assert len(window_hashes("", 1)) == 0
    assert len(window_hashes("ab", 3)) == 0
    assert len(window_hashes("abc", 3)) == 1
    assert len(np.unique(window_hashes("abcabc", 3))) == 3
