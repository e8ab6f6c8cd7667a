"""Node extraction patterns: what they accept, how they are combined, and the news that they find."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.templates import ne_patterns
from pipelines.templates.detectors.ne_patterns import NePatterns
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.ne_patterns import captured, combine
from pipelines.templates.pattern_vertices import Vertex, page_vertex, text_vertex, wildcard
from tests.structures import page

# A tree: a text, or a name and children
TREES = st.recursive(
    st.sampled_from(["x", "y", "z"]),
    lambda children: st.tuples(
        st.sampled_from("ab"), st.lists(children, min_size=1, max_size=4).map(tuple)
    ),
    max_leaves=10,
)
PATTERNS = st.recursive(
    st.sampled_from(["x", "y", ".", "?", "+", "*"]),
    lambda children: st.tuples(
        st.sampled_from("ab"), st.lists(children, min_size=1, max_size=4).map(tuple)
    ),
    max_leaves=8,
)
SPANS = {".": (1, 1), "?": (0, 1), "+": (1, np.inf), "*": (0, np.inf)}


def vertex(tree):
    if isinstance(tree, tuple):
        return Vertex(tree[0], [vertex(child) for child in tree[1]])
    return wildcard(*SPANS[tree]) if tree in SPANS else text_vertex(tree, 0)


def shown(found):
    """The tree of a vertex, as above."""
    if found.children:
        return found.label, tuple(map(shown, found.children))
    return found.label.removeprefix("#text ")


def size(tree):
    return 1 + sum(map(size, tree[1])) if isinstance(tree, tuple) else 1


def slow_cost(pattern, tree):
    """The fewest vertices in wildcards over all mappings, infinite without any."""
    if pattern in SPANS:
        return size(tree)
    if not isinstance(pattern, tuple) or not isinstance(tree, tuple):
        return 0 if pattern == tree else np.inf
    return slow_row(pattern[1], tree[1]) if pattern[0] == tree[0] else np.inf


def slow_row(patterns, trees):
    if not patterns:
        return np.inf if trees else 0
    least, most = SPANS.get(patterns[0], (1, 1))
    costs = [np.inf]
    for n in range(least, int(min(most, len(trees))) + 1):
        mine = sum(slow_cost(patterns[0], tree) for tree in trees[:n])
        costs.append(mine + slow_row(patterns[1:], trees[n:]))
    return min(costs)


@settings(deadline=None)
@given(PATTERNS, TREES)
def test_the_cheapest_mapping(pattern, tree):
    found = captured(vertex(pattern), vertex(tree))
    assert (np.inf if found is None else found.cost) == slow_cost(pattern, tree)
    if found is not None:
        assert sum(each.weight for group in found.groups for each in group) == found.cost


@settings(deadline=None)
@given(st.lists(PATTERNS, min_size=2, max_size=4), TREES)
def test_a_combined_pattern_accepts_what_its_parts_accept(patterns, tree):
    found = captured(reduce(combine, map(vertex, patterns)), vertex(tree))
    if any(slow_cost(pattern, tree) < np.inf for pattern in patterns):
        assert found is not None


@settings(deadline=None)
@given(st.lists(TREES, min_size=2, max_size=5), st.sampled_from([0, 20, 1000]))
def test_a_pattern_accepts_the_trees_that_it_was_made_of(trees, max_cells):
    before = ne_patterns.MAX_CELLS
    try:
        ne_patterns.MAX_CELLS = max_cells
        pattern = reduce(combine, map(vertex, trees))
    finally:
        ne_patterns.MAX_CELLS = before
    assert all(captured(pattern, vertex(tree)) for tree in trees)


@given(TREES, TREES)
def test_a_tree_accepts_itself_alone(a, b):
    assert (captured(vertex(a), vertex(b)) is not None) == (a == b)
    assert shown(combine(vertex(a), vertex(a))) == shown(vertex(a))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        # other texts, another name
        (("a", ("x",)), ("a", ("y",)), ("a", (".",))),
        (("a", ("x", ("b", ("y",)))), ("a", ("x", ("a", ("y",)))), ("a", ("x", "."))),
        # what one has alone
        (("a", ("x",)), ("a", ("x", "y")), ("a", ("x", "?"))),
        # side by side: at least one, or any number
        (("a", ("x", "y")), ("a", ("y", "z")), ("a", ("?", "y", "?"))),
        (("a", ("x", "x")), ("a", ("y", "y")), ("a", ("+",))),
        (("a", ("x",)), ("a", ("x", "y", "z")), ("a", ("x", "*"))),
        # wildcards take what is beside them
        (("a", ("x", "+")), ("a", ("x", "y", "z")), ("a", ("x", "+"))),
        (("a", (".",)), ("a", ("?",)), ("a", ("?",))),
        # roots of other names
        (("a", ("x",)), ("b", ("x",)), "."),
    ],
)
def test_what_differs_becomes_a_wildcard(a, b, expected):
    found = combine(vertex(a), vertex(b))
    assert shown(found) == expected
    for tree in (a, b):
        if not any(sign in str(tree) for sign in SPANS):
            assert captured(found, vertex(tree)) is not None


def test_the_tree_of_a_page():
    """Texts and elements around them, in order, also behind comments and elements without text."""
    body = "<p>x<img>y<!-- none -->z</p><hr><ul><li></li><li>x</ul>z"
    found = page_vertex(PageNodes(page(f"<html><body>{body}</body></html>")), 99)
    assert shown(found) == (
        "html",
        (("body", (("p", ("x", "y", "z")), ("ul", (("li", ("x",)),)), "z")),),
    )
    assert found.texts() == [0, 1, 2, 3, 4]
    assert page_vertex(PageNodes(page("<p></p>")), 99) is None


def test_deep_pages():
    texts = [page("<div>" * 1500 + "menu <b>" + own) for own in ("one", "two", "three")]
    detector = NePatterns().fit(texts)
    assert detector.extract(texts[0]).blocks.any()


BODY = " ".join(f"word{n}" for n in range(120))
MENU = "<div><a href=/>Home</a><a href=/news>All news</a></div>"


def news(title, body, *comments):
    said = "".join(f"<li>{comment}" for comment in comments)
    paragraphs = "".join(f"<p>{part}" for part in body.split("|"))
    return page(
        f"<html><body>{MENU}<h1>{title}</h1><div>{paragraphs}</div><ul>{said}</ul><p>The end</body></html>"
    )


def texts_of(model, kept):
    nodes = PageNodes(model)
    return [text for text, stays in zip(nodes.texts, kept.texts.tolist(), strict=True) if stays]


SITE = [
    news("A word3 word5", BODY, "so it is", "word3 is odd"),
    news("Of something else", f"{BODY} else|and more", "no"),
    news("A third page", f"again|{BODY}", "yes", "no", "why", "for ever"),
]


def test_texts_of_wildcards_stay():
    detector = NePatterns(similarity=0.3).fit(SITE)
    other = news("Not seen before", "other|words", "hello")
    for model in (*SITE, other):
        own = [
            text for text in PageNodes(model).texts if text not in {"Home", "All news", "The end"}
        ]
        assert texts_of(model, detector.extract(model)) == own


def test_the_news():
    """The body is all of one wildcard, longer than 100 words; the title shares most words with it, the comments
    fewer.
    """
    detector = NePatterns(similarity=0.3, news=True).fit(SITE)
    assert texts_of(SITE[0], detector.extract(SITE[0])) == ["A word3 word5", BODY]
    # What is behind the first paragraph is in a wildcard of its own.
    found = texts_of(SITE[1], detector.extract(SITE[1]))
    assert found == ["Of something else", f"{BODY} else"]
    short = news("A short one", "a few words", "hello")
    assert texts_of(short, detector.extract(short)) == ["A short one", "a few words", "hello"]


def test_words_of_the_news_have_their_marks():
    """Cut at their vowel signs twelve words of Hindi were more than a title has."""
    title = "दिल्ली में किसानों की रैली के कारण सड़कों पर भारी भीड़ रही"
    site = [news(title, BODY, "so"), *SITE[1:]]
    detector = NePatterns(similarity=0.3, news=True).fit(site)
    assert texts_of(site[0], detector.extract(site[0])) == [title, BODY]


def test_pages_that_no_pattern_accepts_stay():
    detector = NePatterns(similarity=0.3).fit(SITE)
    other = page(f"<html><body>{MENU}<table><tr><td>Something else</table></body></html>")
    assert detector.extract(other).texts.all()


def test_clusters_and_equal_pages():
    other = "<html><body><table><tr><td>{}<td>Bottom</table><b>a</b><i>b</i></body></html>"
    tables = [page(other.format(own)) for own in ("one", "two")]
    detector = NePatterns(similarity=0.8).fit([*SITE, *tables])
    assert texts_of(tables[0], detector.extract(tables[0])) == ["one"]
    # One page twice is its own pattern, in which nothing differs.
    assert NePatterns().fit([SITE[0]] * 3).extract(SITE[0]).texts.all()


def test_the_pattern_with_fewest_vertices_in_wildcards():
    """Of two clusters' patterns both accept the page; that with the menu in it is nearer."""
    detector = NePatterns()
    near = ("html", (("body", (("p", ("menu",)), ("p", (".",)))),))
    detector.patterns = [vertex(("html", ("*",))), vertex(near)]
    model = page("<html><body><p>menu<p>own</body></html>")
    assert texts_of(model, detector.extract(model)) == ["own"]
