"""The one process of a shard, wherever it runs: it says in Redis, again and again, that it is there.

The lock of a corpus folder keeps a second process from that folder, and not from a copy of it on another machine: each
of the two would be given some of the records that come for the shard, and give the same HostIDs to other hosts.

====================  ======  ======================================================================
key                   type    what it holds
====================  ======  ======================================================================
``process:<shard>``   string  the place of its folder and what names the process; gone `HOLD_SECS` after
                              the last word of one that was killed
====================  ======  ======================================================================

A *place* is a folder's lock on a machine since its last start: who has that lock takes over at once what a process
of the same place left. Elsewhere, as after a move, it waits until that is gone, and is refused where it is said again.
A process that finds another one's word said again, after Redis was away from it, has to end.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.durable.layout import fleet_folder
from crawler.errors import InputError

if TYPE_CHECKING:
    from crawler.fleet.crawl_keys import CrawlKeys

# Seconds that a word holds, and between two.
HOLD_SECS = 20.0
_RENEW_SECS = 2.0
# Changes with each start of the machine, and is no other machine's.
_BOOT = Path("/proc/sys/kernel/random/boot_id")

_HOLD = """
local who = redis.call('GET', KEYS[1])
if who and string.sub(who, 1, #ARGV[1]) ~= ARGV[1] then
    return {who, redis.call('PTTL', KEYS[1])}
end
redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2], 'PX', ARGV[3])
return {}
"""

_RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] .. ARGV[2] then redis.call('DEL', KEYS[1]) end
"""


class ShardHold:
    """The word of the process of *shard* that has locked *corpus_dir*, from `take` to `release`.

    *client* is one of Redis, which raises *failures* where that does not answer. ``failure``: why this process must
    end, None while it need not.
    """

    def __init__(
        self,
        client: Any,
        keys: CrawlKeys,
        shard: int,
        corpus_dir: Path,
        failures: tuple[type[Exception], ...],
    ) -> None:
        self.failure: InputError | None = None
        self._shard = shard
        self._failures = failures
        self._hold, self._release = map(client.register_script, (_HOLD, _RELEASE))
        self._keys = [keys.of(f"process:{shard}")]
        self._own = [place_of(corpus_dir), os.urandom(8).hex()]
        self._last: tuple[bytes, int] | None = None
        self._closing = threading.Event()
        self._holding = threading.Thread(target=self._hold_on, name="hold", daemon=True)

    def take(self) -> bool:
        """Say that this process is there, and go on saying so; tell whether it may, or is to ask again in a moment.

        Raises `InputError` when another one says so again and again.
        """
        is_own = self._say()
        if self.failure is not None:
            raise self.failure
        if is_own:
            self._holding.start()
        return is_own

    def _say(self) -> bool:
        """Say that this process is there, and tell so; where another one's word stands, look whether it lives."""
        answer = self._hold(keys=self._keys, args=[*self._own, round(1000 * HOLD_SECS)])
        if not answer:
            self._last = None
            return True
        who, left = answer
        if self._last is not None and who == self._last[0] and left > self._last[1]:
            self.failure = InputError(
                f"shard {self._shard} is crawled by another process, from a copy of its folder or elsewhere; end that "
                "one, or start this one with another FLEET_SHARD and an empty CORPUS_DIR"
            )
        self._last = who, left
        return False

    def _hold_on(self) -> None:
        while self.failure is None and not self._closing.wait(_RENEW_SECS):
            try:
                self._say()
            except self._failures:
                continue  # it is said once Redis is there again

    def release(self, *, is_coming_back: bool = False) -> None:
        """Say no more, and that this process is gone, if Redis answers; a second call does nothing.

        The word of one that *is_coming_back* keeps others out until then.
        """
        if self._closing.is_set():
            return
        self._closing.set()
        if self._holding.is_alive():
            self._holding.join()
            if is_coming_back:
                return
            try:
                self._release(keys=self._keys, args=self._own)
            except self._failures:
                return  # it is gone by itself soon


def place_of(corpus_dir: Path) -> str:
    """Return what names the lock of *corpus_dir*, which a process has, on this machine."""
    lock = (fleet_folder(corpus_dir) / "writer.lock").stat()
    return f"{_BOOT.read_text().strip()}:{lock.st_dev}:{lock.st_ino}:"
