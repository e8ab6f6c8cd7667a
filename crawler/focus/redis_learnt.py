"""The pages that the shards of a crawl on several machines learnt from, shared through Redis.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``learnt:on``         hash    page → row of a page on the topic, as in the journals (crawler.focus.learnt_pages)
``learnt:off``        hash    the same of pages off the topic
====================  ======  ======================================================================

Each hash holds the first `MAX_PAGES` that any shard learnt from, so many as a model takes; some 10 KB each, so
at most 10 MB. A row is told any number of times and stands there once; a shard that starts again, or late, reads
all that is there, and tells all that it had learnt before.

A thread talks to Redis; the crawl never waits for it. While Redis is away each shard learns alone.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from crawler.focus.learnt_pages import LearntRow, read_row
from crawler.focus.relevance import MAX_PAGES

if TYPE_CHECKING:
    from crawler.fleet.crawl_keys import CrawlKeys

# Seconds between two looks at Redis, and after it did not answer.
_LOOK_SECS, _AWAY_SECS = 1.0, 5.0

_TELL = """
if redis.call('HLEN', KEYS[1]) < tonumber(ARGV[1]) then redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) end
return 0
"""


class RedisLearnt:
    """What the other shards of the crawl of *keys* learnt from, until `close`.

    *client* is its own, and closed with it; *failures* are what that raises when Redis does not answer.
    """

    def __init__(self, client: Any, keys: CrawlKeys, failures: tuple[type[Exception], ...]) -> None:
        self._client = client
        self._hashes = (keys.of("learnt:off"), keys.of("learnt:on"))
        self._failures = failures
        self._script = client.register_script(_TELL)
        # What goes out and what came in; the keys of pages that were told, and of those that came.
        self._out: deque[LearntRow] = deque()
        self._in: deque[tuple[bytes, bytes]] = deque()
        self._told: set[bytes] = set()
        self._seen: set[bytes] = set()
        self._n_known = [0, 0]
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="learnt", daemon=True)
        self._thread.start()

    def tell(self, row: LearntRow) -> None:
        """Tell the others of a page that this shard learnt from."""
        self._told.add(row.key)
        self._out.append(row)

    def new(self, now: float) -> list[tuple[str, bool]]:  # noqa: ARG002  the thread has looked
        """Return (text, on the topic) of the pages that have come since the last call."""
        came = [self._in.popleft() for _ in range(len(self._in))]
        # What this shard told in an earlier run may come before it tells that again.
        return [read_row(value) for key, value in came if key not in self._told]

    def close(self) -> None:
        """Tell what there is, if Redis answers, and end."""
        self._closing.set()
        self._thread.join()
        self._client.close()

    def _run(self) -> None:
        is_away = is_last = False
        while not is_last:
            self._closing.wait(_AWAY_SECS if is_away else _LOOK_SECS)
            is_last = self._closing.is_set()
            if is_last and is_away:
                return
            try:
                self._send()
                self._look()
                is_away = False
            except self._failures:
                is_away = True

    def _send(self) -> None:
        while self._out:
            row = self._out[0]
            args = [MAX_PAGES, row.key, row.value]
            self._script(keys=[self._hashes[row.on_topic]], args=args)
            self._out.popleft()

    def _look(self) -> None:
        """Take the pages that are new; nothing ever leaves the hashes, so their sizes tell of them."""
        for place, name in enumerate(self._hashes):
            n_pages = self._client.hlen(name)
            if n_pages == self._n_known[place]:
                continue
            new = sorted(set(self._client.hkeys(name)) - self._told - self._seen)
            rows = self._client.hmget(name, new) if new else ()
            self._in.extend(zip(new, rows, strict=True))
            self._seen.update(new)
            self._n_known[place] = n_pages
