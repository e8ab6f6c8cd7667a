"""Which pages are out: leased, or captured and not yet committed.

Memory: about 200 bytes a host that has pages out, 60 a page more of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


class OutPages:
    """The LocalIDs of pages that are out by HostID: one in a tuple, more in a set."""

    __slots__ = ("_of",)

    def __init__(self) -> None:
        self._of: dict[int, tuple[int] | set[int]] = {}

    def __contains__(self, page_id: int) -> bool:
        return page_id & 0xFFFFFFFF in self._of.get(page_id >> 32, ())

    def ids(self) -> list[int]:
        """Return all pages that are out."""
        return [host << 32 | local for host, locals_ in self._of.items() for local in locals_]

    def of(self, host_id: int) -> Collection[int]:
        """Return the LocalIDs of the host's pages that are out."""
        return self._of.get(host_id, ())

    def add(self, page_id: int) -> bool:
        """Take the page as out; tell whether it was not."""
        host_id, local_id = page_id >> 32, page_id & 0xFFFFFFFF
        out = self._of.get(host_id)
        if out is None:
            self._of[host_id] = (local_id,)
            return True
        if local_id in out:
            return False
        if isinstance(out, tuple):
            out = self._of[host_id] = set(out)
        out.add(local_id)
        return True

    def add_all(self, page_ids: Sequence[int]) -> list[int]:
        """Take pages of as many hosts as out; return the places of those that were."""
        hosts = [page_id >> 32 for page_id in page_ids]
        if not self._of.keys().isdisjoint(hosts):
            return [place for place, page_id in enumerate(page_ids) if not self.add(page_id)]
        self._of.update(zip(hosts, zip(page_id & 0xFFFFFFFF for page_id in page_ids), strict=True))
        return []

    def remove(self, page_ids: Iterable[int]) -> None:
        """Take the pages, which are out, as no longer so."""
        for page_id in page_ids:
            out = self._of.pop(page_id >> 32)
            if len(out) > 1:
                assert isinstance(out, set)
                out.discard(page_id & 0xFFFFFFFF)
                self._of[page_id >> 32] = out
