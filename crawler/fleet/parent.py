"""The parent of a fleet: runs the hub and the processes until nothing is left to fetch."""

from __future__ import annotations

import asyncio
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from crawler.durable.files import WriterLock, make_folder
from crawler.durable.journals import finish_decided
from crawler.durable.layout import fleet_folder, journal_folder, shard_name
from crawler.errors import InputError, tell
from crawler.fleet.blocks import Ledger, check_shards_of
from crawler.fleet.children import Children
from crawler.fleet.hub import Hub
from crawler.fleet.owners import DOMAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

# What every process reads, and counts, alike: the largest number is that of all.
ALIKE = (
    *("seeds/read", "seeds/skipped/", "warc/responses", "warc/truncated", "warc/not_http"),
    *("warc/no_key", "warc/broken_files", "warc/segmented", "warc/unread_files"),
)

FINISHED, INTERRUPTED = "finished", "shutdown"
# Seconds between two looks at whether the fleet is to stop.
JUDGE_SECS = 1.0
# How long processes are waited for whose parent was killed, and between two looks: they end in order, and break off
# slow fetches as after Ctrl-C.
LEFT_SECS, _LOOK_SECS = 30.0, 0.1


@dataclass(slots=True)
class FleetState:
    """What the processes said last, together; *reason* is why the crawl ended, "" while it works.

    *is_over*: all were told that nothing is left to do. They leave their rows to be sealed by the parent then.
    *parked*: of each that has closed, its hosts that wait for long, their pages, seconds until the first is due.
    *limit*: the limit that is reached, of the pages of all or of the share of one, "" for none.
    """

    stats: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    parked: list[tuple[int, int, float]] = field(default_factory=list)
    reason: str = ""
    n_restarts: int = 0
    is_over: bool = False
    limit: str = ""


@dataclass(frozen=True, slots=True)
class FleetJob:
    """*n_shards* processes into *corpus_dir*, divided by *divide_by*; *crawl* (shard, address) is what one does.

    *show* is called each *show_secs* (0: never) and *note* each *note_secs* with the state. *more*: where the processes
    tell more of errors. *is_over* is asked each second whether to stop, for the reason *over_reason*.
    """

    corpus_dir: Path
    n_shards: int
    crawl: Callable[[int, str], object]
    show: Callable[[FleetState], None]
    note: Callable[[FleetState], None]
    more: str
    divide_by: str = DOMAIN
    show_secs: float = 5.0
    note_secs: float = 60.0
    is_over: Callable[[FleetState], bool] = lambda _state: False
    over_reason: str = ""


def run_fleet(job: FleetJob) -> FleetState:
    """Run the fleet to its end, or until it is interrupted; return what came of it.

    Raises `InputError` when another fleet crawls into the folder or the folder is another fleet's, and
    `WinnowError` when a process dies again and again.
    """
    folder = fleet_folder(job.corpus_dir)
    shards = range(job.n_shards)
    check_shards_of(job.corpus_dir, shards)
    wait_for_left(job.corpus_dir, shards)
    finish_decided(job.corpus_dir)  # else the processes would remove the files that it names
    make_folder(folder)
    lock = WriterLock(folder)
    try:
        ledger = Ledger(job.corpus_dir, shards, divide_by=job.divide_by)
        # A socket's path is 107 bytes at most, so it does not lie in the corpus folder.
        with tempfile.TemporaryDirectory(prefix="winnow-fleet-") as place:
            hub = Hub(f"{place}/hub", shards, ledger)
            return asyncio.run(_Run(job, hub).run())
    finally:
        lock.release()


def wait_for_left(corpus_dir: Path, shards: Sequence[int]) -> None:
    """Wait until the processes of *shards* have ended that an earlier parent, which was killed, has left.

    Raises `InputError` at once when another fleet crawls into *corpus_dir*, and when one of them does not end.
    """
    make_folder(fleet_folder(corpus_dir))
    lock = WriterLock(fleet_folder(corpus_dir))
    has_told, until = False, time.monotonic() + LEFT_SECS
    try:
        for folder in (journal_folder(corpus_dir, shard_name(shard)) for shard in shards):
            while folder.is_dir() and (why := _why_not_free(folder)):
                if time.monotonic() > until:
                    raise why
                if not has_told:
                    tell("Processes of a fleet that was killed are ending; waiting")
                has_told = True
                time.sleep(_LOOK_SECS)
    finally:
        lock.release()


def _why_not_free(folder: Path) -> InputError | None:
    """Return that another process has *folder*, if so; raise `InputError` for what does not pass."""
    try:
        WriterLock(folder).release()
    except InputError as error:
        if not isinstance(error.__cause__, BlockingIOError):
            raise
        return error
    return None


class _Run:
    def __init__(self, job: FleetJob, hub: Hub) -> None:
        self.job = job
        self.hub = hub
        self.children = Children(
            range(job.n_shards),
            lambda shard: job.crawl(shard, hub.address),
            self._is_ended,
            lambda shard: shard in self.hub.ending.states,
            more=job.more,
        )
        self._stopping: asyncio.Task[None] | None = None
        self._is_over = False
        self._is_late = False

    def _is_ended(self, shard: int) -> bool:
        """Tell whether the process of *shard* ended by itself; then all end."""
        is_ended = self.hub.ending.is_over or shard in self.hub.reasons
        if is_ended and not self.hub.ending.is_over:
            self._stop()
        return is_ended

    async def run(self) -> FleetState:
        await self.hub.start()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        shown = asyncio.create_task(self._repeat(self.job.show, self.job.show_secs))
        noted = asyncio.create_task(self._repeat(self.job.note, self.job.note_secs))
        judged = asyncio.create_task(self._repeat(self._judge, JUDGE_SECS))
        try:
            self.job.note(self.state())
            await self.children.run()
        finally:
            shown.cancel()
            noted.cancel()
            judged.cancel()
            if self._stopping is not None:
                await self._stopping
            await self.hub.close()
        return self.state()

    async def _repeat(self, work: Callable[[FleetState], None], secs: float) -> None:
        while secs:
            await asyncio.sleep(secs)
            work(self.state())

    def _judge(self, state: FleetState) -> None:
        has_begun = len(self.hub.last_states) == self.job.n_shards
        if has_begun and self._stopping is None and self.job.is_over(state):
            self._is_over = True
            self._stop()

    def _stop(self) -> None:
        if self._stopping is None:
            # The processes may have said by then that they have finished.
            self._is_late = self.hub.ending.is_over
            self._stopping = asyncio.ensure_future(self.children.stop())

    def state(self) -> FleetState:
        """Return what the processes said last, together."""
        states = self.hub.last_states.values()
        stats = _together([state["stats"] for state in states] + self.hub.past_stats)
        counts = Counter[str]()
        for state in states:
            counts.update(state["counts"])
        is_over = self.hub.ending.is_over
        if self._is_over:
            reason = self.job.over_reason
        elif is_over and self._stopping is None:
            reason = FINISHED
        else:
            said = () if self._is_late else self.hub.reasons.values()
            reason = next(iter(said), INTERRUPTED)
        parked = [tuple(state["parked"]) for state in states if "parked" in state]
        limit = self._limit()
        return FleetState(
            stats, dict(counts), parked, reason, self.children.n_restarts, is_over, limit
        )

    def _limit(self) -> str:
        states = self.hub.last_states.values()
        most = self.hub.budget.max_pages
        if most and sum(state["spent"] for state in states) >= most:
            return "max_pages"
        return next((state["reached"] for state in states if state.get("reached")), "")


def _together(stats: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in stats:
        for name, value in each.items():
            old = found.get(name, 0)
            found[name] = max(old, value) if name.startswith(ALIKE) else old + value
    return found
