"""Pages that are refused when their turn comes, many of them in a row."""

from __future__ import annotations

import pytest

from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.url_filter import UrlFilter
from crawler.frontier.store.steering import MOST_REFUSED
from crawler.urls import PageKey
from tests.toy_crawl import Arrays
from tests.toy_store import A, StoreMaker, fetch


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


def test_so_many_are_refused_in_one_go_and_the_rest_at_once_behind_it(new_store):
    """What is downloaded meanwhile would time out."""
    n_refused = 2 * MOST_REFUSED + 1
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    refused = [PageKey(A.host, f"0/refused/{number}") for number in range(n_refused)]
    last = PageKey(A.host, "0/last")
    fetch(store, 0.0, links=Arrays([*refused, last]))
    store.flush()
    store.frontier.steering = Steering(None, None, urls=UrlFilter(deny="/refused/"))
    left = []
    while (lease := store.next_page(1.0)) is None:
        store.flush()
        assert store.has_pending(1.0)
        assert store.next_due(1.0) == 0
        left.append(store.counts()["queued"])
    assert lease.url == "http://a.com/last"
    assert left == [n_refused + 1 - MOST_REFUSED, n_refused + 1 - 2 * MOST_REFUSED]
