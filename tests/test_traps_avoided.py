"""Each kind of trap in a crawl of the sample web: few fetches go there, and no genuine page is lost."""

from __future__ import annotations

from collections import Counter

import pytest

from crawler.frontier.steering.host_yields import HostYields
from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.traps import Traps
from crawler.sampleweb.answers import Answer
from crawler.sampleweb.traps import KINDS
from crawler.sampleweb.web import SampleWeb
from crawler.seeds.warc import WarcReader
from tests.replayed_pages import Replay
from tests.simulated_crawl import IndexedDuplicates, crawl, local

# Two traps of each kind: what is fetched of one before it is closed, and what was on its way then.
MOST_FETCHES = {
    "calendar": 130,
    "session": 80,
    "repeat": 80,
    "facet": 110,
    "pagination": 150,
    "subdomain": 130,
    "soft404": 130,
    "maze": 200,
    "redirect": 80,
}
MAX_PAGES = 3_000


def genuine(web):
    """The URLs of the pages that a crawl of *web* reaches and may fetch."""
    for host in web.hosts():
        layout = web.library.layout(host.content)
        for page in range(layout.n_pages):
            if layout.kind(page) not in {"private", "hidden"}:
                yield host.root + layout.path(page)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    web = SampleWeb(1, 20, 160, plain=True, n_traps=1)
    steering = Steering(Traps(16), HostYields(0.01))
    fetched, refused = crawl(web, tmp_path_factory.mktemp("traps"), steering, max_pages=MAX_PAGES)
    assert len(fetched) < MAX_PAGES, "the crawl came to its end"
    of_kind = Counter(trap.kind for url in fetched if (trap := web.traps.find(*local(url))))
    return web, fetched, refused, of_kind, steering


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_trap_is_left(crawled, kind):
    *_, of_kind, _ = crawled
    assert 2 <= of_kind[kind] <= MOST_FETCHES[kind]


def test_all_genuine_pages_are_fetched_and_none_twice(crawled):
    web, fetched, *_ = crawled
    assert set(genuine(web)) <= set(fetched)
    assert len(fetched) == len(set(fetched))


def test_what_was_queued_of_traps_is_refused_by_name(crawled):
    _, _, refused, _, steering = crawled
    assert {"trap_session", "trap_maze", "trap_subdomain", "trap_redirect"} <= set(refused)
    assert refused.total() > 500
    assert steering.n_not_queued > 0


@pytest.mark.slow
def test_lists_of_which_some_pages_are_kept_are_left_too(tmp_path):
    """By the index of a crawl, to which one in five of their pages is no near-duplicate."""
    web = SampleWeb(5, 20, 160, plain=True, n_traps=1)
    steering = Steering(Traps(16), HostYields(0.01))
    duplicates = IndexedDuplicates()
    fetched, _ = crawl(web, tmp_path, steering, max_pages=MAX_PAGES, duplicates=duplicates)
    of_lists = [
        url for url in fetched if (trap := web.traps.find(*local(url))) and trap.kind == "facet"
    ]
    assert len(of_lists) <= 1.5 * MOST_FETCHES["facet"]
    assert len([url for url in of_lists if url in duplicates.urls]) > 10
    assert set(genuine(web)) <= set(fetched)


@pytest.mark.long  # ten thousand real pages
@pytest.mark.parametrize("name", ["webkb-1997", "pages-2011-2026"])
def test_no_real_page_is_refused(shared, name):
    pages = Replay(Steering(Traps(16), HostYields(0.01)))
    for response in WarcReader(shared / "data" / "warc" / f"{name}.warc.gz"):
        headers = {key.lower(): value.decode("latin-1") for key, value in response.headers}
        media_type = headers.get(b"content-type", "text/html")
        location = headers.get(b"location", "")
        pages.add(response.url, Answer(response.status, response.body, media_type, location))
    assert pages.n_pages > 700
    assert not pages.refused
    assert pages.n_refused_links() == 0
