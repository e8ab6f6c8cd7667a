"""The changes of one transaction: pages found, pages ended, arcs, rows, counts.

Rules. A link that is to be followed queues its target, one link deeper (a redirect's target: as
deep, one hop more), unless that is deeper than ``max_depth``; a target that more than
``max_redirects`` redirects lead to is refused, until a link leads there. A target that was only
known is queued when such a link is found; a queued one keeps the smallest depth found so far.

Invariant: ``counts`` in ``meta`` are the pages by state, and a host's ``n_queued`` and ``n_fetched``
those of its pages, after every transaction; a test recounts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import msgpack
import numpy as np

from crawler.durable.journal import next_number
from crawler.durable.keys import u64_key, u64_of
from crawler.durable.page_state import (
    HEAD_BYTES,
    MAX_COUNT,
    MAX_DEPTH,
    PageHead,
    PageState,
    pack_head,
    split_id,
    unpack_head,
)
from crawler.durable.records import pack_record
from crawler.durable.sealing import append_record
from crawler.durable.transaction import lost_row
from crawler.frontier.frontier import DONE_STATES
from crawler.page.links import LinkKind
from crawler.webgraph.arcs import arc_flags, pack_arcs, page_arcs
from crawler.webgraph.host_rows import HostBatch
from crawler.webgraph.page_table import PageTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy.typing as npt

    from crawler.durable.capture import Capture, LinkArrays
    from crawler.durable.transaction import Transaction
    from crawler.frontier.frontier import Frontier
    from crawler.urls import PageKey
    from crawler.webgraph.host_rows import HostRow

# A wish is how a target was linked to, in one number whose least is the best: bit 24 set when it is
# not to be followed, then 16 bits of depth and 8 of hops.
NOT_FOLLOWED = 1 << 24

WAITING = frozenset({PageState.QUEUED, PageState.LATE})


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What memory must learn of a transaction: hosts touched, pages by state, late pages."""

    hosts: list[HostRow]
    counts: list[int]
    first_late_ms: int | None


def wish(depth: int, hops: int = 0, *, follow: bool = True) -> int:
    """Return the wish to have a page of *depth* after *hops* redirects."""
    return (0 if follow else NOT_FOLLOWED) | min(depth, MAX_DEPTH) << 8 | min(hops, MAX_COUNT)


class Wishes:
    """The pages that are linked to, each once, with the best of the wishes for it."""

    __slots__ = ("_places", "codes", "keys")

    def __init__(self, wishes: Iterable[tuple[PageKey, int]] = ()) -> None:
        self.keys: list[PageKey] = []
        self.codes: list[int] = []
        self._places: dict[PageKey, int] = {}
        for key, code in wishes:
            self.add(key, code)

    def add(self, key: PageKey, code: int) -> int:
        """Add the wish *code* for *key*; return its place in ``keys``."""
        place = self._places.setdefault(key, len(self.keys))
        if place == len(self.keys):
            self.keys.append(key)
            self.codes.append(code)
        elif code < self.codes[place]:
            self.codes[place] = code
        return place


class Changes:
    """Gathers the changes of transaction *txn*; :meth:`write` ends it."""

    def __init__(self, txn: Transaction, frontier: Frontier) -> None:
        self.txn = txn
        self.frontier = frontier
        self.policy = frontier.policy
        self.hosts = HostBatch(txn)
        self.table = PageTable(txn, self.hosts)
        self.sequence = next_number(txn, "sequence")
        self.counts = read_counts(txn)[0]
        self._heads: dict[int, bytes] = {}

    # --- pages that are found ------------------------------------------------------------------

    def want(self, wishes: Wishes) -> npt.NDArray[np.uint64]:
        """Give every page of *wishes* its id and, where the rules say so, queue it; return the ids."""
        heads = [self._head(code) for code in wishes.codes]
        ids, is_new = self.table.ids(wishes.keys, heads)
        known = []
        for page_id, head, new in zip(ids.tolist(), heads, is_new.tolist(), strict=True):
            queued = head[0] == PageState.QUEUED
            if new:
                self.counts[head[0]] += 1
                if queued:
                    self._queue(page_id)
            elif queued:
                known.append((u64_key(page_id), head))
        self._want_again(sorted(known))
        return ids

    def _head(self, code: int) -> bytes:
        head = self._heads.get(code)
        if head is None:
            depth, hops = code >> 8 & MAX_DEPTH, code & MAX_COUNT
            head = self._heads[code] = pack_head(self._first_state(code, depth, hops), depth, hops)
        return head

    def _first_state(self, code: int, depth: int, hops: int) -> PageState:
        if code & NOT_FOLLOWED or (self.policy.max_depth and depth > self.policy.max_depth):
            return PageState.KNOWN
        return PageState.REFUSED if hops > self.policy.max_redirects else PageState.QUEUED

    def _want_again(self, wanted: Sequence[tuple[bytes, bytes]]) -> None:
        """Queue pages that are known already, or lower their depth; *wanted* is sorted."""
        rows = self.txn.get_many("pages", [packed for packed, _ in wanted])
        changed = []
        for packed, wanted_head in wanted:
            if (row := rows.get(packed)) is None:
                raise lost_row("pages", u64_of(packed))
            if row[0] in DONE_STATES or (row[0] in WAITING and row[1:3] <= wanted_head[1:3]):
                continue  # most are; bytes 1 and 2 are the depth
            head = self._better(unpack_head(row), unpack_head(wanted_head))
            if head is not None:
                changed.append((packed, pack_head(*head) + row[HEAD_BYTES:]))
                self._move(u64_of(packed), row[0], head.state)
        self.txn.put_many("pages", changed)

    def _better(self, old: PageHead, new: PageHead) -> PageHead | None:
        """Return the head that the page takes, None when it stays as it is."""
        if old.state in WAITING:
            return old._replace(depth=new.depth, hops=new.hops) if new.depth < old.depth else None
        too_far = old.state == PageState.REFUSED and old.hops > self.policy.max_redirects
        if old.state == PageState.KNOWN or too_far:
            return new._replace(retries=old.retries)
        return None

    # --- pages that are done -------------------------------------------------------------------

    def end(self, captures: Sequence[Capture]) -> None:
        """Write what came of *captures*."""
        for capture in captures:
            self._end(capture)
        wishes = Wishes()
        linked = [
            (capture.page_id, capture.links, _add_links(wishes, capture, capture.links))
            for capture in captures
            if capture.links is not None
        ]
        ids = self.want(wishes)
        arcs = [
            page_arcs(page_id, ids[places], arc_flags(links.kind, links.nofollow))
            for page_id, links, places in linked
        ]
        if arcs:
            append_record(self.txn, "arcs", self.sequence, pack_arcs(arcs))
        self.write_rows([(c.table, c.row) for c in captures if c.row is not None])

    def _end(self, capture: Capture) -> None:
        packed = u64_key(capture.page_id)
        row = self.txn.get("pages", packed)
        if row is None:
            raise lost_row("pages", capture.page_id)
        head = unpack_head(row)
        assert head.state not in DONE_STATES, f"page {capture.page_id} was captured twice"
        state = PageState[capture.state.upper()]
        if state == PageState.QUEUED:
            state = PageState.LATE
            self.txn.put("late", u64_key(capture.due_ms) + packed, b"")
        late = state == PageState.LATE
        new = pack_head(state, head.depth, head.hops, head.retries + late)
        self.txn.put("pages", packed, new + row[HEAD_BYTES:])
        self._move(capture.page_id, head.state, state)
        if capture.digest is not None:
            self.txn.put_new("digests", capture.digest, packed)
        if capture.simhash is not None:
            self.txn.put("simhashes", packed, u64_key(capture.simhash))
        for table, key, value in capture.puts:
            self.txn.put(table, key, value)

    def write_rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Append *rows* (table, row) to the log ``docs``; at most once a transaction."""
        if rows:
            append_record(self.txn, "docs", self.sequence, pack_record(rows, len(rows)))

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
            packed = key[8:]
            row = self.txn.get("pages", packed)
            if row is not None and row[0] == PageState.LATE:
                head = unpack_head(row)._replace(state=PageState.QUEUED)
                self.txn.put("pages", packed, pack_head(*head) + row[HEAD_BYTES:])
                self._move(u64_of(packed), PageState.LATE, PageState.QUEUED)

    # --- keeping count -------------------------------------------------------------------------

    def _move(self, page_id: int, old: int, new: int) -> None:
        """Count the page from state *old* to state *new*."""
        if old == new:
            return
        self.counts[old] -= 1
        self.counts[new] += 1
        host = self.hosts.row(split_id(page_id)[0])
        host.n_queued -= old == PageState.QUEUED
        host.n_fetched += new in DONE_STATES
        if new == PageState.QUEUED:
            self._queue(page_id)

    def _queue(self, page_id: int) -> None:
        host_id, local_id = split_id(page_id)
        host = self.hosts.row(host_id)
        host.n_queued += 1
        if not self.frontier.is_out(page_id):
            host.wake(local_id)

    def write(self) -> CommitResult:
        """Write hosts, counts and the log of what was found; call it last."""
        self.table.write_log(self.sequence)
        cursors = self.frontier.cursors()
        rows = self.hosts.rows()
        for row in rows:
            row.cursor = min(cursors.of(row.host_id), row.lowest_woken)
        self.hosts.write()
        self.txn.put("meta", b"counts", msgpack.packb(self.counts))
        return CommitResult(rows, *read_counts(self.txn))


def read_counts(txn: Transaction) -> tuple[list[int], int | None]:
    """Return the pages by state, and when the first late page is due (ms since 1970)."""
    raw = txn.get("meta", b"counts")
    first = txn.first_key("late")
    counts = msgpack.unpackb(raw) if raw else [0] * len(PageState)
    return counts, None if first is None else u64_of(first)


def _add_links(wishes: Wishes, capture: Capture, links: LinkArrays) -> npt.NDArray[np.intp]:
    """Add the *links* of *capture* to *wishes*; return the place of each."""
    deeper = wish(capture.depth + 1)
    redirect = wish(capture.depth, capture.hops + 1)
    codes = np.where(links.kind == LinkKind.REDIRECT, redirect, deeper)
    codes |= np.where(links.follow, 0, NOT_FOLLOWED)
    places = map(wishes.add, cast("Sequence[PageKey]", links.key), codes.tolist())
    return np.fromiter(places, np.intp, len(links.key))
