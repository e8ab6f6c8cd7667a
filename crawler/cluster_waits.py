"""How a shard on several machines waits for others before its crawl runs, and what it says then."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from crawler.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


@contextmanager
def interruptible(what: str) -> Iterator[None]:
    """Let signals end the process while it waits, as the engine that hears them does not run yet."""

    def stop(_number: int, _frame: Any) -> None:
        raise StoppedError(f"stopped while {what}; start it again to go on")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
