"""Addresses that shards on several machines claim through Redis (crawler.fleet.gaps).

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``address:<print>``   string  the shard that has claimed the address, or ``rest``; gone when it is free
====================  ======  ======================================================================

Threads talk to Redis; the crawl never waits for it. While Redis is away nobody knows what the others ask: each
shard lets an address rest as many times longer as there are shards, so that all together ask as often as one, on
average. The claims of a process that died are released when it asks again, those of a machine that is gone
after `HOLD_SECS`. Cost: two round trips a page.
"""

from __future__ import annotations

import asyncio
import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawler.fleet.owners import Owners
    from crawler.fleet.redis import CrawlKeys

# Longer than any fetch takes, robots.txt and stages included.
HOLD_SECS = 600
# Seconds for which Redis is not asked after it did not answer.
AWAY_SECS = 30.0
_THREADS = 4

_CLAIM = """
local who = redis.call('GET', KEYS[1])
if not who then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    return 0
end
if who == 'rest' then return math.max(1, redis.call('PTTL', KEYS[1])) end
if who == ARGV[1] then redis.call('SET', KEYS[1], 'rest', 'PX', ARGV[3]) end
return tonumber(ARGV[3])
"""

_RELEASE = """
local who = redis.call('GET', KEYS[1])
if not who or who == ARGV[1] then redis.call('SET', KEYS[1], 'rest', 'PX', ARGV[2]) end
"""


class RedisGaps:
    """The `Gaps` of a shard among *owners* in the crawl of *keys*; addresses rest for *rest_secs*.

    *client* is its own, and closed with it; *failures* are what that raises when Redis does not answer.
    """

    def __init__(
        self,
        client: Any,
        keys: CrawlKeys,
        owners: Owners,
        rest_secs: float,
        failures: tuple[type[Exception], ...],
    ) -> None:
        self.rest_secs = rest_secs
        self.n_shards = len(owners.shards)
        self._client = client
        self._keys = keys
        self._failures = failures
        self._own = str(owners.own)
        self._rest_ms = 1 + math.ceil(1000 * rest_secs)  # Redis cuts its clock to milliseconds
        self._claim = client.register_script(_CLAIM)
        self._release = client.register_script(_RELEASE)
        self._pool = ThreadPoolExecutor(_THREADS, "gaps")
        self._unconfirmed: set[int] = set()
        self._away_until = 0.0

    async def claim(self, address: int, now: float) -> float:  # noqa: ARG002  the clock is that of Redis
        """Claim the *address*; return 0, or, if another has it, the seconds after which to try again."""
        loop = asyncio.get_running_loop()
        args = [self._own, 1000 * HOLD_SECS, self._rest_ms]
        wait = await loop.run_in_executor(self._pool, self._ask, self._claim, address, args)
        if wait is None:
            self._unconfirmed.add(address)
            return 0.0
        return wait / 1000

    def release(self, address: int, now: float) -> float:  # noqa: ARG002  the clock is that of Redis
        """Let the *address*, which was claimed, rest from *now* on; return for how long."""
        self._pool.submit(self._ask, self._release, address, [self._own, self._rest_ms])
        if address in self._unconfirmed:
            self._unconfirmed.remove(address)
            return self.rest_secs * self.n_shards
        return self.rest_secs

    def _ask(self, script: Any, address: int, args: list[Any]) -> int | None:
        """Return what *script* answers, None when Redis is away."""
        if time.monotonic() < self._away_until:
            return None
        try:
            return int(script(keys=[self._keys.of(f"address:{address:x}")], args=args) or 0)
        except self._failures:
            self._away_until = time.monotonic() + AWAY_SECS
            return None

    def close(self) -> None:
        """Release what is to be released, and end."""
        self._pool.shutdown()
        self._client.close()
