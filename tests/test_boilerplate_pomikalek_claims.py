"""What Pomikálek's tables show of the methods, seen again on KrdWrd's pages, which are his.

The thesis drew 100 of 197 pages to test on, and did not say which; ../shared has 195, in two parts.
Share of good text: .765 in the thesis, .761 of the 109 pages of ``train``, .846 of the 86 of ``dev``, where all
methods score higher. Published figures are therefore compared on the first (Victor, which was fitted there,
on the second). All labels count ("AR > 0"): how many annotators agree is not in ../shared. Pages are
cleaned as in the thesis, without the ``kw`` tags around each text node that the stored ones have.
*Source: Pomikálek 2011, sections 2.9.3 to 2.9.10*. Not reproduced, and why:

- Table 2.10: the lists made of the BNC, which is not free.
- Tables 2.8 and 2.9: CleanEval's final pages and L3S-GN1 are not in ../shared; on CleanEval's 57 pages of
  ``dev`` the order of jusText's parameter sets is seen again.
- Table 2.4: the search ends at stop-word densities of .38, not .30 and .32: the released list is longer than
  the thesis' 319 words. What it gains, and that short texts of 0 and of 10 tokens are as good, is seen again.
- VictorCleanEval and NCleaner were fitted on CleanEval; ours on ../shared's pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pytest

from crawler.page import PageRules, build_page
from pipelines.boilerplate.justext import JusText, tune
from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.boilerplate.justext.tuner import START
from pipelines.boilerplate.registry import get
from pipelines.evaluation.gold import BAD, GOOD
from pipelines.evaluation.measures import sweeps
from pipelines.evaluation.measures.counts import f_beta, pooled
from pipelines.evaluation.measures.fragments import (
    fragment_lengths,
    fragmentation,
    perfect_cleaning,
)
from pipelines.evaluation.measures.node_alignment import blocks_of_nodes
from pipelines.evaluation.measures.text_nodes import coherence, node_counts, node_scores
from pipelines.evaluation.readers import open_dataset

pytestmark = pytest.mark.long

# Table 2.5, AR > 0: precision, recall, F1. DefExt_lxml is the tree of algorithm 2.1.
PUBLISHED = {
    "keep-all": (0.7648, 1.0, 0.8667),
    "tc20-sw0.30": (0.9578, 0.9358, 0.9467),
    "bte": (0.8404, 0.9829, 0.9061),
    "numwords-tree": (0.9086, 0.9305, 0.9194),
    "victor-canola": (0.9448, 0.9476, 0.9462),
    "justext-a": (0.9513, 0.9436, 0.9474),
    "justext-b": (0.9544, 0.9464, 0.9504),
}
# Table 2.11: mean and median characters of a fragment, fragments a page.
FRAGMENTS = {
    "perfect": (1315.1, 279, 6.98),
    "tc20-sw0.30": (1059.8, 385, 8.27),
    "bte": (11095.6, 7611, 1.00),
    "numwords-tree": (671.2, 68, 13.81),
    "justext-a": (2304.3, 794, 3.88),
    "justext-b": (1609.7, 630, 5.54),
}
METHODS = {name: get(name) for name in (*PUBLISHED, "justext-c", "justext-d")}
PARTS = ("train", "dev")
KW = re.compile(rb"</?kw\b[^>]*>", re.IGNORECASE)


@dataclass
class Seen:
    """By part and method the counts of each page, by method the lengths of its fragments, of each
    page its coherence, and of each good or bad node (link density, tokens, stop words, good, characters).
    """

    counts: dict = field(default_factory=lambda: defaultdict(list))
    fragments: dict = field(default_factory=lambda: defaultdict(list))
    coherence: list = field(default_factory=list)
    nodes: list = field(default_factory=list)

    def scores(self, method, parts=PARTS):
        return node_scores(pooled([c for part in parts for c in self.counts[part, method]]))

    def f_half(self, method):
        scores = self.scores(method)
        return f_beta(scores.precision, scores.recall, 0.5)


def see(seen, part, gold):
    texts = [node.text for node in gold.node_labels]
    pages, blocks = {}, {}
    for inline in ("gap", "transparent"):
        pages[inline] = build_page(
            KW.sub(b"", gold.body),
            url=gold.url,
            content_type=gold.content_type,
            rules=PageRules(inline=inline),
        )
        blocks[inline] = blocks_of_nodes(texts, pages[inline].blocks.text)

    def count_fragments(method, kept, is_found):
        found = [text for text, known in zip(texts, is_found, strict=True) if known]
        seen.fragments[method].append(fragment_lengths(found, kept[is_found].tolist()))

    for name, method in METHODS.items():
        block = blocks[method.inline]
        kept = np.append(method.label(pages[method.inline]).kept, False)[block]
        seen.counts[part, name].append(node_counts(gold.node_labels, kept.tolist()))
        # Signs between texts, which no block has, part no fragments.
        count_fragments(name, kept, block >= 0)
    perfect = np.array(perfect_cleaning(gold.node_labels), np.bool_)
    count_fragments("perfect", perfect, blocks["gap"] >= 0)
    see_paragraphs(seen, gold, pages["transparent"], blocks["transparent"])


def see_paragraphs(seen, gold, page, block):
    paragraphs = paragraphs_of(page)
    features = JusText().features(page, paragraphs, all_densities=True)
    of_node = np.append(paragraphs.of_block.astype(np.int64), -1)[block]
    seen.coherence.append(coherence(gold.node_labels, of_node.tolist()))
    columns = (features.link_density, features.n_tokens, features.stop_word_density)
    for node, number in zip(gold.node_labels, of_node.tolist(), strict=True):
        if node.label in {GOOD, BAD} and number >= 0:
            values = [float(column[number]) for column in columns]
            seen.nodes.append((*values, node.label == GOOD, len(node.text)))


@pytest.fixture(scope="module")
def seen(shared):
    found = Seen()
    for part in PARTS:
        for gold in open_dataset(shared / "data" / "extraction" / part / "krdwrd-canola"):
            see(found, part, gold)
    return found


@pytest.mark.parametrize("method", PUBLISHED)
def test_published_table(seen, method):
    part = "dev" if method == "victor-canola" else "train"
    scores = seen.scores(method, [part])
    precision, recall, f1 = PUBLISHED[method]
    assert scores.f1 == pytest.approx(f1, abs=0.02)
    if method != "victor-canola":
        assert scores.precision == pytest.approx(precision, abs=0.025)
        assert scores.recall == pytest.approx(recall, abs=0.035)


def test_order_of_the_methods(seen):
    f1 = {name: seen.scores(name).f1 for name in METHODS}
    assert min(f1["justext-a"], f1["justext-b"]) > f1["tc20-sw0.30"] > f1["numwords-tree"]
    assert f1["numwords-tree"] > f1["bte"] > f1["keep-all"]
    best = min(map(seen.f_half, ("justext-a", "justext-b", "tc20-sw0.30")))
    assert best > seen.f_half("numwords-tree") > seen.f_half("bte") > seen.f_half("keep-all")
    recall = {name: seen.scores(name).recall for name in METHODS if name != "keep-all"}
    assert max(recall, key=recall.get) == "bte"


def test_parameter_sets_trade_precision_for_recall(seen):
    a, b, c, d = (seen.scores(f"justext-{letter}") for letter in "abcd")
    assert min(a.precision, b.precision) > c.precision > d.precision
    assert max(a.recall, b.recall) < c.recall < d.recall


def test_fragments(seen):
    found = {name: fragmentation(seen.fragments[name]) for name in FRAGMENTS}
    for name, (mean, _, per_page) in FRAGMENTS.items():
        assert found[name].mean_chars == pytest.approx(mean, rel=0.25)
        assert found[name].per_page == pytest.approx(per_page, rel=0.2)
    assert sorted(FRAGMENTS, key=lambda name: found[name].per_page) == sorted(
        FRAGMENTS, key=lambda name: FRAGMENTS[name][2]
    )


def test_paragraphs_are_coherent(seen):
    """218 of 18,126 blocks are mixed (2.9.4), 1.2 %; here 1.7 %."""
    n_mixed, n_blocks = np.sum(seen.coherence, axis=0)
    # Paragraphs without a letter or digit are none here.
    assert n_blocks == pytest.approx(18126, rel=0.15)
    assert 0 < n_mixed / n_blocks < 0.02


def test_simple_filters(seen):
    """Table 2.3, AR > 0: how good one feature is at its best threshold, and where that is."""
    links, tokens, stops, is_good, weights = map(np.array, zip(*seen.nodes, strict=True))
    densities, lengths = np.arange(0, 0.62, 0.02), np.arange(0, 61)
    shares = np.arange(0, 0.62, 0.05)
    by_links = sweeps.sweep(links, is_good, weights, densities, keep="at most").best()
    by_tokens = sweeps.sweep(tokens, is_good, weights, lengths).best()
    by_stops = sweeps.sweep(stops, is_good, weights, densities).best()
    grid = (np.arange(0, 45, 5), shares)
    by_both = sweeps.sweep_both(tokens, stops, is_good, weights, grid).best()
    everything = seen.scores("keep-all").f1
    assert everything < by_links[1] < by_tokens[1] < by_stops[1] < by_both[-1]
    # 18 tokens; .30; 15 tokens and .30; of links any cut from .1 to .5 is nearly as good.
    assert by_tokens[0] == pytest.approx(18, abs=3)
    assert by_stops[0] == pytest.approx(0.30, abs=0.05)
    assert by_both[:2] == pytest.approx((15, 0.30), abs=0.051)


def test_the_search_for_parameters(shared):
    """Table 2.4: from .9319 to .9410, or .9444 without short paragraphs."""
    from pipelines.evaluation.training.gold_pages import labelled_pages
    from pipelines.evaluation.training.justext import f_half_of

    folder = shared / "data" / "extraction" / "train"
    score = f_half_of(labelled_pages(folder, JusText.inline, ("krdwrd-canola",)))
    best, trace = tune(score)
    assert 0.005 < trace[-1][1] - score(START) < 0.02
    assert score({**best, "length_low": 0}) == pytest.approx(
        score({**best, "length_low": 10}), abs=0.002
    )


def test_parameter_sets_on_cleaneval(shared):
    """Table 2.8: F1 92.16, 92.57, 93.68, 94.21 of jusText A to D; 90.89 of the combined filter."""
    from pipelines.evaluation.measures import POOLED

    names = ("justext-a", "justext-b", "justext-c", "justext-d", "tc20-sw0.30")
    counts = defaultdict(list)
    for gold in open_dataset(shared / "data" / "extraction" / "dev" / "cleaneval-dev"):
        rules = PageRules(inline="transparent")
        page = build_page(gold.body, url="http://a.sample/", content_type=None, rules=rules)
        for name in names:
            kept = METHODS[name].label(page).kept.tolist()
            text = "\n".join(t for t, keep in zip(page.blocks.text, kept, strict=True) if keep)
            counts[name].append(POOLED["cleaneval-py"](text, gold))
    f1 = {name: pooled(found).scores.f1 for name, found in counts.items()}
    assert min(f1["justext-c"], f1["justext-d"]) > max(f1["justext-a"], f1["justext-b"])
    assert f1["justext-d"] > f1["justext-c"]
    assert min(f1, key=f1.get) == "tc20-sw0.30"
    assert f1["justext-d"] == pytest.approx(0.9421, abs=0.02)
