"""What Gottron's tables show of the methods against each other, seen again on today's pages.

Measured as macro means of token F1, precision and recall over sets of ../shared
(*Source: Gottron 2008, appendix B*). Not reproduced there, and why:

- DSC far above BTE (.770 to .649 in the thesis; here alike): both need main text without tags, but
  where paragraphs, links and bold words part it, DSC loses the beginning of each of its
  regions, while the page is laid out with fewer tags inside of the article than around it.
- Crunch above the link quota filters (.687 to .677; here alike): ours is Crunch-like, and its filters of
  forms and advertisements take text away, too, that the gold standards count in.
- ACCB above CCB (.782 to .757; here alike): its lead came from Wikipedia's pages; the recall is higher
  here, too, but menus of bare links come with it.
- Crunch's link quota filter alone and Mantratzis's find little on pages that no cells lay out; where cells do,
  the first comes near the simple filter.
- A recall of nearly 1 for BTE and the link quota filters: the gold text of these sets has headings,
  lists of links and short texts that those of one news site's article did not have.
"""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
import pytest

from crawler.page import build_page
from pipelines.boilerplate.bte import BTE
from pipelines.boilerplate.content_code_blurring import ACCB, CCB, TCCB
from pipelines.boilerplate.crunch import CrunchLike
from pipelines.boilerplate.debnath import FeatureExtractor, KFeatureExtractor
from pipelines.boilerplate.dsc import DSC
from pipelines.boilerplate.keep_all import KeepAll
from pipelines.boilerplate.largest_pagelet import LargestPagelet
from pipelines.boilerplate.link_quota import (
    CrunchLinkQuotaFilter,
    MantratzisLinkQuotaFilter,
    SimpleLinkQuotaFilter,
)
from pipelines.boilerplate.lsi import LSI
from pipelines.evaluation.measures.token_f1 import token_f1
from pipelines.evaluation.readers import open_dataset

METHODS = {
    "plain": KeepAll(),
    "bte": BTE(),
    "dsc": DSC(),
    "ccb": CCB(),
    "accb": ACCB(),
    "tccb": TCCB(),
    "lqf-25": SimpleLinkQuotaFilter(threshold=0.25),
    "lqf-50": SimpleLinkQuotaFilter(threshold=0.5),
    "lqf-75": SimpleLinkQuotaFilter(threshold=0.75),
    "crunch-like": CrunchLike(),
    "fe": FeatureExtractor(),
    "kfe": KFeatureExtractor(),
    "lsi": LSI(),
    "lp-7": LargestPagelet(),
    "lp-3": LargestPagelet(k=3),
}
SETS = (
    *("cleaneval-dev", "daniel", "dragnet", "krdwrd-canola", "magichtml-article"),
    *("magichtml-forum", "wcxb-dev", "zh-immortal"),
)
EVERY = 10
CELL = re.compile(r"\bt[dh]\b")
PRECISION, RECALL, F1, WORD_SEQUENCE, BAG_OF_WORDS, SET_OF_WORDS = range(6)


def kept_text(cleaner, model):
    kept = cleaner.label(model).kept.tolist()
    return "\n".join(text for text, keep in zip(model.blocks.text, kept, strict=True) if keep)


@pytest.fixture(scope="module")
def of_sets(shared):
    """Means of each set by method: precision, recall, F1, and the F1 of Gottron's word measures."""
    from pipelines.evaluation.measures import gottron

    of_sets = defaultdict(list)
    for name in SETS:
        scores = defaultdict(list)
        pages = list(open_dataset(shared / "data" / "extraction" / "dev" / name))
        for gold in pages[::EVERY]:
            url = gold.url or "http://a.sample/"
            model = build_page(gold.body, url=url, content_type=gold.content_type)
            for method, cleaner in METHODS.items():
                text = kept_text(cleaner, model)
                words = [
                    measure(text, gold.gold).f1
                    for measure in (
                        gottron.word_sequence,
                        gottron.bag_of_words,
                        gottron.set_of_words,
                    )
                ]
                scores[method].append([*token_f1(text, gold.gold), *words])
        for method, found in scores.items():
            of_sets[method].append(np.mean(found, axis=0))
    return of_sets


@pytest.fixture(scope="module")
def means(of_sets):
    """Macro means by method, as those of sets."""
    return {method: np.mean(found, axis=0) for method, found in of_sets.items()}


@pytest.mark.long
def test_methods_are_better_than_the_page_as_it_is(means):
    for method in ("bte", "dsc", "ccb", "accb", "tccb", "lqf-25", "lqf-75", "crunch-like", "lsi"):
        assert means[method][F1] > means["plain"][F1] + 0.02


@pytest.mark.long
def test_the_purest_block_is_not_the_article(means):
    # fe is the worst of all and below the page as it is; kfe is much better, and near it.
    assert min(means, key=lambda method: means[method][F1]) == "fe"
    assert means["fe"][RECALL] < 0.3
    assert means["fe"][F1] + 0.2 < means["kfe"][F1] < means["lqf-75"][F1]
    assert means["kfe"][F1] < means["plain"][F1]


@pytest.mark.long
def test_the_purest_block_is_below_the_page_on_every_set(of_sets):
    pairs = zip(of_sets["fe"], of_sets["plain"], strict=True)
    assert all(fe[F1] < plain[F1] for fe, plain in pairs)


@pytest.mark.long
def test_the_page_as_it_is_has_all_of_the_main_text(means):
    # The rest is text that browsers do not show.
    assert means["plain"][RECALL] > 0.96


@pytest.mark.long
def test_granularity_hardly_changes_the_order(means):
    orders = [
        np.argsort(np.argsort([mean[measure] for mean in means.values()]))
        for measure in (WORD_SEQUENCE, BAG_OF_WORDS, SET_OF_WORDS)
    ]
    assert np.corrcoef(orders).min() > 0.9


@pytest.mark.long
def test_the_threshold_of_the_link_quota_matters_little(means):
    f1 = [means[method][F1] for method in ("lqf-25", "lqf-50", "lqf-75")]
    assert f1[0] >= f1[2]
    assert max(f1) - min(f1) < 0.05
    recall = [means[method][RECALL] for method in ("lqf-25", "lqf-50", "lqf-75")]
    assert recall == sorted(recall)


@pytest.mark.long
def test_precision_is_paid_for_with_recall(means):
    for precise, careful in (("dsc", "lqf-25"), ("accb", "lqf-25"), ("dsc", "accb")):
        assert means[precise][PRECISION] > means[careful][PRECISION]
        assert means[precise][RECALL] < means[careful][RECALL]
    assert all(
        mean[PRECISION] > means["plain"][PRECISION] for m, mean in means.items() if m != "plain"
    )


@pytest.mark.long
def test_content_code_blurring_beside_document_slope_curves(means):
    assert means["accb"][F1] > means["dsc"][F1]
    assert means["accb"][RECALL] > means["ccb"][RECALL]
    assert abs(means["accb"][F1] - means["ccb"][F1]) < 0.04
    assert abs(means["tccb"][F1] - means["dsc"][F1]) < 0.06


@pytest.mark.long
def test_single_nodes_lose_what_crunch_keeps(means):
    assert means["crunch-like"][RECALL] > means["lp-7"][RECALL] + 0.05
    assert means["crunch-like"][RECALL] > means["lsi"][RECALL]
    assert means["lp-7"][F1] > means["lp-3"][F1]


@pytest.mark.long
def test_lists_of_links_in_cells_are_found_where_cells_lay_out_the_page(shared):
    filters = [
        KeepAll(),
        CrunchLinkQuotaFilter(),
        MantratzisLinkQuotaFilter(),
        SimpleLinkQuotaFilter(),
    ]
    found = defaultdict(list)
    for name in ("cleaneval-dev", "krdwrd-canola", "zh-immortal"):
        for gold in open_dataset(shared / "data" / "extraction" / "dev" / name):
            model = build_page(gold.body, url="http://a.sample/", content_type=gold.content_type)
            blocks = model.blocks
            has_cell = np.array([bool(CELL.search(path)) for path in blocks.paths.strings], bool)
            words = blocks.n_words
            share = words[has_cell[blocks.path_number]].sum() / max(words.sum(), 1)
            f1 = [token_f1(kept_text(one, model), gold.gold).f1 for one in filters]
            found["cells" if share >= 0.5 else "some" if share else "none"].append(f1)
    plain, crunch, mantratzis, simple = np.mean(found["cells"], axis=0)
    assert plain + 0.03 < crunch < simple < crunch + 0.02
    assert plain < mantratzis < crunch
    without = np.array(found["none"])
    assert (without[:, 1] == without[:, 0]).all()
