"""``scrapy explore`` for all who read it: in narrow windows, with a screen reader, among other tabs."""

from __future__ import annotations

import re

import pytest
from lxml import html

from pipelines.corpus.corpus import Corpus
from tests.explorer_site import Site

PATHS = ("/", "/report", "/rejected", "/host/{}", "/page/{}/{}", "/nope")


@pytest.fixture(scope="module")
def trees(small_crawl):
    """The pages of the explorer by their paths, and the list of the pages of the first reason."""
    row = next(Corpus.open(small_crawl[1]).documents(["host_id", "local_id"]))
    ids = (row["host_id"], row["local_id"])
    with Site(small_crawl[1]) as site:
        found = {path: html.fromstring(site.ask(path.format(*ids))[2]) for path in PATHS}
        first = found["/rejected"].xpath("//div[@class='facets']/a/@href")[1]
        return {**found, "reason": site.tree(first)}


def test_each_page_has_a_title_and_a_first_heading(trees):
    """A list of tabs or visits told most of them by the name of the corpus alone."""
    titles = {path: tree.findtext(".//title") for path, tree in trees.items() if path != "reason"}
    assert len(set(titles.values())) == len(PATHS), titles
    assert {path: len(tree.xpath("//h1")) for path, tree in trees.items()} == dict.fromkeys(
        trees, 1
    )


def test_what_is_chosen_is_said(trees):
    for path in ("/rejected", "reason"):
        assert len(trees[path].xpath("//a[@class='chosen' and @aria-current='true']")) == 1


def test_a_reason_breaks_between_its_words_alone(trees):
    """Windows of 400 pixels had "dedupl icate" and "near_du plicate" in two columns."""
    cells = trees["reason"].xpath("//td[@class='left name']")
    (chosen,) = trees["reason"].xpath("//a[@class='chosen']/text()")
    assert {cell.text_content() for cell in cells} == {chosen.split()[0]}
    assert {len(cell.xpath("wbr")) for cell in cells} == {1}


def test_narrow_windows_give_the_search_a_line_of_its_own(trees):
    """The links stand before the box, which wraps; behind it they left it 100 pixels."""
    assert [each.tag for each in trees["/"].xpath("//header/*")] == ["a", "nav", "form"]


def test_what_is_said_of_a_block_is_faint_once(trees):
    """Black of .7 is 8:1 on white; of .7 within .65 it was 3.4:1, and 4.5:1 is what reading takes."""
    style = trees["/"].findtext(".//style")
    faint = dict(re.findall(r"([.][^{}]*?) \{[^{}]*opacity: ([.\d]+)", style))
    assert {rule: value for rule, value in faint.items() if ".block" in rule} == {
        ".block:not(.kept) p": ".7",
        ".block small": ".7",
    }
