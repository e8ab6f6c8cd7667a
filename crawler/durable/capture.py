"""What came of one fetch: gathered on the page's way, committed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from crawler.durable.visits import NO_VALIDATORS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    from crawler.durable.at_work import PageAtWork
    from crawler.durable.exchange import Exchange
    from crawler.durable.visits import Validators, Visit


class LinkArrays(Protocol):
    """The out-links of a page, one entry a link; the page model's ``Links`` are such arrays."""

    @property
    def key(self) -> Sequence[tuple[str, str]]: ...
    @property
    def kind(self) -> npt.NDArray[np.uint8]: ...
    @property
    def nofollow(self) -> npt.NDArray[np.bool_]: ...
    @property
    def follow(self) -> npt.NDArray[np.bool_]: ...


class LinkPages(NamedTuple):
    """The links that became pages of this process, one entry a link.

    *ids* uint64[n], *is_new* bool[n] whether this link was the first to its page, *follow* bool[n].
    """

    keys: Sequence[tuple[str, str]]
    ids: npt.NDArray[np.uint64]
    is_new: npt.NDArray[np.bool_]
    follow: npt.NDArray[np.bool_]


@dataclass(slots=True, eq=False)
class Capture:
    """One page on its way to the commit.

    *state* is what the page becomes: ``fetched``, ``gone``, ``refused``, or ``queued`` to be tried again after
    *retry_in_secs*. *links* are read at the commit, so a spider may change ``follow`` until then; None leaves the
    page's arcs as they are. *row* goes to *table* (``documents``, ``rejected``). *puts* are (journal table, key, value)
    committed with it, None to delete the key. *exchange* is what went over the wire, for the archive; *n_bytes* those
    of the answer's body, unpacked, *latency_secs* what it took. *earlier* is the last visit to the page, *validators*
    tell its answer from another, *unchanged* says by what it is the one before, ``withdrawn`` that it may not be kept
    any more. *is_unasked*: nothing was sent on its behalf. One that *is_stored* is out of a WARC file, and counts
    whatever it is. *done* is set when the store has taken it over; *due_ms* and *at_work* are the store's; the commit
    writes *link_pages*. *likeness* is how like the kept pages of its host a page is that is kept, too: a mean
    resemblance, 0 to 1, 0 where none is known.
    """

    page_id: int
    url: str
    host: str
    depth: int = 0
    hops: int = 0
    retries: int = 0
    categories: tuple[str, ...] = ()
    fetched_at: datetime | None = None
    status: int | None = None
    n_bytes: int = 0
    latency_secs: float = 0.0
    state: str = "fetched"
    retry_in_secs: float = 0.0
    links: LinkArrays | None = None
    row: dict[str, Any] | None = None
    table: str = "documents"
    puts: list[tuple[str, bytes, bytes | None]] = field(default_factory=list)
    exchange: Exchange | None = None
    earlier: Visit | None = None
    validators: Validators = NO_VALIDATORS
    unchanged: str = ""
    is_unasked: bool = False
    done: bool = False
    due_ms: int = 0
    at_work: PageAtWork | None = None
    link_pages: LinkPages | None = None
    likeness: float = 0.0
    is_stored: bool = False

    @property
    def host_id(self) -> int:
        return self.page_id >> 32

    @property
    def local_id(self) -> int:
        return self.page_id & 0xFFFFFFFF

    def begin_work(self) -> None:
        """Note that the process works on the page: whoever does says so, again after each wait."""
        if self.at_work is not None:
            self.at_work.begin(self.page_id)

    def end_work(self) -> None:
        """Note that the page waits."""
        if self.at_work is not None:
            self.at_work.end(self.page_id)

    def keep(self, row: dict[str, Any]) -> None:
        """Make *row* the page's document."""
        self.row, self.table = row, "documents"

    def reject(self, *, stage: str, reason: str, duplicate_of: str | None = None) -> None:
        """Make the page's row one of ``rejected``, with the *stage* and the *reason*."""
        self.table = "rejected"
        self.row = {
            "host_id": self.host_id,
            "local_id": self.local_id,
            "url": self.url,
            "host": self.host,
            "fetched_at": self.fetched_at,
            "status": self.status,
            "depth": self.depth,
            "stage": stage,
            "reason": reason,
            "duplicate_of": duplicate_of,
        }


class Archive(Protocol):
    """Takes captures as they end, and before each commit tells where those of the group are."""

    @property
    def is_full(self) -> bool: ...
    def put(self, capture: Capture) -> None: ...
    def settle(self, captures: Sequence[Capture]) -> None: ...
    def close(self) -> None: ...
