"""Domains and addresses that shards on several machines claim through Redis (crawler.fleet.gaps).

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``domain:<print>``    string  the shard that has claimed the domain, or ``rest``; gone when it is free
``address:<print>``   string  the same of an address
====================  ======  ======================================================================

Threads talk to Redis; the crawl never waits for it. While Redis is away nobody knows what the others ask: each
shard lets what it asked rest as many times longer as there are shards, so that all together ask as often as one, on
average. A claim holds for `HOLD_SECS`, and is made to hold on while its shard lives: what a process that died had is
free when it asks again, or after that time. A Redis that was set back has forgotten some claims: what is just asked
then, another shard may ask at the same time, once. Cost: two round trips a page.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from crawler.fleet.gaps import Claim, Secs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from crawler.fleet.crawl_keys import CrawlKeys
    from crawler.fleet.owners import Owners

# Seconds that a claim holds by itself, and between two times that it is made to hold on.
HOLD_SECS = 60.0
_RENEW_SECS = HOLD_SECS / 4
# Seconds for which Redis is not asked after it did not answer.
AWAY_SECS = 30.0
_THREADS = 4

# Claims all keys or none; own claims that this process knows nothing of are those of one that died.
_CLAIM = """
local waits, is_free = {}, true
for i, key in ipairs(KEYS) do
    local who = redis.call('GET', key)
    waits[i] = 0
    if who == 'rest' then
        waits[i] = math.max(1, redis.call('PTTL', key))
    elseif who then
        if who == ARGV[1] then redis.call('SET', key, 'rest', 'PX', ARGV[2 + i]) end
        waits[i] = tonumber(ARGV[2 + i])
    end
    is_free = is_free and waits[i] == 0
end
if is_free then
    for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
end
return waits
"""

_RELEASE = """
for i, key in ipairs(KEYS) do
    local who = redis.call('GET', key)
    if not who or who == ARGV[1] then redis.call('SET', key, 'rest', 'PX', ARGV[1 + i]) end
end
return {}
"""

_RENEW = """
for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('PEXPIRE', key, ARGV[2]) end
end
return {}
"""


class RedisGaps:
    """The `Gaps` of a shard among *owners* in the crawl of *keys*, where groups rest for *rests*.

    *client* is its own, and closed with it; *failures* are what that raises when Redis does not answer.
    """

    def __init__(
        self,
        client: Any,
        keys: CrawlKeys,
        owners: Owners,
        rests: Secs,
        failures: tuple[type[Exception], ...],
    ) -> None:
        self.rests = rests
        self.n_shards = len(owners.shards)
        self._client = client
        self._keys = keys
        self._failures = failures
        self._own = str(owners.own)
        scripts = (_CLAIM, _RELEASE, _RENEW)
        self._claim, self._release, self._renew = map(client.register_script, scripts)
        self._pool = ThreadPoolExecutor(_THREADS, "gaps")
        # The keys that are claimed, and what was claimed without Redis.
        self._held: set[str] = set()
        self._unconfirmed: set[Claim] = set()
        self._away_until = 0.0
        self._closing = threading.Event()
        self._renewing = threading.Thread(target=self._hold_on, name="claims", daemon=True)
        self._renewing.start()

    async def claim(self, wanted: Claim, now: float) -> Secs:  # noqa: ARG002  the clock is that of Redis
        """Claim all of *wanted*; return zeros, or, if others have any, the seconds after which to try again."""
        keys, rests = self._keys_of(wanted)
        if not self._held.isdisjoint(keys):  # for another fetch of this process
            return self.rests
        self._held.update(keys)
        args = [self._own, round(1000 * HOLD_SECS), *rests]
        asking = self._pool.submit(self._ask, self._claim, keys, args)
        try:
            found = await asyncio.wrap_future(asking)
        except asyncio.CancelledError:
            self._held.difference_update(keys)
            asking.add_done_callback(partial(self._undo, keys, rests))
            raise
        if found is None:
            self._unconfirmed.add(wanted)
            return Secs()
        if any(found):
            self._held.difference_update(keys)
        waits = iter(found)
        return Secs(*(next(waits) / 1000 if print_ else 0.0 for print_ in wanted))

    def _undo(self, keys: list[str], rests: list[int], asked: Future[list[int] | None]) -> None:
        """Release what was claimed for somebody who no longer waits for it."""
        if not asked.cancelled() and not any(asked.result() or [1]):
            self._ask(self._release, keys, [self._own, *rests])

    def release(self, claimed: Claim, now: float) -> Secs:  # noqa: ARG002  the clock is that of Redis
        """Let what was *claimed* rest from *now* on; return for how long."""
        keys, rests = self._keys_of(claimed)
        self._held.difference_update(keys)
        self._pool.submit(self._ask, self._release, keys, [self._own, *rests])
        if claimed in self._unconfirmed:
            self._unconfirmed.remove(claimed)
            return Secs(*(rest * self.n_shards for rest in self.rests))
        return self.rests

    def _keys_of(self, groups: Claim) -> tuple[list[str], list[int]]:
        """Return the keys of *groups*, and the milliseconds that each rests."""
        found = [
            # Redis cuts its clock to milliseconds.
            (self._keys.of(f"{kind}:{print_:x}"), 1 + math.ceil(1000 * rest))
            for kind, print_, rest in zip(Claim._fields, groups, self.rests, strict=True)
            if print_
        ]
        return [key for key, _ in found], [rest for _, rest in found]

    def _ask(self, script: Any, keys: Sequence[str], args: Sequence[Any]) -> list[int] | None:
        """Return what *script* answers, None when Redis is away."""
        if time.monotonic() < self._away_until:
            return None
        try:
            return [int(each) for each in script(keys=keys, args=args)]
        except self._failures:
            self._away_until = time.monotonic() + AWAY_SECS
            return None

    def _hold_on(self) -> None:
        while not self._closing.wait(_RENEW_SECS):
            if held := sorted(self._held.copy()):
                self._ask(self._renew, held, [self._own, round(1000 * HOLD_SECS)])

    def close(self) -> None:
        """Release what is to be released, and end."""
        self._closing.set()
        self._renewing.join()
        self._pool.shutdown()
        self._client.close()
