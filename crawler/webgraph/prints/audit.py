"""Hits of the page table held against the text: two keys with one fingerprint would be one page."""

from __future__ import annotations

from dataclasses import dataclass

# Of the batches of keys that a crawl looks up, one in so many is audited, and so many keys of it.
AUDIT_EVERY = 64
AUDIT_KEYS = 32


@dataclass(slots=True)
class PrintAudit:
    """What was found: *n_checked* hits, of which *n_wrong* were pages with another key."""

    n_checked: int = 0
    n_wrong: int = 0
    n_batches: int = 0

    def is_due(self) -> bool:
        """Count a batch; tell whether it is one to look at. The first one is."""
        self.n_batches += 1
        return self.n_batches % AUDIT_EVERY == 1
