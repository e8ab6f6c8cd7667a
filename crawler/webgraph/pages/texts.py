"""The keys of pages by their ids: what a reader of the graph needs of the page table.

Truth is the journal: the sealed runs, and the log ``disc`` of what was found since.
:meth:`PageTexts.follow` reads what it has not seen, so that a reader starts, and keeps up, in the
same way.

Memory: about 29 bytes for a host, 1.6 to 14 bytes for each run that has pages of it
(crawler.webgraph.pages.run_ranks), and 33 MB at most for what is not sealed.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.keys import u32_of, u64_key, u64_of
from crawler.webgraph.address_space import entries, reserve
from crawler.webgraph.hosts.extents import MAX_HOSTS
from crawler.webgraph.hosts.names import HostNames
from crawler.webgraph.pages.discoveries import Discoveries, run_ids, unpack_discoveries
from crawler.webgraph.pages.runs import PageRuns, read_runs
from crawler.webgraph.pages.tail import PageTail
from crawler.webgraph.texts import picked_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.texts import Texts

    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

_LOW = np.uint64(0xFFFFFFFF)
_HIGH_BITS = np.uint64(32)
# Pages of a part of what is done for all pages.
CHUNK_PAGES = 2**18


class PageTexts:
    """Hosts, the number of pages of each, and where the texts of pages are."""

    def __init__(self) -> None:
        self.hosts = HostNames()
        self.next_local: U32 = reserve(MAX_HOSTS, np.uint32)
        self.runs = PageRuns()
        self.tail = PageTail()
        self._tail_covered = 0  # the last sequence of the log disc whose texts are known
        self._sealed_hosts = 0
        self._next = entries(self.next_local)

    @property
    def n_pages(self) -> int:
        """Return the number of known pages."""
        return self.runs.n_pages + self.tail.n

    def texts(self, txn: Transaction, ids: U64) -> list[str]:
        """Return the local keys of the pages *ids*; raise `KeyError` for one that is not there."""
        self._check(ids)
        places = self.tail.find(ids)
        is_sealed = places < 0
        if is_sealed.all():
            return self.runs.read_texts(txn, ids)
        sealed = iter(self.runs.read_texts(txn, ids[is_sealed]))
        return [next(sealed) if place < 0 else self.tail.text(place) for place in places.tolist()]

    def _check(self, ids: U64) -> None:
        hosts = np.minimum(ids >> _HIGH_BITS, np.uint64(MAX_HOSTS - 1))
        unknown = ids & _LOW >= self.next_local[hosts]
        if unknown.any():
            raise KeyError(int(ids[unknown][0]))

    def gather(self, txn: Transaction, ids: U64) -> Texts:
        """Return the local keys of the pages *ids*: as `texts`, for many, in arrays."""
        self._check(ids)
        if not self.tail.n:
            return self.runs.gather(txn, ids)
        places = self.tail.find(ids)
        is_sealed = places < 0
        orders = [np.flatnonzero(is_sealed), np.flatnonzero(~is_sealed)]
        parts = [self.runs.gather(txn, ids[is_sealed]), self.tail.picked(places[~is_sealed])]
        return picked_texts(parts, orders)

    def text(self, txn: Transaction | None, page_id: int) -> str:
        """Return the local key of the page *page_id*; raise `KeyError` when it is not there.

        Without *txn*, raise `LookupError` when the journal must be asked.
        """
        host_id, local_id = page_id >> 32, page_id & 0xFFFFFFFF
        if host_id >= MAX_HOSTS or local_id >= self._next[host_id]:
            raise KeyError(page_id)
        place = self.tail.find_one(page_id) if self.tail.n else -1
        return self.runs.read_text(txn, page_id) if place < 0 else self.tail.text(place)

    def all_ids(self, host_ids: U32 | None = None) -> Iterator[U64]:
        """Yield the ids of all known pages, ascending, about a quarter of a million at a time.

        *host_ids* are those of all hosts, ascending, where the hosts are not known yet.
        """
        known = self.hosts.ascending() if host_ids is None else host_ids
        counts = self.next_local[known]
        parts = np.cumsum(counts, dtype=np.int64) // CHUNK_PAGES
        edges = np.flatnonzero(np.diff(parts, prepend=-1, append=len(counts) and parts[-1] + 1))
        for first, end in itertools.pairwise(edges.tolist()):
            hosts = known[first:end]
            yield run_ids(np.array([hosts, np.zeros_like(hosts), counts[first:end]]))

    def follow(self, txn: Transaction) -> None:
        """Read what the journal holds beyond what is known."""
        for number, found, last in read_runs(txn, len(self.runs)):
            self.hosts.add_texts(found.hosts, found.host_ids)
            self.hosts.settle()
            self._learn_run(txn, number, found, last)
            self._tail_covered = last
            self._sealed(found, last)
        for key, record in txn.scan("disc", u64_key(self._tail_covered + 1)):
            found, _ = unpack_discoveries(record)
            self.hosts.add_texts(found.hosts, found.host_ids)
            self.hosts.settle()
            self._learn(found, u64_of(key))
            self.tail.add(found.ids, found.locals)
            self._tail_covered = u64_of(key)

    def _sealed(self, found: Discoveries, last: int) -> None:
        """Take everything found as sealed."""
        self.runs.add(found, last)
        self.tail.clear()
        self._sealed_hosts = len(self.hosts)

    def _learn_run(
        self,
        txn: Transaction,  # noqa: ARG002  for those who read the texts
        number: int,  # noqa: ARG002
        found: Discoveries,
        last: int,
    ) -> None:
        self._learn(found, last)

    def _learn(self, found: Discoveries, sequence: int) -> None:  # noqa: ARG002  see PageMemory
        """Take the pages *found* by the commit *sequence*, which may be known."""
        hosts, firsts, counts = found.runs
        np.maximum.at(self.next_local, hosts, firsts + counts)

    def is_behind(self, txn: Transaction) -> bool:
        """Tell whether :meth:`follow` has something to do."""
        last = txn.last_key("runs")
        if last is not None and u32_of(last) >= len(self.runs):
            return True
        disc = txn.last_key("disc")
        return disc is not None and u64_of(disc) > self._tail_covered
