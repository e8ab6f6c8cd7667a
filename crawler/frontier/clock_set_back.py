"""Waits of hosts and pages that no rule gave them: the wall clock was set back between two runs.

The journal says by the wall clock when a host is asked again and when a page is tried again. A clock that ran ahead
by a month, and was set right, would have them wait for that month.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.durable.keys import u64_key
from crawler.frontier.politeness import scan_patience, write_patience

if TYPE_CHECKING:
    from crawler.durable.journal import Journal
    from crawler.durable.transaction import Transaction
    from crawler.frontier.policy import FrontierPolicy

_TABLE = "late"
_DUE_BYTES = 8


def shorten_waits(journal: Journal, now_ms: int, policy: FrontierPolicy) -> None:
    """Have those that would wait longer from *now_ms* on (since 1970) than *policy* knows wait as at a first failure."""
    latest_ms = now_ms + round(1000 * policy.wait_max_secs)
    again_ms = now_ms + round(1000 * min(policy.park_secs, policy.wait_max_secs))
    with journal.read() as txn:
        hosts = [
            (host_id, replace(patience, not_before_ms=again_ms))
            for host_id, patience in scan_patience(txn)
            if patience.not_before_ms > latest_ms
        ]
        pages = [bytes(key) for key, _ in txn.scan(_TABLE, u64_key(latest_ms))]
    due = u64_key(now_ms + round(1000 * min(policy.retry_secs, policy.wait_max_secs)))

    def work(txn: Transaction) -> None:
        for host_id, patience in hosts:
            write_patience(txn, host_id, patience)
        for key in pages:
            txn.delete(_TABLE, key)
            txn.put(_TABLE, due + key[_DUE_BYTES:], b"")

    if hosts or pages:
        journal.write(work)
