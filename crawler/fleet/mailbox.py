"""What passes between the crawl and a thread that carries its records: bounded, under one lock."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from crawler.fleet.hand_over import Sent


class Mailbox:
    """The crawl's side of a transport (`crawler.fleet.hand_over.Transport`), and the carrier's.

    At most *most* records wait to be carried; an owner for whom there was no room is refused until
    the carrier says that his records were lost, so that none is carried out of turn.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._out: deque[Sent] = deque()
        self._held: deque[Sent] = deque()
        self._to_acknowledge: dict[int, int] = {}
        self._acknowledged: dict[int, int] = {}
        self._lost: set[int] = set()
        self._refused: set[int] = set()

    # --- what the crawl calls --------------------------------------------------------------------

    def send(self, sent: Sent) -> None:
        """Carry *sent* to its owner, or report the owner as lost later."""
        with self._lock:
            if sent.owner in self._refused or len(self._out) >= self.most:
                self._refused.add(sent.owner)
            else:
                self._out.append(sent)

    def has_news(self) -> bool:
        """Tell whether something has come since it was asked for."""
        return bool(self._held or self._acknowledged or self._lost)

    def received(self) -> list[Sent]:
        """Return the records that have arrived since the last call."""
        with self._lock:
            records = list(self._held)
            self._held.clear()
        return records

    def acknowledge(self, source: int, number: int) -> None:
        """Tell *source* that its records up to *number* are taken for good."""
        with self._lock:
            self._to_acknowledge[source] = max(number, self._to_acknowledge.get(source, 0))

    def acknowledged(self) -> Mapping[int, int]:
        """Return the last number that each owner has acknowledged since the last call."""
        with self._lock:
            answer, self._acknowledged = self._acknowledged, {}
        return answer

    def was_lost(self) -> set[int]:
        """Return the owners that may have lost records since the last call."""
        with self._lock:
            lost, self._lost = self._lost, set()
        return lost

    # --- what the carrier calls ------------------------------------------------------------------

    def n_waiting(self) -> int:
        """Return the number of records that wait to be carried."""
        return len(self._out)

    def has_room(self) -> bool:
        """Tell whether records may be held that the crawl has yet to take."""
        return len(self._held) < self.most

    def collect(self) -> tuple[list[Sent], set[int], dict[int, int]]:
        """Return what is to be carried, the owners that were refused, and what is acknowledged."""
        with self._lock:
            records, refused = list(self._out), self._refused
            self._out.clear()
            self._refused = set()
            return records, refused, dict(self._to_acknowledge)

    def hold(self, records: Sequence[Sent]) -> None:
        """Keep *records*, which have arrived, for the crawl."""
        with self._lock:
            self._held.extend(records)

    def tell_acknowledged(self, numbers: Mapping[int, int]) -> None:
        """Keep for the crawl what owners have acknowledged."""
        with self._lock:
            self._acknowledged |= numbers

    def tell_lost(self, owners: Iterable[int]) -> None:
        """Have the crawl send again what *owners* have not acknowledged."""
        with self._lock:
            self._lost |= set(owners)
