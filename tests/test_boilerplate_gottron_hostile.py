"""Hostile and odd pages: labels for every block, no exception, and not even deep recursion."""

from __future__ import annotations

import pytest

from crawler.page import PageModel, build_page
from crawler.page.limits import PageLimits
from pipelines.boilerplate.bte import BTE
from pipelines.boilerplate.content_code_blurring import ACCB, CCB, TCCB
from pipelines.boilerplate.crunch import CrunchLike
from pipelines.boilerplate.debnath import FeatureExtractor, KFeatureExtractor
from pipelines.boilerplate.dsc import DSC
from pipelines.boilerplate.elisa import Elisa
from pipelines.boilerplate.largest_pagelet import LargestPagelet
from pipelines.boilerplate.link_quota import (
    CrunchLinkQuotaFilter,
    MantratzisLinkQuotaFilter,
    SimpleLinkQuotaFilter,
)
from pipelines.boilerplate.lsi import LSI
from pipelines.boilerplate.xwrap import HighestFanout, LargestTagCount
from tests.hostile_pages import HOSTILE
from tests.made_blocks import made_blocks, page_of

METHODS = [
    *(BTE(), BTE(mode="printed"), BTE(mode="released"), DSC(), CCB(), ACCB(), TCCB(), LSI()),
    *(SimpleLinkQuotaFilter(), SimpleLinkQuotaFilter(delete_nested=True), CrunchLike(), Elisa()),
    *(CrunchLinkQuotaFilter(), MantratzisLinkQuotaFilter(), LargestPagelet(), HighestFanout()),
    *(FeatureExtractor(), KFeatureExtractor(), KFeatureExtractor(keep_remainder=True)),
    LargestTagCount(),
]
# Pages of tests/hostile_pages.py that the methods' own reading or walks could stumble over.
NAMES = (
    *("nested a", "implied ends", "text node", "spaces", "signs", "no spaces", "many blocks"),
    *("wordless blocks", "NUL in names", "noise", "binary", "high bytes", "references"),
    *("open references", "ampersands", "long number", "less-than signs", "open tags", "comments"),
    *("comments in comments", "declarations", "instructions", "CDATA", "quotes", "raw ends"),
    *("quotes in quotes", "closed quotes", "open raw text", "attributes", "links", "frames"),
    *("mixed drawings", "long attribute", "self-closed", "paragraphs", "unclosed table"),
)
ODD = {
    "empty": b"",
    "no words": b"<p>- | -</p><hr>",
    "no tags": b"just some words",
    "names that are no XML": b"<div class='a&#1;b' id='\xef\xbf\xbe'>some words</div>",
    "tags only": b"<div><p></p></div>" * 9,
    "framesets": b"<frameset><frame src=a><noframes>words <b>here</b></noframes></frameset>",
    "links only": b"<a href=1>one</a> <a href=2>two</a>",
    "text after the end": b"<html><body><p>one</p></body></html>two <i>three</i>",
    "moved by the parser": b"<table><tr>lost words<td>cell</td></tr></table><p>more</p>",
    "2,000 nested elements": b"<div>" * 2000 + b"deep words" + b"</div>" * 2000 + b"<p>end</p>",
    "5,000 nested elements": b"<div>a <b>" * 5000,
    "2,000 siblings": b"<p>some words <a href=x>link</a></p>" * 2000,
}


def check(method, model):
    labels = method.label(model)
    assert labels.kept.shape == (len(model.blocks),)
    assert labels.kept.dtype == bool
    assert len(labels.label) == len(model.blocks)


def page(body, content_type="text/html"):
    return build_page(body, url="http://a.sample/", content_type=content_type)


@pytest.mark.parametrize("name", ODD)
def test_odd_pages(name):
    model = page(ODD[name])
    for method in METHODS:
        check(method, model)


def test_pages_that_are_no_html():
    models = [
        page(b"one paragraph\n\nanother one", "text/plain"),
        page(b"%PDF-1.4"),
        page_of(made_blocks([])),
        page_of(made_blocks([[9], [4]])),
        PageModel(url="", base_url="", limits=PageLimits(), blocks=made_blocks([])),
    ]
    for model in models:
        for method in METHODS:
            check(method, model)
    # A page without tags is one text: what looks for the largest part takes it whole.
    for method in (BTE(), CCB(), LSI(), LargestPagelet(), HighestFanout(), FeatureExtractor()):
        assert method.label(models[0]).kept.all()


def small(name, parts):
    hostile = HOSTILE[name]
    return page(hostile.make(max(1, hostile.worst // parts)), hostile.content_type)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_pages(name):
    model = small(name, 4000)
    for method in METHODS:
        check(method, model)


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_long(name):
    """Quadratic time would take hours."""
    model = small(name, 20)
    for method in METHODS:
        check(method, model)


@pytest.mark.long
def test_100_000_siblings():
    for body in (b"<p>some words</p>" * 100_000, b"<a href=x>some</a> words<br>" * 100_000):
        model = page(body)
        for method in METHODS:
            check(method, model)
