"""HostID blocks that the shards of a crawl lease of Redis; the keys are crawler.fleet.redis'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from crawler.fleet.crawl_keys import CrawlKeys

_LEASE = """
local block = redis.call('INCR', KEYS[1]) - 1
redis.call('RPUSH', KEYS[2], block)
return block
"""


class RedisBlocks:
    """HostID blocks for *shard*, a `crawler.webgraph.host_ids.BlockSource`.

    *failures* are what *client* raises when Redis does not answer; then both methods raise `InputError`.
    """

    def __init__(
        self, client: Any, keys: CrawlKeys, shard: int, failures: tuple[type[Exception], ...]
    ) -> None:
        self._client = client
        self._keys = keys
        self._shard = shard
        self._failures = failures
        self._lease = client.register_script(_LEASE)

    def blocks(self) -> Sequence[int]:
        """Return the blocks of the shard, in the order of their leases."""
        found = self._asked(self._client.lrange, self._keys.blocks(self._shard), 0, -1)
        return [int(block) for block in found]

    def lease(self) -> int:
        """Lease one more block; it is as durable as Redis is."""
        keys = [self._keys.block, self._keys.blocks(self._shard)]
        return int(self._asked(self._lease, keys=keys))

    def _asked(self, ask: Callable[..., Any], *args: Any, **named: Any) -> Any:
        try:
            return ask(*args, **named)
        except self._failures as error:
            raise InputError(
                f"Redis gives no HostIDs for new hosts ({error}); start this again when it does, nothing is lost"
            ) from error
