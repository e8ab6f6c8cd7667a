"""What a store does as one shard of several: its hand-overs, as part of its commits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from crawler.fleet.gaps import Gaps
    from crawler.fleet.hand_over import Transport
    from crawler.fleet.owners import Owners
    from crawler.frontier.shards.hand_overs import HandOvers
    from crawler.urls import PageKey
    from crawler.webgraph.hosts.ids import BlockSource


class Membership(NamedTuple):
    """A shard among others: who owns which host, where HostIDs come from, and what carries links.

    *awaited*: of a shard that came late, those that may have hosts for it. *gaps*: of the addresses, and
    domains, that they share, None when each keeps its own.
    """

    owners: Owners
    blocks: BlockSource
    transport: Transport
    awaited: tuple[int, ...] = ()
    gaps: Gaps | None = None


class StoreHandOvers:
    """The hand-overs of a store that is a shard of several; one that is alone has none."""

    hand_overs: HandOvers | None
    _arrived_at: float | None

    def is_own(self, host_key: str) -> bool:
        """Tell whether the host is this shard's."""
        return self.hand_overs is None or self.hand_overs.owners.is_own(host_key)

    def _own(
        self, seeds: Iterable[tuple[PageKey, Sequence[str]]]
    ) -> Iterator[tuple[PageKey, Sequence[str]]]:
        return (seed for seed in seeds if self.is_own(seed[0].host))

    def _wait_for_arrivals(self, now: float, sync_secs: float, *, is_busy: bool) -> float | None:
        """Return the seconds until what came of other shards is to be taken; None if nothing came.

        While pages are out, it waits for *sync_secs*, so that it may go with their commit.
        """
        if self.hand_overs is None or not self.hand_overs.poll():
            self._arrived_at = None
            return None
        if self._arrived_at is None:
            self._arrived_at = now
        return max(0.0, self._arrived_at + sync_secs - now) if is_busy else 0.0
