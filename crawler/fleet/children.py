"""The processes of a fleet: started, started again when they die, and stopped."""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from crawler.errors import WinnowError
from crawler.fleet.forks import Fork

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# A process that dies so soon after its start, so many times in a row, is not started again.
QUICK_SECS = 20.0
MAX_QUICK_DEATHS = 3

# A crawl that is asked to stop waits for the pages that are out; after this it is asked not to, and
# after the second it is killed: pages that are out are fetched again by the next crawl.
STOP_SECS = 6.0
KILL_SECS = 9.0


class Children:
    """One process for each of *shards*, which does what *crawl* does for it.

    *is_ended* tells of a shard whether its crawl ended by itself: such a process is not started again;
    *has_begun*, whether it crawls: one that does not has nothing to stop in order. *more*: where more is told
    of why one died.
    """

    def __init__(
        self,
        shards: Sequence[int],
        crawl: Callable[[int], object],
        is_ended: Callable[[int], bool],
        has_begun: Callable[[int], bool],
        *,
        more: str,
    ) -> None:
        self.shards = shards
        self.crawl = crawl
        self.is_ended = is_ended
        self.has_begun = has_begun
        self.more = more
        self.n_restarts = 0
        self.processes: dict[int, Fork] = {}
        self._is_stopping = False

    async def run(self) -> None:
        """Run all to their end; raise `WinnowError` when one dies again and again."""
        tasks = [asyncio.create_task(self._keep(shard)) for shard in self.shards]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            for process in self.processes.values():
                process.send_signal(signal.SIGKILL)
                await process.wait()

    async def _keep(self, shard: int) -> None:
        n_quick = 0
        while not self._is_stopping:
            started = time.monotonic()
            process = Fork(f"winnow-shard-{shard}", partial(self.crawl, shard))
            self.processes[shard] = process
            code = await process.wait()
            if self.is_ended(shard) or self._is_stopping:
                return
            n_quick = n_quick + 1 if time.monotonic() - started < QUICK_SECS else 0
            if n_quick >= MAX_QUICK_DEATHS:
                raise WinnowError(
                    f"shard {shard} died {n_quick} times within {QUICK_SECS:.0f} s of its start "
                    f"(exit code {code}); {self.more}"
                )
            self.n_restarts += 1

    async def stop(self) -> None:
        """Have all end: at once what can, within `KILL_SECS` everything."""
        self._is_stopping = True
        for shard, process in self.processes.items():
            if not self.has_begun(shard):
                # An interrupt would break off its start, with a traceback.
                process.send_signal(signal.SIGKILL)
        self._signal(signal.SIGINT)
        await self._gone(STOP_SECS)
        self._signal(signal.SIGINT)
        await self._gone(KILL_SECS - STOP_SECS)
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        for process in self.processes.values():
            process.send_signal(number)

    async def _gone(self, secs: float) -> None:
        waits = [process.wait() for process in self.processes.values()]
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*waits), secs)
