from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scrapy.settings import Settings

from crawler.errors import InputError
from crawler.fleet.owners import Owners, check_division, owner_of
from crawler.policies import shared_rests
from crawler.webgraph.hosts.ids import BLOCK_HOSTS, HostIdLease, leased_ids
from crawler.webgraph.hosts.names import HostNames

HOSTS = [f"com.host{number}" for number in range(4000)]


def test_a_new_shard_takes_only_its_share():
    for shards in ([0], [0, 1, 2], [3, 7, 8, 900]):
        before = [owner_of(host, shards) for host in HOSTS]
        after = [owner_of(host, [*shards, 5]) for host in HOSTS]
        moved = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        assert all(new == 5 for _, new in moved)
        share = len(HOSTS) / (len(shards) + 1)
        assert abs(len(moved) - share) < 5 * share**0.5  # five standard deviations
        # and when it goes again, they come back
        assert [owner_of(host, shards) for host in HOSTS] == before


def test_shares_are_equal():
    counts = Counter(owner_of(host, range(8)) for host in HOSTS)
    assert sorted(counts) == list(range(8))
    assert max(counts.values()) - min(counts.values()) < 10 * (len(HOSTS) / 8) ** 0.5


def test_the_order_of_shards_does_not_matter():
    assert owner_of("com.a", [3, 1, 2]) == owner_of("com.a", [1, 2, 3])
    assert owner_of("com.\udc80", [4]) == 4


def test_owners():
    owners = Owners(1, [2, 0, 1])
    assert owners.owners(HOSTS).tolist() == [owner_of(host, [0, 1, 2]) for host in HOSTS]
    assert owners.is_own(HOSTS[0]) == (owner_of(HOSTS[0], [0, 1, 2]) == 1)
    with pytest.raises(ValueError, match=r"own must be one of \[0, 2\], got 1"):
        Owners(1, [2, 0])


def test_a_domain_is_of_one_shard():
    owners = Owners(0, range(8))
    blogs = [f"com.blogs.b{number}" for number in range(99)]
    assert len(set(owners.owners([*blogs, "com.blogs", "com.blogs.b1:8080"]).tolist())) == 1
    assert owners.owner("uk.co.bbc.www") == owner_of("uk.co.bbc", range(8))
    by_host = Owners(0, range(8), divide_by="host")
    assert by_host.owners(blogs).tolist() == [owner_of(blog, range(8)) for blog in blogs]
    assert len(set(by_host.owners(blogs).tolist())) == 8
    with pytest.raises(ValueError, match="divide_by must be domain or host, got 'page'"):
        Owners(0, [0], divide_by="page")
    with pytest.raises(InputError, match="give domain or host"):
        check_division("page")


def test_domains_are_shared_where_each_shard_may_have_hosts_of_one():
    settings = Settings({"DOMAIN_DELAY_SECS": 2, "IP_DELAY_SECS": 3})
    assert shared_rests(settings, Owners(0, range(4))) == (0, 3)
    assert shared_rests(settings, Owners(0, range(4), divide_by="host")) == (2, 3)


class Blocks:
    """Leases out the blocks that it is given."""

    def __init__(self, had, coming):
        self.had, self.coming = had, coming

    def blocks(self):
        return self.had

    def lease(self):
        self.had.append(self.coming.pop(0))
        return self.had[-1]


def test_host_ids_come_from_leased_blocks():
    hosts = HostNames()
    hosts.lease_from(Blocks([], [5, 2]))
    ids = hosts.add(HOSTS[:BLOCK_HOSTS])
    assert ids == list(range(5 * BLOCK_HOSTS, 5 * BLOCK_HOSTS + len(ids)))
    more = hosts.add([f"org.{number}" for number in range(200)])
    assert more == [
        *range(5 * BLOCK_HOSTS + len(ids), 6 * BLOCK_HOSTS),
        *range(2 * BLOCK_HOSTS, 2 * BLOCK_HOSTS + len(ids) + 200 - BLOCK_HOSTS),
    ]
    assert [hosts.key(number) for number in ids] == HOSTS
    assert hosts.find("org.199") == more[-1]
    for unknown in (0, 5 * BLOCK_HOSTS - 1, more[-1] + 1, -1, 2**40):
        with pytest.raises(KeyError):
            hosts.key(unknown)
    assert hosts.ascending().tolist() == sorted([*ids, *more])


def test_host_ids_are_given_again_only_when_they_were_taken_back():
    hosts = HostNames()
    hosts.lease_from(Blocks([], [7, 9]))
    first = hosts.add(HOSTS[: BLOCK_HOSTS - 3])
    second = hosts.add(["org.a", "org.b", "org.c", "org.d", "org.e"])
    hosts.truncate(len(first))
    assert hosts.find("org.a") is None
    assert hosts.add(["org.f", "org.g", "org.h", "org.i", "org.j"]) == second


def test_after_a_restart_the_rest_of_a_block_is_used():
    before = HostNames()
    blocks = Blocks([], [3])
    before.lease_from(blocks)
    ids = np.array(before.add(HOSTS[:10]), dtype=np.uint32)
    after = HostNames()
    after.add_texts(before.texts(), ids)
    after.lease_from(blocks)
    assert after.add(["org.a"]) == [3 * BLOCK_HOSTS + 10]


def test_a_lease_without_a_source_ends():
    lease = HostIdLease([(4, 6), (9, 9)])
    assert lease.take(2).tolist() == [4, 5]
    with pytest.raises(LookupError):
        lease.take(1)
    whole = leased_ids(Blocks([1], []), np.zeros(3 * BLOCK_HOSTS, dtype=np.uint32))
    assert whole.take(BLOCK_HOSTS).tolist() == list(range(BLOCK_HOSTS, 2 * BLOCK_HOSTS))
