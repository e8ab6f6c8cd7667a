"""Waits of hosts and pages that no rule gave them: the wall clock was set back between two runs.

The journal says by the wall clock when a host is asked again and when a page is tried again. A clock that ran ahead
by a month, and was set right, would have them wait for that month. Each commit notes the time; waits are as much
shorter as that lies ahead when the journal is opened again, so that each is at most what it was at the last commit.
What another machine handed over, whose clock runs ahead, waits no longer than the longest wait.

*On disk.* ``meta``, ``clock``: u64 big-endian, ms since 1970 by the wall clock of the last commit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key, u64_of
from crawler.frontier.hosts.politeness import scan_patience, write_patience

if TYPE_CHECKING:
    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.frontier.policy import FrontierPolicy

_TABLE = "late"
_DUE_BYTES = 8
_CLOCK = b"clock"


def note_clock(txn: Transaction, now_ms: int) -> None:
    """Note that it is *now_ms* since 1970."""
    txn.put("meta", _CLOCK, u64_key(now_ms))


def shorten_waits(journal: Journal, now_ms: int, policy: FrontierPolicy) -> None:
    """Take from all waits what the clock was set back by, *now_ms* since 1970 being the time.

    Those that would be longer than *policy* knows wait as at a first failure.
    """
    latest_ms = now_ms + round(1000 * policy.wait_max_secs)

    def mended(due_ms: int, first_secs: float) -> int:
        due_ms = max(0, due_ms - back_ms)
        first_ms = now_ms + round(1000 * min(first_secs, policy.wait_max_secs))
        return due_ms if due_ms <= latest_ms else first_ms

    with journal.read() as txn:
        clock = txn.get("meta", _CLOCK)
        back_ms = 0 if clock is None else max(0, u64_of(clock) - now_ms)
        hosts = [
            (host_id, replace(patience, not_before_ms=due_ms))
            for host_id, patience in scan_patience(txn)
            if (due_ms := mended(patience.not_before_ms, policy.park_secs))
            != patience.not_before_ms
        ]
        first = u64_key(0 if back_ms else latest_ms)
        pages = [bytes(key) for key, _ in txn.scan(_TABLE, first)]

    def work(txn: Transaction) -> None:
        for host_id, patience in hosts:
            write_patience(txn, host_id, patience)
        for key in pages:
            txn.delete(_TABLE, key)
        for key in pages:
            due_ms = mended(u64_of(key[:_DUE_BYTES]), policy.retry_secs)
            txn.put(_TABLE, u64_key(due_ms) + key[_DUE_BYTES:], b"")
        note_clock(txn, now_ms)

    if hosts or pages or back_ms:
        journal.write(work)
