"""Template pagelets against a slow search, and the pagelets of a corpus's pages."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageLimits, PageRules
from crawler.page.pagelet_prints import MINIMA, WORDS, shingle_prints, word_hashes
from crawler.ranking.corpus.answers import MadeBy, StoredPage
from crawler.ranking.corpus.pagelets import (
    LINKS_FILE,
    TEMPLATES_FILE,
    write_pagelets,
)
from crawler.ranking.hits.pagelet_links import (
    joined_links,
    links_of_page,
    read_links,
    read_templates,
)
from crawler.ranking.hits.pagelet_templates import find_templates
from crawler.webgraph.graph import Graph
from tests.test_command_pagerank import URLS, store_graph


def found_templates(pagelets, arcs, *, local=False):
    """*pagelets*: (page, pagelet) → content; *arcs*: pairs of pages."""
    keys = sorted(pagelets)
    parts = [
        links_of_page(page, np.zeros(len(ends), np.uint32), np.array(ends, dtype=np.uint64))
        for page, ends in (
            (page, [target for _, target in found])
            for page, found in groupby(sorted(arcs), key=lambda arc: arc[0])
        )
    ]
    found = find_templates(
        np.array([page for page, _ in keys], dtype=np.uint64),
        np.array([pagelet for _, pagelet in keys], dtype=np.uint32),
        np.array([[pagelets[key]] for key in keys], dtype=np.uint64).reshape(-1, 1),
        None if local else joined_links(parts),
    )
    return list(zip(found.page.tolist(), found.pagelet.tolist(), strict=True))


def slow_templates(pagelets, arcs):
    """Grow each component of each content, one page at a time."""
    flagged = set()
    for content in set(pagelets.values()):
        owners = {page for (page, _), c in pagelets.items() if c == content}
        for owner in owners:
            component = {owner}
            while grown := {
                page
                for arc in arcs
                if set(arc) <= owners and set(arc) & component
                for page in set(arc) - component
            }:
                component |= grown
            if len(component) > 1:
                flagged |= {k for k, c in pagelets.items() if c == content and k[0] in component}
    return sorted(flagged)


PAGES = st.integers(0, 7)


@given(
    st.dictionaries(st.tuples(PAGES, st.integers(0, 3)), st.integers(0, 4), max_size=20),
    st.sets(st.tuples(PAGES, st.integers(0, 9)), max_size=20),
)
def test_components_of_equal_pagelets(pagelets, arcs):
    assert found_templates(pagelets, arcs) == slow_templates(pagelets, arcs)


@given(st.dictionaries(st.tuples(PAGES, st.integers(0, 3)), st.integers(0, 4), max_size=20))
def test_pages_of_equal_pagelets(pagelets):
    """Local detection: two pages at least have the content."""
    shared = {
        content
        for content in pagelets.values()
        if len({page for (page, _), other in pagelets.items() if other == content}) > 1
    }
    expected = sorted(key for key, content in pagelets.items() if content in shared)
    assert found_templates(pagelets, [], local=True) == expected


def test_two_sites_with_one_menu():
    """No link joins them: global detection makes a template of each, local one of both."""
    pagelets = {(page, 0): 1 for page in (1, 2, 3, 4)} | {(page, 1): page + 4 for page in (1, 2)}
    everywhere = [(1, 0), (2, 0), (3, 0), (4, 0)]
    assert found_templates(pagelets, {(1, 2), (4, 3)}) == everywhere
    assert found_templates(pagelets, {(1, 2), (4, 4)}) == [(1, 0), (2, 0)]
    assert found_templates(pagelets, set()) == []
    assert found_templates(pagelets, set(), local=True) == everywhere


def test_a_menu_that_a_page_repeats_is_no_template():
    pagelets = {(1, 0): 1, (1, 7): 1, (2, 0): 2}
    assert found_templates(pagelets, {(1, 2)}) == []
    assert found_templates(pagelets, {(1, 2)}, local=True) == []


def test_toy_example_of_the_thesis():
    """Gottron 2008, figure 3.3: equal pagelets are templates on linked pages, and on no others."""
    pagelets = {(1, 0): 1, (2, 0): 1, (3, 0): 1, (1, 1): 2, (4, 0): 2, (3, 1): 3, (5, 0): 3}
    arcs = {(1, 2), (3, 2), (3, 5), (2, 4)}
    flagged = found_templates(pagelets, arcs)
    assert flagged == [(1, 0), (2, 0), (3, 0), (3, 1), (5, 0)]


MENU = (
    "<div><a href=http://www.a.sample/>home</a> <a href=http://www.b.sample/>shop</a> "
    "<a href=http://www.c.sample/x>help</a></div>"
)


MADE_BY = MadeBy(PageLimits(), PageRules())
STORY = " ".join(f"word{n}" for n in range(300))


def page_of(body, menu=MENU):
    html = f"<html><body>{menu}<p>{body}</p></body></html>"
    return html.encode()


@pytest.fixture
def corpus(tmp_path):
    store_graph(tmp_path)
    with Graph.open(tmp_path) as graph:
        ids = dict(zip(graph.urls(graph.pages()), graph.pages().tolist(), strict=True))
    return tmp_path, ids


def test_pagelets_of_pages(corpus):
    folder, ids = corpus
    a, one, b = URLS[:3]
    story = "A story about <a href=http://www.c.sample/x rel=nofollow>x</a>, <a href=/1>one</a>"
    pages = [
        StoredPage(a, 1, "text/html", page_of("the old text")),
        StoredPage(a, 2, "text/html", page_of(story)),
        StoredPage(one, 1, "text/html", page_of("Another text, of no links")),
        StoredPage(b, 1, "text/html", page_of("One more <a href=/unknown>text</a>", menu="")),
        StoredPage("http://unknown.sample/", 1, "text/html", page_of("unknown")),
        StoredPage("mailto:nobody", 1, None, b""),
        StoredPage(b, 2, "text/html", None),
    ]
    report = write_pagelets(folder, pages, made_by=MADE_BY)
    assert (report.pages, report.unknown, report.undecodable, report.duplicates) == (3, 2, 1, 0)
    links = read_links(folder / "ranks" / LINKS_FILE)
    owners = list(zip(links.page.tolist(), links.target.tolist(), strict=True))
    menu = [ids["http://www.a.sample/"], ids["http://www.b.sample/"], ids["http://www.c.sample/x"]]
    assert owners == sorted(
        [(ids[a], target) for target in menu]
        + [(ids[a], ids[one])]
        + [(ids[one], target) for target in menu],
        key=lambda pair: (pair[0], pair == (ids[a], ids[one])),
    )
    templates = read_templates(folder / "ranks" / TEMPLATES_FILE)
    assert templates.page.tolist() == [ids[a], ids[one]]
    assert (report.pagelets, report.links) == (3, 7)
    assert (report.templates, report.template_links, report.template_pages) == (2, 6, 2)
    assert "3 with links, 2 of them templates; 1.0 a page" in report.screen()
    assert "2 of them with a template (66.7%, global)" in report.screen()
    assert report.template_page_share == pytest.approx(2 / 3)
    assert report.template_link_share == pytest.approx(6 / 7)


def test_pages_that_are_not_linked(corpus):
    folder, _ = corpus
    menu = MENU.replace("a.sample/", "c.sample/y").replace("b.sample/", "c.sample/x")
    pages = [
        StoredPage(url, 1, "text/html", page_of(text, menu=menu))
        for url, text in zip(URLS[:2], ("one text", "another text"), strict=True)
    ]
    assert write_pagelets(folder, pages, made_by=MADE_BY).template_pages == 0
    report = write_pagelets(folder, pages, made_by=MADE_BY, local=True)
    assert (report.template_pages, report.detection, report.template_page_share) == (2, "local", 1)
    # without words or links there is no pagelet, so no template of all pages
    empty = [StoredPage(url, 1, "text/html", page_of("", menu="<div></div>")) for url in URLS[:2]]
    assert write_pagelets(folder, empty, made_by=MADE_BY, local=True).pagelets == 0


@pytest.mark.parametrize(
    ("texts", "same", "duplicates"),
    [
        (["the very same"] * 2, "shingles", 1),
        (["the very same"] * 2, "content", 1),
        # the last word of 300 is another one
        ([STORY, STORY.replace("word299", "other")], "shingles", 1),
        ([STORY, STORY.replace("word299", "other")], "content", 0),
        ([STORY, STORY[: len(STORY) // 2]], "shingles", 0),
        (["", ""], "shingles", 0),
    ],
)
def test_duplicates_count_once(corpus, texts, same, duplicates):
    folder, ids = corpus
    menu = MENU.replace("home", "<img src=1>").replace("shop", "").replace("help", "")
    pages = [
        StoredPage(url, 1, None, page_of(text, menu))
        for url, text in zip(URLS[:2], texts, strict=True)
    ]
    report = write_pagelets(folder, pages, made_by=MADE_BY, same=same)
    assert (report.pages, report.duplicates) == (2 - duplicates, duplicates)
    if not duplicates:
        return
    assert set(read_links(folder / "ranks" / LINKS_FILE).page.tolist()) == {
        min(ids[u] for u in URLS[:2])
    }


def test_menus_of_images_are_compared_by_their_links(corpus):
    folder, _ = corpus
    menu = MENU.replace("home", "<img src=1>").replace("shop", "").replace("help", "")
    pages = [
        StoredPage(url, 1, None, page_of(text, menu))
        for url, text in zip(URLS[:2], ("one text", "another"), strict=True)
    ]
    assert write_pagelets(folder, pages, made_by=MADE_BY).templates == 2


def test_menus_that_differ_in_a_word(corpus):
    # each page marks its own place in the menu, and a link was added: the same template by its
    # shingles, but not by its words
    folder, ids = corpus
    links = "".join(
        f"<a href={url}>word{n} about {n} things</a> " for n, url in enumerate(URLS * 9)
    )
    pages = [
        StoredPage(URLS[0], 1, None, page_of(STORY, f"<div>{links}</div>")),
        StoredPage(URLS[1], 1, None, page_of(STORY[::-1], f"<div>{links}<a href=/x>new</a></div>")),
        StoredPage(URLS[2], 1, None, page_of("a third, of none of these links", MENU)),
    ]
    assert write_pagelets(folder, pages, made_by=MADE_BY).templates == 2
    flagged = read_templates(folder / "ranks" / TEMPLATES_FILE)
    assert set(flagged.page.tolist()) == {ids[URLS[0]], ids[URLS[1]]}
    assert write_pagelets(folder, pages, made_by=MADE_BY, same="content").templates == 0
    with pytest.raises(ValueError, match="same must be one of shingles, content, got 'words'"):
        write_pagelets(folder, pages, made_by=MADE_BY, same="words")


def resemblance(a, b):
    a, b = (
        {tuple(words[i : i + WORDS]) for i in range(max(1, len(words) - WORDS + 1))}
        for words in (a, b)
    )
    return len(a & b) / len(a | b)


def test_prints_are_shared_as_often_as_said():
    """Against resemblance counted plainly, over many texts with some words changed."""
    rng = np.random.default_rng(1)
    shared, expected = np.zeros((2, 400))
    for n in range(len(shared)):
        words = [f"w{k}" for k in rng.integers(0, 1000, 80)]
        changed = list(words)
        for place in rng.integers(0, 80, rng.integers(0, 4)):
            changed[place] = "other"
        r = resemblance(words, changed)
        prints = [shingle_prints(word_hashes(text)) for text in (words, changed)]
        shared[n] = (prints[0] == prints[1]).mean()
        expected[n] = r**MINIMA
    assert shared[expected == 1].min() == 1
    # of 400 texts and 4 prints each, the deviation is some .012
    assert shared.mean() == pytest.approx(expected.mean(), abs=0.04)


@pytest.mark.parametrize(("one", "other"), [("a b", "b a"), ("a b c", "a b"), ("a", "b")])
def test_short_contents_are_one_shingle(one, other):
    prints = [shingle_prints(word_hashes(text.split())) for text in (one, other)]
    assert not (prints[0] == prints[1]).any()
    assert (prints[0] == shingle_prints(word_hashes(one.split()))).all()


def test_repetitions_change_no_print():
    words = ["home", "news", "shop", "help", "about", "contact"]
    assert (shingle_prints(word_hashes(words * 3)) == shingle_prints(word_hashes(words * 4))).all()
    long = word_hashes(words * 5000)  # more than are hashed at once
    assert (shingle_prints(word_hashes(words * 3)) == shingle_prints(long)).all()


def test_nothing_stored(corpus):
    folder, _ = corpus
    report = write_pagelets(folder, [], made_by=MADE_BY)
    assert (report.pages, report.pagelets, report.templates) == (0, 0, 0)
    assert len(read_links(folder / "ranks" / LINKS_FILE).page) == 0


@given(st.binary(max_size=300))
def test_any_bytes(tmp_path_factory, body):
    folder = tmp_path_factory.mktemp("any")
    store_graph(folder)
    report = write_pagelets(folder, [StoredPage(URLS[0], 1, None, body)], made_by=MADE_BY)
    assert report.pages == 1
