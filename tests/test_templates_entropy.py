"""InfoDiscoverer and ContentExtractor against slow versions and worked examples."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page.words import evaluation_words
from pipelines.templates.detectors import content_extractor
from pipelines.templates.detectors.content_extractor import ContentExtractor, blocks_of, cosine
from pipelines.templates.detectors.feature_entropy import FeatureEntropies
from pipelines.templates.detectors.info_discoverer import InfoDiscoverer, features_of
from pipelines.templates.detectors.page_nodes import PageNodes
from tests.site_pages import bodies, page, sites, stays

COUNTS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 5), max_size=4)


def slow_entropy(pages, feature):
    """By the row of the matrix of features and pages, normalised to sum to 1."""
    row = [counts.get(feature, 0) for counts in pages]
    total, n = sum(row), len(pages)
    if not total or n == 1:
        return 0.0
    shares = [count / total for count in row if count]
    return -sum(share * math.log(share, n) for share in shares)


@given(st.lists(COUNTS, min_size=1, max_size=6))
def test_entropy_of_features(pages):
    found = FeatureEntropies()
    for counts in pages:
        found.add(counts)
    for feature in "abcdx":
        assert found.entropy(feature) == pytest.approx(slow_entropy(pages, feature), abs=1e-9)


@pytest.mark.parametrize("n_pages", [2, 3, 10])
def test_evenly_spread_and_on_one_page(n_pages):
    found = FeatureEntropies()
    for number in range(n_pages):
        found.add({"menu": 2, f"own{number}": 3})
    assert found.entropy("menu") == pytest.approx(1)
    assert found.entropy("own0") == 0


def test_block_entropy_is_the_mean_of_its_features():
    """Of two pages: one has a and b, the other a; H(a) = 1, H(b) = 0."""
    site = [page("<table><tr><td>a b</table>"), page("<table><tr><td>a</table>")]
    detector = InfoDiscoverer(threshold=0.5).fit(site)
    assert detector.block_entropy({"a", "b"}) == 0.5
    assert stays(site[0], detector.extract(site[0])) == ["a b"]
    assert stays(site[1], detector.extract(site[1])) == []


def test_blocks_are_tables_without_the_tables_in_them():
    nested = "<table><tr><td>outer menu<table><tr><td>{}</table>outer end</table>about"
    site = [page(nested.format(word)) for word in ("one", "two", "three")]
    assert stays(site[1], InfoDiscoverer(threshold=0.5).fit(site).extract(site[1])) == ["two"]
    # without tables the page is one block
    site = [page(f"<div>the same menu</div><p>{word}") for word in ("one", "two", "three")]
    assert stays(site[0], InfoDiscoverer(threshold=0.5).fit(site).extract(site[0])) == []
    sections = InfoDiscoverer(threshold=0.5, tags={"div"})
    assert stays(site[0], sections.fit(site).extract(site[0])) == ["one"]


def test_threshold_grows_while_features_do():
    """Own words have entropy 0, a word of three of four pages .79, and those of all pages 1."""
    part = "<table><tr><td>{}</table>"
    own = ("alpha", "beta", "gamma", "delta")
    site = [
        page(
            part.format("menu home") + part.format(word) + part.format("shared") * (word != "beta")
        )
        for word in own
    ]
    detector = InfoDiscoverer().fit(site)
    # found at 0; .1 adds nothing, so it ends there
    assert detector.found_threshold == 0
    assert stays(site[0], detector.extract(site[0])) == ["alpha"]
    # where all words are on some pages, nothing is found at 0, nor on the way to .8
    shared = [page(part.format("menu") + part.format("x") * (n != 1)) for n in range(4)]
    assert InfoDiscoverer().fit(shared).found_threshold == 0.8
    # a block of nothing but words of all pages is found at 1
    assert InfoDiscoverer().fit([page(part.format("menu"))] * 3).found_threshold == 1


def test_stop_words_and_stems():
    part = "<table><tr><td>{}</table>"
    site = [page(part.format(text)) for text in ("the news of walking", "the news of walks")]
    # of a page that declares its language its stop words are no features
    english = [page(f"<html lang=en>{part.format(text)}") for text in ("the of", "of the")]
    assert not InfoDiscoverer(threshold=1).fit(english).extract(english[0]).blocks.any()
    assert (
        not InfoDiscoverer(threshold=1, stop_words=["the", "of"])
        .fit(english)
        .extract(english[0])
        .blocks.any()
    )
    assert InfoDiscoverer(threshold=1, stop_words=[]).fit(english).extract(english[0]).blocks.all()
    # Where no page was learnt from all stays.
    assert InfoDiscoverer().fit([]).extract(english[0]).blocks.all()
    # Of the language that is declared, and of none.
    english = [page(f"<html lang=en>{part.format(text)}") for text in ("walking", "walks")]
    for pages, stem, expected in (
        (site, True, ["the news of walking"]),
        (english, False, ["walking"]),
        (english, True, []),
    ):
        detector = InfoDiscoverer(threshold=0.9, stem=stem).fit(pages)
        assert stays(pages[0], detector.extract(pages[0])) == expected


def slow_info(models, model, threshold):
    """The matrix of all words, and each block by itself."""

    def blocks(each):
        nodes = PageNodes(each)
        found = {}
        for text, holder in zip(nodes.texts, nodes.holder.tolist(), strict=True):
            element = nodes.elements[holder]
            around = [element, *element.iterancestors()]
            table = next((id(one) for one in around if one.tag == "table"), None)
            found.setdefault(table, []).append(text)
        return nodes, found

    pages = [Counter(evaluation_words(" ".join(PageNodes(each).texts))) for each in models]
    nodes, found = blocks(model)
    gone = set()
    for texts in found.values():
        words = set(evaluation_words(" ".join(texts)))
        mean = sum(slow_entropy(pages, word) for word in words) / max(len(words), 1)
        if not words or mean > threshold + 1e-6:
            gone |= {id(text) for text in texts}
    return [id(text) not in gone for text in nodes.texts]


@settings(deadline=None)
@given(site=sites, body=bodies, threshold=st.sampled_from([0.05, 0.5, 0.85]))
def test_info_discoverer(site, body, threshold):
    models, model = [page(each) for each in site], page(body)
    kept = InfoDiscoverer(threshold=threshold).fit(models).extract(model)
    assert kept.texts.tolist() == slow_info(models, model, threshold)


def test_words_of_info_discoverer_have_their_marks():
    """They were cut at vowel signs, and no stop word of Hindi with one was left out."""
    assert features_of(["की अनुवाद और कुएँ", "كُتُب"], "hi") == [["अनुवाद", "कुएँ"], ["كُتُب"]]


def test_info_discoverer_leaves_out_entries_of_lists_with_apostrophes():
    """Of "jusqu'à" the parts were features: no word has an apostrophe."""
    read = InfoDiscoverer(stem=False).read
    assert read(page("<html lang=fr><p>jusqu'\u00e0 Lyon")) == [["lyon"]]
    assert read(page("<html lang=en><p>However, Oslo")) == [["oslo"]]
    given = InfoDiscoverer(stop_words=["oslo,"], stem=False).read
    assert given(page("<html lang=en><p>However, Oslo")) == [["however", "oslo"]]


WORD_SETS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=8), max_size=4)


@settings(deadline=None)
@given(
    site=st.lists(WORD_SETS, max_size=5),
    block=st.frozensets(st.sampled_from("abcdefgh"), max_size=8),
    same=st.sampled_from([0.0, 0.5, 0.8, 0.9, 1.0]),
)
def test_pages_with_the_same_block(site, block, same):
    """The index finds what a comparison with all blocks of all pages finds."""
    models = [
        page("".join(f"<p>{' '.join(sorted(words))}</p>" for words in blocks)) for blocks in site
    ]
    detector = ContentExtractor(same=same).fit(models)
    expected = sum(any(cosine(block, words) > same for words in blocks) for blocks in site)
    assert detector.n_pages_with(block) == expected


def test_a_page_has_words_looked_up_for_some_blocks(monkeypatch):
    """Thousands of blocks of the same few words, each near to thousands, would take hours."""
    near, equal = " ".join(f"word{n}" for n in range(19)), "these are equal"
    site = [page(f"<p>{near} own{number}<p>{equal}") for number in range(4)]
    detector = ContentExtractor().fit(site)
    assert stays(site[0], detector.extract(site[0])) == []
    monkeypatch.setattr(content_extractor, "_MAX_LOOKUPS", 0)
    assert stays(site[0], detector.extract(site[0])) == [f"{near} own0"]


def test_blocks_by_tags_in_their_order():
    """A table's rows, their paragraphs and lists; what is beside these is a block, too."""
    model = page(
        "head<table><tr><td>row <p>one<p>two<tr><td><ul><li>a<li>b</ul></table><ul><li>c</ul>"
    )
    block, words = blocks_of(PageNodes(model))
    found = sorted(" ".join(sorted(each)) for each in words)
    assert found == ["a b", "c", "head", "one", "row", "two"]
    assert block.tolist() == [0, 1, 2, 3, 4, 4, 5]


def test_blocks_of_one_page_stay():
    """IBDF of a block that n pages have is 1/(n + 1): 1/2 of one page, 1/3 of two."""
    menu = "<p>this is the menu of the site with its many odd words</p>"
    site = [page(f"{menu}<p>own{n}") for n in range(3)]
    # one word of eleven is another: the cosine is 10/11
    site.append(page(menu.replace("many", "few") + "<p>own3"))
    detector = ContentExtractor().fit(site)
    assert [stays(each, detector.extract(each)) for each in site] == [[f"own{n}"] for n in range(4)]
    tolerant = ContentExtractor(theta=0.2).fit(site)
    assert len(stays(site[0], tolerant.extract(site[0]))) == 2
