"""How a shard on several machines waits for others before its crawl runs, and what it says then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


# What becomes of a shard that will never run again.
_LOST = "one that is lost for good: scrapy fleet --forget SHARD"


def must_tell(shards: Sequence[int]) -> str:
    """Return what to say while *shards* are waited for in a new round (crawler.fleet.rounds).

    Who of them runs is not known yet: that was in the Redis that is gone, too.
    """
    return (
        f"Redis was started anew; shards {shards} have yet to tell what they know. Those that run do so in a "
        f"moment; start the others; {_LOST}"
    )


def must_rest(shards: Sequence[int], stopped: Sequence[int]) -> str:
    """Return what to say while *shards* do not rest yet, so that others cannot come in; *stopped* ones do not run."""
    return (
        f"Shards {shards} must come to rest before others can take part. {_mend(shards, stopped)}"
    )


def must_be_done(shards: Sequence[int], stopped: Sequence[int]) -> str:
    """Return what to say while nothing is left to do but for *shards*."""
    return f"Nothing to do here; shards {shards} are not done. {_mend(shards, stopped)}"


def must_give(shards: Sequence[int], stopped: Sequence[int]) -> str:
    """Return what to say while the hosts that move here from *shards* are waited for."""
    return f"Waiting for the hosts of shards {shards}. {_mend(shards, stopped)}"


def must_take(shards: Sequence[int], stopped: Sequence[int]) -> str:
    """Return what to say while *shards* have not taken what was made for them."""
    return f"Shards {shards} have yet to take what waits for them here. {_mend(shards, stopped)}"


def _mend(shards: Sequence[int], stopped: Sequence[int]) -> str:
    """Return what an operator can do about *shards*, which are waited for."""
    if not (left := sorted(set(shards).intersection(stopped))):
        return "All of them ran a moment ago; wait for them"
    return f"Start {left}, which do not run; {_LOST}"
