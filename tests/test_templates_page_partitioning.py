"""Template pagelets that are taken out of pages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from crawler.page.pagelet_prints import shingle_prints, word_hashes
from pipelines.templates.detectors.page_partitioning import PagePartitioning
from tests.site_pages import bodies, page, sites, stays

MENU = "".join(f"<a href=/{n}>link {n} to a page of words</a> " for n in range(9))


def with_menu(number, menu=MENU):
    return page(
        f"<div>{menu}</div><p>own text{number} of page{number}</p><ul><li>{number} end</ul>"
    )


def test_a_menu_with_a_word_changed():
    site = [with_menu(n, MENU.replace("link 4", f"link {n} here")) for n in range(4)]
    detector = PagePartitioning().fit(site)
    for number, model in enumerate(site):
        kept = detector.extract(model)
        assert stays(model, kept)[-2:] == [f"own text{number} of page{number}", f"{number} end"]
    # of four prints two menus of 60 shingles, four of them others, share one in most cases
    assert sum(len(stays(model, detector.extract(model))) == 2 for model in site) >= 2


def test_pages_that_have_it():
    site = [with_menu(0), with_menu(1), page("<p>other")]
    assert len(stays(site[0], PagePartitioning().fit(site).extract(site[0]))) == 2
    assert len(stays(site[0], PagePartitioning(min_pages=3).fit(site).extract(site[0]))) == 3
    # a menu that one page repeats is on one page
    twice = page(f"<div>{MENU}</div><p>one</p><div>{MENU}</div><p>two</p>")
    assert PagePartitioning().fit([twice, site[2]]).extract(twice).blocks.all()
    with pytest.raises(ValueError, match="min_pages must be at least 1, got 0"):
        PagePartitioning(min_pages=0)


def slow_kept(models, model):
    """Each pagelet beside all pagelets of all pages."""

    def pagelets(each):
        for first, end in zip(each.pagelets.first_block, each.pagelets.end_block, strict=True):
            words = " ".join(each.blocks.text[first:end]).split()
            yield first, end, shingle_prints(word_hashes(words)) if words else None

    stay = [True] * len(model.blocks)
    for first, end, own in pagelets(model):
        n_pages = 0
        for number in range(4 if own is not None else 0):
            found = [
                any(
                    other is not None and other[number] == own[number]
                    for *_, other in pagelets(each)
                )
                for each in models
            ]
            n_pages = max(n_pages, sum(found))
        if n_pages >= 2:
            stay[first:end] = [False] * (end - first)
    return stay


@settings(deadline=None)
@given(site=sites, body=bodies)
def test_pagelets_that_pages_share(site, body):
    models, model = [page(each) for each in site], page(body)
    kept = PagePartitioning().fit(models).extract(model)
    assert kept.blocks.tolist() == slow_kept(models, model)
