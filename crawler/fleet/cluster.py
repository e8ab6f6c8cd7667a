"""Who takes part in a crawl on several machines, agreed through Redis.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``shards``            set     shards that have come
``members``           string  JSON list of those that share the hosts; missing until enough have come
``first``             string  the members that the crawl began with
``divided_by``        string  what is divided among the members (crawler.fleet.owners)
``rules``             string  JSON object: the settings that decide what a page becomes
``version``           string  times that the members were agreed on
``next``              string  the members that are to be, while a new shard waits to be one
``rest``              set     members that have come to rest, so that ``next`` may begin
``lost``              set     shards that were given up (`Cluster.forget`): nobody waits for them any more
``states``            hash    shard → JSON: whether it is idle, its transactions, the records that it has
                              made for each other shard, and those that it has taken of each
``folders``           hash    shard → what names its corpus folder (crawler.fleet.cluster_folder)
``ended``             string  there once the crawl has ended
``left``              set     shards that have seen it, and ended too
====================  ======  ======================================================================

A new shard writes ``next``, if no other one waits. The members lease nothing more then, and when all rest
``next`` becomes ``members``: each opens its corpus anew (crawler.frontier.shards.moves). Each step is one script of
Redis, so no two shards ever see different owners of a host. In a Redis that was started anew and may have been set
back, none of them does anything before the shards have told what they know (crawler.fleet.rounds).

A member that will never come back is given up by an operator: ``next`` is then without it, and the others
need not wait for it to rest. Its hosts are new ones of their new owners, but for those that had moved to it:
the shard that had them before takes them back (crawler.frontier.shards.returns), so all wait once more for hosts.

The crawl has ended when all members are idle and have taken all that was made for them, at two looks
between which none has done anything. One that was killed meanwhile ends by ``ended``, when it is started again. The
first that is started after its end has the crawl go on: with other seeds or limits, or to crawl again, there may be
something to do, and what the others said of themselves is of before. So it is for each that is started first since
then: another one may have been started alone and stopped again, and what it said last is no word of this start.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from crawler.fleet.crawl_keys import CrawlKeys

_IS_STALE = """
local server = redis.call('GET', KEYS[#KEYS])
local is_stale = server and server ~= string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
"""

_COME = f"""{_IS_STALE}
if is_stale then return false end
redis.call('SADD', KEYS[1], ARGV[1])
local members = redis.call('GET', KEYS[2])
if not members then
    local all = redis.call('SMEMBERS', KEYS[1])
    if #all >= tonumber(ARGV[2]) then
        local numbers = {{}}
        for i, shard in ipairs(all) do numbers[i] = tonumber(shard) end
        table.sort(numbers)
        redis.call('SET', KEYS[2], cjson.encode(numbers))
        redis.call('SET', KEYS[3], cjson.encode(numbers))
        redis.call('INCR', KEYS[6])
    end
    return redis.call('GET', KEYS[2])
end
local numbers = cjson.decode(members)
for _, shard in ipairs(numbers) do
    if shard == tonumber(ARGV[1]) then
        redis.call('SREM', KEYS[5], ARGV[1])
        return members
    end
end
if not redis.call('GET', KEYS[4]) then
    table.insert(numbers, tonumber(ARGV[1]))
    table.sort(numbers)
    redis.call('SET', KEYS[4], cjson.encode(numbers))
    redis.call('DEL', KEYS[5])
end
return members
"""

_REST = f"""{_IS_STALE}
local after = redis.call('GET', KEYS[2])
if is_stale or not after then return 0 end
redis.call('SADD', KEYS[3], ARGV[1])
for _, shard in ipairs(cjson.decode(redis.call('GET', KEYS[1]))) do
    if redis.call('SISMEMBER', KEYS[3], shard) + redis.call('SISMEMBER', KEYS[4], shard) == 0 then
        return 0
    end
end
redis.call('SET', KEYS[1], after)
redis.call('INCR', KEYS[5])
redis.call('DEL', KEYS[2], KEYS[3])
return 1
"""

_GO_ON = """
local has_left = redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1
if has_left or redis.call('HEXISTS', KEYS[3], ARGV[1]) == 0 then redis.call('DEL', unpack(KEYS)) end
"""

_FORGET = """
local members = redis.call('GET', KEYS[1])
if not members then return 'begun' end
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 'ok' end
local function without(numbers)
    local left = {}
    for _, shard in ipairs(numbers) do
        if shard ~= tonumber(ARGV[1]) then table.insert(left, shard) end
    end
    return left, #left < #numbers
end
local left, is_next = without(cjson.decode(redis.call('GET', KEYS[2]) or members))
if not is_next then return 'unknown' end
if #left == 0 then return 'last' end
redis.call('SET', KEYS[2], cjson.encode(left))
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
return 'ok'
"""

_NOT_FORGOTTEN = {
    "begun": "the crawl has not begun",
    "unknown": "it takes no part in the crawl",
    "last": "no other shard is left",
}


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
        self._go_on = client.register_script(_GO_ON)
        self._forget = client.register_script(_FORGET)
        self._last_look: dict[int, ShardState] | None = None

    def go_on(self) -> None:
        """Have the crawl go on if this shard has left it at its end, or said nothing since; call it before `come`.

        Those that run say again what they do.
        """
        keys = [self._keys.of(name) for name in ("left", "ended", "states")]
        self._go_on(keys=keys, args=[self.own])

    def come(self) -> tuple[int, ...]:
        """Take part, and return the members, to be asked again until *own* is one of them.

        Raises `InputError` when this shard was given up.
        """
        if self.own in self.lost():
            raise InputError(
                f"shard {self.own} was given up, and others have its hosts; start it with another "
                "FLEET_SHARD and an empty CORPUS_DIR"
            )
        names = ("shards", "members", "first", "next", "rest", "version", "server")
        keys = [self._keys.of(name) for name in names]
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

    def rules(self) -> dict[str, Any]:
        """Return the settings by which the shards make pages, none where no shard has said any."""
        return dict(json.loads(self._get("rules") or b"{}"))

    def share_rules(self, own: Mapping[str, Any], *, may_change: bool) -> dict[str, Any]:
        """Have *own* be the rules of all where there are none, or these *may_change*; return those of all."""
        self._client.set(self._keys.of("rules"), json.dumps(own, sort_keys=True), nx=not may_change)
        return self.rules()

    def awaited(self) -> tuple[int, ...]:
        """Return the members that may have hosts for this shard.

        There are none if it began with the crawl and none was given up.
        """
        lost = self.lost()
        if self.own in _numbers(self._get("first")) and not lost:
            return ()
        return tuple(sorted(set(self.members()) - lost - {self.own}))

    def members(self) -> tuple[int, ...]:
        """Return those that share the hosts."""
        return _numbers(self._get("members"))

    def lost(self) -> set[int]:
        """Return the shards that were given up."""
        return {int(shard) for shard in self._client.smembers(self._keys.of("lost"))}

    def forget(self, shard: int) -> None:
        """Give up *shard*, which must never run again; raise `InputError` when it cannot be."""
        keys = [self._keys.of(name) for name in ("members", "next", "lost", "shards")]
        answer = self._forget(keys=keys, args=[shard]).decode()
        if answer in _NOT_FORGOTTEN:
            raise InputError(f"shard {shard} cannot be given up: {_NOT_FORGOTTEN[answer]}")

    def not_at_rest(self) -> list[int]:
        """Return the members that the next ones wait for."""
        rest = {int(shard) for shard in self._client.smembers(self._keys.of("rest"))}
        return sorted(set(self.members()) - rest - self.lost())

    def is_changing(self) -> bool:
        """Tell whether a shard waits to be a member, so that the others are to come to rest."""
        return self._get("next") is not None

    def rest(self) -> bool:
        """Say that this member rests; tell whether all do, and the next members are those now."""
        names = ("members", "next", "rest", "lost", "version", "server")
        keys = [self._keys.of(name) for name in names]
        return bool(self._rest(keys=keys, args=[self.own]))

    def tell(self, state: ShardState) -> None:
        """Say what this shard does."""
        self._client.hset(self._keys.of("states"), str(self.own), json.dumps(asdict(state)))

    def has_ended(self) -> bool:
        """Tell whether some shard has seen that the crawl has ended."""
        return self._get("ended") is not None

    def leave(self) -> None:
        """Say that this shard has seen that the crawl has ended, and ends."""
        self._client.sadd(self._keys.of("left"), self.own)

    def look(self) -> bool:
        """Tell whether the crawl has ended."""
        if self.has_ended():
            return True
        found = self._client.hgetall(self._keys.of("states"))
        states = {int(shard): ShardState(**json.loads(state)) for shard, state in found.items()}
        is_same, self._last_look = states == self._last_look, states
        if not is_same or self.is_changing() or not _all_done(states, self.members()):
            return False
        self._client.set(self._keys.of("ended"), "1")
        return True

    def busy(self) -> list[int]:
        """Return the other members that had something to do at the last look, or have said nothing yet."""
        states = self._last_look or {}
        others = (shard for shard in self.members() if shard != self.own)
        return [shard for shard in others if shard not in states or not states[shard].is_idle]

    def stopped(self, shards: Sequence[int]) -> list[int]:
        """Return those of *shards* of which no process says that it is there (crawler.fleet.shard_hold)."""
        keys = [self._keys.of(f"process:{shard}") for shard in shards]
        words = self._client.mget(keys) if keys else []
        return [shard for shard, word in zip(shards, words, strict=True) if word is None]

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
