"""The common events of pages, against blocks and windows as tuples, and the longest common subsequence."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pipelines.templates.distances import distance
from pipelines.templates.documents import document
from pipelines.templates.lcts import LctsRows
from pipelines.templates.xas import MAX_EVENTS, WINDOWS, XasRows
from tests.structures import page

SEQUENCES = st.lists(st.integers(0, 3), max_size=120)
# Parts that both have, and what one has alone, of which some is like the parts.
COMMON = st.lists(
    st.tuples(st.lists(st.integers(0, 30), max_size=40), SEQUENCES, SEQUENCES), max_size=5
)


def slow_common(cut, other):
    """The places of both that are common."""
    cut, other = sorted((cut, other), key=lambda each: (len(each), each))
    return slow_gap(cut, 0, len(cut), other, 0, len(other), WINDOWS)


def slow_gap(cut, first_cut, end_cut, other, first, end, widths):  # noqa: PLR0917
    if not widths:
        return []
    width = widths[0]
    blocks = [at for at in range(first_cut, end_cut, width) if at + width <= end_cut]
    pairs, reached, done, place = [], first_cut, first, first
    while place + width <= end:
        window = other[place : place + width]
        at = next((j for j in blocks if j >= reached and cut[j : j + width] == window), None)
        if at is None:
            place += 1
            continue
        low, high = 0, width
        while (
            place - low > done
            and at - low > reached
            and cut[at - low - 1] == other[place - low - 1]
        ):
            low += 1
        while place + high < end and at + high < end_cut and cut[at + high] == other[place + high]:
            high += 1
        pairs += [(at + step, place + step) for step in range(-low, high)]
        place, reached, done = place + high, at + high, place + high
    bounds = [(first_cut - 1, first - 1), *pairs, (end_cut, end)]
    left = []
    for (a, b), (next_a, next_b) in pairwise(bounds):
        left += slow_gap(cut, a + 1, next_a, other, b + 1, next_b, widths[1:])
    return pairs + left


def check(pages):
    sequences = [np.array(each, np.uint64) for each in pages]
    rows, everything = XasRows(sequences), np.arange(len(pages))
    longest = LctsRows(sequences)
    for place, mine in enumerate(pages):
        common = rows.common(place, everything).tolist()
        assert common == [len(slow_common(mine, other)) for other in pages]
        assert np.all(common <= longest.lengths(place, everything))
        assert rows.row(place).tolist() == [
            1 - n / max(len(mine), len(other)) if mine or other else 0
            for n, other in zip(common, pages, strict=True)
        ]
        assert rows.row(place)[place] == 0


@given(st.lists(SEQUENCES, min_size=1, max_size=4))
def test_common_events_of_few_kinds(pages):
    check(pages)


@given(COMMON)
def test_common_parts(parts):
    a = [event for both, mine, _ in parts for event in (*both, *mine)]
    b = [event for both, _, theirs in parts for event in (*both, *theirs)]
    check([a, b, a[::-1]])


@given(st.sets(st.integers(0, 299)), st.sets(st.integers(0, 299)))
def test_what_is_left_out_of_either_page_costs_no_more(left_out, of_the_other):
    """Where no event is there twice, all of a common subsequence is found."""
    a, b = (
        np.array([event for event in range(300) if event not in gone], np.uint64)
        for gone in (left_out, of_the_other)
    )
    n_common = 300 - len(left_out | of_the_other)
    assert XasRows([a, b]).common(0, np.array([1])).tolist() == [n_common]


def test_it_is_no_longest_common_subsequence():
    """The first event, met first, takes all that is before the last one of the other page."""
    a, b = [1, 2, 3, 4, 5], [5, 9, 1, 8, 2, 7, 3, 6, 4]
    rows = XasRows([np.array(each, np.uint64) for each in (a, b)])
    assert rows.common(0, np.array([1])).tolist() == [len(slow_common(a, b))] == [1]


def test_long_pages_of_one_event():
    """Each block is there as often as there are places: the work is still in proportion to the events."""
    n = MAX_EVENTS
    pages = [np.full(n, 7, np.uint64), np.full(n // 2, 7, np.uint64), np.tile([7, 8], n // 2)]
    rows = XasRows([each.astype(np.uint64) for each in pages])
    assert rows.common(0, np.arange(3)).tolist() == [n, n // 2, n // 2]


def slow_events(model):
    """What a reader of the page's tree tells, as tuples; the texts are those of the page's blocks."""
    texts = {(node.element, node.is_tail): " ".join(node.text.split()) for node in model.tree.nodes}

    def of(node):
        if isinstance(node.tag, str):
            yield ("start", node.tag)
            yield from (("attribute", *pair) for pair in node.items())
            if texts.get((node, False)):
                yield ("text", texts[node, False])
            for child in node:
                yield from of(child)
            yield ("end", node.tag)
        if texts.get((node, True)):
            yield ("text", texts[node, True])

    return list(of(model.tree.root)) if len(model.found_tags) else []


PIECES = (
    "<p>",
    "</p>",
    "<b class=a>",
    "<b id=p class=b>",
    "</b>",
    "<br>",
    "<!-- c -->",
    "p ",
    "class ",
)
MARKUP = st.lists(
    st.sampled_from([*PIECES, "<?pi?>", "<ul>", "<li class=a>", "</ul>", "<script>b</script>"]),
    max_size=30,
).map("".join)


@given(MARKUP, MARKUP)
def test_events_are_those_of_the_tree(first, second):
    """Numbered as they first appear, hashes and tuples are the same."""
    models = [page(f"<p>{source}") for source in (first, second)]
    slow = [event for model in models for event in slow_events(model)]
    hashes = [event for model in models for event in document(model).events.tolist()]
    assert [hashes.index(each) for each in hashes] == [slow.index(each) for each in slow]


def test_texts_behind_comments_are_where_they_stand():
    model = page("<p>a<b>x</b><!-- 1 --><!-- 2 -->c<!-- 3 -->d<i></i></p><!-- 4 -->e")
    texts = [each[1] for each in slow_events(model) if each[0] == "text"]
    assert texts == ["a", "x", "c", "d", "e"]
    assert any(isinstance(node.element, etree._Comment) for node in model.tree.nodes)
    slow, hashes = slow_events(model), document(model).events.tolist()
    assert [hashes.index(each) for each in hashes] == [slow.index(each) for each in slow]


def test_the_distance_of_pages():
    """A page of four paragraphs of the same words and one with another text for the second one."""
    bodies = [f"<html><body class=a><p>one<p>{word}<p>three<p>four" for word in ("two", "2")]
    found = distance("xas")
    features = [found.feature(document(page(body))) for body in [*bodies, "no markup"]]
    # html, body and its attribute, four paragraphs with a text each, and three ends
    assert [len(each) for each in features] == [17, 17, 0]
    assert found.rows(features).row(0) == pytest.approx([0, 1 / 17, 1])
