"""The changes of one transaction: pages found, pages ended, arcs, rows.

Rules. A link that is to be followed queues its target, one link deeper (a redirect's target: as
deep, one hop more), unless that is deeper than ``max_depth``; a target that more than
``max_redirects`` redirects lead to is refused, until a link leads there (crawler.frontier.wishes).

Invariant: the pages by state that the frontier counts, and a host's ready pages, are those of the
heads after every transaction; a test recounts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.capture import LinkPages
from crawler.durable.journal import next_number
from crawler.durable.keys import u64_key, u64_of
from crawler.durable.page_state import DEPTH_SHIFT, MAX_DEPTH, STATE_MASK, STATES, PageState
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.frontier.frontier import DONE_STATES
from crawler.frontier.hosts.redirected import add_categories, heirs_of
from crawler.frontier.priorities import raise_levels
from crawler.frontier.shards.foreign_links import FoundLinks, put_foreign_seeds, split_links
from crawler.frontier.wishes import NOT_FOLLOWED, settle, wish_heads
from crawler.page.links import LinkKind
from crawler.urls.key_list import joined_keys
from crawler.webgraph.arcs.records import arc_flags, pack_arcs, page_arcs
from crawler.webgraph.hosts.rows import HostBatch
from crawler.webgraph.pages.discoveries import are_among, distinct
from crawler.webgraph.pages.table import PageTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from crawler.durable.capture import Capture
    from crawler.durable.transaction import Transaction
    from crawler.frontier.frontier import Frontier
    from crawler.urls import PageKey
    from crawler.webgraph.arcs.records import PageArcs

    U16 = npt.NDArray[np.uint16]
    U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What memory must learn of a transaction.

    *counts*: pages by state, more or fewer; *woken*: hosts, pages of each that may now be leased,
    and the lowest of them; *retries*: pages that failed once more, 0 for those that are done;
    *categorised*: hosts that have categories; *raised*: hosts of pages that have a higher priority now.
    """

    counts: npt.NDArray[np.int64]
    woken: tuple[list[int], list[int], list[int]]
    retries: dict[int, int]
    categorised: list[int]
    raised: list[int]
    first_late_ms: int | None


# A look-up in an enumeration is a tenth of a page's commit.
_QUEUED, _LATE = PageState.QUEUED, PageState.LATE


class Changes:
    """Gathers the changes of transaction *txn*; :meth:`write` ends it."""

    def __init__(self, txn: Transaction, frontier: Frontier) -> None:
        self.txn = txn
        self.frontier = frontier
        self.policy = frontier.policy
        self.hosts = HostBatch(txn)
        self.table = PageTable(txn, self.hosts)
        self.memory = self.table.memory
        self.sequence = next_number(txn, "sequence")
        self.counts = np.zeros(STATE_MASK + 1, dtype=np.int64)
        self.retries: dict[int, int] = {}
        self.arcs: list[PageArcs] = []
        self.is_new = np.zeros(0, dtype=np.bool_)
        self.raised: list[int] = []
        self._queued: list[U64] = []

    # --- pages that are found ------------------------------------------------------------------

    def want(
        self,
        keys: Sequence[PageKey],
        wishes: U16,
        priorities: npt.NDArray[np.float32] | None = None,
    ) -> U64:
        """Give every page of *keys* its id and, where the rules say so, queue it; return the ids."""
        ids, self.is_new = self.table.ids(keys)
        self.counts[PageState.KNOWN] += int(self.is_new.sum())
        steering = self.frontier.steering
        if steering is not None:
            wishes = steering.admit(keys, ids, wishes, self.memory.heads.get(ids))
        settled = settle(self.memory, ids, wishes, self.policy)
        self.counts += settled.counts
        self._queued.append(settled.queued)
        if priorities is not None and (priorities.any() or self.memory.levels is not None):
            followed = wishes != NOT_FOLLOWED
            self.raised += raise_levels(self.memory, ids[followed], priorities[followed])
        return ids

    def seed(self, keys: Sequence[PageKey], *, follow: bool = True) -> U64:
        """Give every page of *keys* its id and, with *follow*, queue it as a seed; return the ids."""
        return self.want(keys, self._seed_wishes(len(keys), follow=follow))

    def _seed_wishes(self, n: int, *, follow: bool) -> U16:
        zeros = np.zeros(n, dtype=np.int64)
        return wish_heads(zeros, zeros, np.full(n, follow), self.policy)

    def seed_elsewhere(self, keys: Sequence[PageKey]) -> None:
        """Have the owners of *keys*, which are all foreign, queue them as seeds."""
        if self.frontier.owners is not None and keys:
            wishes = self._seed_wishes(len(keys), follow=True)
            put_foreign_seeds(self.txn, self.frontier.owners, keys, wishes)

    # --- pages that are done -------------------------------------------------------------------

    def end(self, captures: Sequence[Capture]) -> None:
        """Write what came of *captures*."""
        self._end_pages(captures)
        linked = [capture for capture in captures if capture.links is not None]
        if linked:
            self._link(linked)
        self.write_rows([(c.table, c.row) for c in captures if c.row is not None])

    def _end_pages(self, captures: Sequence[Capture]) -> None:
        ids = np.array([capture.page_id for capture in captures], dtype=np.uint64)
        old = self.memory.heads.get(ids)
        states = []
        for capture, before in zip(captures, (old & STATE_MASK).tolist(), strict=True):
            assert before not in DONE_STATES, f"page {capture.page_id} was captured twice"
            state = STATES[capture.state]
            states.append(_LATE if state is _QUEUED else state)
            if state is _QUEUED or capture.retries or capture.puts:
                self._end(capture, states[-1])
        self._move(ids, old, np.array(states, dtype=np.uint16))

    def _end(self, capture: Capture, state: PageState) -> None:
        packed = u64_key(capture.page_id)
        if state == PageState.LATE:
            self.txn.put("late", u64_key(capture.due_ms) + packed, b"")
            n = self.retries[capture.page_id] = min(255, capture.retries + 1)
            if n:  # else it was put off before the first attempt
                self.txn.put("retries", packed, bytes([n]))
        elif capture.retries:
            self.retries[capture.page_id] = 0
            self.txn.delete("retries", packed)
        for table, key, value in capture.puts:
            if value is None:
                self.txn.delete(table, key)
            else:
                self.txn.put(table, key, value)

    def _link(self, captures: Sequence[Capture]) -> None:
        """Queue what *captures* link to, or have its owner do so, and keep their arcs."""
        links = [capture.links for capture in captures if capture.links is not None]
        sizes = [len(each.key) for each in links]
        depths = np.repeat([capture.depth for capture in captures], sizes)
        hops = np.repeat([capture.hops for capture in captures], sizes)
        kinds = np.concatenate([each.kind for each in links])
        is_redirect = kinds == LinkKind.REDIRECT
        wishes = wish_heads(
            np.where(is_redirect, depths, depths + 1),
            np.where(is_redirect, hops + 1, 0),
            np.concatenate([each.follow for each in links]),
            self.policy,
        )
        keys = joined_keys([each.key for each in links])
        flags = arc_flags(kinds, np.concatenate([each.nofollow for each in links]))
        found = FoundLinks(np.array(sizes), keys, wishes, flags, _priorities(links))
        heirs = heirs_of(captures)
        if self.frontier.owners is not None:
            found = split_links(self.txn, self.frontier, captures, found, heirs)
        ids = self.want(found.keys, found.wishes, found.priorities)
        ends = np.cumsum(found.sizes).tolist()
        for capture, size, end in zip(captures, found.sizes.tolist(), ends, strict=True):
            own = slice(end - size, end)
            follow = found.wishes[own] != NOT_FOLLOWED
            capture.link_pages = LinkPages(found.keys[own], ids[own], self.is_new[own], follow)
        add_categories(self, heirs)
        self.arcs += [
            page_arcs(capture.page_id, ids[end - size : end], found.flags[end - size : end])
            for capture, size, end in zip(captures, found.sizes.tolist(), ends, strict=True)
        ]

    def write_rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Append *rows* (table, row) to the log ``docs``; at most once a transaction."""
        if rows:
            record = pack_record(rows, len(rows), is_passing=True)
            append_record(self.txn, "docs", self.sequence, record)

    # --- pages whose time has come -------------------------------------------------------------

    def promote(self, now_ms: int, *, limit: int = 1000) -> None:
        """Queue the late pages that are due, at most *limit*."""
        due: list[bytes] = []
        for key in self.txn.keys("late"):
            if u64_of(key) > now_ms or len(due) == limit:
                break
            due.append(key)
        for key in due:
            self.txn.delete("late", key)
        ids = np.unique(np.array([u64_of(key[8:]) for key in due], dtype=np.uint64))
        heads = self.memory.heads.get(ids)
        is_late = heads & STATE_MASK == PageState.LATE
        states = np.full(int(is_late.sum()), PageState.QUEUED, dtype=np.uint16)
        self._move(ids[is_late], heads[is_late], states)

    def queue_again(self, ids: U64) -> tuple[U64, U64]:
        """Queue those of the pages *ids* that are done or refused, and neither out nor too deep.

        Returns them, and those of them that were done.
        """
        heads = self.memory.heads.get(ids)
        states = heads & STATE_MASK
        is_done = np.isin(states, list(DONE_STATES))
        is_due = is_done | (states == PageState.REFUSED)
        is_due &= heads >> DEPTH_SHIFT <= (self.policy.max_depth or MAX_DEPTH)
        out = self.frontier.out.ids()
        if out:
            is_due &= ~are_among(ids, np.sort(np.array(out, dtype=np.uint64)))
        self._move(
            ids[is_due],
            heads[is_due],
            np.full(int(is_due.sum()), PageState.QUEUED, dtype=np.uint16),
        )
        return ids[is_due], ids[is_due & is_done]

    def take_back(self, ids: U64) -> U64:
        """Have the pages *ids*, which are done or refused, be known alone; return those that were done."""
        heads = self.memory.heads.get(ids)
        self._move(ids, heads, np.full(len(ids), PageState.KNOWN, dtype=np.uint16))
        return ids[np.isin(heads & STATE_MASK, list(DONE_STATES))]

    def _move(self, ids: U64, old: U16, states: U16) -> None:
        """Give the pages *ids*, whose heads are *old*, new states."""
        self.memory.set_heads(ids, (old & ~np.uint16(STATE_MASK)) | states)
        n = len(self.counts)
        self.counts += np.bincount(states, minlength=n) - np.bincount(old & STATE_MASK, minlength=n)
        self._queued.append(ids[states == PageState.QUEUED])

    def write(self) -> CommitResult:
        """Write hosts and the logs; call it last."""
        if self.arcs:
            append_record(self.txn, "arcs", self.sequence, pack_arcs(self.arcs))
        self.table.write_log(self.sequence)
        categorised = self.hosts.write()
        first = self.txn.first_key("late")
        late = None if first is None else u64_of(first)
        return CommitResult(
            self.counts, self._woken(), self.retries, categorised, self.raised, late
        )

    def _woken(self) -> tuple[list[int], list[int], list[int]]:
        ids = distinct(np.concatenate([np.zeros(0, dtype=np.uint64), *self._queued]))
        out = self.frontier.out.ids() if len(ids) else []
        if out:
            ids = ids[~are_among(ids, np.sort(np.array(out, dtype=np.uint64)))]
        owners = ids >> np.uint64(32)
        firsts = np.flatnonzero(np.diff(owners, prepend=np.uint64(2**32)))
        counts = np.diff(firsts, append=len(ids))
        hosts = owners[firsts]
        lowest = ids[firsts] & np.uint64(0xFFFFFFFF)
        return hosts.tolist(), counts.tolist(), lowest.tolist()


def read_first_late(txn: Transaction) -> int | None:
    """Return when the first late page is due (ms since 1970)."""
    first = txn.first_key("late")
    return None if first is None else u64_of(first)


def _priorities(links: Sequence[Any]) -> npt.NDArray[np.float32] | None:
    """Return the priorities of all *links*; links may come without any."""
    parts = [getattr(each, "priority", None) for each in links]
    if all(part is None for part in parts):
        return None
    return np.concatenate(
        [
            np.zeros(len(each.key), dtype=np.float32) if part is None else part
            for each, part in zip(links, parts, strict=True)
        ]
    )
