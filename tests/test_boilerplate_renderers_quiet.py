"""Pages that are rendered on their own markup run nothing, load nothing and stay where they are."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.page import build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import RENDERERS
from pipelines.boilerplate.renderers.quiet import NO_REFRESH, POLICY


def rendered(name, source):
    page = build_page(source.encode(), url="http://a.sample/", content_type="text/html")
    kept = np.arange(len(page.blocks)) < 1
    return RENDERERS[name](page, labels_of(kept)).encode().removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize("name", sorted(RENDERERS.keys() - {"extract"}))
@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("<!DOCTYPE html>", "<script>run()</script><p>One.<p>Two."),
        ("\n<?xml version='1.0'?><!-- > a --!>\n<!doctype html public '-//W3C'>", "<p>One."),
        # What only seems to stand behind a comment comes first.
        ("", "<!--><script>run()</script>--><!DOCTYPE html><p>One."),
        ("", "<html><p>One.<p>Two."),
        ("", "<b>One."),
    ],
)
def test_the_policy_stands_before_all_but_the_doctype(name, before, behind):
    assert rendered(name, before + behind).startswith(
        before.encode() + POLICY + behind.encode()[:3]
    )


@pytest.mark.parametrize("name", sorted(RENDERERS.keys() - {"extract"}))
@pytest.mark.parametrize(
    ("tag", "is_refresh"),
    [
        ("<meta http-equiv=refresh content=0;url=/x>", True),
        ("<META content='0;url=a>b' HTTP-EQUIV = ' Re&#102;resh'>", True),
        ("<meta/http-equiv=refresh>", True),
        ("<meta http-equiv=content-type content=refresh>", False),
        ("<!-- <meta http-equiv=refresh> -->", False),
    ],
)
@pytest.mark.parametrize("page", ["{}<p>One.<p>Two.", "<p>One.<p>Two.</body>{}</html>"])
def test_a_refresh_is_made_none(name, tag, is_refresh, page):
    expected = tag.encode()
    if is_refresh:
        expected = expected[:5] + NO_REFRESH + expected[5:]
    found = rendered(name, page.format(tag))
    assert expected in found
    assert found.count(NO_REFRESH) == is_refresh
