"""Ranks of pages in runs, beside a dict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import FormatError
from crawler.webgraph.pages.run_ranks import RunRanks

# Two rows that are neighbours, one further on, and the first of the last but one.
HOSTS = st.sampled_from([*range(130), 640, 641, 2**20])
COUNTS = st.integers(1, 3) | st.sampled_from([255, 256, 2**16 - 1, 2**16])
RUNS = st.lists(st.dictionaries(HOSTS, COUNTS, max_size=80), max_size=6)


def added(runs):
    """Return the ranks of *runs* (host → pages), and the rank of each interval of each host's pages."""
    ranks, found, known, n = RunRanks(), [], {}, 0
    for run in runs:
        hosts = sorted(run)
        counts = [run[host] for host in hosts]
        ranks.add(np.array(hosts, dtype=np.uint32), np.array(counts, dtype=np.uint32), n)
        for host, count in zip(hosts, counts, strict=True):
            first = known.get(host, 0)
            found.append((host, first, count, n))
            known[host] = first + count
            n += count
    return ranks, found, known


@settings(max_examples=60, deadline=None)
@given(RUNS)
def test_as_intervals(runs):
    ranks, found, known = added(runs)
    for host, first, count, rank in found:
        places = sorted({0, count // 2, count - 1})
        pages = [host << 32 | first + place for place in places]
        assert [ranks.find_one(page) for page in pages] == [rank + place for place in places]
        expected = [rank + place for place in places]
        assert ranks.find(np.array(pages, dtype=np.uint64)).tolist() == expected
    for host, n_pages in known.items():
        with pytest.raises(FormatError, match="no run of URLs"):
            ranks.find_one(host << 32 | n_pages)
    for host in {0, 129, 2**20 + 1, 2**28 - 1} - known.keys():
        with pytest.raises(FormatError, match="restore"):
            ranks.find(np.array([host << 32], dtype=np.uint64))


def test_memory_of_many_runs():
    """Two of five of many hosts in each of forty runs."""
    rng, ranks, n = np.random.default_rng(0), RunRanks(), 0
    for _ in range(40):
        hosts = np.flatnonzero(rng.random(6400) < 0.4).astype(np.uint32)
        ranks.add(hosts, np.ones(len(hosts), dtype=np.uint32), n)
        n += len(hosts)
    assert ranks.n_bytes < 1.6 * n


def test_hosts_out_of_order():
    with pytest.raises(FormatError, match="damaged"):
        RunRanks().add(np.array([3, 3], np.uint32), np.array([1, 1], np.uint32), 0)
