"""The robots.txt files in memory: the sites asked last, within their bounds."""

from __future__ import annotations

import random
from collections import OrderedDict
from dataclasses import replace

import pytest

from crawler.frontier.robots.cache import KnownRobots, RobotsCache
from crawler.frontier.robots.record import RobotsTimes, answered
from crawler.frontier.robots.rules import EVERYTHING, parse_robots
from tests.traced_memory import least_traced

NOW = 1.8e9
RECORD = replace(answered(200, b"x", NOW, RobotsTimes()), body=b"")


def known(n_rules):
    body = "User-agent: *\n" + "".join(f"Disallow: /folder/{n}/\n" for n in range(n_rules))
    return KnownRobots(RECORD, parse_robots(body.encode(), "winnow") if n_rules else EVERYTHING)


def test_equals_a_slow_cache():
    rng = random.Random(3)
    cache, slow = RobotsCache(20, 60_000), OrderedDict()
    for _ in range(2000):
        site = f"http://{rng.randrange(40)}"
        found = cache.get(site, NOW)
        assert found is slow.get(site)
        if found is not None:
            slow.move_to_end(site)
            continue
        slow[site] = entry = known(rng.choice([0, 0, 1, 5, 20]))
        cache.put(site, entry)
        while len(slow) > 20 or sum(e.n_bytes for e in slow.values()) > 60_000:
            slow.popitem(last=False)
        assert len(cache) == len(slow)
        assert cache.n_bytes == sum(e.n_bytes for e in slow.values())


def test_what_expired_is_not_given():
    cache = RobotsCache(10, 10**6)
    cache.put("http://a", known(1))
    assert cache.get("http://a", NOW + 86399) is not None
    assert cache.get("http://a", NOW + 86400) is None


def test_an_entry_larger_than_the_cache_is_not_kept():
    cache = RobotsCache(10, 20_000)
    cache.put("http://a", known(2))
    cache.put("http://b", known(100))
    assert (len(cache), cache.n_bytes) == (0, 0)


def test_memory_is_as_estimated():
    def filled():
        cache = RobotsCache(10**6, 10**9)
        for number in range(1000):
            record = replace(RECORD, fetched_at=NOW - number)
            cache.put(f"http://www.{number}.example", KnownRobots(record, known(number % 8).rules))
        return cache

    cache, size, _ = least_traced(filled)
    assert 0.6 * cache.n_bytes < size < 1.4 * cache.n_bytes


@pytest.mark.parametrize("bounds", [(0, 1), (1, 0)])
def test_wrong_bounds_are_refused(bounds):
    with pytest.raises(ValueError, match="at least 1"):
        RobotsCache(*bounds)
