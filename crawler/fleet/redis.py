"""Hand-over between machines, through Redis Streams.

A crawl has a *name*; all its keys begin with ``winnow:<name>:``.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``made``              string  16 random bytes, written by the first shard: a Redis that has lost the
                              crawl's keys, or holds another crawl's, is told by them
``to:<owner>``        stream  records for a shard; fields ``s`` sender, ``n`` number, ``r`` record
``taken:<sender>``    hash    owner → the last record of the sender that it has taken for good
====================  ======  ======================================================================

Each shard reads its stream as the one consumer of a group, so what it had not acknowledged comes again
after a restart. What is acknowledged is deleted from the stream. A stream that holds `MAX_WAITING` records
(its owner is down) takes no more: they stay in the sender's journal, and are sent once there is room.

One thread of the process talks to Redis; the crawl never waits for it, and goes on with its own hosts while Redis is
away. What a Redis that was set back (crawler.fleet.rounds) has lost is sent again: a record stays in the sender's
journal until its owner has it for good, and who has taken one passes over it.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any, cast

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError, ResponseError
from redis.retry import Retry

from crawler.errors import InputError
from crawler.fleet.hand_over import Sent
from crawler.fleet.mailbox import Mailbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from crawler.fleet.crawl_keys import CrawlKeys

GROUP = "owner"
# What a client raises when Redis does not answer, or not as it should.
FAILURES = (RedisError,)
# Records in an owner's stream above which nothing more is added.
MAX_WAITING = 10_000
# Records that are held here until the crawl takes them.
MAX_HELD = 1_000
# Records of one read, and seconds that a read waits for the first.
_READ_RECORDS = 100
_READ_SECS = 0.05
# Seconds before the next attempt after Redis did not answer: doubled from the first to the last.
_RETRY_SECS = (0.1, 5.0)
_CONNECT_SECS = 5.0


def connect(url: str) -> Redis:
    """Return a client of the Redis at *url*; raise `InputError` when none answers there that lets it in.

    What it asks fails after `_CONNECT_SECS`, and is not asked again: a Redis that hangs holds nobody up for longer.
    """
    try:
        client = Redis.from_url(
            url,
            socket_connect_timeout=_CONNECT_SECS,
            socket_timeout=_CONNECT_SECS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,  # the other one is of version 6
        )
        client.ping()
    except (AuthenticationError, NoPermissionError) as error:
        raise InputError(
            f"the Redis at {shown(url)} does not let us in ({error}); give its password, as "
            "CLUSTER_URL=redis://:PASSWORD@HOST:PORT/0"
        ) from error
    except (RedisError, ValueError) as error:
        raise InputError(
            f"no Redis answers at {shown(url)} ({error}); start or mend one, or set CLUSTER_URL"
        ) from error
    return client


def shown(url: str) -> str:
    """Return *url* without what is secret in it.

    >>> shown("redis://user:secret@127.0.0.1:6379/0?password=secret")
    'redis://127.0.0.1:6379/0'
    """
    return re.sub("//.*@", "//", url.partition("?")[0], count=1)


@contextlib.contextmanager
def needed(url: str) -> Iterator[None]:
    """Raise `InputError` when the Redis at *url* goes away in the block, or refuses something."""
    try:
        yield
    except RedisError as error:
        raise InputError(
            f"the Redis at {shown(url)} failed ({error}); see that it runs, is of version 5 or later, has "
            "room and may be written, and start this again"
        ) from error


def check_usable(client: Redis, keys: CrawlKeys, shard: int) -> None:
    """Raise what *client* raises when its Redis cannot carry a crawl: too old, a replica, without room, not ours to write."""
    probe = keys.of(f"probe:{shard}")
    client.delete(probe)  # of one that was killed here
    client.xadd(probe, {"s": 0})
    client.xgroup_create(probe, GROUP, id="0")
    client.xreadgroup(GROUP, "probe", {probe: ">"}, count=1)
    client.eval("redis.call('INFO', 'server') return redis.call('DEL', KEYS[1])", 1, probe)


def check_made(client: Redis, keys: CrawlKeys, known: bytes | None) -> bytes:
    """Return what names the crawl in Redis, made when there is none; *known* is what it was before.

    Raises `InputError` when the two differ.
    """
    if known is None:
        client.set(keys.made, os.urandom(16), nx=True)
    made = cast("bytes | None", client.get(keys.made))
    if made is None or (known is not None and made != known):
        raise InputError(
            "Redis does not hold the crawl that this corpus is a shard of; restore its data, or give "
            "another CORPUS_DIR or CLUSTER_NAME"
        )
    return made


class RedisTransport(Mailbox):
    """Carries the records of shard *own* (a `crawler.fleet.hand_over.Transport`) until `close`.

    *client* is the transport's own, and closed with it. *max_waiting* and *max_held* as `MAX_WAITING`
    and `MAX_HELD`. ``failure``: why it has ended by itself, None while it works.
    """

    def __init__(
        self,
        client: Redis,
        keys: CrawlKeys,
        own: int,
        *,
        made: bytes,
        max_waiting: int = MAX_WAITING,
        max_held: int = MAX_HELD,
    ) -> None:
        super().__init__(max_held)
        self.own = own
        self.failure: Exception | None = None
        self._client = client
        self._keys = keys
        self._made = made
        self._max_waiting = max_waiting
        # Entries of the stream by sender, owners whose stream is full or was written, what senders were told.
        self._entries: dict[int, deque[tuple[int, bytes]]] = defaultdict(deque)
        self._full: set[int] = set()
        self._sent_to: set[int] = set()
        self._told: dict[int, int] = {}
        self._is_reading = False
        self._round: bytes | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hand-over", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Carry what there is, if Redis answers, and end; a second call does nothing."""
        self._closing.set()
        self._thread.join()
        self._client.close()

    def _run(self) -> None:
        wait = _RETRY_SECS[0]
        while True:
            is_last = self._closing.is_set()
            try:
                self._start_reading()
                self._write()
                self._read_acknowledged()
                if is_last:
                    return
                self._read()
                wait = _RETRY_SECS[0]
            except InputError as error:
                self.failure = error
                return
            except RedisError:
                self._is_reading = False
                if self._closing.is_set():
                    return
                self._closing.wait(wait)
                wait = min(_RETRY_SECS[1], 2 * wait)

    def _start_reading(self) -> None:
        """At the start, and after Redis was away or set back: see that it is the same, read what is pending."""
        if self._is_reading:
            return
        check_made(self._client, self._keys, self._made)
        self._round = cast("bytes | None", self._client.get(self._keys.round))
        with contextlib.suppress(ResponseError):  # the group is there
            self._client.xgroup_create(self._keys.stream(self.own), GROUP, id="0", mkstream=True)
        self._entries.clear()
        self._told.clear()
        self.tell_lost(self._sent_to)
        start: bytes | str = "0"
        while entries := self._read_from(start, block=None):
            start = entries[-1][0]
        self._is_reading = True

    def _write(self) -> None:
        records, refused, taken = self.collect()
        self._full |= refused
        try:
            self._send_all(records)
            self._acknowledge_all(taken)
        except RedisError:
            self.tell_lost(sent.owner for sent in records)
            raise

    def _send_all(self, records: Sequence[Sent]) -> None:
        """Add *records* to their streams, and none after one that has no room."""
        owners = {sent.owner for sent in records} | self._full
        room = {
            owner: self._max_waiting - self._client.xlen(self._keys.stream(owner))
            for owner in sorted(owners)
        }
        has_room = {owner for owner in self._full if room[owner] > 0}
        self._full -= has_room
        self.tell_lost(has_room)
        with self._client.pipeline(transaction=False) as pipe:
            for sent in records:
                room[sent.owner] -= 1
                if room[sent.owner] < 0 or sent.owner in self._full:
                    self._full.add(sent.owner)
                    continue
                entry: dict[Any, Any] = {"s": sent.source, "n": sent.number, "r": sent.record}
                pipe.xadd(self._keys.stream(sent.owner), entry)
                self._sent_to.add(sent.owner)
            pipe.execute()

    def _acknowledge_all(self, taken: Mapping[int, int]) -> None:
        stream = self._keys.stream(self.own)
        with self._client.pipeline(transaction=False) as pipe:
            for source, number in taken.items():
                entries, done = self._entries[source], []
                while entries and entries[0][0] <= number:
                    done.append(entries.popleft()[1])
                if done:
                    pipe.xack(stream, GROUP, *done)
                    pipe.xdel(stream, *done)
                if self._told.get(source) != number:
                    pipe.hset(self._keys.taken(source), str(self.own), str(number))
                    self._told[source] = number
            pipe.execute()

    def _read_acknowledged(self) -> None:
        with self._client.pipeline(transaction=False) as pipe:
            pipe.hgetall(self._keys.taken(self.own)).get(self._keys.round)
            found, now = cast("tuple[dict[bytes, bytes], bytes | None]", pipe.execute())
        if now != self._round:  # it may have been set back, though a connection came about at once
            self._is_reading = False
        self.tell_acknowledged({int(owner): int(number) for owner, number in found.items()})

    def _read(self) -> None:
        if self.has_room():
            self._read_from(">", block=1 if self.n_waiting() else int(_READ_SECS * 1000))
        else:
            self._closing.wait(_READ_SECS)

    def _read_from(self, start: bytes | str, *, block: int | None) -> list[tuple[bytes, Any]]:
        """Hold the next entries of the stream from *start* on; return them."""
        streams = {self._keys.stream(self.own): start}
        answer = self._client.xreadgroup(
            GROUP,
            f"shard-{self.own}",
            cast("dict[Any, Any]", streams),
            count=_READ_RECORDS,
            block=block,
        )
        entries = _entries_of(answer)
        records = []
        for entry, fields in entries:
            if fields:  # what was deleted while it was pending has none
                sent = Sent(int(fields[b"s"]), self.own, int(fields[b"n"]), fields[b"r"])
                self._entries[sent.source].append((sent.number, entry))
                records.append(sent)
        self.hold(records)
        return entries


def _entries_of(answer: Any) -> list[tuple[bytes, Any]]:
    """Return the entries of the one stream of *answer*, by protocol 3 (one more list) or 2."""
    if not answer:
        return []
    is_map = isinstance(answer, dict)
    return list(*next(iter(answer.values()))) if is_map else list(answer[0][1])
