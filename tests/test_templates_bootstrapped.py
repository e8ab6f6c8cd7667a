"""Bootstrapped template detection against a slow version, and what is left to a single-document method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pipelines.templates.detectors.bootstrapped import BootstrappedTemplateDetection
from pipelines.templates.detectors.page_nodes import PageNodes
from tests.site_pages import bodies, page, site_page, sites, stays
from tests.structures import distance, path_shingles, paths

OTHER = "<html><body><section><ol><li><span>{}</span></ol><em>of another site</em></section>"


def slow_extract(site, seed, structure, threshold, df):
    """None below three pages of the template, else which texts stay, step by step as in the thesis."""
    docs = [seed]
    for other in site:
        if all(PageNodes(other).texts != PageNodes(doc).texts for doc in docs):
            docs.append(other)
    cluster, grown = [seed], True
    while grown:
        grown = [
            doc
            for doc in docs
            if doc not in cluster
            and any(distance(structure(doc), structure(near)) < threshold for near in cluster)
        ]
        cluster += grown
    if len(cluster) < 3:
        return None
    texts = [set(PageNodes(doc).texts) for doc in cluster]
    return [
        sum(text in each for each in texts) / len(cluster) <= df for text in PageNodes(seed).texts
    ]


@settings(deadline=None)
@given(
    site=sites,
    body=bodies,
    threshold=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    df=st.sampled_from([0.0, 1 / 3, 0.5]),
)
@example(
    site=["<div>menu of site</div>", "<div>menu of site</div><i>after comment</i> behind"],
    body="without markup",
    threshold=0.7,
    df=0.0,
)
@pytest.mark.parametrize(("name", "structure"), [("cp", paths), ("cps", path_shingles)])
def test_steps_of_the_thesis(name, structure, site, body, threshold, df):
    models, seed = [page(each) for each in site], page(body)
    detector = BootstrappedTemplateDetection(distance=name, threshold=threshold, df=df)
    kept = detector.fit(models).extract(seed)
    expected = slow_extract(models, seed, structure, threshold, df)
    assert detector.n_fallbacks == (expected is None)
    assert kept.texts.tolist() == (expected or [True] * len(kept.texts))


@pytest.mark.parametrize("distance_name", ["cp", "cps", "ctss"])
def test_other_templates_do_not_count(distance_name):
    """Two of three pages with the seed's words are of another site: they are no reason to drop them."""
    site = [site_page(number) for number in range(3)]
    others = [page(OTHER.format(text)) for text in ("aheadline aof", "abold", "asecond", "else")]
    detector = BootstrappedTemplateDetection(distance=distance_name)
    kept = detector.fit([*others, *site]).extract(site[0])
    assert stays(site[0], kept)[0] == "aheadline aof"
    assert len(stays(site[0], kept)) == 5


def test_the_seed_counts_once():
    """It comes back under other addresses, and as one of the training pages."""
    site = [site_page(number) for number in (0, 0, 0, 1, 2)]
    trained = BootstrappedTemplateDetection().fit(site)
    others = BootstrappedTemplateDetection().fit(site[3:])
    kept = trained.extract(site[0])
    assert kept.texts.tolist() == others.extract(site[0]).texts.tolist()
    assert len(stays(site[0], kept)) == 5


def test_order_of_pages():
    site = [site_page(number) for number in range(6)]
    there = BootstrappedTemplateDetection().fit(site).extract(site[2])
    back = BootstrappedTemplateDetection().fit(site[::-1]).extract(site[2])
    assert np.array_equal(there.texts, back.texts)


@pytest.mark.parametrize("n_pages", [1, 2])
def test_few_pages_are_left_to_the_fallback(n_pages):
    site = [site_page(number) for number in range(n_pages)]

    def first(model):
        return np.arange(len(model.blocks)) == 0

    detector = BootstrappedTemplateDetection(fallback=first).fit(site)
    kept = detector.extract(site[0])
    assert stays(site[0], kept) == ["Home of all News of the day and of the night"]
    assert kept.texts.tolist() == [True, True, *[False] * 6]
    assert detector.n_fallbacks == 1
    without = BootstrappedTemplateDetection().fit(site).extract(site[0])
    assert without.blocks.all()
    assert without.texts.all()
    # With the rule of the thesis all text goes.
    literal = BootstrappedTemplateDetection(min_train=1).fit(site).extract(site[0])
    assert stays(site[0], literal) == ([] if n_pages == 1 else stays(site[0], literal))


def test_three_pages_are_enough():
    """What one of three has is a third, and stays; what two have goes."""
    site = [
        site_page(0),
        site_page(1),
        site_page(2, menu="<div class=menu>a <a href=/>b</a></div>"),
    ]
    detector = BootstrappedTemplateDetection().fit(site)
    assert [len(stays(each, detector.extract(each))) for each in site] == [5, 5, 6]
    assert detector.n_fallbacks == 0
