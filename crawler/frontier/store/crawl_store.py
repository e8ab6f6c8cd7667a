"""The store of a crawl: the frontier, and the one way into the journal.

A page's way: :meth:`CrawlStore.next_page` leases it, :meth:`~CrawlStore.open_capture` opens its capture,
:meth:`~CrawlStore.finish` hands the capture over. Captures are committed in groups, each in one transaction; a page is
acknowledged, and its links become pages, when its group is committed.

Guarantees: after any ``kill -9`` everything acknowledged is there, nothing is there twice, and what was not
acknowledged is queued again. A failed transaction ends the crawl: memory is then ahead of the journal.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from crawler.durable.at_work import PageAtWork
from crawler.durable.journal import no_step
from crawler.durable.layout import SHARD, shard_name
from crawler.durable.page_state import STATES
from crawler.errors import WinnowError
from crawler.frontier.frontier import Frontier
from crawler.frontier.hosts.clock_set_back import note_clock, shorten_waits
from crawler.frontier.leases.crashes import HELD_FOR_SECS, StoreCrashes
from crawler.frontier.leases.lease import Seen
from crawler.frontier.outcome import QUEUED
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.revisits import note_visit
from crawler.frontier.shards.hand_overs import HandOvers
from crawler.frontier.store.changes import Changes, read_first_late
from crawler.frontier.store.opening import check_corpus, open_journal
from crawler.frontier.store.pending import StorePending
from crawler.frontier.store.reader import StoreReader
from crawler.frontier.store.refusals import StoreRefusals
from crawler.frontier.store.seeds import SeedCounts, StoreSeeds
from crawler.frontier.store.steering import StoreSteering
from crawler.frontier.store.totals import CrawlTotals
from crawler.webgraph.arcs.segments import GraphSealer
from crawler.webgraph.pages.sealer import PageSealer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from crawler.durable.capture import Archive, Capture
    from crawler.durable.sealing import Sealer
    from crawler.durable.transaction import Transaction
    from crawler.fleet.gaps import Secs
    from crawler.frontier.leases.lease import Lease, NoLease
    from crawler.frontier.shards.store_hand_overs import Membership
    from crawler.frontier.store.changes import CommitResult
    from crawler.urls import PageKey

__all__ = ["CrawlStore", "SeedCounts", "check_corpus"]

T = TypeVar("T")

# A page of the web has about 118 links, menus included, so graph and documents are sealed about as often.
ARCS_PER_ROW = 100

_STATES = "fetched, gone, refused, queued"


class CrawlStore(
    StoreReader,
    StorePending,
    StoreRefusals,
    StoreCrashes,
    StoreSeeds,
    StoreSteering,
):
    """Opens the corpus in *corpus_dir* for writing, and creates it when there is none.

    *member*: what makes it one shard of several, whose hosts are others' but for its own.

    *on_commit* are called with the captures of a group after its commit; *sealers* after each commit, and with
    ``force=True`` at the end; *archive*, if there is one, is asked before it. *on_step* is for tests. Raises
    `InputError` when another process writes there, `FormatError` when the corpus is damaged or of another format.
    """

    def __init__(
        self,
        corpus_dir: Path | str,
        *,
        policy: FrontierPolicy | None = None,
        commit: CommitPolicy | None = None,
        member: Membership | None = None,
        on_step: Callable[[str], None] = no_step,
    ) -> None:
        super().__init__()
        self.corpus_dir = Path(corpus_dir)
        self.policy = policy or FrontierPolicy()
        self.commit_policy = commit or CommitPolicy()
        owners, gaps = (None, None) if member is None else (member.owners, member.gaps)
        shard = SHARD if owners is None else shard_name(owners.own)
        self.journal = open_journal(self.corpus_dir, shard, on_step=on_step)
        try:
            self.at_work = PageAtWork(self.journal.folder / "at_work")
            self._epoch = time.time() - time.monotonic()
            shorten_waits(self.journal, self._wall_ms(time.monotonic()), self.policy)
            self._new_frontier = partial(
                Frontier, self.journal, self.policy, epoch=self._epoch, owners=owners, gaps=gaps
            )
            self.frontier = self._new_frontier()
            self.hand_overs = self._joined(member)
            with self.journal.read() as txn:
                self._first_late_ms = read_first_late(txn)
                self.totals = CrawlTotals(txn, self.policy)
            self.sealers: list[Sealer] = [self._graph_sealer(), self._page_sealer()]
        except BaseException:
            self.journal.close()
            raise
        self.archive: Archive | None = None
        self.on_commit: list[Callable[[list[Capture]], None]] = []
        self.n_doubles = 0
        self.n_transactions = 0
        self._arrived_at = None
        self._group: list[Capture] = []
        self._group_since = 0.0
        self._closed = False
        self._join()

    def _joined(self, member: Membership | None) -> HandOvers | None:
        if member is None:
            return None
        self.frontier.memory.hosts.lease_from(member.blocks)
        return HandOvers(self.journal, member.owners, member.transport, awaited=member.awaited)

    def _page_sealer(self) -> PageSealer:
        commit = self.commit_policy
        return PageSealer(
            self.journal,
            n_pages=commit.seal_pages,
            snapshot_pages=commit.snapshot_pages,
            thread_pages=commit.thread_pages,
        )

    def _graph_sealer(self) -> GraphSealer:
        commit = self.commit_policy
        return GraphSealer(
            self.corpus_dir, n_arcs=commit.seal_rows * ARCS_PER_ROW, n_bytes=commit.seal_bytes
        )

    # --- pages go out --------------------------------------------------------------------------

    def next_page(self, now: float) -> Lease | None:
        """Lease the next page that is due at *now* (seconds of any steady clock)."""
        if self.hand_overs is not None and self.is_gathering:
            return None
        if self._first_late_ms is not None and self._first_late_ms <= self._wall_ms(now):
            self._transact(lambda changes: changes.promote(self._wall_ms(now)))
        if self.n_suspects and (suspect := self.next_suspect(is_idle=False)) is not None:
            return suspect
        lease = self.lease_steered(now)
        if lease is None and self.n_suspects and self._has_only_suspects(now):
            return self.next_suspect(is_idle=True)
        return lease

    def _has_only_suspects(self, now: float) -> bool:
        """Tell whether, but for pages that are held back, nothing is out or will soon be due."""
        if self.n_leased > self.n_suspects or self._group:
            return False
        wait = self.next_due(now)
        return wait is None or wait > HELD_FOR_SECS

    def lease_key(self, key: PageKey, now: float, *, polite: bool = True) -> Lease | NoLease:
        """Lease the page of *key*, which need not be known, or say why not."""
        if not self.is_own(key.host):
            self._transact(lambda changes: changes.seed_elsewhere([key]))
            return Seen
        found = self.lookup([key])
        if found.known[0]:
            page_id = int(found.ids[0])
        else:
            page_id = int(self._transact(lambda changes: changes.seed([key], follow=False))[0])
        is_counted = self._gives_up_place(page_id)
        return self.frontier.lease_page(page_id, now, polite=polite, is_counted=is_counted)

    def release(self, lease: Lease, now: float | None = None) -> None:
        """End *lease* without a capture: the page may be leased again."""
        self.totals.end(lease.page_id)
        self.frontier.release(lease, time.monotonic() if now is None else now)

    def put_back(self, lease: Lease, waits: Secs, now: float) -> None:
        """End *lease*, whose page was not asked for: other shards have its domain or address for *waits*."""
        self.totals.end(lease.page_id)
        self.frontier.put_back(lease, waits, now)

    # --- captures ------------------------------------------------------------------------------

    def finish(self, capture: Capture, now: float | None = None) -> None:
        """Take *capture* over: its lease ends at *now*, its group is committed when it is full."""
        if capture.done or capture.page_id not in self.frontier.leases:
            self.n_doubles += 1
            raise ValueError(f"capture of {capture.url} must be of a page that is leased, once")
        if capture.state not in STATES:
            raise ValueError(f"state must be one of {_STATES}, got {capture.state!r}")
        now = time.monotonic() if now is None else now
        note_visit(capture)
        self.restore_row(capture)
        self.note_link_file(capture)
        self.at_work.end(capture.page_id)
        if capture.state == QUEUED:
            capture.due_ms = self._wall_ms(now + capture.retry_in_secs)
        self.totals.end(capture.page_id, capture.n_bytes)
        self.frontier.finish(capture, now)
        self.take_over(capture, now)

    def take_over(self, capture: Capture, now: float) -> None:
        """Put *capture*, whose lease has ended, into the open group; commit that when it is full."""
        capture.done = True
        if not self._group:
            self._group_since = now
        self._group.append(capture)
        is_full = len(self._group) >= self.commit_policy.group_pages
        if self.archive is not None:
            self.archive.put(capture)
            is_full |= self.archive.is_full
        if is_full:
            self.flush()

    def tick(self, now: float) -> None:
        """Commit the open group when it is old enough; see whether a limit is reached."""
        self.frontier.stop(is_stopped=self.totals.is_reached)
        is_old = self._group and now - self._group_since >= self.commit_policy.sync_secs
        if is_old or self._wait_for_others(now) == 0.0:
            self.flush()

    def flush(self) -> None:
        """Commit the open group, and what came of other shards."""
        if not self._group and self._arrived_at is None:
            return
        group = self._group
        if self.archive is not None and group:
            with self._told():
                self.archive.settle(group)
        self._transact(partial(self._write_group, group=group))
        self._group = []
        if group:
            self.frontier.committed(group)
            for listener in self.on_commit:
                listener(group)
        if self.hand_overs is not None:
            self._settle_hand_overs(self.hand_overs)
        self._seal(force=False)

    def _write_group(self, changes: Changes, group: Sequence[Capture]) -> None:
        if group:
            changes.end(group)
        if self.hand_overs is not None:
            self.hand_overs.work(changes)
        self._write_state(changes.txn)

    def _write_state(self, txn: Transaction) -> None:
        self.totals.write(txn)
        self.write_yields(txn)
        note_clock(txn, self._wall_ms(time.monotonic()))

    def close(self) -> None:
        """Commit and seal everything, and let go of the folder; a second call does nothing."""
        if self._closed:
            return
        try:
            self.flush()
            self.journal.write(self._write_state)
            self._seal(force=True)
        finally:
            self._closed = True
            if self.archive is not None:
                self.archive.close()
            self.at_work.close()
            self.journal.close()

    def _seal(self, *, force: bool) -> None:
        with self._told():
            for sealer in self.sealers:
                sealer(self.journal, force=force)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, WinnowError) as error:
            self.journal.on_failure(error)
            raise

    def _transact(self, work: Callable[[Changes], T]) -> T:
        def run(txn: Transaction) -> tuple[T, CommitResult]:
            changes = Changes(txn, self.frontier)
            return work(changes), changes.write()

        answer, result = self.journal.write(run)
        self.n_transactions += 1
        self.frontier.apply(result)
        self._first_late_ms = result.first_late_ms
        if self.hand_overs is not None:
            self.hand_overs.send()
        return answer
