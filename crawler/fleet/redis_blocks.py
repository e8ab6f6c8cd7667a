"""HostID blocks that the shards of a crawl lease of Redis (crawler.fleet.rounds)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.fleet.rounds import Rounds

# Seconds for which a lease waits for a Redis that is started anew, and for shards that have yet to tell it which blocks
# they have, and between two looks. Those that run tell it within a second after Redis is there again.
_WAIT_SECS, _LOOK_SECS = 10.0, 0.1


class RedisBlocks:
    """HostID blocks for the shard of *rounds*, a `crawler.webgraph.hosts.ids.BlockSource`.

    *failures* are what a client raises when Redis does not answer; when that lasts, a lease raises `InputError`.
    """

    def __init__(
        self,
        rounds: Rounds,
        failures: tuple[type[Exception], ...],
        *,
        wait_secs: float = _WAIT_SECS,
    ) -> None:
        self._rounds = rounds
        self._failures = failures
        self._wait_secs = wait_secs

    def blocks(self) -> Sequence[int]:
        """Return the blocks of the shard, in the order of their leases."""
        return self._rounds.memory.known.blocks

    def lease(self) -> int:
        """Lease one more block; it is on the shard's own disk when this returns."""
        until = time.monotonic() + self._wait_secs
        while not isinstance(answer := self._ask(), int):
            if time.monotonic() > until:
                raise answer
            time.sleep(_LOOK_SECS)
        return answer

    def _ask(self) -> int | InputError:
        """Return a block, or why there is none yet."""
        try:
            look = self._rounds.look(lease=True)
        except self._failures as error:
            return InputError(
                f"Redis gives no HostIDs for new hosts ({error}); start this again when it does, nothing is lost"
            )
        if look.leased >= 0:
            return look.leased
        return InputError(
            f"Redis was started anew, and shards {look.missing} have yet to tell which HostIDs they have; "
            "start them, or give them up (scrapy fleet --forget SHARD), then this again; nothing is lost"
        )
