"""The focused crawl beside breadth-first: what it fetches first is of the topic."""

from __future__ import annotations

import pytest

from tests.benchmarks.bench_focus import TOPICS, measure


@pytest.mark.long  # two crawls of half a web of 1,500 pages
def test_a_focused_crawl_harvests_more_than_breadth_first(tmp_path, capsys):
    picture = tmp_path / "harvest.png"
    measure(120, 1_200, TOPICS[:1], picture)  # asserts it at 10, 25 and 50 % of the fetches
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.count('"figure"') == 6
