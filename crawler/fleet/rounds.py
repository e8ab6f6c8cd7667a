"""All shards say anew what they know whenever Redis was started anew: it may have been set back.

A Redis that died may know less than it had said, and one that was restored may know much less. It cannot tell; its
``run_id`` is another one then. So who notices first begins a new *round*, in which each shard *tells* what it keeps by
itself (crawler.fleet.crawl_memory): its HostID blocks, and the members of the latest version that it saw. What Redis
knows less of is put back.

Invariant: a HostID block is leased, members change and the crawl ends only in a round in which all shards have told
that anybody knows of. So a block that any of them has is never leased again. Who is missing was stopped, and is waited
for, or given up (`Cluster.forget`). Where a shard finds a block of its own with another one (an operator restored an
old Redis, went on without the shard, and then started it) it does not go on.

Every script looks at the ``run_id`` in the same step in which it reads or writes. Data that are replaced while the same
server runs are noticed by the shards that know of more.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``server``            string  the ``run_id`` of the Redis of the round
``round``             string  random bytes that name the round
``told``              set     shards that have told in it
``expected``          set     shards that those who told know as members
``block``             string  HostID blocks that were leased, in all
``blocks``            hash    block → the shard that has it
====================  ======  ======================================================================

The others are those of crawler.fleet.cluster and crawler.fleet.cluster_folder.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.errors import InputError
from crawler.fleet.cluster_folder import folder_name
from crawler.fleet.crawl_memory import CrawlMemory

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.fleet.crawl_keys import CrawlKeys
    from crawler.fleet.crawl_memory import Known

_NAMES = (
    *("server", "round", "told", "expected", "block", "blocks"),
    *("version", "members", "first", "next", "rest", "lost", "shards", "folders"),
)

_BEGIN = """
local server, round, told, expected, block, blocks = unpack(KEYS, 1, 6)
local version, members, first, after, rest, lost, shards, folders = unpack(KEYS, 7, 14)
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local own = ARGV[1]
local function number(key) return tonumber(redis.call('GET', key) or 0) end
local function is_in(set, shard) return redis.call('SISMEMBER', set, shard) == 1 end
local has_told = redis.call('GET', server) == run and is_in(told, own)
local function is_behind(known_version, known_top, last)
    return number(version) < known_version or number(block) < known_top
        or (last and redis.call('HGET', blocks, last) ~= own)
end
"""

_LOOK = f"""{_BEGIN}
if not has_told or is_behind(tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])) then
    return {{}}
end
local all, missing, leased = redis.call('SMEMBERS', expected), {{}}, -1
local now = redis.call('GET', members)
for _, shard in ipairs(now and cjson.decode(now) or redis.call('SMEMBERS', shards)) do
    table.insert(all, shard)
end
for _, shard in ipairs(all) do
    if not is_in(told, shard) and not is_in(lost, shard) then table.insert(missing, tonumber(shard)) end
end
if ARGV[5] == '1' and #missing == 0 then
    leased = redis.call('INCR', block) - 1
    redis.call('HSET', blocks, leased, own)
end
return {{
    redis.call('GET', round), missing, leased, number(block), number(version), now or '[]',
    redis.call('GET', first) or '[]', redis.call('SMEMBERS', lost),
}}
"""

_TELL = f"""{_BEGIN}
local known, folder, top = cjson.decode(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local theirs = redis.call('HGET', folders, own)
if theirs and theirs ~= folder then return 'folder' end
for _, each in ipairs(known.blocks) do
    local who = redis.call('HGET', blocks, each)
    if who and who ~= own then return who end
end
local now = redis.call('GET', members)
if now and known.version > 0 and number(version) == known.version and now ~= ARGV[5] then return 'members' end
if redis.call('GET', server) ~= run
    or has_told and is_behind(known.version, top, known.blocks[#known.blocks]) then
    redis.call('SET', server, run)
    redis.call('SET', round, ARGV[7])
    redis.call('DEL', told, expected)
end
for _, shard in ipairs(known.lost) do
    redis.call('SADD', lost, shard)
    redis.call('SREM', shards, shard)
end
if known.version > number(version) then
    redis.call('SET', version, known.version)
    redis.call('SET', members, ARGV[5])
    redis.call('SET', first, ARGV[6])
    redis.call('DEL', after, rest)
    local left = {{}}
    for _, shard in ipairs(known.members) do
        redis.call('SADD', shards, shard)
        if not is_in(lost, shard) then table.insert(left, shard) end
    end
    if #left > 0 and #left < #known.members then redis.call('SET', after, cjson.encode(left)) end
end
for _, each in ipairs(known.blocks) do
    redis.call('HSET', blocks, each, own)
    top = math.max(top, each + 1)
end
if number(block) < top then redis.call('SET', block, top) end
for _, shard in ipairs(known.members) do redis.call('SADD', expected, shard) end
redis.call('HSET', folders, own, folder)
redis.call('SADD', told, own)
return 'ok'
"""
# Times that Redis may be set back while a shard tells what it knows.
_MOST_TELLS = 10


class Look(NamedTuple):
    """The *round*, the shards that are *missing* in it, and the block that was *leased*, -1 for none."""

    round: bytes
    missing: list[int]
    leased: int


class Rounds:
    """The rounds of shard *own*, which has entered its folder *corpus_dir*; ``memory`` is what it keeps there.

    *client* is one of Redis; what that does not answer is raised by it. Threads may share this.
    """

    def __init__(self, client: Any, keys: CrawlKeys, own: int, corpus_dir: Path) -> None:
        self.own = own
        self.memory = CrawlMemory(corpus_dir)
        self._name = folder_name(corpus_dir)
        self._keys = [keys.of(each) for each in _NAMES]
        self._look = client.register_script(_LOOK)
        self._tell = client.register_script(_TELL)
        self._top = 0
        owners = client.hgetall(keys.of("blocks"))
        # What Redis leased to a process that was killed before it knew.
        self.memory.add_blocks(sorted(int(each) for each, who in owners.items() if int(who) == own))

    def look(self, *, lease: bool = False) -> Look:
        """Return the round of now, in which this shard has told what it knows; *lease* a block if none is missing.

        A block that was leased is on disk when this returns. Raises `InputError` when others were given what this
        shard has.
        """
        for _ in range(_MOST_TELLS):
            known = self.memory.known
            last = known.blocks[-1] if known.blocks else ""
            args = [self.own, known.version, self._top, last, int(lease)]
            if answer := self._look(keys=self._keys, args=args):
                return self._noted(answer)
            self._tell_all(self.memory.known)
        raise InputError(
            "Redis forgets again and again what it is told; see that CLUSTER_URL is one server that keeps its data"
        )

    def _noted(self, answer: list[Any]) -> Look:
        name, missing, leased, top, version, members, first, lost = answer
        self._top = max(self._top, top)
        if version:
            now, begun = (tuple(json.loads(each)) for each in (members, first))
            self.memory.note_members(version, now, begun, map(int, lost))
        if leased >= 0:
            self.memory.add_blocks([leased])
        return Look(name, sorted(set(missing)), leased)

    def _tell_all(self, known: Known) -> None:
        lists = (json.dumps(each, separators=(",", ":")) for each in (known.members, known.first))
        facts = json.dumps(asdict(known))
        args = [self.own, facts, self._name, self._top, *lists, os.urandom(16)]
        answer = self._tell(keys=self._keys, args=args).decode()
        if answer == "ok":
            return
        why = {
            "folder": f"shard {self.own} began in another folder",
            "members": "Redis was set back to before the crawl began, and another one has begun in it",
        }.get(answer, f"shard {answer} was given HostIDs that shard {self.own} has")
        raise InputError(
            f"{why}; restore the data of Redis as they were last, or give shard {self.own} up "
            f"(scrapy fleet --forget {self.own}) and begin a new one with an empty CORPUS_DIR"
        )
