"""What a crawl may do, and how often it commits."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class FrontierPolicy:
    """Politeness and limits; a limit of 0 is no limit.

    *host_delay_secs*: from the end of a fetch to the start of the next from the host, or *latency_factor* times what
    the answer took, at most *latency_max_secs*, if that is longer. *domain_delay_secs* and *ip_delay_secs*: the same of
    a registrable domain and of an address. *max_depth*: links from a seed; deeper pages are known, not queued, also
    those that a run with another limit queued. *pages_per_host* and *max_pages*: pages fetched or leased, over
    restarts. *max_hours* and *max_bytes*: see crawler.frontier.store.totals; fetches under way when one is reached come
    on top. *max_redirects*: redirects in a row, the target of one more is refused. *retry_secs*, *park_errors*,
    *park_secs*, *park_max_secs* and *parks*: of hosts in trouble, see crawler.frontier.hosts.health. *idle_end_secs*:
    the crawl is at its end when nothing can be done for longer than that, unless it is the delay of a host.
    *wait_max_secs*: no host is left alone, and no page waits for another attempt, for longer, whatever the journal says
    (crawler.frontier.hosts.clock_set_back).
    """

    host_delay_secs: float = 1.0
    latency_factor: float = 0.0
    latency_max_secs: float = 30.0
    domain_delay_secs: float = 0.0
    ip_delay_secs: float = 0.0
    max_depth: int = 0
    pages_per_host: int = 0
    max_pages: int = 0
    max_hours: float = 0.0
    max_bytes: int = 0
    max_redirects: int = 5
    retry_secs: float = 5.0
    park_errors: int = 4
    park_secs: float = 900.0
    park_max_secs: float = 86_400.0
    parks: int = 5
    idle_end_secs: float = 0.0
    wait_max_secs: float = 86_400.0

    def __post_init__(self) -> None:
        _check_at_least_zero(self)

    @property
    def longest_delay_secs(self) -> float:
        """The longest that a host waits after a fetch, if it does not ask for more itself."""
        adaptive = self.latency_max_secs if self.latency_factor else 0.0
        delays = (self.host_delay_secs, self.domain_delay_secs, self.ip_delay_secs, adaptive)
        return max(delays)


@dataclass(frozen=True, slots=True)
class CommitPolicy:
    """When a group is committed and when a log is sealed, whichever comes first.

    *group_pages*: captures of a group; *sync_secs*: age of its oldest; *seal_rows*, *seal_bytes*:
    rows and compressed bytes of a log; *seal_pages*, *snapshot_pages*: pages found that make a run and
    a snapshot of the page table; *thread_pages*: so many are packed by a thread.
    """

    group_pages: int = 100
    sync_secs: float = 0.2
    seal_rows: int = 5_000
    seal_bytes: int = 64 * 2**20
    seal_pages: int = 2**19  # 36 MB of memory
    snapshot_pages: int = 8_000_000  # two seconds of replaying
    thread_pages: int = 2**16  # fewer are packed at once: 60 ms

    def __post_init__(self) -> None:
        _check_at_least_zero(self)
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "sync_secs" and value < 1:
                raise ValueError(f"{field.name} must be at least 1, got {value}")


def _check_at_least_zero(policy: FrontierPolicy | CommitPolicy) -> None:
    for field in fields(policy):
        value = getattr(policy, field.name)
        if not value >= 0:  # nan too
            raise ValueError(f"{field.name} must be at least 0, got {value}")
