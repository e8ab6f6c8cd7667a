"""The page table and the commit of pages: how fast, in how many bytes.

Made URLs (tests/benchmarks/made_urls.py), and the real URLs of the shared pages with made hosts. A
look-up is from page keys, as a page's links come, in batches of 120; all of an id is asked for, and
its state. RAM is what a fresh process has taken when it has loaded the table, over the pages; ``…_without_hosts``
leaves out what the hosts take, of which the real URLs have one for eight pages. ``build_peak_gb`` is the
most that the process took which found them.

Asserted: every key looked up has the id that it was given; every id read back has its key; the
table replayed from the log is the one that was saved; all pages committed are there.

Measured, November 2026::

    URLs               looked up  new ones  read back (many at once)  bytes in memory  on disk (with snapshot)
    4 M made ones      3.0 M/s    .86 M/s   92,000/s                  14.3             23.7 (35.8)
    2.7 M real ones                                                   18.4             15.0 (28.0)
    50 M made ones     2.6 M/s    .75 M/s   66,000/s (114,000/s)      14.5             23.8 (35.9)

4.7 M URLs a second are read again at the start. An arc takes 1.11 bytes; 60 M a second are read into arrays. 10,600
pages a second are committed with ids, arcs, frontier and rows.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import ModuleParser
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.store.crawl_store import CrawlStore
from tests.benchmarks.made_urls import LINKS, MadeWeb
from tests.benchmarks.page_table_speed import (
    ROUNDS,
    SHARED,
    load,
    made_batches,
    page_table,
    real_batches,
    show,
    warm_up,
)

if TYPE_CHECKING:
    from crawler.urls import PageKey


class MadeLinks:
    """Links as a page model holds them."""

    def __init__(self, keys: list[PageKey]) -> None:
        self.key = keys
        self.kind = np.zeros(len(keys), dtype=np.uint8)
        self.nofollow = np.zeros(len(keys), dtype=np.bool_)
        self.follow = np.ones(len(keys), dtype=np.bool_)
        self.priority = np.zeros(len(keys), dtype=np.float32)


def committed_pages(n_pages: int) -> float:
    """Return pages a second: leased, finished with links and a document, and committed."""
    web = MadeWeb(20_000)
    text = " ".join(f"word{number % 977}" for number in range(400))
    at = datetime(2026, 1, 2, tzinfo=UTC)
    pages = [MadeLinks(web.links()) for _ in range(n_pages)]
    seeds = [(keys.key[0], ()) for keys in pages]
    with tempfile.TemporaryDirectory() as folder:
        store = CrawlStore(
            folder, policy=FrontierPolicy(host_delay_secs=0), commit=CommitPolicy(seal_rows=10**9)
        )
        store.add_seeds(seeds)
        secs = 0.0
        for number, links in enumerate(pages):
            started = time.perf_counter()
            lease = store.next_page(1.0)
            assert lease is not None
            capture = store.open_capture(lease)
            capture.links, capture.fetched_at, capture.status = links, at, 200
            capture.keep({"url": lease.url, "text": f"{number} {text}", "fetched_at": at})
            store.finish(capture, 1.0)
            secs += time.perf_counter() - started
        started = time.perf_counter()
        store.flush()
        secs += time.perf_counter() - started
        assert store.counts()["fetched"] == n_pages
        store.journal.close()
    return n_pages / secs


def main() -> None:
    """Print the figures."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("--full", action="store_true", help="50 million made URLs")
    parser.add_argument("--pages", type=int, help="made URLs (100 million take 2 GB of memory)")
    parser.add_argument("--table", action="store_true", help="the page table of made URLs alone")
    parser.add_argument("--load", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.load:
        load(Path(options.load))
        return
    warm_up()
    n = 50_000_000 if options.full else 300_000 if options.quick else 4_000_000
    n = options.pages or n
    web = MadeWeb(n // 100)
    page_table("made URLs", made_batches(web, n), made=True)
    if options.table:
        return
    if (SHARED / "warc").is_dir():
        page_table("real URLs", real_batches(n), made=False)
    else:
        sys.stderr.write("no shared pages: figures of real URLs left out\n")
    n_pages = 1_000 if options.quick else 10_000
    rounds = [committed_pages(n_pages) for _ in range(ROUNDS)]
    data = f"{n_pages:,} made pages of {LINKS} links, documents of 3 kB, groups of 100"
    show("committed_pages_per_s", rounds, "1/s", data, 10_000)
    if importlib.util.find_spec("tests.benchmarks.webgraph_arcs") is not None:
        arcs = importlib.import_module("tests.benchmarks.webgraph_arcs")
        arcs.figures(quick=options.quick, full=options.full)


if __name__ == "__main__":
    main()
