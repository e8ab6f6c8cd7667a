"""Politeness and waking, read from the log of the server that was crawled."""

from __future__ import annotations

import itertools
from collections import defaultdict

from tests.conftest import SMALL_WEB, crawl_arguments, run_scrapy, served_web

# The delay of the profile `local`, and what a server's clock may be off.
DELAY_SECS, TOLERANCE_SECS = 0.02, 0.005

# Scrapy's engine asks its scheduler by itself this often.
HEARTBEAT_SECS = 5


def requests_by_host(log):
    hosts = defaultdict(list)
    for line in log.read_text(encoding="utf-8").splitlines():
        secs, host, *_ = line.split("\t")
        hosts[host].append(float(secs))
    return hosts


def test_no_host_is_asked_before_its_delay(small_crawl):
    web, _, _ = small_crawl
    for host, times in requests_by_host(web / "requests.tsv").items():
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert min(gaps, default=1) >= DELAY_SECS - TOLERANCE_SECS, host


def test_the_engine_is_woken_when_a_host_falls_due(tmp_path):
    web = tmp_path / "web"
    with served_web(web, *SMALL_WEB):
        seeds = (web / "seeds.tsv").read_text(encoding="utf-8").splitlines()
        (web / "seeds.rdf").write_text(seeds[0].split("\t")[1] + "\n", encoding="utf-8")
        limits = ("-a", "max_pages=6", "-s", "HOST_DELAY_SECS=0.4")
        done = run_scrapy(*crawl_arguments(web, tmp_path / "corpus"), *limits)
    assert done.returncode == 0, done.stderr
    times = sorted(
        secs for host in requests_by_host(web / "requests.tsv").values() for secs in host
    )
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(times) >= 6
    # A busy machine may be slow, but not as slow as an engine that nobody wakes.
    assert max(gaps) < HEARTBEAT_SECS - 1
