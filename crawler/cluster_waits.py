"""How a shard on several machines waits for others before its crawl runs, and what it says then."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# What an operator can do about a shard that is waited for.
GIVE_UP = "Start those that were stopped; one that is lost for good: scrapy fleet --forget SHARD"


def must_tell(shards: Sequence[int]) -> str:
    """Return what to say while *shards* are waited for in a new round (crawler.fleet.rounds)."""
    return f"Redis was started anew; shards {shards} have yet to tell what they know. {GIVE_UP}"


def must_rest(shards: Sequence[int]) -> str:
    """Return what to say while *shards* do not rest yet, so that others cannot come in."""
    return f"Shards {shards} must come to rest before others can take part. {GIVE_UP}"


def must_be_done(shards: Sequence[int]) -> str:
    """Return what to say while nothing is left to do but for *shards*."""
    return f"Nothing to do here; shards {shards} are not done. {GIVE_UP}"
