"""Hosts of the sample web: names, sizes, roles, addresses, and their cost at full size."""

from __future__ import annotations

import ipaddress
import tracemalloc
from collections import Counter
from random import Random

import numpy as np
import pytest

from crawler.sampleweb.hosts import MIN_PAGES, TEMPLATES, host_sizes
from crawler.sampleweb.roles import roles_of
from crawler.sampleweb.text import LANGUAGES
from crawler.sampleweb.web import SampleWeb
from crawler.urls.domains import registrable_domain

ALL_ROLES = {role for index in range(60) for role in roles_of(index, 60)}


@pytest.mark.parametrize(("n_hosts", "n_pages"), [(60, 3000), (16, 400), (1000, 100_000)])
def test_sizes_sum_to_the_pages_asked_for(n_hosts, n_pages):
    sizes = host_sizes(n_hosts, n_pages)
    assert sum(sizes) == n_pages
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= MIN_PAGES


def test_sizes_follow_a_power_law_with_a_bounded_head():
    sizes = np.array(host_sizes(10_000, 1_000_000), dtype=np.float64)
    assert sizes[0] / sizes.sum() < 0.1
    # The middle of the ranks, where neither the shift nor the least size is felt.
    ranks = np.arange(100, 3000)
    logs = np.log(sizes[ranks] - MIN_PAGES), np.log(ranks)
    slope, _ = np.polyfit(logs[1], logs[0], 1)
    assert slope == pytest.approx(-1.4, abs=0.1)
    assert np.corrcoef(*logs)[0, 1] < -0.99


def test_too_few_pages_give_each_host_the_least():
    assert host_sizes(10, 1) == [MIN_PAGES] * 10


@pytest.mark.parametrize(("n_hosts", "n_pages"), [(0, 10), (10_001, 10), (5, 0)])
def test_sizes_out_of_range_are_refused(n_hosts, n_pages):
    with pytest.raises(ValueError, match="must be"):
        SampleWeb(1, n_hosts, n_pages)


def test_default_web_has_everything():
    web = SampleWeb()
    hosts = list(web.hosts())
    assert len(hosts) == 60
    assert sum(host.n_regular for host in hosts) >= 3000
    assert {host.template for host in hosts} == set(TEMPLATES)
    assert {host.language for host in hosts} == set(LANGUAGES)
    charsets = {(host.charset.label, host.charset.declared) for host in hosts}
    assert charsets >= {
        ("windows-1252", "none"),
        ("windows-1252", "wrong"),
        ("shift_jis", "meta"),
        ("gb18030", "header"),
        ("utf-16", "bom"),
    }
    assert {host.coding for host in hosts} == {"", "gzip", "br"}
    largest = max(web.n_pages(host.name) for host in hosts)
    assert largest <= 0.1 * sum(web.n_pages(host.name) for host in hosts)


@pytest.mark.parametrize("n_hosts", [60, 16, 59, 61, 1000])
def test_every_role_is_played_unless_the_web_is_tiny(n_hosts):
    roles = {role for index in range(n_hosts) for role in roles_of(index, n_hosts)}
    single = {role for role in ALL_ROLES if not role.startswith("robots-")}
    assert roles >= single
    if n_hosts >= 60:
        assert roles == ALL_ROLES


@pytest.mark.parametrize("n_hosts", [1, 2, 3, 7, 11])
def test_tiny_webs_work(n_hosts):
    web = SampleWeb(3, n_hosts, 50)
    for host in web.hosts():
        assert all(web.page(host.name, path) for path in web.pages(host.name))


@pytest.mark.parametrize("n_hosts", [3, 16, 60, 61, 119, 1000])
def test_mirrors_show_another_host_of_the_web(n_hosts):
    web = SampleWeb(1, n_hosts, 10 * n_hosts)
    mirrors = [host for host in web.hosts() if host.content != host.index]
    assert mirrors
    for mirror in mirrors:
        original = web.table.host(mirror.content)
        assert "mirrored" in original.roles
        assert web.page(mirror.name, "/").body == web.page(original.name, "/").body


def test_names_are_unique_and_lie_under_suffixes_that_are_none():
    web = SampleWeb(1, 10_000, 60_000)
    names = [host.name for host in web.hosts()]
    assert len(set(names)) == 10_000
    assert len({name.rpartition(".")[2] for name in names}) >= 5
    domains = Counter(registrable_domain(name) for name in names[:500])
    assert all(domain.count(".") == 1 for domain in domains)
    assert max(domains.values()) == 2  # a second host of the domain


def test_addresses_are_loopback_spread_and_shared():
    web = SampleWeb(1, 1000, 6000)
    addresses = Counter(web.address(host.name) for host in web.hosts())
    assert all(ipaddress.ip_address(address).is_loopback for address in addresses)
    assert len({address.split(".")[1] for address in addresses}) > 50
    assert max(addresses.values()) > 1
    assert len(addresses) <= 200
    with pytest.raises(ValueError, match="host must be"):
        web.address("www.example.com")


@pytest.mark.long
def test_a_million_pages_without_holding_them():
    tracemalloc.start()
    web = SampleWeb(1, 10_000, 1_000_000)
    n_pages = sum(web.n_pages(host.name) for host in web.hosts())
    rng = Random(1)
    sizes = []
    for _ in range(4):
        for _ in range(40):
            host = web.table.host(rng.randrange(10_000))
            page = rng.randrange(web.n_pages(host.name) - len(web.places.specials(host)))
            assert web.truth(web.url(host.index, page)) is not None
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert n_pages >= 1_000_000
    # Hosts, and caches of a bounded number of titles, sites and layouts that fill up.
    assert sizes[-1] < 80e6
    assert sizes[-1] - sizes[-2] < 10e6
