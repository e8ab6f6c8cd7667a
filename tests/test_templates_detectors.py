"""What all template detectors have in common, and the document-frequency filters."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.templates.detectors import training
from pipelines.templates.detectors.document_frequency import DocumentFrequencyFilter
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.registry import detector_class, get, methods, options_of
from pipelines.templates.detectors.segment_frequency import SegmentFrequencyFilter
from tests.site_pages import PARTS, article, bodies, page, site_page, sites, stays
from tests.structures import soups

URL = "http://a.sample/"
ARTICLE = ["aheadline aof", "atext aabout aalpha abeta.", "asecond", "abold", "awordsa"]


@pytest.mark.parametrize("name", methods())
def test_the_article_stays(name):
    site = [site_page(number) for number in range(12)]
    detector = get(name).fit(site)
    assert stays(site[0], detector.extract(site[0])) == ARTICLE


@pytest.mark.parametrize("name", methods())
def test_a_page_that_was_not_trained_on(name):
    detector = get(name).fit([site_page(number) for number in range(1, 13)])
    assert stays(site_page(0), detector.extract(site_page(0))) == ARTICLE


@pytest.mark.parametrize("name", ["content-extractor", "site-style-tree"])
def test_words_have_their_marks(name):
    """Cut at their vowel signs these words of Hindi were two letters, the same on all pages."""
    own = ("काल", "केला", "कोला", "कूल")
    part = "<div><p>{}</p></div>"
    site = [page(f"<html><body>{part.format('मेनू')}{part.format(word)}") for word in own]
    detector = get(name).fit(site)
    assert [stays(each, detector.extract(each)) for each in site] == [[word] for word in own]


@pytest.mark.parametrize("name", methods())
def test_without_pages_all_stays(name):
    model = site_page(0)
    # Nothing is known of its words; no page says that they are of a template.
    assert get(name).fit([]).extract(model).blocks.all()


@pytest.mark.parametrize("name", methods())
@settings(max_examples=15, deadline=None)
@given(site=st.lists(st.one_of(soups, bodies), max_size=4), body=st.one_of(soups, bodies))
def test_any_page(name, site, body):
    models = [page(each) for each in site]
    model = page(body)
    kept = get(name).fit(models).extract(model)
    assert len(kept.blocks) == len(model.blocks)
    assert len(kept.texts) == len(PageNodes(model).texts)
    again = get(name).fit(models).extract(model)
    assert np.array_equal(kept.texts, again.texts)
    # of what no text goes, no block goes
    assert kept.blocks.all() or not kept.texts.all()


@pytest.mark.parametrize("name", methods())
def test_pages_without_markup(name):
    plain = [page("the very same text"), page("another one"), page("the very same text")]
    kept = get(name).fit(plain).extract(plain[1])
    assert kept.blocks.tolist() == [True]


@pytest.mark.parametrize("name", methods())
def test_plain_texts_have_nothing_in_common_but_their_text(name):
    texts = [f"{own}one {own}two {own}three" for own in "abcdefghijkl"]
    plain = [build_page(each.encode(), url=URL, content_type="text/plain") for each in texts]
    assert get(name).fit(plain).extract(plain[0]).blocks.tolist() == [True]


@pytest.mark.parametrize("name", methods())
def test_pages_without_text_say_nothing_of_others(name):
    empty = [page("<div></div>")] * 12
    for body in ("<p>some text", "<div>some text</div>", "<div><p>some <i>text</i></div>"):
        model = page(body)
        assert get(name).fit(empty).extract(model).blocks.all()


def test_no_more_than_the_first_pages_count():
    site = [site_page(number) for number in range(4)]
    detector = DocumentFrequencyFilter(max_pages=1).fit([page("<p>other"), *site])
    assert detector.extract(site[0]).texts.all()


def test_no_more_than_some_bytes_count(monkeypatch):
    site = [site_page(number) for number in range(4)]
    monkeypatch.setattr(training, "MAX_BYTES", 2 * len(site[0].source))
    pages = training.training_pages(iter(site), 9)
    assert list(pages) == site[:3]


@pytest.fixture(scope="module")
def large_pages():
    """A flat and a nested page, of tens of thousands of elements and blocks."""
    flat = page("".join(f"<p>one{n % 977} two{n % 991} three</p>" for n in range(10_000)))
    return flat, page("<table><tr><td>a" * 500 + "<p>b" * 5000)


@pytest.mark.slow
@pytest.mark.parametrize("name", methods())
def test_large_pages_take_linear_time(large_pages, name):
    """Pairs of their elements, or blocks, would take minutes."""
    for model in large_pages:
        assert len(get(name).fit([model] * 3).extract(model).blocks) == len(model.blocks)


@pytest.mark.parametrize("name", methods())
def test_options(name):
    assert options_of(name) == tuple(inspect.signature(detector_class(name)).parameters)
    with pytest.raises(ValueError, match=f"{name} has no option 'color'; it takes .*max_pages"):
        get(name, color=1)
    with pytest.raises(ValueError, match="max_pages must be at least 1, got 0"):
        get(name, max_pages=0)


def test_unknown_detector():
    with pytest.raises(ValueError, match="unknown template detector 'x'; known are bootstrapped"):
        get("x")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("document-frequency", {"df": 2}, "df must be 0 to 1, got 2"),
        ("bootstrapped", {"distance": "rtdm"}, "distance must be one of cp, cps, ctss, got 'rtdm'"),
        ("dom-hash", {"low": 0.5, "high": 0.2}, "low must be at most high, 0.2, got 0.5"),
        ("text-windows", {"sample": -1}, "sample must be at least 0, got -1"),
    ],
)
def test_values_out_of_range(name, options, message):
    with pytest.raises(ValueError, match=message):
        get(name, **options)


def test_third_of_three_pages():
    """What one of three pages has stays, what two have goes (Gottron 2008, section 7.2.2: above a third)."""
    texts = ["<p>one<p>both", "<p>two<p>both", "<p>three<p>fourth"]
    site = [page(each) for each in texts]
    detector = DocumentFrequencyFilter().fit(site)
    assert [stays(each, detector.extract(each)) for each in site] == [
        ["one"],
        ["two"],
        ["three", "fourth"],
    ]


def slow_texts(models, model, df, units):
    """Which texts stay when each unit is looked for in every page."""
    gone = []
    for unit in units(model):
        n = sum(unit in units(other) for other in models)
        gone += [bool(models) and n / len(models) > df] * unit[1]
    return [not each for each in gone]


def nodes_of(model):
    return [(text, 1) for text in PageNodes(model).texts]


def segments_of(model):
    """The texts between the tags of tables, each with the number of its nodes."""
    nodes, found = PageNodes(model), []
    cells = []
    for holder in nodes.holder.tolist():
        element = nodes.elements[holder]
        around = [element, *element.iterancestors()]
        cells.append(next((each for each in around if each.tag in {"tr", "td"}), None))
    for place, text in enumerate(nodes.texts):
        if place and cells[place] is cells[place - 1]:
            found[-1] = (f"{found[-1][0]} {text}", found[-1][1] + 1)
        else:
            found.append((text, 1))
    return found


@settings(deadline=None)
@given(site=sites, body=bodies, df=st.sampled_from([0.0, 1 / 3, 0.5, 0.99, 1.0]))
def test_document_frequencies(site, body, df):
    models, model = [page(each) for each in site], page(body)
    for detector, units in (
        (DocumentFrequencyFilter(df=df), nodes_of),
        (SegmentFrequencyFilter(df=df), segments_of),
    ):
        kept = detector.fit(models).extract(model)
        assert kept.texts.tolist() == slow_texts(models, model, df, units)


def test_segments_of_tables():
    """A cell that all pages have goes, one of which a word is another stays."""
    row = "<table><tr><td>all have <b>this</b><td>news of day {}</table>"
    site = [page(row.format(number) + "<p>below") for number in range(4)]
    kept = SegmentFrequencyFilter().fit(site).extract(site[2])
    assert stays(site[2], kept) == ["news of day 2"]


def test_a_block_goes_when_most_of_its_words_go():
    # The anchor is no gap: two text nodes in one block, of two words and one.
    site = [page(f"<p>shared words <a href=/>own{number}</a></p>") for number in range(3)]
    kept = DocumentFrequencyFilter().fit(site).extract(site[0])
    assert (kept.texts.tolist(), kept.blocks.tolist()) == ([False, True], [False])
    site = [page(f"<p>shared <a href=/>own{number}</a></p>") for number in range(3)]
    kept = DocumentFrequencyFilter().fit(site).extract(site[0])
    assert (kept.texts.tolist(), kept.blocks.tolist()) == ([False, True], [True])


def test_text_that_no_tree_has_stays():
    """Below 2,048 elements libxml2 has no text."""
    deep = page("<p>first" + "<div>" * 3000 + "deep text")
    kept = DocumentFrequencyFilter().fit([deep] * 3).extract(deep)
    assert stays(deep, kept) == ["deep text"]


def test_parts_are_what_they_are_called():
    assert len({page(part).blocks.text[0] for part in PARTS}) > 5
    assert "dheadline" in article(3)
