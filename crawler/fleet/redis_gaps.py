"""Domains and addresses that shards on several machines claim through Redis (crawler.fleet.gaps).

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``domain:<print>``    string  the shard that has claimed the domain, or ``rest``; gone when it is free
``address:<print>``   string  the same of an address
``asked``             string  the ``run_id`` of the Redis of which they were claimed last
====================  ======  ======================================================================

Threads talk to Redis; the crawl never waits for it. A claim holds for `HOLD_SECS`, and is made to hold on while its
shard lives: what a process that died had is free when it asks again, or after that time. A Redis that was started anew
may have forgotten claims: for as long as its shards need to say them again, it lets none be claimed.

While Redis is away nobody knows what the others ask: for `WAIT_SECS` nothing is claimed. The gaps cannot be kept for
longer, but by asking nothing: a shard that does not hear from Redis cannot know whether the others do. So from then on
each lets what it asked rest as many times longer as there are shards: all together ask as often as one, on average.
Cost: two round trips a page.
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
_RENEW_SECS = 5.0
# Seconds after its start in which a Redis hears of the claims that it has forgotten.
YOUNG_SECS = 2 * _RENEW_SECS
# Seconds for which nothing is claimed while Redis is away.
WAIT_SECS = 60.0
# Seconds for which Redis is not asked after it did not answer: as long as it was away by then, between these.
_AWAY_SECS = (1.0, 30.0)
_THREADS = 4

_IS_ANEW = """
local n = #KEYS - 1
local info, known = redis.call('INFO', 'server'), redis.call('GET', KEYS[n + 1])
local run = string.match(info, 'run_id:(%w+)')
local is_anew = known and known ~= run
"""

# Claims all keys or none; own claims that this process knows nothing of are those of one that died.
_CLAIM = f"""{_IS_ANEW}
local left = tonumber(ARGV[3]) - 1000 * string.match(info, 'uptime_in_seconds:(%d+)')
local waits, is_free = {{}}, not (is_anew and left > 0)
for i = 1, n do
    local who, key = redis.call('GET', KEYS[i]), KEYS[i]
    waits[i] = is_free and 0 or left
    if who == 'rest' then
        waits[i] = math.max(1, redis.call('PTTL', key))
    elseif who then
        if who == ARGV[1] then redis.call('SET', key, 'rest', 'PX', ARGV[3 + i]) end
        waits[i] = tonumber(ARGV[3 + i])
    end
end
for _, wait in ipairs(waits) do is_free = is_free and wait == 0 end
if is_free then
    redis.call('SET', KEYS[n + 1], run)
    for i = 1, n do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
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

_RENEW = f"""{_IS_ANEW}
for i = 1, n do
    local who = redis.call('GET', KEYS[i])
    if who == ARGV[1] or is_anew and not who then redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
end
return {{}}
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
        self._asked = keys.of("asked")
        scripts = (_CLAIM, _RELEASE, _RENEW)
        self._claim, self._release, self._renew = map(client.register_script, scripts)
        self._pool = ThreadPoolExecutor(_THREADS, "gaps")
        # The keys that are claimed, and what was claimed without Redis.
        self._held: set[str] = set()
        self._unconfirmed: set[Claim] = set()
        self._away_since = math.inf
        self._ask_at = 0.0
        self._closing = threading.Event()
        self._renewing = threading.Thread(target=self._hold_on, name="claims", daemon=True)
        self._renewing.start()

    async def claim(self, wanted: Claim, now: float) -> Secs:  # noqa: ARG002  the clock is that of Redis
        """Claim all of *wanted*; return zeros, or, if others have any, the seconds after which to try again."""
        keys, rests = self._keys_of(wanted)
        if not self._held.isdisjoint(keys):  # for another fetch of this process
            return self.rests
        self._held.update(keys)
        young = max(YOUNG_SECS, *self.rests)
        args = [self._own, round(1000 * HOLD_SECS), round(1000 * young), *rests]
        asking = self._pool.submit(self._ask, self._claim, [*keys, self._asked], args)
        try:
            found = await asyncio.wrap_future(asking)
        except asyncio.CancelledError:
            self._held.difference_update(keys)
            asking.add_done_callback(partial(self._undo, keys, rests))
            raise
        if found is None:
            if time.monotonic() - self._away_since >= WAIT_SECS:
                self._unconfirmed.add(wanted)
                return Secs()
            found = [round(1000 * _AWAY_SECS[0])] * len(keys)
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
        if time.monotonic() < self._ask_at:
            return None
        try:
            found = [int(each) for each in script(keys=keys, args=args)]
        except self._failures:
            now = time.monotonic()
            self._away_since = min(self._away_since, now)
            least, most = _AWAY_SECS
            self._ask_at = now + min(most, max(least, now - self._away_since))
            return None
        self._away_since = math.inf
        return found

    def _hold_on(self) -> None:
        while not self._closing.wait(_RENEW_SECS):
            if held := sorted(self._held.copy()):
                args = [self._own, round(1000 * HOLD_SECS)]
                self._ask(self._renew, [*held, self._asked], args)

    def close(self) -> None:
        """Release what is to be released, and end."""
        self._closing.set()
        self._renewing.join()
        self._pool.shutdown()
        self._client.close()
