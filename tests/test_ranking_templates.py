"""Template pagelets against a slow search, and the pagelets of a corpus's pages."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageLimits
from crawler.ranking.corpus_pagelets import (
    LINKS_FILE,
    TEMPLATES_FILE,
    StoredPage,
    write_pagelets,
)
from crawler.ranking.pagelet_links import joined_links, links_of_page, read_links, read_templates
from crawler.ranking.pagelet_templates import find_templates
from crawler.webgraph.graph import Graph
from tests.test_command_pagerank import URLS, store_graph


def found_templates(pagelets, arcs):
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
        np.array([pagelets[key] for key in keys], dtype=np.uint64),
        joined_links(parts),
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
    report = write_pagelets(folder, pages, limits=PageLimits())
    assert (report.pages, report.unknown, report.undecodable, report.same_text) == (3, 2, 1, 0)
    links = read_links(folder / LINKS_FILE)
    owners = list(zip(links.page.tolist(), links.target.tolist(), strict=True))
    menu = [ids["http://www.a.sample/"], ids["http://www.b.sample/"], ids["http://www.c.sample/x"]]
    assert owners == sorted(
        [(ids[a], target) for target in menu]
        + [(ids[a], ids[one])]
        + [(ids[one], target) for target in menu],
        key=lambda pair: (pair[0], pair == (ids[a], ids[one])),
    )
    templates = read_templates(folder / TEMPLATES_FILE)
    assert templates.page.tolist() == [ids[a], ids[one]]
    assert (report.pagelets, report.links) == (3, 7)
    assert (report.templates, report.template_links, report.template_pages) == (2, 6, 2)
    assert "3 with links, 2 of them templates" in report.screen()


def test_pages_of_the_same_text_count_once(corpus):
    folder, ids = corpus
    pages = [StoredPage(url, 1, None, page_of("the very same")) for url in URLS[:2]]
    report = write_pagelets(folder, pages, limits=PageLimits())
    assert (report.pages, report.same_text, report.templates) == (1, 1, 0)
    assert set(read_links(folder / LINKS_FILE).page.tolist()) == {min(ids[u] for u in URLS[:2])}


def test_menus_of_images_are_compared_by_their_links(corpus):
    folder, _ = corpus
    menu = MENU.replace("home", "<img src=1>").replace("shop", "").replace("help", "")
    pages = [
        StoredPage(url, 1, None, page_of(text, menu))
        for url, text in zip(URLS[:2], ("one text", "another"), strict=True)
    ]
    assert write_pagelets(folder, pages, limits=PageLimits()).templates == 2


def test_nothing_stored(corpus):
    folder, _ = corpus
    report = write_pagelets(folder, [], limits=PageLimits())
    assert (report.pages, report.pagelets, report.templates) == (0, 0, 0)
    assert len(read_links(folder / LINKS_FILE).page) == 0


@given(st.binary(max_size=300))
def test_any_bytes(tmp_path_factory, body):
    folder = tmp_path_factory.mktemp("any")
    store_graph(folder)
    report = write_pagelets(folder, [StoredPage(URLS[0], 1, None, body)], limits=PageLimits())
    assert report.pages == 1
