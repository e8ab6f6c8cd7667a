"""The Site Style Tree against a slow recursion, and its formulas."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.page.words import evaluation_words
from pipelines.templates.detectors import site_style_tree
from pipelines.templates.detectors.site_style_tree import SiteStyleTree, node_importance
from tests.site_pages import FOOTER, MENU, bodies, page, site_page, sites, stays
from tests.test_templates_entropy import slow_entropy


def children(element):
    return list(element.iterchildren(etree.Element))


def is_leaf(element):
    return not any(children(child) for child in children(element))


def features(element):
    texts = [element.text, *(child.tail for child in element)]
    texts += [child.text for child in children(element)]
    words = Counter(word for text in texts for word in evaluation_words(text or ""))
    words.update(f"href={each.get('href')}" for each in children(element) if "href" in each.attrib)
    return words


def key(element):
    return tuple((child.tag, child.get("class")) for child in children(element))


def slow_leaf(elements):
    if len(elements) == 1:
        return 1.0
    pages = [features(each) for each in elements]
    known = set().union(*pages)
    entropies = [slow_entropy(pages, feature) for feature in known]
    return 1 - sum(entropies) / len(known) if known else 0.0


def slow_importance(elements):
    """CompImp of the element node that *elements*, one of each page, are."""
    m = len(elements)
    styles = defaultdict(list)
    for element in elements:
        styles["leaf" if is_leaf(element) else key(element)].append(element)
    if set(styles) == {"leaf"}:
        return slow_leaf(elements)
    shares = [len(group) / m for group in styles.values()]
    importances = []
    for name, group in styles.items():
        if name == "leaf":
            importances.append(slow_leaf(group))
        else:
            columns = zip(*map(children, group), strict=True)
            each = [slow_importance(column) for column in columns]
            importances.append(sum(each) / len(each))
    node = 1.0 if m == 1 else -sum(p * math.log(p, m) for p in shares)
    gamma = 0.9 ** len(styles)
    below = sum(p * value for p, value in zip(shares, importances, strict=True))
    return (1 - gamma) * node + gamma * below


def body_of(model):
    return model.tree.root.find("body")


@settings(deadline=None)
@given(sites)
def test_composite_importance(site):
    models = [page(each) for each in site]
    found = SiteStyleTree().fit(models).root
    elements = [body_of(model) for model in models]
    assert found.importance == pytest.approx(slow_importance(elements), abs=1e-9)


@pytest.mark.parametrize("n_pages", [2, 5])
def test_identical_pages_are_all_noise(n_pages):
    """NodeImp of what has one style is 0, and CompImp of a leaf that says the same everywhere."""
    site = [site_page(0)] * n_pages
    tree = SiteStyleTree().fit(site)
    waiting = [tree.root]
    for element in waiting:
        waiting += element.children()
        assert (element.n_pages, element.is_noisy) == (n_pages, True)
        assert element.importance == pytest.approx(0)
    assert node_importance([1.0], n_pages) == 0
    assert not tree.extract(site[0]).blocks.any()


def test_one_page_is_all_meaning():
    tree = SiteStyleTree().fit([site_page(0)])
    assert tree.root.importance == 1
    assert tree.extract(site_page(0)).blocks.all()


def test_styles_in_equal_shares():
    assert node_importance([0.25] * 4, 4) == pytest.approx(1)
    assert node_importance([0.5, 0.5], 4) == pytest.approx(0.5)


def test_a_part_without_counterpart_stays():
    tree = SiteStyleTree().fit([site_page(number) for number in range(6)])
    other = page(f"<html><body><h2>New</h2>{MENU}{FOOTER}</body></html>")
    assert tree.extract(other).blocks.all()
    assert len(stays(site_page(9), tree.extract(site_page(9)))) == 5


def test_presentation_tells_elements_apart():
    """A class is presentation, an id is not."""
    bodies_ = [
        "<div class={}><p>menu<b>x<i>y</i></b></p></div><div><p>own{}<b>a<i>b</i></b></p></div>"
    ]
    same = [page(bodies_[0].format("m", n)) for n in range(4)]
    other = [page(bodies_[0].format(f"m{n}", n)) for n in range(4)]
    assert len(SiteStyleTree().fit(same).root.styles) == 1
    assert len(SiteStyleTree().fit(other).root.styles) == 4
    ids = [page(bodies_[0].replace("class", "id").format(f"m{n}", n)) for n in range(4)]
    assert len(SiteStyleTree().fit(ids).root.styles) == 1


@settings(deadline=None)
@given(site=sites, body=bodies, threshold=st.sampled_from([0.1, 0.5, 0.9]))
def test_a_higher_threshold_drops_more(site, body, threshold):
    models, model = [page(each) for each in site], page(body)
    few = SiteStyleTree(threshold=threshold / 2).fit(models).extract(model)
    many = SiteStyleTree(threshold=threshold).fit(models).extract(model)
    assert (many.texts <= few.texts).all()


def test_deep_pages_need_no_recursion():
    deep = page("<div>" * 2000 + "text of the page" + "</div>" * 2000)
    assert not SiteStyleTree().fit([deep] * 3).extract(deep).blocks.any()


def test_no_page_is_added_to_a_large_tree(monkeypatch):
    site = [page(f"<div><p>menu {n}<b>x</b></div>" * n) for n in range(2, 6)]
    assert SiteStyleTree().fit(site).root.n_pages == 4
    monkeypatch.setattr(site_style_tree, "MAX_ELEMENTS", 6)
    assert SiteStyleTree().fit(site).root.n_pages == 2
