"""How pages come into a store other than by links: seeds, and stored captures; and what seeds led to."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.durable.page_state import PageState
from crawler.frontier.hosts.redirected import add_categories
from crawler.frontier.hosts.site_hosts import is_site_way, note_site_host, note_site_way, site_hosts
from crawler.frontier.hosts.sitemap_names import is_named, naming, note_named
from crawler.frontier.shards.store_hand_overs import StoreHandOvers
from crawler.frontier.store.claims import Verdict, judge_claims, note_revisits
from crawler.frontier.store.united_pages import claim_of, end_united, note_captures

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.united_page import UnitedPage
    from crawler.frontier.frontier import Frontier
    from crawler.frontier.store.changes import Changes
    from crawler.frontier.store.claims import Claim, StoredRevisit
    from crawler.urls import PageKey
    from crawler.webgraph.pages.table import Found

    U64 = npt.NDArray[np.uint64]

# Seeds of one transaction.
SEED_CHUNK = 10_000


class SeedCounts(NamedTuple):
    """Seeds given, pages that were queued for them, and hosts that were not known."""

    given: int
    new: int
    new_hosts: int


class StoreSeeds(StoreHandOvers):
    """Seeds, in chunks, and stored captures; each goes in by one transaction."""

    journal: Journal
    frontier: Frontier
    _transact: Callable[[Callable[[Changes], Any]], Any]
    _seal: Callable[..., None]
    _unspend: Callable[[U64], None]
    lookup: Callable[[Sequence[PageKey]], Found]
    is_suspect: Callable[[int], bool]
    flush: Callable[[], None]

    def __init__(self) -> None:
        super().__init__()
        self._kept_places: set[int] = set()

    def add_seeds(self, seeds: Iterable[tuple[PageKey, Sequence[str]]]) -> SeedCounts:
        """Queue the pages of *seeds* (key, category paths) that are not known; read lazily.

        Giving a seed again changes nothing; the categories of a host are those of all its seeds. Of
        several shards each is given all seeds, and takes those of its hosts.
        """
        given, new, new_hosts = 0, 0, 0
        source = self._own(seeds)
        while chunk := list(islice(source, SEED_CHUNK)):
            n_pages, n_hosts = self._transact(partial(_plant, seeds=chunk))
            given, new, new_hosts = given + len(chunk), new + n_pages, new_hosts + n_hosts
            self._seal(force=False)  # millions come before the first page that is fetched
        return SeedCounts(given, new, new_hosts)

    def add_sitemaps(self, keys: Sequence[PageKey], named_by: str) -> int:
        """Queue the sitemaps *keys*, which the robots.txt of host *named_by* names, as seeds; return how many were new.

        Those of foreign hosts go to their owners, and do not count.
        """
        if others := {key.host for key in keys} - {named_by}:
            owners = self.frontier.owners
            self._transact(lambda changes: note_named(changes.txn, owners, others, named_by))
        elsewhere = [key for key in keys if not self.is_own(key.host)]
        if elsewhere:
            self._transact(lambda changes: changes.seed_elsewhere(elsewhere))
        return self.add_seeds((key, ()) for key in keys).new

    def hosts_naming(self, on: str, hosts: Collection[str]) -> set[str]:
        """Return those of *hosts* whose robots.txt names a sitemap on the host *on*."""
        if not hosts:
            return set()
        with self.journal.read() as txn:
            return naming(txn, on, hosts)

    def is_named(self, on: str) -> bool:
        """Tell whether the robots.txt of any other host names a sitemap on the host *on*."""
        with self.journal.read() as txn:
            return is_named(txn, on)

    def add_site_host(self, address_host: str, host: str) -> None:
        """Have all shards know that the address at *address_host* led to a page of *host*, both host keys."""
        if host not in self.site_hosts(address_host):
            note = partial(note_site_host, address_host=address_host, host=host)
            self._transact(lambda changes: note(changes.txn, self.frontier.owners))

    def add_site_way(self, address_host: str, key: PageKey) -> None:
        """Have all shards know that a redirect of the address at *address_host* leads to the page of *key*."""
        if not self.is_site_way(address_host, key):
            note = partial(note_site_way, address_host=address_host, key=key)
            self._transact(lambda changes: note(changes.txn, self.frontier.owners))

    def site_hosts(self, address_host: str) -> list[str]:
        """Return the hosts of the pages that the address at *address_host* led to, as far as this shard knows."""
        with self.journal.read() as txn:
            return site_hosts(txn, address_host)

    def is_site_way(self, address_host: str, key: PageKey) -> bool:
        """Tell whether a redirect of the address at *address_host* leads to the page of *key*, as far as this shard
        knows.
        """
        with self.journal.read() as txn:
            return is_site_way(txn, address_host, key)

    def host_of(self, key: PageKey) -> int | None:
        """Return the HostID of the host of *key*, None when it is another shard's.

        A host that is not known becomes so, with the page of *key*, which is not queued.
        """
        if not self.is_own(key.host):
            return None
        host_id = self.frontier.memory.hosts.find(key.host)
        if host_id is None:
            ids = self._transact(lambda changes: changes.seed([key], follow=False))
            host_id = int(ids[0]) >> 32
        return host_id

    def is_at_work_on(self, keys: Sequence[PageKey]) -> bool:
        """Tell whether a page of *keys* is out to be processed; those that wait for their commit are committed."""
        found = self.lookup([key for key in keys if self.is_own(key.host)])
        ids = found.ids[found.known].tolist()
        out = [page_id for page_id in ids if page_id in self.frontier.out]
        leases = self.frontier.leases
        if any(page_id in leases and not self.is_suspect(page_id) for page_id in out):
            return True
        if not all(page_id in leases for page_id in out):
            self.flush()
        return False

    def claim(self, claims: Sequence[Claim]) -> list[Verdict]:
        """Judge stored captures (crawler.frontier.store.claims) in one transaction; limits count what is captured again
        once, and leave its place to no other page.

        Of several shards each is given all; those of foreign hosts are ``DONE``, by their owners. A page that is
        out keeps the capture that it has.
        """
        own = [claim for claim in claims if self.is_own(claim.key.host)]
        judged, done = self._transact(lambda changes: judge_claims(changes, own))
        self._kept_places.update(done.tolist())
        verdicts = iter(judged)
        return [next(verdicts) if self.is_own(claim.key.host) else Verdict.DONE for claim in claims]

    def _gives_up_place(self, page_id: int) -> bool:
        """Tell whether the page is to be captured again, and was counted until now: limits need no room for it."""
        if page_id not in self._kept_places or self.frontier.hosts.is_stopped:
            return False
        self._kept_places.remove(page_id)
        self._unspend(np.array([page_id], dtype=np.uint64))
        return True

    def note_revisits(self, revisits: Sequence[StoredRevisit]) -> bool:
        """Note stored *revisits*, those of foreign hosts apart; tell whether all is to be read again for them."""
        own = [revisit for revisit in revisits if self.is_own(revisit.key.host)]
        return bool(own) and bool(self._transact(lambda changes: note_revisits(changes, own)))

    def know(self, keys: Sequence[PageKey]) -> U64:
        """Give every page of *keys* its id, queue none, and return the ids."""
        ids: U64 = self._transact(lambda changes: changes.seed(keys, follow=False))
        return ids

    def note_categories(self, of_hosts: Mapping[str, Iterable[str]]) -> None:
        """Note the categories of hosts, by their keys, which are known."""
        self._transact(lambda changes: add_categories(changes, of_hosts))

    def note_captures(self, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
        """Note what another journal knows of captures (crawler.frontier.store.united_pages)."""
        self._transact(lambda changes: note_captures(changes.txn, rows))

    def unite(self, pages: Sequence[UnitedPage]) -> tuple[int, int]:
        """Take over those of *pages*, none of them twice, whose capture is the latest.

        Returns how many were taken, and how many left for a later one; the rest are there. No limit counts them:
        nothing was leased.
        """
        claims = [claim_of(page) for page in pages]
        verdicts, _ = self._transact(lambda changes: judge_claims(changes, claims))
        taken = [p for p, verdict in zip(pages, verdicts, strict=True) if verdict is Verdict.TAKE]
        if taken:
            self._transact(lambda changes: end_united(changes, taken))
        self._seal(force=False)
        return len(taken), verdicts.count(Verdict.REPLACED)

    def add_rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Write *rows* (table, row) that are no page's current ones."""
        self._transact(lambda changes: changes.write_rows(rows))
        self._seal(force=False)


def _plant(changes: Changes, seeds: Sequence[tuple[PageKey, Sequence[str]]]) -> tuple[int, int]:
    """Queue *seeds*; return how many pages were queued for them, and how many hosts are new."""
    before = len(changes.memory.hosts)
    changes.seed([key for key, _ in seeds])
    categories: dict[str, set[str]] = {}
    for key, paths in seeds:
        if paths:
            categories.setdefault(key.host, set()).update(paths)
    for host_key, united in categories.items():
        host_id = changes.hosts.find(host_key)
        assert host_id is not None
        changes.hosts.add_categories(host_id, united)
    return int(changes.counts[PageState.QUEUED]), len(changes.memory.hosts) - before
