"""Gaps of domains and addresses that the machines of a crawl share, through Redis."""

from __future__ import annotations

import asyncio
import time
from itertools import count

import pytest

from crawler.fleet import redis_gaps
from crawler.fleet.crawl_keys import CrawlKeys
from crawler.fleet.gaps import Claim, Secs
from crawler.fleet.owners import Owners
from crawler.fleet.redis import FAILURES, connect
from crawler.fleet.redis_gaps import RedisGaps
from tests.redis_server import RedisServer, redis_server
from tests.test_fleet_gaps import FREE, A, B, C, D, both, claim

__all__ = ["redis_server"]

NAMES = count()


@pytest.fixture
def shards(redis_server):
    """Make the gaps of a shard of three, all of one crawl."""
    keys, made = CrawlKeys(f"gaps-{next(NAMES)}"), []

    def make(shard, url=redis_server.url):
        owners, rests = Owners(shard, range(3)), Secs(0.3, 0.2)
        made.append(RedisGaps(connect(url), keys, owners, rests, FAILURES))
        return made[-1]

    yield make
    for each in made:
        each.close()


def until_free(gaps, group):
    """Claim *group* as soon as it is free; return when."""
    while any(waits := claim(gaps, group)):
        time.sleep(max(waits))
    return time.monotonic()


@pytest.mark.parametrize(("a", "b", "rest"), [(A, B, 0.2), (C, D, 0.3)])
def test_a_group_is_of_one_machine_at_a_time(shards, a, b, rest):
    one, two = shards(0), shards(1)
    assert claim(one, a) == FREE
    assert max(claim(two, a)) == pytest.approx(rest, abs=0.01)
    assert claim(two, b) == FREE
    released = time.monotonic()
    assert one.release(a, released) == Secs(0.3, 0.2)
    assert until_free(two, a) >= released + rest
    two.release(a, 0.0)
    two.release(a, 0.0)  # no longer its own: nothing comes of it
    again = shards(1)  # the process was killed while it had b
    begun = time.monotonic()
    assert until_free(again, b) >= begun + rest


def test_machines_claim_domain_and_address_together(shards):
    one, two = shards(0), shards(1)
    assert claim(one, both(C, A)) == FREE
    assert claim(one, C) == one.rests  # for another fetch of the same process
    assert claim(two, both(C, B)) == (pytest.approx(0.3, abs=0.01), 0)
    assert claim(two, both(D, A)) == (0, pytest.approx(0.2, abs=0.01))
    assert claim(two, both(D, B)) == FREE


def test_a_claim_holds_while_its_machine_lives_and_not_for_ever(shards, monkeypatch):
    monkeypatch.setattr(redis_gaps, "HOLD_SECS", 1.5)
    monkeypatch.setattr(redis_gaps, "_RENEW_SECS", 0.1)
    one, two = shards(0), shards(1)
    assert claim(one, C) == FREE
    begun = time.monotonic()
    while time.monotonic() < begun + 2.2:
        assert any(claim(two, C))
        time.sleep(0.1)
    one.close()  # without releasing it, as one that is gone
    until_free(two, C)


def test_who_no_longer_waits_for_a_claim_has_none(shards):
    # Each of its own: an own claim that is found again would be taken for that of a process that died.
    groups = [Claim(domain=2 * n + 1) for n in range(40)]

    async def give_up(gaps, group, secs):
        asking = asyncio.ensure_future(gaps.claim(group, 0.0))
        await asyncio.sleep(secs)
        asking.cancel()
        try:
            await asking
        except asyncio.CancelledError:
            return True
        gaps.release(group, 0.0)
        return False

    async def give_all_up(gaps):
        return [await give_up(gaps, group, n / 20_000) for n, group in enumerate(groups)]

    one, two = shards(0), shards(1)
    assert any(asyncio.run(give_all_up(one)))
    begun = time.monotonic()
    # Released, and not run out, as a claim that is left behind does after HOLD_SECS.
    assert max(until_free(two, group) for group in groups) < begun + redis_gaps.HOLD_SECS / 2


@pytest.fixture
def own_server(tmp_path):
    """A Redis that forgets all when it is killed."""
    server = RedisServer(tmp_path / "redis", "--appendonly", "no")
    server.start()
    yield server
    server.kill()


def test_what_a_machine_has_is_its_own_while_redis_is_away_and_after(
    own_server, shards, monkeypatch
):
    """The other machine asked at once, and again when a Redis that had forgotten the claim was there."""
    monkeypatch.setattr(redis_gaps, "_RENEW_SECS", 0.5)
    monkeypatch.setattr(redis_gaps, "YOUNG_SECS", 4.0)
    one, two = shards(0, own_server.url), shards(1, own_server.url)
    assert claim(one, C) == FREE
    with connect(own_server.url) as asker:
        asker.save()  # it knows the crawl, and who had what then
    one.release(C, 0.0)
    assert until_free(one, D) > 0
    own_server.kill()
    for gaps in (one, two):
        assert claim(gaps, both(C, B)) == (1.0, 1.0)
    own_server.start()
    deadline = time.monotonic() + 8
    while time.monotonic() < deadline:
        assert any(claim(two, D))
        time.sleep(0.2)
    released = time.monotonic()
    one.release(D, released)
    assert until_free(two, D) >= released + 0.3


def test_while_redis_is_away_for_long_a_shard_asks_less(own_server, shards, monkeypatch):
    monkeypatch.setattr(redis_gaps, "WAIT_SECS", 1.0)
    gaps = shards(0, own_server.url)
    own_server.kill()
    until_free(gaps, both(C, A))
    assert claim(gaps, B) == FREE
    assert gaps.release(both(C, A), 0.0) == pytest.approx((0.9, 0.6))
    assert gaps.release(B, 0.0) == pytest.approx((0.9, 0.6))
