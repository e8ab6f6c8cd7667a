"""Who takes part in a crawl on several machines, agreed through Redis.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``shards``            set     shards that have come
``members``           string  JSON list of those that share the hosts; missing until enough have come
``first``             string  the members that the crawl began with
``divided_by``        string  what is divided among the members (crawler.fleet.owners)
``next``              string  the members that are to be, while a new shard waits to be one
``rest``              set     members that have come to rest, so that ``next`` may begin
``states``            hash    shard → JSON: whether it is idle, its transactions, the records that it has
                              made for each other shard, and those that it has taken of each
``ended``             string  there once the crawl has ended
====================  ======  ======================================================================

A new shard writes ``next``, if no other one waits. The members lease nothing more then, and when all rest
``next`` becomes ``members``: each opens its corpus anew (crawler.frontier.host_moves). Each step is one script of
Redis, so no two shards ever see different owners of a host.

The crawl has ended when all members are idle and have taken all that was made for them, at two looks
between which none has done anything.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError

if TYPE_CHECKING:
    from crawler.fleet.redis import CrawlKeys

_COME = """
redis.call('SADD', KEYS[1], ARGV[1])
local members = redis.call('GET', KEYS[2])
if not members then
    local all = redis.call('SMEMBERS', KEYS[1])
    if #all >= tonumber(ARGV[2]) then
        local numbers = {}
        for i, shard in ipairs(all) do numbers[i] = tonumber(shard) end
        table.sort(numbers)
        redis.call('SET', KEYS[2], cjson.encode(numbers))
        redis.call('SET', KEYS[3], cjson.encode(numbers))
    end
    return redis.call('GET', KEYS[2])
end
local numbers = cjson.decode(members)
for _, shard in ipairs(numbers) do
    if shard == tonumber(ARGV[1]) then return members end
end
if not redis.call('GET', KEYS[4]) then
    table.insert(numbers, tonumber(ARGV[1]))
    table.sort(numbers)
    redis.call('SET', KEYS[4], cjson.encode(numbers))
    redis.call('DEL', KEYS[5])
end
return members
"""

_REST = """
local after = redis.call('GET', KEYS[2])
if not after then return 0 end
redis.call('SADD', KEYS[3], ARGV[1])
for _, shard in ipairs(cjson.decode(redis.call('GET', KEYS[1]))) do
    if redis.call('SISMEMBER', KEYS[3], shard) == 0 then return 0 end
end
redis.call('SET', KEYS[1], after)
redis.call('DEL', KEYS[2], KEYS[3])
return 1
"""


@dataclass(frozen=True, slots=True)
class ShardState:
    """What a shard says of itself: *made* by owner and *taken* by sender are last numbers of records."""

    is_idle: bool = False
    transactions: int = 0
    made: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)


class Cluster:
    """Shard *own* among those of the crawl of *keys*; *client* is one of Redis.

    *size*: the shards that the crawl begins with. What Redis does not answer is raised by the client.
    """

    def __init__(self, client: Any, keys: CrawlKeys, own: int, size: int) -> None:
        self.own = own
        self.size = size
        self._client = client
        self._keys = keys
        self._come = client.register_script(_COME)
        self._rest = client.register_script(_REST)
        self._last_look: dict[int, ShardState] | None = None

    def come(self) -> tuple[int, ...]:
        """Take part, and return the members, to be asked again until *own* is one of them."""
        keys = [self._keys.of(name) for name in ("shards", "members", "first", "next", "rest")]
        return _numbers(self._come(keys=keys, args=[self.own, self.size]))

    def agree(self, divide_by: str) -> None:
        """Divide as the first shard did; raise `InputError` when that is not *divide_by*."""
        self._client.set(self._keys.of("divided_by"), divide_by, nx=True)
        theirs = (self._get("divided_by") or b"").decode()
        if theirs != divide_by:
            raise InputError(
                f"the other shards divide by {theirs}, this one by {divide_by}; give all of them the "
                f"same FLEET_DIVIDE_BY ({theirs}), or begin a new crawl"
            )

    def awaited(self) -> tuple[int, ...]:
        """Return the members that may have hosts for this shard: none if it began with the crawl."""
        if self.own in _numbers(self._get("first")):
            return ()
        return tuple(shard for shard in self.members() if shard != self.own)

    def members(self) -> tuple[int, ...]:
        """Return those that share the hosts."""
        return _numbers(self._get("members"))

    def is_changing(self) -> bool:
        """Tell whether a shard waits to be a member, so that the others are to come to rest."""
        return self._get("next") is not None

    def rest(self) -> bool:
        """Say that this member rests; tell whether all do, and the next members are those now."""
        keys = [self._keys.of(name) for name in ("members", "next", "rest")]
        return bool(self._rest(keys=keys, args=[self.own]))

    def tell(self, state: ShardState) -> None:
        """Say what this shard does."""
        self._client.hset(self._keys.of("states"), str(self.own), json.dumps(asdict(state)))

    def look(self) -> bool:
        """Tell whether the crawl has ended."""
        if self._get("ended") is not None:
            return True
        found = self._client.hgetall(self._keys.of("states"))
        states = {int(shard): ShardState(**json.loads(state)) for shard, state in found.items()}
        is_same, self._last_look = states == self._last_look, states
        if not is_same or self.is_changing() or not _all_done(states, self.members()):
            return False
        self._client.set(self._keys.of("ended"), "1")
        return True

    def _get(self, name: str) -> bytes | None:
        found: bytes | None = self._client.get(self._keys.of(name))
        return found


def _all_done(states: dict[int, ShardState], members: tuple[int, ...]) -> bool:
    if not all(shard in states and states[shard].is_idle for shard in members):
        return False
    return all(
        states[sender].made.get(str(owner), 0) == states[owner].taken.get(str(sender), 0)
        for sender in members
        for owner in members
        if sender != owner
    )


def _numbers(raw: bytes | None) -> tuple[int, ...]:
    return () if raw is None else tuple(int(number) for number in json.loads(raw))
