"""HITS and co-citation by pagelet, template pagelets left out; the files of links and flags."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import FormatError, InputError
from crawler.page.build import build_page
from crawler.ranking.hits.cocitation import Cocitation, by_page
from crawler.ranking.hits.hits import hits
from crawler.ranking.hits.pagelet_graph import pagelet_graph
from crawler.ranking.hits.pagelet_links import (
    PageletLinks,
    joined_links,
    links_of_page,
    pagelet_of_links,
    read_links,
    read_templates,
    template_pagelets,
    write_links,
    write_templates,
)
from crawler.ranking.hits.pagelet_templates import find_templates
from tests.traced_memory import least_traced

# (page, pagelet, target)
ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 8)), max_size=30)


def links(rows):
    columns = [np.array([row[i] for row in rows], dtype=np.uint64) for i in range(3)]
    parts = [
        links_of_page(page, columns[1][columns[0] == page].astype(np.uint32),
                      columns[2][columns[0] == page])
        for page in sorted({row[0] for row in rows})
    ]  # fmt: skip
    return joined_links(parts)


def flags(pairs):
    columns = [np.array([pair[i] for pair in pairs], dtype=np.uint64) for i in range(2)]
    return template_pagelets(columns[0], columns[1].astype(np.uint32))


def rows_of(columns):
    return list(zip(*(column.tolist() for column in columns), strict=True))


PAGE = """<html><body>
<div><a href="/">home</a> <a href="/news">news</a> <a href="mailto:x@y">mail</a> <a href="/help">help</a></div>
<p>Cats: <a href="http://cats.sample/">cats</a> and <a href="/lions">lions</a></p>
</body></html>"""


def test_links_of_a_page_by_pagelet():
    page = build_page(PAGE.encode(), url="http://a.sample/", content_type="text/html")
    numbers = pagelet_of_links(page.pagelets, page.links.reference)
    held = Counter(numbers.tolist())
    for number, (first, end) in enumerate(
        zip(page.pagelets.first_link.tolist(), page.pagelets.end_link.tolist(), strict=True)
    ):
        assert held[number] == sum(first <= r < end for r in page.links.reference.tolist())
    by_url = dict(zip(page.links.url, numbers.tolist(), strict=True))
    assert by_url["http://a.sample/"] == by_url["http://a.sample/help"]
    assert by_url["http://cats.sample/"] == by_url["http://a.sample/lions"]
    assert by_url["http://a.sample/"] != by_url["http://cats.sample/"]


@given(ROWS, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=5))
def test_the_graph(rows, templates):
    graph = pagelet_graph(links(rows), templates=flags(templates))
    edges = sorted({row for row in rows if row[:2] not in set(templates)})
    hubs = sorted({row[:2] for row in edges})
    assert rows_of((graph.owner, graph.pagelet)) == hubs
    assert graph.pages.tolist() == sorted({page for row in rows for page in (row[0], row[2])})
    found = set()
    for place, page in enumerate(graph.pages.tolist()):
        for hub in graph.links.indices[graph.links.indptr[place] : graph.links.indptr[place + 1]]:
            found.add((*hubs[hub], page))
    assert sorted(found) == edges
    assert len(graph.links.indices) == len(edges)
    assert graph.links.n_hubs == len(hubs)


def test_links_out_of_the_base_set_are_left_out():
    graph = pagelet_graph(links([(0, 0, 1), (0, 0, 7), (7, 0, 1), (1, 2, 0)]),
                          base=np.array([1, 0], dtype=np.uint64))  # fmt: skip
    assert graph.pages.tolist() == [0, 1]
    assert rows_of((graph.owner, graph.pagelet)) == [(0, 0), (1, 2)]


def test_templates_no_longer_vote():
    """Pages 0 to 3 share a menu to page 8; their own lists agree on page 5."""
    rows = [(page, 0, target) for page in range(4) for target in (8, 9)]
    rows += [(page, 1, target) for page in range(3) for target in (5, 10 + page)]
    whole = pagelet_graph(links(rows))
    authority = hits(whole.links).authority
    assert set(whole.pages[np.argsort(-authority)[:2]].tolist()) == {8, 9}
    cleaned = pagelet_graph(links(rows), templates=flags([(page, 0) for page in range(4)]))
    found = hits(cleaned.links)
    assert cleaned.pages[np.argmax(found.authority)] == 5
    # Three pagelets {5, 10 + i}: a(5) = 3h, a(10 + i) = h, and h = 1 / sqrt(3).
    assert found.authority.max() == pytest.approx(3 / 12**0.5)
    assert found.hub.tolist() == pytest.approx([3**-0.5] * 3)


def slowly_related(rows, page, templates, within, same_page):
    score = Counter()
    rows = {row for row in rows if row[:2] not in templates}
    for parent in {row[0] for row in rows if row[2] == page}:
        for pagelet in {row[1] for row in rows if row[0] == parent}:
            targets = {row[2] for row in rows if row[:2] == (parent, pagelet)}
            for target in targets - {page}:
                score[target] += within if page in targets else same_page
    return sorted(((s, t) for t, s in score.items() if s), key=lambda pair: (-pair[0], pair[1]))


@given(
    ROWS,
    st.integers(0, 8),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=4),
    st.sampled_from([(1.0, 0.0), (1.0, 0.25), (2.0, 2.0)]),
)
def test_cocitation(rows, page, templates, weights):
    found = Cocitation(
        links(rows), templates=flags(templates), within=weights[0], same_page=weights[1]
    )
    expected = slowly_related(rows, page, set(templates), *weights)
    assert found.related(page, n_best=100) == expected
    assert found.related(page, n_best=2) == expected[:2]


@given(ROWS, st.integers(0, 8))
def test_cocitation_by_page(rows, page):
    """Dean and Henzinger: in how many pages the two are cited together."""
    score = Counter()
    for parent in {row[0] for row in rows}:
        targets = {row[2] for row in rows if row[0] == parent}
        score.update(targets - {page} if page in targets else ())
    found = Cocitation(by_page(links(rows))).related(page, 100)
    assert {target: value for value, target in found} == score


def test_wrong_weights():
    with pytest.raises(
        ValueError, match=r"same_page must be at least 0 and at most within \(1.0\)"
    ):
        Cocitation(links([]), same_page=2.0)


@given(ROWS)
def test_files_come_back(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("pagelets")
    far = [(page << 33 | 1, pagelet, target << 34) for page, pagelet, target in rows]
    write_links(links(far), folder / "links.parquet")
    write_templates(flags([row[:2] for row in far]), folder / "templates.parquet")
    assert rows_of(read_links(folder / "links.parquet")) == sorted(set(far))
    assert rows_of(read_templates(folder / "templates.parquet")) == sorted({r[:2] for r in far})


def test_wrong_files(tmp_path):
    path = tmp_path / "flags.parquet"
    with pytest.raises(InputError, match=r"no file .*flags.parquet; give another name"):
        read_templates(path)
    path.write_bytes(b"PAR1")
    with pytest.raises(FormatError, match=r"is damaged, .* give its ranks/templates"):
        read_templates(path)
    pq.write_table(pa.table({"host_id": [1]}), path)
    with pytest.raises(FormatError, match="has pagelets format none, columns host_id"):
        read_templates(path)
    write_templates(flags([(1, 2)]), path)
    with pytest.raises(
        FormatError, match=r"takes 1 with .*target_local; run `scrapy pagelets` and"
    ):
        read_links(path)


def test_templates_of_many_links_take_the_memory_of_some():
    """Links between pages that share a template are not kept: of a site with a menu most are such."""
    n = 1000
    pages = np.arange(n, dtype=np.uint64)
    contents = np.tile(np.arange(3, dtype=np.uint64), n)
    page, pagelet = np.repeat(pages, 3), contents.astype(np.uint32)
    menus = PageletLinks(np.repeat(pages, n), np.zeros(n * n, np.uint32), np.tile(pages, n))
    found, _, most = least_traced(lambda: find_templates(page, pagelet, contents[:, None], menus))
    assert len(found.page) == 3 * n
    assert most < 80 * 2**20  # 46 MiB, most of them for 262,144 links at a time
